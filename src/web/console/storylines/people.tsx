import { useState } from 'preact/hooks'
import { Badge, Button, CallThisApi, ListView, Page, SelectField, Time } from '../parts'
import { Link, to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useNames } from '../users/use-names'
import { useShell } from '../words'
import { MigrateDialog } from './people/migrate-dialog'
import { usePages } from './people/use-pages'
import { usePeopleWords } from './people/words'
import { STATUS_TONES, STATUS_WORDS } from './status'
import { StoryLoading } from './story-loading'
import { useTabs } from './tabs'
import type { Enrollment, Funnel, Storyline } from './types'

export { words } from './people/words'

interface Loaded {
  storyline: Storyline
  funnel: Funnel
}

export function Screen({ params }: ScreenProps) {
  const { id = '' } = params
  const loaded = useLoad<Loaded>(
    async (api) => {
      const path = to`/v1/storylines/${id}`
      const [storyline, funnel] = await Promise.all([
        api.get<Storyline>(path),
        api.get<Funnel>(`${path}/funnel`),
      ])
      return { storyline, funnel }
    },
    [id],
  )
  return (
    <StoryLoading of={loaded}>
      {(data) => <People {...data} onMoved={loaded.reload} />}
    </StoryLoading>
  )
}

/** Where people stand: positions, never what was noted of them. */
function People({ storyline, funnel, onMoved }: Loaded & { onMoved: () => void }) {
  const t = usePeopleWords()
  const shell = useShell()
  const { id } = storyline
  const tabs = useTabs(id, 'people')
  const [query, setQuery] = useQuery()
  const status = query.get('status') ?? ''
  const node = query.get('node') ?? ''
  const path = to`/v1/storylines/${id}/enrollments`
  const list = usePages<Enrollment>(path, { status, node })
  const names = useNames((list.items ?? []).map((one) => one.user_id))
  const [moving, setMoving] = useState(false)
  const keys = Object.keys(funnel.nodes)
  const titleOf = (key: string) => funnel.nodes[key]?.title ?? key
  return (
    <Page
      title={storyline.name || storyline.key}
      purpose={t('peoplePurpose')}
      crumbs={[{ label: t('storylines'), to: to`/storylines?agent=${storyline.agent_name}` }]}
      tabs={tabs}
      actions={
        <>
          <CallThisApi method="GET" path={path} />
          <Button
            kind="primary"
            disabled={storyline.published_revision_id === null}
            onClick={() => setMoving(true)}
          >
            {t('movePeople')}
          </Button>
        </>
      }
    >
      <div class="row story-filters">
        <SelectField
          label={shell('status')}
          value={status}
          options={[
            { value: '', label: shell('all') },
            ...(Object.keys(STATUS_WORDS) as Enrollment['status'][]).map((value) => ({
              value: value as string,
              label: t(STATUS_WORDS[value]),
            })),
          ]}
          onChange={(next) => setQuery({ status: next })}
        />
        <SelectField
          label={t('node')}
          value={node}
          options={[
            { value: '', label: shell('all') },
            ...keys.map((value) => ({
              value,
              label: funnel.nodes[value]?.retired
                ? t('retiredNode', { name: titleOf(value) })
                : titleOf(value),
            })),
            ...(node === '' || keys.includes(node) ? [] : [{ value: node, label: node }]),
          ]}
          onChange={(next) => setQuery({ node: next })}
        />
      </div>
      <ListView
        list={list}
        caption={t('tabPeople')}
        keyOf={(one) => one.id}
        columns={[
          {
            key: 'user',
            label: t('user'),
            primary: true,
            cell: (one) => (
              <Link to={to`/users/${one.user_id}`}>
                {names.has(one.user_id) ? (
                  <bdi>{names.get(one.user_id)}</bdi>
                ) : (
                  <bdi class="mono" dir="ltr">
                    {one.user_id}
                  </bdi>
                )}
              </Link>
            ),
          },
          {
            key: 'node',
            label: t('node'),
            cell: (one) => <bdi>{titleOf(one.current_node_key)}</bdi>,
          },
          {
            key: 'status',
            label: shell('status'),
            cell: (one) => (
              <Badge tone={STATUS_TONES[one.status]}>{t(STATUS_WORDS[one.status])}</Badge>
            ),
          },
          {
            key: 'entered',
            label: t('enteredNode'),
            cell: (one) => <Time at={one.entered_node_at} />,
          },
          { key: 'updated', label: shell('updated'), cell: (one) => <Time at={one.updated_at} /> },
        ]}
        empty={{ title: t('nobody'), text: t('nobodyText') }}
      />
      {moving && (
        <MigrateDialog
          storyline={storyline}
          funnel={funnel}
          onClose={() => setMoving(false)}
          onMoved={() => {
            list.reload()
            onMoved()
          }}
        />
      )}
    </Page>
  )
}
