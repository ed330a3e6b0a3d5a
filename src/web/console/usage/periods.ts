import type { ChartPoint } from './bars'
import type { UsageGroup, UsageRow } from './types'

export const GROUPS = ['day', 'hour', 'week', 'agent', 'user', 'space', 'model', 'kind'] as const
export const SPANS = ['24h', '7d', '30d', '90d', '400d'] as const

export type Period = 'hour' | 'day' | 'week'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LENGTHS: Record<Period, number> = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }
/** The first Monday: weeks begin there. */
const FIRST_MONDAY_MS = 4 * DAY_MS
/** More bars than that are thinner than a line. */
const MOST_BARS = 750

export const isPeriod = (group: UsageGroup): group is Period => group in LENGTHS

const SPAN = /^(\d{1,5})([hd])$/

/** The first moment of what is asked for; of what is neither a span nor a date, 30 days ago. */
export function startOf(since: string, now: number): number {
  const [, count, unit] = SPAN.exec(since) ?? []
  if (count !== undefined) return now - Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS)
  const date = Date.parse(since)
  return Number.isNaN(date) ? now - 30 * DAY_MS : date
}

/** Input that had to be read, input that was remembered, and what was written. */
export const partsOf = ({ input_tokens, cached_tokens, output_tokens }: UsageRow): number[] => [
  output_tokens,
  input_tokens - cached_tokens,
  cached_tokens,
]

/** One row for each period until now, also for those in which nothing happened; the newest where they are too many. */
export function everyPeriod(
  rows: readonly UsageRow[],
  period: Period,
  start: number,
  now: number,
): { at: number; row: UsageRow | null }[] {
  const known = new Map(rows.map((row) => [Date.parse(row.label), row]))
  const length = LENGTHS[period]
  const floor = (moment: number) => {
    const offset = period === 'week' ? FIRST_MONDAY_MS : 0
    return Math.floor((moment - offset) / length) * length + offset
  }
  const last = floor(now)
  const first = Math.max(floor(start), last - (MOST_BARS - 1) * length)
  return Array.from({ length: Math.max(0, (last - first) / length + 1) }, (_, n) => {
    const at = first + n * length
    return { at, row: known.get(at) ?? null }
  })
}

export function periodPoints(
  rows: readonly UsageRow[],
  period: Period,
  span: { start: number; now: number },
  nameOf: (at: number) => string,
): ChartPoint[] {
  return everyPeriod(rows, period, span.start, span.now).map(({ at, row }) => ({
    key: String(at),
    label: nameOf(at),
    values: row === null ? [0, 0, 0] : partsOf(row),
  }))
}

/** How a period is written: days and weeks of the service are those of UTC. */
export function nameOfPeriod(period: Period, lang: string): (at: number) => string {
  const style: Intl.DateTimeFormatOptions =
    period === 'hour'
      ? { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
      : { day: 'numeric', month: 'short' }
  const format = new Intl.DateTimeFormat(lang, { timeZone: 'UTC', ...style })
  return (at) => format.format(at)
}
