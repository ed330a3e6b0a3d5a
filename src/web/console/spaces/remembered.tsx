import { Badge, Empty, ListView, Loadable, Notice, Time } from '../parts'
import { Link, to } from '../router'
import { useList, useLoad } from '../use-load'
import { usePeople } from '../users/words'
import { useFormat } from '../words'
import type { Memory, Profile } from './types'

/** What is remembered of the user in a space. In privacy mode the API gives no words, and the page says so. */
export function Memories({ path }: { path: string }) {
  const t = usePeople()
  const format = useFormat()
  const list = useList<Memory>(path)
  const isPrivate = list.items?.some(({ content }) => content === null) ?? false
  return (
    <>
      {isPrivate && <Notice tone="info">{t('privateContent')}</Notice>}
      <ListView
        list={list}
        caption={t('tab_memories')}
        keyOf={(memory) => memory.id}
        columns={[
          {
            key: 'content',
            label: t('memory'),
            primary: true,
            cell: ({ content }) =>
              content === null ? (
                <span class="muted">{t('hidden')}</span>
              ) : (
                <span dir="auto">{content}</span>
              ),
          },
          {
            key: 'kind',
            label: t('kind'),
            cell: ({ kind }) => <Badge tone="quiet">{t(`kind_${kind}`)}</Badge>,
          },
          { key: 'topic', label: t('topic'), cell: ({ topic }) => <bdi>{topic}</bdi> },
          {
            key: 'importance',
            label: t('importance'),
            numeric: true,
            cell: ({ importance }) => format.number(importance),
          },
          {
            key: 'from',
            label: t('from'),
            cell: ({ session_id: id }) =>
              id === null ? null : <Link to={to`/sessions/${id}`}>{t('chat')}</Link>,
          },
          {
            key: 'at',
            label: t('changed'),
            cell: ({ updated_at, created_at }) => <Time at={updated_at ?? created_at} />,
          },
        ]}
        empty={{ title: t('noMemoriesTitle'), text: t('noMemoriesText') }}
      />
    </>
  )
}

/** What each agent keeps of the user, as it would read it itself. */
export function Profiles({ path }: { path: string }) {
  const t = usePeople()
  const profiles = useLoad<Profile[]>((api, signal) => api.get(path, {}, signal), [path])
  return (
    <Loadable of={profiles}>
      {(all) =>
        all.length === 0 ? (
          <Empty title={t('noProfilesTitle')} text={t('noProfilesText')} />
        ) : (
          <div class="grid2">
            {all.map(({ id, agent_name, content, updated_at }) => (
              <section key={id} class="card stack tight">
                <div class="row spread">
                  <h2>
                    <bdi>{agent_name}</bdi>
                  </h2>
                  <span class="small muted">
                    <Time at={updated_at} />
                  </span>
                </div>
                {content === null ? (
                  <p class="muted">{t('privateContent')}</p>
                ) : (
                  <p class="spoken" dir="auto">
                    {content}
                  </p>
                )}
              </section>
            ))}
          </div>
        )
      }
    </Loadable>
  )
}
