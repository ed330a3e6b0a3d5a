import { asc, eq, lte } from 'drizzle-orm'
import { DOMAINS } from '../config/limits'
import type { OperatorContext } from '../context'
import { type CustomDomainRow, customDomains } from '../db/tables/domains'
import { tenants } from '../db/tables/tenants'
import { noteProof } from '../domains/domains'
import { findProof } from '../domains/find-proof'
import { createSystemContext } from '../platform/system-actor'

/** Looks at the records of the domains whose time has come, a few at once; one that fails does not hold up the others. */
export async function checkDomains(env: Env, now: number): Promise<number> {
  const ctx = { ...createSystemContext(env, 'check-domains'), now }
  const due = await ctx.db
    .select({ row: customDomains })
    .from(customDomains)
    .innerJoin(tenants, eq(tenants.id, customDomains.tenantId))
    .where(lte(customDomains.nextCheckAt, now))
    .orderBy(asc(customDomains.nextCheckAt))
    .limit(DOMAINS.perRun)
  for (let i = 0; i < due.length; i += DOMAINS.atOnce) {
    const batch = due.slice(i, i + DOMAINS.atOnce)
    await Promise.all(batch.map(({ row }) => checkOne(ctx, row)))
  }
  return due.length
}

/** A binding that its tenant changes meanwhile is left for the next run. */
async function checkOne(ctx: OperatorContext, row: CustomDomainRow): Promise<void> {
  try {
    await noteProof(ctx, row, await findProof(ctx.config, row))
  } catch (error) {
    ctx.log.error('domain_check_failed', error, { tenant_id: row.tenantId })
  }
}
