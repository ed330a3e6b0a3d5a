import { and, desc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { type ApiKeyRow, apiKeys } from '../db/tables/tenants'
import { conflict, forbidden, notFound } from '../errors'
import { mintApiKey } from '../platform/crypto/api-key'
import { newId } from '../platform/ids'
import { tenantMeter } from '../platform/stubs'
import { auditKey } from './present-tenant'
import type { KeyIn } from './schema'

const LAST_KEY = 'The last active API key cannot be revoked'

export async function listKeys(ctx: TenantContext): Promise<ApiKeyRow[]> {
  // When a key was last behind a turn is known to the meter first.
  await tenantMeter(ctx.env, ctx.tenant.id).flush(ctx.tenant.id)
  return listOwn(ctx.db, apiKeys, ctx.tenant.id, [], [desc(apiKeys.createdAt), desc(apiKeys.id)])
}

/**
 * A key with the scopes asked for, else the minter's.
 * @returns the plaintext, for this one answer. @throws forbidden for more than the minter may do.
 */
export async function createKey(
  ctx: TenantContext,
  input: KeyIn,
): Promise<{ id: string; apiKey: string }> {
  const own = ctx.actor.scopes ?? null
  const scopes = input.scopes ? [...new Set(input.scopes)] : own
  if (exceeds(scopes, own))
    throw forbidden('A key mints no key with more scopes than its own', 'scope_exceeded')
  const minted = await mintApiKey()
  const row: ApiKeyRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    name: input.name,
    hash: minted.hash,
    prefix: minted.prefix,
    scopes,
    revoked: false,
    createdAt: ctx.now,
    lastUsedAt: null,
  }
  await commitChange(ctx, ctx.tenant.id, [ctx.db.insert(apiKeys).values(row)], {
    action: 'create',
    entity: 'api_key',
    entityId: row.id,
    entityName: row.name,
    before: null,
    after: auditKey(row),
  })
  return { id: row.id, apiKey: minted.plaintext }
}

/** Null stands for every scope; whoever may manage may read. */
function exceeds(wanted: string[] | null, own: string[] | null): boolean {
  if (own === null) return false
  const held = own.includes('manage') ? [...own, 'read'] : own
  return wanted === null || wanted.some((scope) => !held.includes(scope))
}

const managing = sql`(scopes IS NULL OR EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'manage'))`
const active = (ctx: TenantContext, which = sql`TRUE`) =>
  sql`(SELECT count(*) FROM api_keys WHERE tenant_id = ${ctx.tenant.id} AND revoked = 0 AND ${which})`
/** Another active key stays, and where this one manages, another one that does: weaker keys could make none. */
const enoughStay = (ctx: TenantContext, { scopes }: ApiKeyRow) =>
  scopes === null || scopes.includes('manage')
    ? sql`${active(ctx, managing)} > 1`
    : sql`${active(ctx)} > 1`
const keyIs = (ctx: TenantContext, id: string, revoked: boolean) =>
  sql`EXISTS (SELECT 1 FROM api_keys WHERE tenant_id = ${ctx.tenant.id} AND id = ${id} AND revoked = ${revoked ? 1 : 0})`
const turnOf = (ctx: TenantContext) => `api_keys ${ctx.tenant.id}`

/** Revoking twice changes nothing. Two revocations at once cannot both take the last key. @throws notFound; conflict for the last active key, or the last that manages. */
export async function revokeKey(ctx: TenantContext, id: string): Promise<void> {
  await untilCommitted(turnOf(ctx), async () => {
    const before = await getKey(ctx, id)
    if (before.revoked) return true
    const revoked = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.update(apiKeys).set({ revoked: true }).where(ownKey(ctx, id))],
      {
        action: 'revoke',
        entity: 'api_key',
        entityId: id,
        entityName: before.name,
        before: auditKey(before),
        after: auditKey({ ...before, revoked: true }),
        requires: sql`${keyIs(ctx, id, false)} AND ${enoughStay(ctx, before)}`,
      },
    )
    return revoked || refuseLast(ctx, before)
  })
  await tenantMeter(ctx.env, ctx.tenant.id).revokeKey(id)
}

/** @throws notFound; conflict for the last active key, or the last that manages. */
export async function deleteKey(ctx: TenantContext, id: string): Promise<void> {
  await untilCommitted(turnOf(ctx), async () => {
    const before = await getKey(ctx, id)
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.delete(apiKeys).where(ownKey(ctx, id))],
      {
        action: 'delete',
        entity: 'api_key',
        entityId: id,
        entityName: before.name,
        before: auditKey(before),
        after: null,
        requires: before.revoked
          ? keyIs(ctx, id, true)
          : sql`${keyIs(ctx, id, false)} AND ${enoughStay(ctx, before)}`,
      },
    )
    return deleted || refuseLast(ctx, before)
  })
  await tenantMeter(ctx.env, ctx.tenant.id).revokeKey(id)
}

/** The condition did not hold: either the key is the last one, or somebody else changed it, which is read again (null). */
async function refuseLast(ctx: TenantContext, before: ApiKeyRow): Promise<null> {
  const now = await getKey(ctx, before.id)
  if (now.revoked === before.revoked) throw conflict(LAST_KEY)
  return null
}

const ownKey = (ctx: TenantContext, id: string) =>
  and(eq(apiKeys.tenantId, ctx.tenant.id), eq(apiKeys.id, id))

async function getKey(ctx: TenantContext, id: string): Promise<ApiKeyRow> {
  const row = await findOwn(ctx.db, apiKeys, ctx.tenant.id, eq(apiKeys.id, id))
  if (!row) throw notFound('API key')
  return row
}
