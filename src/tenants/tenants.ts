import { and, eq, gt, ne, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { nextUpdate, untilCommitted } from '../audit/until-committed'
import type { OperatorContext } from '../context'
import { isTaken } from '../db/sql-errors'
import { deletions } from '../db/tables/deletions'
import { customDomains } from '../db/tables/domains'
import { apiKeys, type TenantRow, tenants } from '../db/tables/tenants'
import { dropDirectory } from '../domains/directory'
import { conflict, isAbsent, notFound } from '../errors'
import { mintApiKey } from '../platform/crypto/api-key'
import { newTenantKey } from '../platform/crypto/keys'
import { destroyUserKeys, holdsUserKeys } from '../platform/files'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { masterKeys } from '../platform/secrets'
import { tenantMeter } from '../platform/stubs'
import { auditTenant } from './present-tenant'
import type { TenantIn, TenantPatch } from './schema'

const FIRST_KEY_NAME = 'first'

/** Makes a tenant with its own key and a first API key, whose plaintext is returned once. @throws conflict when the alias is taken. */
export async function createTenant(
  ctx: OperatorContext,
  input: TenantIn,
): Promise<{ tenant: TenantRow; keyId: string; apiKey: string }> {
  const id = newId(ctx.now)
  const { wrapped } = await newTenantKey(await masterKeys(ctx.config), id)
  const minted = await mintApiKey()
  const tenant: TenantRow = {
    id,
    name: input.name,
    alias: input.alias ?? null,
    authMode: input.auth_mode ?? 'native',
    status: 'active',
    monthlyTokenCeiling:
      input.monthly_token_ceiling === undefined
        ? ctx.config.monthlyTokens
        : input.monthly_token_ceiling,
    features: input.features ?? {},
    privacyMode: false,
    profile: {},
    onboardingConfig: null,
    dailyTokensPerUser: null,
    logo: null,
    byok: null,
    byokProvider: null,
    wrappedKey: wrapped,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const key = {
    id: newId(ctx.now),
    tenantId: id,
    name: FIRST_KEY_NAME,
    hash: minted.hash,
    prefix: minted.prefix,
    scopes: null,
    revoked: false,
    createdAt: ctx.now,
    lastUsedAt: null,
  }
  try {
    await commitChange(
      ctx,
      id,
      [ctx.db.insert(tenants).values(tenant), ctx.db.insert(apiKeys).values(key)],
      {
        action: 'create',
        entity: 'tenant',
        entityId: id,
        entityName: tenant.name,
        before: null,
        after: auditTenant(tenant),
      },
    )
  } catch (error) {
    if (isTaken(error, 'tenants.alias')) throw conflict('Alias already in use')
    throw error
  }
  // Nobody can have made a webhook yet. A meter that does not hear it has the first turn's job ask.
  await tenantMeter(ctx.env, id)
    .learnListens(false)
    .catch(() => undefined)
  return { tenant, keyId: key.id, apiKey: minted.plaintext }
}

/** @throws notFound. */
export async function getTenant(ctx: OperatorContext, id: string): Promise<TenantRow> {
  const row = await ctx.db
    .select()
    .from(tenants)
    .where(and(eq(tenants.id, id), ne(tenants.status, 'deleted')))
    .limit(1)
    .get()
  if (!row) throw notFound('Tenant')
  return row
}

/** One more than `limit`, oldest first. */
export function listTenants(
  ctx: OperatorContext,
  after: string | null,
  limit: number,
): Promise<TenantRow[]> {
  return ctx.db
    .select()
    .from(tenants)
    .where(and(ne(tenants.status, 'deleted'), after === null ? undefined : gt(tenants.id, after)))
    .orderBy(tenants.id)
    .limit(limit + 1)
}

/** Name, status, ceiling and features. Suspension and ceiling reach the meter before this returns. @throws notFound. */
export async function updateTenant(
  ctx: OperatorContext,
  id: string,
  patch: TenantPatch,
): Promise<TenantRow> {
  const saved = await untilCommitted(turnOf(id), async () => {
    const before = await getTenant(ctx, id)
    const after: TenantRow = {
      ...before,
      name: patch.name ?? before.name,
      status: patch.status ?? before.status,
      monthlyTokenCeiling:
        patch.monthly_token_ceiling === undefined
          ? before.monthlyTokenCeiling
          : patch.monthly_token_ceiling,
      features: patch.features === null ? {} : { ...before.features, ...patch.features },
      updatedAt: nextUpdate(before, ctx.now),
    }
    const { name, status, monthlyTokenCeiling, features, updatedAt } = after
    const written = await commitChange(
      ctx,
      id,
      [
        ctx.db
          .update(tenants)
          .set({ name, status, monthlyTokenCeiling, features, updatedAt })
          .where(eq(tenants.id, id)),
      ],
      {
        action: 'update',
        entity: 'tenant',
        entityId: id,
        entityName: name,
        before: auditTenant(before),
        after: auditTenant(after),
        requires: isStill(before),
      },
    )
    return written ? after : null
  })
  await tenantMeter(ctx.env, id).push({ status: saved.status, ceiling: saved.monthlyTokenCeiling })
  return saved
}

const turnOf = (id: string) => `tenant ${id}`
const isStill = (before: TenantRow) =>
  sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${before.id} AND updated_at = ${before.updatedAt})`

/** Cuts all access, destroys the keys of the tenant's users and leaves the rest to the queue. The audit stays. @throws notFound. */
export async function deleteTenant(ctx: OperatorContext, id: string): Promise<void> {
  await untilCommitted(turnOf(id), async () => {
    const before = await getTenant(ctx, id).catch(async (error: unknown) => {
      // Whoever was told that it failed may ask again, while any key is there.
      if (!isAbsent(error, 'Tenant') || !(await holdsUserKeys(ctx.env.FILES, id))) throw error
      return null
    })
    if (before === null) return true
    const deleted = await commitChange(
      ctx,
      id,
      [
        ctx.db
          .update(tenants)
          .set({ status: 'deleted', alias: null, updatedAt: nextUpdate(before, ctx.now) })
          .where(eq(tenants.id, id)),
        ctx.db.update(apiKeys).set({ revoked: true }).where(eq(apiKeys.tenantId, id)),
        // Whatever dies from here on, the deletion is gone on with.
        ctx.db
          .insert(deletions)
          .values({ tenantId: id, userId: id, requestId: ctx.requestId, requestedAt: ctx.now })
          .onConflictDoNothing(),
        ctx.db.delete(customDomains).where(eq(customDomains.tenantId, id)),
      ],
      {
        action: 'delete',
        entity: 'tenant',
        entityId: id,
        entityName: before.name,
        before: auditTenant(before),
        after: null,
        requires: isStill(before),
      },
    )
    return deleted || null
  })
  dropDirectory()
  await tenantMeter(ctx.env, id).push({ status: 'deleted' })
  await destroyUserKeys(ctx.env.FILES, id)
  await sendJobs(ctx.env, [{ type: 'tenant.delete', tenantId: id }])
}
