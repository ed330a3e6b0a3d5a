import { useState } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import { PRIVACY_MODE } from '../api/problem'
import {
  Button,
  CallThisApi,
  Empty,
  KeyValues,
  LinkButton,
  Loadable,
  Notice,
  Page,
  Problem,
  Table,
  Time,
} from '../parts'
import { Link, to } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { Channel } from '../users/channel'
import { nameOf } from '../users/names'
import { useSpaceName } from '../users/space-name'
import type { Detail, Session } from '../users/types'
import { usePeople } from '../users/words'
import { useFormat } from '../words'
import { Conversation } from './conversation'
import type { Attachment } from './types'
import { useMessages } from './use-messages'

export { words } from '../users/words'

/** One chat. What was said in it is opened only when somebody asks to see it. */
export function Screen({ params }: ScreenProps) {
  const sid = params.sid ?? ''
  // Another chat begins closed, whichever was open before.
  return <Chat key={sid} sid={sid} />
}

function Chat({ sid }: { sid: string }) {
  const t = usePeople()
  const spaceName = useSpaceName()
  const path = to`/v1/manage/sessions/${sid}`
  const facts = useLoad<Session>((api, signal) => api.get(path, {}, signal), [path])
  const session = facts.data
  const uid = session?.user_id ?? null
  const owner = useLoad<Detail | null>(
    async (api, signal) => (uid === null ? null : api.get(to`/v1/manage/users/${uid}`, {}, signal)),
    [uid],
  )
  const user = owner.data
  const space = user?.spaces.find(({ id }) => id === session?.space_id)
  const [isOpen, setOpen] = useState(false)
  return (
    <Page
      title={session?.title ?? t('chat')}
      crumbs={[
        { label: t('users'), to: '/users' },
        ...(user ? [{ label: nameOf(user), to: to`/users/${user.id}` }] : []),
        ...(user && space
          ? [{ label: spaceName(space), to: to`/spaces/${space.id}?tab=chats` }]
          : []),
      ]}
      actions={<CallThisApi method="GET" path={`${path}/messages`} />}
    >
      <Problem of={owner.problem} retry={owner.reload} />
      <Loadable of={facts}>
        {(data) => (
          <>
            <Facts session={data} />
            {isOpen ? (
              <Content sid={sid} />
            ) : (
              <Empty
                title={t('closedTitle')}
                text={t('closedText')}
                action={
                  <Button kind="primary" onClick={() => setOpen(true)}>
                    {t('showContent')}
                  </Button>
                }
              />
            )}
          </>
        )}
      </Loadable>
    </Page>
  )
}

function Facts({ session }: { session: Session }) {
  const t = usePeople()
  const format = useFormat()
  return (
    <section class="card">
      <KeyValues
        rows={[
          [
            t('agent'),
            <Link key="a" to={agentPath(session.agent_name)}>
              <bdi>{session.agent_name}</bdi>
            </Link>,
          ],
          [t('channel'), <Channel key="c" name={session.channel} />],
          [t('messages'), format.number(session.message_count)],
          [t('begun'), <Time key="b" at={session.created_at} />],
          [t('lastMessage'), <Time key="l" at={session.updated_at} />],
        ]}
      />
    </section>
  )
}

function Content({ sid }: { sid: string }) {
  const t = usePeople()
  const messages = useMessages(sid)
  if (messages.problem?.code === PRIVACY_MODE) {
    return (
      <Notice tone="info">
        <p>
          <strong>{t('privacyTitle')}</strong>
        </p>
        <p>{t('privacyText')}</p>
        <LinkButton to="/settings/privacy">{t('privacySettings')}</LinkButton>
      </Notice>
    )
  }
  return (
    <div class="stack">
      <Conversation of={messages} />
      <Attachments sid={sid} />
    </div>
  )
}

function Attachments({ sid }: { sid: string }) {
  const t = usePeople()
  const format = useFormat()
  const path = to`/v1/manage/sessions/${sid}/attachments`
  const attachments = useLoad<Attachment[]>((api, signal) => api.get(path, {}, signal), [path])
  if (attachments.problem) return <Problem of={attachments.problem} retry={attachments.reload} />
  if (!attachments.data || attachments.data.length === 0) return null
  return (
    <section class="stack tight">
      <h2>{t('attachments')}</h2>
      <Table
        caption={t('attachments')}
        rows={attachments.data}
        keyOf={(one) => one.id}
        columns={[
          {
            key: 'name',
            label: t('fileName'),
            primary: true,
            cell: ({ name }) => <bdi>{name ?? t('untitledFile')}</bdi>,
          },
          { key: 'mime', label: t('type'), cell: ({ mime }) => <bdi class="mono">{mime}</bdi> },
          { key: 'at', label: t('added'), cell: (one) => format.time(one.created_at) },
        ]}
      />
    </section>
  )
}
