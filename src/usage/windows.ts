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
  const open =
    window !== undefined && now < window.startedAt + rule.windowS * 1000
      ? window
      : { startedAt: now, count: 0 }
  if (open.count >= rule.limit) {
    return {
      ok: false,
      retryAfterS: Math.ceil((open.startedAt + rule.windowS * 1000 - now) / 1000),
    }
  }
  return { ok: true, window: { startedAt: open.startedAt, count: open.count + 1 } }
}
