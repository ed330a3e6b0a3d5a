import { MINUTE_MS } from '../config/limits'
import { isZone, offsetAt } from '../reminders/zone-time'
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

/** No zone's clocks change within a quarter of an hour: so long it is known how far they are ahead. */
const QUARTER_MS = 15 * MINUTE_MS
const KEPT = 32
const offsets = new Map<string, { quarter: number; ms: number }>()

/** Asking the engine for it costs more than everything else that a turn asks of a clock. */
function offsetOf(zone: string, now: number): number {
  const quarter = Math.floor(now / QUARTER_MS)
  const known = offsets.get(zone)
  if (known?.quarter === quarter) return known.ms
  if (offsets.size >= KEPT) offsets.clear()
  const ms = offsetAt(now, zone)
  offsets.set(zone, { quarter, ms })
  return ms
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Date, clock and weekday of an instant in a zone. */
export function momentIn(now: number, zone: string) {
  const shown = new Date(now + offsetOf(zone, now))
  const text = shown.toISOString()
  return {
    date: text.slice(0, 10),
    time: text.slice(11, 19),
    weekday: WEEKDAYS[shown.getUTCDay()] ?? '',
  }
}
