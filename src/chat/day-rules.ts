import { endOfDay, isZone } from '../reminders/zone-time'
import { type DayRule, dayName } from '../usage/meter-types'

/** Whose day it is, and what they may use of it; null for as much as they like. */
export interface UserDay {
  userId: string
  agentId: string
  /** Tokens a day with all agents. */
  ceiling: number | null
  /** Tokens a day with this agent. */
  ofAgent: number | null
  /** The tenant's zone as its profile says it. */
  timezone: string | null
}

/** Ceilings of a user's day: the tenant's, over all agents, and the agent's own. Days are those of the tenant's zone. Pure. */
export function dayRules(
  { userId, agentId, ceiling, ofAgent, timezone }: UserDay,
  now: number,
): DayRule[] {
  if (ceiling === null && ofAgent === null) return []
  const endsAt = endOfDay(now, timezone !== null && isZone(timezone) ? timezone : 'UTC')
  return [
    { name: dayName(userId), limit: ceiling, endsAt },
    { name: dayName(userId, agentId), limit: ofAgent, endsAt },
  ].flatMap(({ limit, ...rule }) => (limit === null ? [] : [{ ...rule, limit }]))
}
