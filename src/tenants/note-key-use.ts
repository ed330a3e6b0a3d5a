import { eq } from 'drizzle-orm'
import { MINUTE_MS } from '../config/limits'
import { openPrimary } from '../db/client'
import { apiKeys } from '../db/tables/tenants'

const MOST_KEYS = 10_000
const seen = new Map<string, number>()

/** Writes when a key was last used, at most once a minute and isolate. @param now milliseconds since 1970. */
export async function noteKeyUse(env: Env, keyId: string, now: number): Promise<void> {
  if (now - (seen.get(keyId) ?? 0) < MINUTE_MS) return
  if (seen.size >= MOST_KEYS) seen.clear()
  seen.set(keyId, now)
  await openPrimary(env.DB).update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, keyId))
}
