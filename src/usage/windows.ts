import { SECOND_MS } from '../config/limits'

/** A fixed window: how many calls since it opened. */
export interface RateWindow {
  startedAt: number
  count: number
}

export interface WindowRule {
  name: string
  limit: number
  windowS: number
}

/** Counts one call. Pure. @returns the window after the call, or how many seconds until it opens again. */
export function countCall(
  window: RateWindow | undefined,
  rule: WindowRule,
  now: number,
): { ok: true; window: RateWindow } | { ok: false; retryAfterS: number } {
  // Also where the clock was set back by more than the window: it would stay shut until the clock is there again.
  const isOpen = window !== undefined && Math.abs(now - window.startedAt) < rule.windowS * SECOND_MS
  const open = isOpen ? window : { startedAt: now, count: 0 }
  if (open.count >= rule.limit) {
    return {
      ok: false,
      retryAfterS: Math.ceil((open.startedAt + rule.windowS * SECOND_MS - now) / SECOND_MS),
    }
  }
  return { ok: true, window: { startedAt: open.startedAt, count: open.count + 1 } }
}
