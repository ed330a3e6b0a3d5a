import { and, desc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { type ApiKeyRow, apiKeys } from '../db/tables'
import { conflict, notFound } from '../errors'
import type { TenantContext } from '../http/context'
import { mintApiKey } from '../platform/crypto/api-key'
import { newId } from '../platform/ids'
import { tenantMeter } from '../platform/stubs'
import { auditKey } from './present-tenant'
import type { KeyIn } from './schema'

const LAST_KEY = 'The last active API key cannot be revoked'

export function listKeys(ctx: TenantContext): Promise<ApiKeyRow[]> {
  return ctx.db.select().from(apiKeys).where(eq(apiKeys.tenantId, ctx.tenant.id)).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
}

/** @returns the plaintext, for this one answer. */
export async function createKey(ctx: TenantContext, input: KeyIn): Promise<{ id: string; apiKey: string }> {
  const minted = await mintApiKey()
  const row: ApiKeyRow = {
    id: newId(ctx.now), tenantId: ctx.tenant.id, name: input.name, hash: minted.hash, prefix: minted.prefix,
    scopes: input.scopes ?? null, revoked: false, createdAt: ctx.now, lastUsedAt: null,
  }
  await commitChange(ctx, ctx.tenant.id, [ctx.db.insert(apiKeys).values(row)], {
    action: 'create', entity: 'api_key', entityId: row.id, entityName: row.name, before: null, after: auditKey(row),
  })
  return { id: row.id, apiKey: minted.plaintext }
}

/** At least one other active key, decided inside the statement: two revocations at once cannot both win. */
const anotherActive = (ctx: TenantContext) =>
  sql`(SELECT count(*) FROM api_keys WHERE tenant_id = ${ctx.tenant.id} AND revoked = 0) > 1`

/** Revoking twice changes nothing. @throws notFound; conflict for the last active key. */
export async function revokeKey(ctx: TenantContext, id: string): Promise<void> {
  const before = await getKey(ctx, id)
  if (!before.revoked) {
    await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.update(apiKeys).set({ revoked: true }).where(and(ownKey(ctx, id), eq(apiKeys.revoked, false), anotherActive(ctx)))],
      {
        action: 'revoke', entity: 'api_key', entityId: id, entityName: before.name, before: auditKey(before), after: auditKey({ ...before, revoked: true }),
        onlyIf: sql`EXISTS (SELECT 1 FROM api_keys WHERE id = ${id} AND revoked = 1)`,
      },
    )
    if (!(await getKey(ctx, id)).revoked) throw conflict(LAST_KEY)
  }
  await tenantMeter(ctx.env, ctx.tenant.id).revokeKey(id)
}

/** @throws notFound; conflict for the last active key. */
export async function deleteKey(ctx: TenantContext, id: string): Promise<void> {
  const before = await getKey(ctx, id)
  await commitChange(
    ctx,
    ctx.tenant.id,
    [ctx.db.delete(apiKeys).where(and(ownKey(ctx, id), sql`(revoked = 1 OR ${anotherActive(ctx)})`))],
    {
      action: 'delete', entity: 'api_key', entityId: id, entityName: before.name, before: auditKey(before), after: null,
      onlyIf: sql`NOT EXISTS (SELECT 1 FROM api_keys WHERE id = ${id})`,
    },
  )
  const [left] = await ctx.db.select().from(apiKeys).where(ownKey(ctx, id)).limit(1)
  if (left) throw conflict(LAST_KEY)
  await tenantMeter(ctx.env, ctx.tenant.id).revokeKey(id)
}

const ownKey = (ctx: TenantContext, id: string) => and(eq(apiKeys.tenantId, ctx.tenant.id), eq(apiKeys.id, id))

async function getKey(ctx: TenantContext, id: string): Promise<ApiKeyRow> {
  const row = (await ctx.db.select().from(apiKeys).where(ownKey(ctx, id)).limit(1))[0]
  if (!row) throw notFound('API key')
  return row
}
