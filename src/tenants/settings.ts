import { eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { nextUpdate, untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { selectOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { type TenantRow, tenantOauth, tenantSmtp, tenants } from '../db/tables/tenants'
import { conflict, invalid, notFound } from '../errors'
import { tenantMeter } from '../platform/stubs'
import { auditSettings, type Settings } from './present-settings'
import { profileField } from './schema'
import type { SettingsPatch } from './settings-schema'

export async function readSettings({ db, env, tenant }: TenantContext): Promise<Settings> {
  const [[[row], oauth, [smtp]], models] = await Promise.all([
    db.batch([
      db.select().from(tenants).where(eq(tenants.id, tenant.id)).limit(1),
      selectOwn(db, tenantOauth, tenant.id),
      selectOwn(db, tenantSmtp, tenant.id).limit(1),
    ]),
    tenantMeter(env, tenant.id).models(),
  ])
  if (!row) throw notFound('Tenant')
  return { tenant: row, oauth, smtp: smtp ?? null, models }
}

/** Only the fields that are sent change, those of the profile too. @throws conflict when the alias is taken. */
export async function patchSettings(ctx: TenantContext, patch: SettingsPatch): Promise<Settings> {
  try {
    await changeTenant(ctx, 'settings', (before) => ({
      name: patch.name ?? before.name,
      alias: patch.alias === undefined ? before.alias : patch.alias,
      authMode: patch.auth_mode ?? before.authMode,
      profile: patchProfile(before.profile, patch.profile),
      onboardingConfig:
        patch.onboarding_config === undefined ? before.onboardingConfig : patch.onboarding_config,
      dailyTokensPerUser:
        patch.daily_tokens_per_user === undefined
          ? before.dailyTokensPerUser
          : patch.daily_tokens_per_user,
    }))
  } catch (error) {
    if (isTaken(error, 'tenants.alias')) throw conflict('Alias already in use')
    throw error
  }
  return readSettings(ctx)
}

/** A null takes a field out; in the place of the profile it empties it. */
function patchProfile(before: TenantRow['profile'], patch: SettingsPatch['profile']) {
  if (!patch) return patch === null ? {} : before
  const fields = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  const profile = Object.fromEntries(fields)
  const { default_agent } = profile
  // As names are.
  if (typeof default_agent === 'string') profile.default_agent = default_agent.normalize('NFC')
  const { error } = profileField.safeParse(profile)
  if (error) throw invalid(['body', 'profile'], error.issues[0]?.message ?? '')
  return profile
}

/**
 * Reads the tenant, decides, and writes with the audit entry on the condition that nobody wrote in between.
 * @returns the state before.
 */
export function changeTenant(
  ctx: TenantContext,
  entity: 'settings' | 'logo',
  decide: (before: TenantRow) => Partial<TenantRow>,
): Promise<TenantRow> {
  const { db, tenant } = ctx
  return untilCommitted(`tenant ${tenant.id}`, async () => {
    const before = await db.select().from(tenants).where(eq(tenants.id, tenant.id)).limit(1).get()
    if (!before) throw notFound('Tenant')
    const changed = {
      ...decide(before),
      updatedAt: nextUpdate(before, ctx.now),
    }
    const after = { ...before, ...changed }
    const present = (row: TenantRow) =>
      entity === 'logo' ? { logo: { set: row.logo !== null } } : auditSettings(row)
    const committed = await commitChange(
      ctx,
      tenant.id,
      [db.update(tenants).set(changed).where(eq(tenants.id, tenant.id))],
      {
        action: 'update',
        entity,
        entityId: tenant.id,
        entityName: after.name,
        before: present(before),
        after: present(after),
        requires: sql`EXISTS (SELECT 1 FROM tenants WHERE id = ${tenant.id} AND updated_at = ${before.updatedAt})`,
      },
    )
    return committed ? before : null
  })
}
