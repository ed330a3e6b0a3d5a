import { DAY_MS, HOUR_MS } from '../config/limits'
import { isoOf } from '../time'

/** Periods that usage is grouped by; all in UTC. A week is an ISO week: it begins on Monday. */
export const PERIODS = ['hour', 'day', 'week'] as const
export type Period = (typeof PERIODS)[number]

/** 1 January 1970 was a Thursday, so its week began three days earlier. */
const FIRST_MONDAY_MS = -3 * DAY_MS

/** First millisecond of the period that a moment is in. Pure. */
export function startOfPeriod(period: Period, ms: number): number {
  if (period === 'hour') return Math.floor(ms / HOUR_MS) * HOUR_MS
  if (period === 'day') return Math.floor(ms / DAY_MS) * DAY_MS
  return Math.floor((ms - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS
}

/** `2026-11-21T10:00:00Z`, `2026-11-21` or `2026-W47`, and beside it how a person reads it: a week by its Monday. Pure. */
export function namePeriod(period: Period, start: number): { key: string; label: string } {
  if (period === 'hour') {
    const key = `${isoOf(start).slice(0, 19)}Z`
    return { key, label: key }
  }
  const day = isoOf(start).slice(0, 10)
  return period === 'day' ? { key: day, label: day } : { key: isoWeek(start), label: day }
}

/** A week belongs to the year that its Thursday is in. */
function isoWeek(monday: number): string {
  const thursday = new Date(monday + 3 * DAY_MS)
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** Starts of the last `count` hours or days, the current one last. Pure. */
export function lastPeriods(period: 'hour' | 'day', count: number, now: number): number[] {
  const step = period === 'hour' ? HOUR_MS : DAY_MS
  const last = startOfPeriod(period, now)
  return Array.from({ length: count }, (_, n) => last - (count - 1 - n) * step)
}
