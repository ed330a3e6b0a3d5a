import { eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { invalid } from '../errors'
import { listChatModels } from '../models/chat-model'
import { openTenantModel } from './byok'

/** For agents and skills alike; null leaves the choice to the tenant and the platform. @throws ApiError 422 naming the known ones. */
export async function requireKnownModel(
  ctx: Pick<TenantContext, 'env' | 'db' | 'tenant'>,
  model: string | null,
): Promise<void> {
  if (model === null || (await listKnown(ctx, ctx.tenant)).includes(model)) return
  // One that the tenant brought a moment ago may be known to another isolate alone.
  const { db, tenant } = ctx
  const now = await db.select().from(tenants).where(eq(tenants.id, tenant.id)).limit(1).get()
  const known = await listKnown(ctx, now ?? tenant)
  if (!known.includes(model))
    throw invalid(['body', 'model'], `unknown model; known are ${known.join(', ')}`)
}

const listKnown = async ({ env }: Pick<TenantContext, 'env'>, tenant: TenantRow) =>
  listChatModels(env, await openTenantModel(env, tenant)).map(({ id }) => id)
