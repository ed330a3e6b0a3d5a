import type { QuotaSnapshot } from './quota'

/** Shares of the month's ceiling that webhooks are told of, in percent; each once a month. */
const MARKS = ['80', '100'] as const
type Mark = (typeof MARKS)[number]

/** What names the mark of a month. The first has the month's own name. */
const keyOf = (period: string, mark: Mark): string => (mark === '80' ? period : `${period}:${mark}`)

/**
 * The marks that were reached and not told yet.
 * @param full whether something did not fit under the ceiling any more. @param told the key of the last one told.
 */
export function warningsDue(
  { state, period }: QuotaSnapshot,
  full: boolean,
  told: string,
): { key: string; percent: Mark }[] {
  if (state === 'ok') return []
  const reached = state === 'exhausted' || full ? 2 : 1
  const from = MARKS.findLastIndex((mark) => keyOf(period, mark) === told) + 1
  return MARKS.slice(from, reached).map((percent) => ({ key: keyOf(period, percent), percent }))
}
