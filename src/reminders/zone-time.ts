import { DAY_MS } from '../config/limits'

/** Whether the text names a zone of the IANA database; offsets such as `+02:00` are none. */
export const isZone = (name: string): boolean => zoneNamed(name) !== null

/**
 * A zone as the IANA database writes it, or null where it has none: `europe/berlin` is Europe/Berlin. An alias that the
 * engine knows under another name (Asia/Kolkata, by some) is kept as it was chosen.
 */
export function zoneNamed(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    const isAlias = timeZone.toLowerCase() !== name.toLowerCase()
    return isAlias && /^[A-Z]/.test(name) ? name : timeZone
  } catch {
    return null
  }
}

/**
 * The instant at which a zone's clocks show a local time. A time that a clock change skips moves forward by what is
 * skipped; of one that comes twice it is the first.
 * @param local the clock's reading, as milliseconds as if it were UTC. @returns milliseconds since 1970.
 */
export function instantOf(local: number, zone: string): number {
  const before = offsetAt(local - DAY_MS, zone)
  const after = offsetAt(local + DAY_MS, zone)
  const candidates = [local - before, local - after].filter(
    (instant) => instant + offsetAt(instant, zone) === local,
  )
  return candidates.length > 0 ? Math.min(...candidates) : local - before
}

/** When the day that an instant falls on ends by the zone's clocks. */
export function endOfDay(instant: number, zone: string): number {
  const clock = instant + offsetAt(instant, zone)
  return instantOf((Math.floor(clock / DAY_MS) + 1) * DAY_MS, zone)
}

/** What the zone's clocks show, as `2026-11-21T14:05:00+01:00`. */
export function showInZone(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone)
  const clock = new Date(instant + offset).toISOString().slice(0, 19)
  if (offset === 0) return `${clock}Z`
  const minutes = Math.abs(offset) / 60_000
  const part = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${clock}${offset < 0 ? '-' : '+'}${part(minutes / 60)}:${part(minutes % 60)}`
}

/** How far the zone's clocks are ahead of UTC, in milliseconds, to the second. */
export function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((candidate) => candidate.type === type)?.value)
  const clock = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return clock - Math.floor(instant / 1000) * 1000
}
