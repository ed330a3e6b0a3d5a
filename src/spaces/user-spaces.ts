import { and, asc, eq, exists, type SQL } from 'drizzle-orm'
import type {
  AskedArgs,
  AskedPart,
  AskedValue,
  AskedVerb,
} from '../../durable-objects/user-space/core/verbs'
import type { TenantContext } from '../context'
import { findOwn, pickOwn } from '../db/own'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import { type UserRow, users } from '../db/tables/users'
import { notFound } from '../errors'
import { tagOf } from '../platform/ids'
import { askPart } from '../platform/stubs'
import { spaceError } from './ask-space'
import type { SpaceCaller } from './caller'
import { readSpaceOfTag } from './find-space'

/** @throws notFound. */
export async function getUser(ctx: TenantContext, id: string): Promise<UserRow> {
  const row = await findOwn(
    ctx.db,
    users,
    ctx.tenant.id,
    eq(users.id, id),
    eq(users.status, 'active'),
  )
  if (!row) throw notFound('User')
  return row
}

/** Spaces of a user, oldest first: at most 50. @throws notFound for a user who is not the tenant's. */
export async function listUserSpaces(ctx: TenantContext, userId: string): Promise<SpaceRow[]> {
  const rows = await select(ctx, eq(spaces.userId, userId)).orderBy(asc(spaces.id))
  // Every user has a default space.
  if (rows.length === 0) throw notFound('User')
  return rows.map(({ space }) => space)
}

/** @throws notFound. */
export async function getSpaceOfTenant(ctx: TenantContext, id: string): Promise<SpaceRow> {
  const row = await select(ctx, eq(spaces.id, id)).limit(1).get()
  if (!row) throw notFound('Space')
  return row.space
}

/** The space that a session's id leads to. @throws notFound. */
export async function findSpaceOfSession(ctx: TenantContext, sessionId: string): Promise<SpaceRow> {
  const active = pickOwn(
    ctx.db,
    users,
    ctx.tenant.id,
    { id: users.id },
    eq(users.id, spaces.userId),
    eq(users.status, 'active'),
  )
  const space = await readSpaceOfTag(ctx.db, ctx.tenant.id, tagOf(sessionId), exists(active))
  if (!space) throw notFound('Session')
  return space
}

const select = (ctx: TenantContext, which: SQL | undefined) =>
  pickOwn(ctx.db, spaces, ctx.tenant.id, { space: spaces }, which)
    .innerJoin(users, and(eq(users.id, spaces.userId), eq(users.status, 'active')))
    .$dynamic()

/** Asks a part of a space on behalf of its tenant, who may read what the tenant's users wrote. @throws ApiError for a refusal. */
export async function askAsTenant<P extends AskedPart, V extends AskedVerb<P>>(
  ctx: TenantContext,
  space: Pick<SpaceRow, 'id' | 'userId' | 'tag'>,
  part: P,
  verb: V,
  ...args: AskedArgs<P, V>
): Promise<AskedValue<P, V>> {
  const answer = await askPart(ctx.env, tenantCaller(ctx, space), part, verb, ...args)
  if (answer.ok) return answer.value
  const { refusal } = answer
  // The space was merged into another one after its row was read.
  if (refusal.reason === 'moved') {
    return askAsTenant(ctx, { ...space, ...refusal.to }, part, verb, ...args)
  }
  throw refusal.reason === 'user_gone' ? notFound('User') : spaceError(refusal)
}

/** The tenant as a caller of one of its users' spaces. */
const tenantCaller = (
  ctx: TenantContext,
  space: Pick<SpaceRow, 'id' | 'userId' | 'tag'>,
): SpaceCaller => ({
  address: { tenantId: ctx.tenant.id, userId: space.userId, spaceId: space.id },
  tag: space.tag,
  wrappedTenantKey: ctx.tenant.wrappedKey,
  tokenVersion: null,
  privacy: ctx.tenant.privacyMode,
})
