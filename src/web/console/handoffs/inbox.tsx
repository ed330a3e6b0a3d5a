import { Badge, Button } from '../parts'
import type { Listed } from '../use-load'
import { usePeople } from '../users/words'
import { useFormat, useShell } from '../words'
import type { Handoff } from './types'

const TONES = { requested: 'warn', answered: 'info', closed: 'quiet' } as const

export function HandoffState({ status }: { status: Handoff['status'] }) {
  const t = usePeople()
  return <Badge tone={TONES[status]}>{t(`handoff_${status}`)}</Badge>
}

interface InboxProps {
  list: Listed<Handoff>
  names: ReadonlyMap<string, string>
  current: string
  onChoose: (id: string) => void
}

export function Inbox({ list, names, current, onChoose }: InboxProps) {
  const t = usePeople()
  const shell = useShell()
  const format = useFormat()
  return (
    <nav class="desk-list" aria-label={t('inbox')}>
      <ul>
        {list.items?.map((handoff) => (
          <li key={handoff.id}>
            <button
              type="button"
              class="desk-item"
              aria-current={handoff.id === current}
              onClick={() => onChoose(handoff.id)}
            >
              <span class="desk-item-title" dir="auto">
                {handoff.summary?.split('\n')[0] || t('noSummary')}
              </span>
              <span class="row small muted">
                <HandoffState status={handoff.status} />
                {names.has(handoff.user_id) && (
                  <bdi class="desk-item-name">{names.get(handoff.user_id)}</bdi>
                )}
                <bdi>{handoff.agent_name}</bdi>
                <span>{format.ago(handoff.created_at)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <div class="desk-more">
          <Button small busy={list.loading} onClick={list.more}>
            {shell('more')}
          </Button>
        </div>
      )}
    </nav>
  )
}
