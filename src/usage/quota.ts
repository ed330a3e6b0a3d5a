import { QUOTA } from '../config/limits'

/** `2026-11`, in UTC. */
export function monthOf(now: number): string {
  if (now < lastMonth.from || now >= lastMonth.until) {
    const name = new Date(now).toISOString().slice(0, 7)
    lastMonth = { name, from: Date.parse(`${name}-01T00:00:00Z`), until: nextMonth(now) }
  }
  return lastMonth.name
}

/** A meter asks several times a turn. */
let lastMonth = { name: '', from: 0, until: 0 }

/** First millisecond of the next month, UTC. */
export function nextMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export interface QuotaSnapshot {
  period: string
  used: number
  limit: number | null
  remaining: number | null
  percent: number
  state: 'ok' | 'warning' | 'exhausted'
  resets_at: string
  unit: 'tokens'
}

/** How much of the limit is used, from 0; null is no limit. */
const shareOf = (used: number, limit: number | null): number =>
  limit === null ? 0 : limit === 0 ? 1 : used / limit

/** Whether nobody has to be warned yet. */
export const isAmple = (used: number, limit: number | null): boolean =>
  shareOf(used, limit) < QUOTA.warningShare

/** What GET /tenant/quota answers. @param limit tokens a month, null for none. */
export function quotaSnapshot(used: number, limit: number | null, now: number): QuotaSnapshot {
  const share = shareOf(used, limit)
  return {
    period: monthOf(now),
    used,
    limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
    percent: Math.round(share * 1000) / 10,
    state: share >= 1 ? 'exhausted' : isAmple(used, limit) ? 'ok' : 'warning',
    resets_at: new Date(nextMonth(now)).toISOString(),
    unit: 'tokens',
  }
}
