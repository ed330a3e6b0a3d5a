import type { Migration } from '../types'
import { type PeopleKey, usePeopleWords } from './words'

const REASONS: Readonly<Record<string, PeopleKey>> = {
  node_missing: 'skipNode',
  unchanged: 'skipSame',
  moved: 'skipMoved',
  elsewhere: 'skipMoved',
  not_running: 'skipOver',
  gone: 'skipOver',
}

/** Who is passed over, by reason. */
export function Skipped({ of }: { of: Pick<Migration, 'skipped'> }) {
  const t = usePeopleWords()
  const byReason = Map.groupBy(of.skipped, ({ reason }) => reason)
  if (byReason.size === 0) return null
  return (
    <ul class="lost">
      {[...byReason].map(([reason, all]) => (
        <li key={reason}>{t(REASONS[reason] ?? 'skipOver', { n: all.length })}</li>
      ))}
    </ul>
  )
}
