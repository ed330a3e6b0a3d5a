import { eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { nextUpdate, untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import { ApiError, conflict, invalid, notFound } from '../errors'
import { resolveChatModel } from '../models/chat-model'
import { DEFAULT_WORKERS_AI_MODEL } from '../models/workers-ai-models'
import { assertUrlAllowed } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { sendJobs } from '../platform/queue'
import { type ByokConfig, openByok, sealByok, toTenantModel } from './byok'
import type { ByokIn, PrivacyIn } from './settings-schema'
import { TRY_MS, tryModel } from './try-model'

/**
 * Switches privacy mode and sets, keeps (`byok_config` omitted) or removes (null) the tenant's own model, which is tried
 * first. Switching on takes existing vectors away through the queue.
 * @throws invalid for a configuration that cannot work; ApiError 502 `byok_failed` when the model does not answer.
 */
export async function putPrivacy(ctx: TenantContext, input: PrivacyIn): Promise<TenantRow> {
  const { db, config } = ctx
  const current = await readTenant(ctx)
  const own = await chooseByok(ctx, current, input.byok_config)
  const saved = await untilCommitted(`tenant ${current.id}`, async () => {
    const before = await readTenant(ctx)
    const byok =
      own === undefined
        ? { byok: before.byok, byokProvider: before.byokProvider }
        : own === null
          ? { byok: null, byokProvider: null }
          : { byok: await sealByok(config, before, own), byokProvider: own.provider }
    const changed = {
      ...byok,
      privacyMode: input.privacy_mode,
      updatedAt: nextUpdate(before, ctx.now),
    }
    const after = { ...before, ...changed }
    const committed = await commitChange(
      ctx,
      before.id,
      [db.update(tenants).set(changed).where(eq(tenants.id, before.id))],
      {
        action: 'update',
        entity: 'privacy',
        entityId: before.id,
        entityName: before.name,
        before: auditPrivacy(before, await openByok(config, before)),
        after: auditPrivacy(after, own === undefined ? await openByok(config, before) : own),
        requires: sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${before.id} AND updated_at = ${before.updatedAt})`,
      },
    )
    return committed ? after : null
  })
  // Also when it was on already: a repeat takes up a job that was lost.
  if (saved.privacyMode) await sendJobs(ctx.env, [{ type: 'privacy.apply', tenantId: saved.id }])
  return saved
}

/** Whose model answers, as far as it is no secret; `byok` is null where what is stored cannot be read. */
export async function presentPrivacy({ config }: Pick<TenantContext, 'config'>, tenant: TenantRow) {
  const own = await openByok(config, tenant)
  return {
    tenant_id: tenant.id,
    privacy_mode: tenant.privacyMode,
    byok_provider: tenant.byokProvider,
    byok:
      own === null || own === 'unreadable'
        ? null
        : { host: hostOf(own), model: own.model, has_api_key: own.apiKey !== null },
  }
}

export async function readTenant({ db, tenant }: TenantContext): Promise<TenantRow> {
  const row = await db.select().from(tenants).where(eq(tenants.id, tenant.id)).limit(1).get()
  if (!row) throw notFound('Tenant')
  return row
}

/** Of an address the host: a path may be a secret. */
const hostOf = ({ baseUrl }: ByokConfig) => (baseUrl === null ? null : new URL(baseUrl).host)

function auditPrivacy(tenant: TenantRow, own: ByokConfig | 'unreadable' | null) {
  if (own === 'unreadable')
    return { privacy_mode: tenant.privacyMode, byok: { provider: tenant.byokProvider } }
  return {
    privacy_mode: tenant.privacyMode,
    byok: own && {
      provider: own.provider,
      host: hostOf(own),
      model: own.model,
      api_key: { set: own.apiKey !== null },
    },
  }
}

/** @returns undefined to leave what is set, null to remove it. */
async function chooseByok(
  ctx: TenantContext,
  tenant: TenantRow,
  input: ByokIn | null | undefined,
): Promise<ByokConfig | null | undefined> {
  if (input === undefined || input === null) return input
  const own =
    input.provider === 'workers-ai'
      ? readWorkersAi(ctx, input)
      : await readCompatible(ctx, tenant, input)
  const limits = { connectMs: TRY_MS, totalMs: TRY_MS, maxBytes: 1024 * 1024 }
  const model = toTenantModel(ctx.env, tenant.id, own, limits)
  const resolved = resolveChatModel(ctx.env, own.model, model)
  if (!resolved) throw invalid(at('model'), 'this deployment does not offer the model')
  await tryModel(resolved)
  return own
}

const at = (field: string) => ['body', 'byok_config', field]

function readWorkersAi(ctx: TenantContext, input: ByokIn): ByokConfig {
  if (ctx.env.AI === undefined) throw invalid(at('provider'), 'this deployment has no workers-ai')
  for (const field of ['base_url', 'api_key'] as const) {
    if (input[field]) {
      throw invalid(
        at(field),
        'workers-ai is the deployment’s own; an account of yours is an openai-compatible endpoint',
      )
    }
  }
  const model = input.model ?? DEFAULT_WORKERS_AI_MODEL
  return { provider: 'workers-ai', baseUrl: null, apiKey: null, model }
}

/** A key that is not sent is kept while the address stays. @throws conflict `unreadable` when it cannot be. */
async function readCompatible(
  ctx: TenantContext,
  tenant: TenantRow,
  input: ByokIn,
): Promise<ByokConfig> {
  const missing = (['base_url', 'model'] as const).filter((field) => !input[field])
  if (missing.length > 0) {
    throw new ApiError(
      'validation',
      missing.map((field) => ({ type: 'missing', loc: at(field), msg: 'Field required' })),
    )
  }
  const baseUrl = await checkAddress(ctx, input.base_url ?? '')
  const apiKey = input.api_key ?? (await keptKey(ctx, tenant, baseUrl))
  return {
    provider: 'openai-compatible',
    baseUrl,
    apiKey: apiKey || null,
    model: input.model ?? '',
  }
}

async function keptKey(
  ctx: TenantContext,
  tenant: TenantRow,
  baseUrl: string,
): Promise<string | null> {
  const before = await openByok(ctx.config, tenant)
  if (before === 'unreadable')
    throw conflict('The stored key cannot be read: send it again', before)
  return before?.baseUrl === baseUrl ? before.apiKey : null
}

/** @returns the address without a slash at its end. A resolver that fails refuses it: it could not be tried either. */
async function checkAddress(ctx: TenantContext, text: string): Promise<string> {
  try {
    const url = await assertUrlAllowed(egressContext(ctx.env), text)
    if (url.search !== '' || url.hash !== '') {
      throw invalid(at('base_url'), 'an address without a query')
    }
    return url.href.replace(/\/+$/, '')
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    throw new ApiError('validation', [
      { type: 'value_error', loc: at('base_url'), msg: 'URL is not allowed' },
    ])
  }
}
