import { type SQL, sql } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { isAbsent } from '../errors'
import { NO_SPACE } from '../platform/crypto/field'
import { readSealed } from '../platform/crypto/read-sealed'
import { tenantMeter } from '../platform/stubs'
import { isoOf } from '../time'
import { indexEmail } from './find-account'
import type { UserSort } from './manage-schema'
import { sumTokens24h, tokens24hOf } from './tokens-24h'
import { UserFields } from './user-fields'

/** Where a page ends: the value that the list is sorted by, and the user. */
export interface UserPosition {
  at: number
  id: string
}

export interface ListedUser {
  id: string
  external_id: string
  source: string
  created_at: number
  last_active_at: number
  tokens_24h: number
  email: string | null
  pref_name: string | null
  session_count: number
}

/** Constant text (rule AZ6). Each is the end of an index that begins with the tenant, so that every page costs the same. */
const SORT_COLUMN: Record<UserSort, SQL> = {
  recent: sql.raw('last_active_at'),
  tokens24h: sql.raw('tokens_24h'),
}

/**
 * One more than `limit`, the most recent or the thirstiest first. `q` finds an e-mail address as a whole, and any part of an
 * external id. Names and addresses are opened for the rows that have any.
 */
export async function listUsers(
  ctx: TenantContext,
  query: { q: string | undefined; sort: UserSort },
  after: UserPosition | null,
  limit: number,
): Promise<ListedUser[]> {
  // What the meter has not handed on yet counts too; a later page goes on in the order that the first one saw.
  if (!after) {
    await tenantMeter(ctx.env, ctx.tenant.id).flush(ctx.tenant.id)
    if (query.sort === 'tokens24h') await sumTokens24h(ctx.db, ctx.tenant.id, ctx.now)
  }
  const position = { after, rows: limit + 1, now: ctx.now }
  return ctx.db.all<ListedUser>(
    usersQuery(ctx.tenant.id, query.sort, await matching(ctx, query.q), position),
  )
}

/** Exported for the test that reads its plan. */
export function usersQuery(
  tenantId: string,
  sort: UserSort,
  matches: SQL | null,
  { after, rows, now }: { after: UserPosition | null; rows: number; now: number },
): SQL {
  const column = SORT_COLUMN[sort]
  const tokens = sort === 'tokens24h' ? sql`u.tokens_24h` : tokens24hOf(now)
  return sql`
    SELECT u.id, u.external_id, u.source, u.created_at, u.last_active_at, ${tokens} AS tokens_24h, a.email, p.pref_name,
      coalesce((SELECT sum(session_count) FROM spaces AS s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id), 0) AS session_count
    FROM users AS u LEFT JOIN accounts AS a ON a.user_id = u.id LEFT JOIN user_profiles AS p ON p.user_id = u.id
    WHERE u.tenant_id = ${tenantId} AND u.status = 'active'
      ${after ? sql`AND (u.${column}, u.id) < (${after.at}, ${after.id})` : sql``}
      ${matches ? sql`AND ${matches}` : sql``}
    ORDER BY u.${column} DESC, u.id DESC LIMIT ${rows}`
}

async function matching(ctx: TenantContext, q: string | undefined): Promise<SQL | null> {
  if (!q) return null
  const part = sql`instr(lower(u.external_id), lower(${q})) > 0`
  if (!q.includes('@')) return part
  const index = await indexEmail(ctx, ctx.tenant, q)
  const owner = sql`u.id = (SELECT user_id FROM accounts WHERE tenant_id = ${ctx.tenant.id} AND email_index = ${index})`
  return sql`(${part} OR ${owner})`
}

export const positionOf = (sort: UserSort) => (row: ListedUser) => ({
  at: sort === 'recent' ? row.last_active_at : row.tokens_24h,
  id: row.id,
})

export async function presentUser(ctx: TenantContext, row: ListedUser) {
  const { email, prefName } = await openNames(ctx, row)
  return {
    id: row.id,
    external_user_id: row.external_id,
    pref_name: prefName,
    email,
    auth: row.source,
    created_at: isoOf(row.created_at),
    last_active_at: isoOf(row.last_active_at),
    session_count: row.session_count,
    tokens_24h: row.tokens_24h,
  }
}

/** The key of a user who is being deleted at this moment is gone, and the names with it; one that does not open hides them. */
async function openNames(ctx: TenantContext, row: ListedUser) {
  if (row.email === null && row.pref_name === null) return { email: null, prefName: null }
  const place = [ctx.tenant.id, row.id, NO_SPACE, 'files', 'key', row.id]
  const load = () => UserFields.load(ctx, ctx.tenant, row.id)
  const fields = await readSealed(place, load).catch((error: unknown) => {
    if (isAbsent(error, 'User')) return null
    throw error
  })
  if (!fields) return { email: null, prefName: null }
  const [email, prefName] = await Promise.all([
    row.email === null ? null : fields.read('accounts', 'email', row.email),
    row.pref_name === null ? null : fields.read('user_profiles', 'prefName', row.pref_name),
  ])
  return { email, prefName }
}
