import { DAY_MS, HOUR_MS } from './config/limits'

/** @param ms milliseconds since 1970. @returns UTC, ISO 8601 with `Z`. */
export const isoOf = (ms: number): string => new Date(ms).toISOString()

const DATE = /^\d{4}-\d{2}-\d{2}$/
/** A blank before the offset is a `+` that a query string turned into one. */
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+\- ]\d{2}:?\d{2})?$/i

/** A day or an instant; without an offset it is UTC. @returns the milliseconds it covers, `end` excluded, or null when it is neither. Pure. */
export function parseWhen(text: string): { start: number; end: number } | null {
  if (DATE.test(text)) {
    const start = Date.parse(`${text}T00:00:00Z`)
    return isSameDay(start, text) ? { start, end: start + DAY_MS } : null
  }
  const [, date = '', time = '', zone = 'Z'] = DATE_TIME.exec(text) ?? []
  const offset = zone
    .replace(' ', '+')
    .replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
    .toUpperCase()
  const start = Date.parse(`${date}T${time}${offset}`)
  return isSameDay(Date.parse(`${date}T00:00:00Z`), date) && !Number.isNaN(start)
    ? { start, end: start + 1 }
    : null
}

/** JavaScript takes 31 February for 3 March. */
const isSameDay = (ms: number, date: string): boolean =>
  !Number.isNaN(ms) && isoOf(ms).startsWith(date)

const SPAN = /^(\d{1,5})([hd])$/i
const SPAN_UNIT: Record<string, number> = { h: HOUR_MS, d: DAY_MS }

/** The beginning of a period: a day, an instant, or a span back from now such as `7d` or `24h`. @returns milliseconds, or null. Pure. */
export function parseSince(text: string, now: number): number | null {
  const [, count, unit = ''] = SPAN.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (SPAN_UNIT[unit.toLowerCase()] ?? 0)
  return parseWhen(text)?.start ?? null
}
