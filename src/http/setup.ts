import { desc, ne } from 'drizzle-orm'
import { ConfigError, configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { findMissing, isComplete, type Place, selectPlaces } from '../db/find-missing'
import { tenants } from '../db/tables/tenants'
import { ApiError } from '../errors'
import { keysOf, tenantKey } from '../platform/secrets'

/** What keeps a deployment from working, and the way out of it. Names settings and tables, never a value. */
export interface Lack {
  missing: string
  advice: string
}

/** The setting that is missing or unusable, or null. */
export function lackOfConfig(env: object): Lack | null {
  try {
    keysOf(configOf(env))
    return null
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { missing: error.variable, advice: error.message }
  }
}

/** The migration that is missing, by what it adds, or null. Asked once an isolate, and again while something is missing. */
export async function lackOfSchema(d1: D1Database): Promise<Lack | null> {
  if (isComplete(d1)) return null
  const missing = findMissing(d1, await openPrimary(d1).all<Place>(selectPlaces))
  return missing === null
    ? null
    : {
        missing,
        advice: `The database has no ${missing}: apply the migrations. Locally \`npx wrangler d1 migrations apply DB --local\`, or \`npm run dev\`, which does it; in production \`npm run deploy\`.`,
      }
}

/** So many of the newest are tried: one whose key is broken is not a wrong setting. */
const TRIED = 3

/** The setting that is another deployment's, told by tenants' keys that it does not open; or null. */
export async function lackOfKeys(env: Env): Promise<string | null> {
  const config = configOf(env)
  const known = await openPrimary(env.DB)
    .select({ id: tenants.id, wrappedKey: tenants.wrappedKey })
    .from(tenants)
    .where(ne(tenants.status, 'deleted'))
    .orderBy(desc(tenants.id))
    .limit(TRIED)
  const opened = await Promise.allSettled(known.map((tenant) => tenantKey(config, tenant)))
  const opens = opened.length === 0 || opened.some(({ status }) => status === 'fulfilled')
  return opens ? null : 'MASTER_KEYS'
}

/** Null also when the database does not answer: whoever needs it says so. */
export const findLackOfSchema = (d1: D1Database): Promise<Lack | null> =>
  lackOfSchema(d1).catch(() => null)

/** Elsewhere than locally what is missing is for the operator alone: the log and /readyz say it. */
export function notSetUp(env: { ENVIRONMENT?: string }, { advice }: Lack): ApiError {
  const detail = env.ENVIRONMENT === 'local' ? `Not set up. ${advice}` : 'Not set up'
  return new ApiError('unavailable', detail, { publicCode: 'not_set_up' })
}
