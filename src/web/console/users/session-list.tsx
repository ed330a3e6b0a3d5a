import { ListView } from '../parts'
import { to } from '../router'
import { useList } from '../use-load'
import { useFormat } from '../words'
import { Channel } from './channel'
import { useSpaceName } from './space-name'
import type { Session, Space } from './types'
import { usePeople } from './words'

interface SessionListProps {
  path: string
  /** Names of the spaces, where the list is of several. */
  withSpace?: readonly Space[]
}

/** Chats, the latest first; what was said in them is asked for on their own page. */
export function SessionList({ path, withSpace }: SessionListProps) {
  const t = usePeople()
  const spaceName = useSpaceName()
  const format = useFormat()
  const list = useList<Session>(path)
  const spaceOf = (id: string) =>
    (withSpace ?? []).filter((space) => space.id === id).map(spaceName)
  return (
    <ListView
      list={list}
      caption={t('chats')}
      keyOf={(session) => session.id}
      to={(session) => to`/sessions/${session.id}`}
      columns={[
        {
          key: 'title',
          label: t('titleOfChat'),
          primary: true,
          cell: ({ title }) =>
            title === null ? <span class="muted">{t('untitledChat')}</span> : <bdi>{title}</bdi>,
        },
        { key: 'agent', label: t('agent'), cell: (session) => <bdi>{session.agent_name}</bdi> },
        ...(withSpace
          ? [
              {
                key: 'space',
                label: t('space'),
                cell: (session: Session) => <bdi>{spaceOf(session.space_id)}</bdi>,
              },
            ]
          : []),
        {
          key: 'channel',
          label: t('channel'),
          cell: (session) => <Channel name={session.channel} />,
        },
        {
          key: 'messages',
          label: t('messages'),
          numeric: true,
          cell: (session) => format.number(session.message_count),
        },
        {
          key: 'at',
          label: t('lastMessage'),
          short: true,
          cell: (session) => format.ago(session.updated_at),
        },
      ]}
      empty={{ title: t('noChatsTitle'), text: t('noChatsText') }}
    />
  )
}
