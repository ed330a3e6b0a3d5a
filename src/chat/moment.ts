import { isZone } from '../reminders/zone-time'
import type { TenantFacts } from '../tenants/tenant-facts'
import type { UserFacts } from '../users/user-facts'
import type { EdgePlace } from './turn'

/** Whose clock a turn goes by: the user's, as they said or as the edge tells, else the tenant's, else UTC. */
export function homeZone(
  profile: Pick<UserFacts, 'timezone'>,
  place: Pick<EdgePlace, 'timezone'> | null,
  tenant: Pick<TenantFacts, 'timezone'>,
): string {
  const zones = [profile.timezone, place?.timezone, tenant.timezone]
  return zones.find((zone) => zone && isZone(zone)) ?? 'UTC'
}

/** Making a formatter costs more than everything else that a turn asks of a clock. */
const KEPT = 32
const clocks = new Map<string, Clock>()

interface Clock {
  time: Intl.DateTimeFormat
  weekday: Intl.DateTimeFormat
}

function clockOf(zone: string): Clock {
  const known = clocks.get(zone)
  if (known) return known
  if (clocks.size >= KEPT) clocks.clear()
  const clock = {
    time: new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
    weekday: new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }),
  }
  clocks.set(zone, clock)
  return clock
}

/** Date, clock and weekday of an instant in a zone. */
export function momentIn(now: number, zone: string) {
  const { time, weekday } = clockOf(zone)
  const parts = time.formatToParts(now)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((candidate) => candidate.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
    weekday: weekday.format(now),
  }
}
