import { and, eq } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import { FEATURE_DEFAULTS } from '../config/limits'
import type { BaseContext, OperatorContext, TenantContext } from '../context'
import { openReplica } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { type AgentRow, agents } from '../db/tables/agents'
import { type CustomDomainRow, customDomains } from '../db/tables/domains'
import { conflict, forbidden, invalid, notFound } from '../errors'
import { loadSuffixes } from '../lazy'
import { newId } from '../platform/ids'
import { removeResource, type StoredKind, saveResource } from '../resources/named-resource'
import { decideStatus, type Proof } from './decide-status'
import { dropDirectory } from './directory'
import { findProof, missingText } from './find-proof'
import { ownHosts } from './own-hosts'
import { auditDomain } from './present-domain'
import { newLabel } from './records'
import type { CustomDomainIn } from './schema'

const DOMAIN: StoredKind<typeof customDomains> = {
  table: customDomains,
  entity: 'custom_domain',
  title: 'Custom domain',
  nameOf: (row) => row.domain,
  snapshot: auditDomain,
}
const TAKEN = 'Domain already in use'
const PROVED_ELSEWHERE =
  'Another account has proved this domain. It becomes free 72 hours after that account lost its proof.'

export function isEnabled(ctx: Pick<TenantContext, 'tenant'>): boolean {
  return ctx.tenant.features.custom_domain ?? FEATURE_DEFAULTS.custom_domain
}

/** The tenant's binding, or null: nothing is bound. */
export async function findBinding({ db, tenant }: TenantContext): Promise<CustomDomainRow | null> {
  return (await findOwn(db, customDomains, tenant.id)) ?? null
}

/**
 * Binds a name, or shows another agent under the one that is bound: only another name needs a new proof.
 * @throws forbidden when the feature is off and nothing is bound; invalid for a name that cannot be bound; notFound for an
 * unknown agent; conflict when another tenant has proved the name.
 */
export async function bindDomain(
  ctx: TenantContext,
  input: CustomDomainIn,
): Promise<CustomDomainRow> {
  const { checkDomain } = await loadSuffixes()
  const checked = checkDomain(input.domain, ownHosts(ctx.config))
  if (!checked.ok) throw invalid(['body', 'domain'], checked.msg)
  const agentAlias = input.agent_alias ?? null
  return untilCommitted(turnOf(ctx.tenant.id), async () => {
    const before = await findBinding(ctx)
    // Who has been downgraded keeps the domain and manages it.
    if (before === null && !isEnabled(ctx)) throw forbidden('Custom domains are not enabled')
    if (agentAlias !== null) await requireAlias(ctx, agentAlias)
    if (before !== null && before.domain === checked.name) {
      return pointElsewhere(ctx, before, agentAlias)
    }
    await requireFree(ctx, checked.name)
    const row: CustomDomainRow = {
      id: newId(ctx.now),
      tenantId: ctx.tenant.id,
      domain: checked.name,
      agentAlias,
      label: newLabel(),
      status: 'pending',
      verifiedAt: null,
      lastCheckedAt: null,
      lastError: null,
      nextCheckAt: ctx.now,
      createdAt: ctx.now,
      updatedAt: before === null ? ctx.now : nextUpdate(before, ctx.now),
    }
    if (checked.apex) row.lastError = missingText(ctx.config, row)
    return replaceBinding(ctx, before, row)
  })
}

async function replaceBinding(
  ctx: TenantContext,
  before: CustomDomainRow | null,
  row: CustomDomainRow,
): Promise<CustomDomainRow | null> {
  try {
    const written = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ...(before === null ? [] : [ctx.db.delete(customDomains).where(isRow(before))]),
        ctx.db.insert(customDomains).values(row),
      ],
      {
        action: before === null ? 'create' : 'update',
        entity: DOMAIN.entity,
        entityId: row.id,
        entityName: row.domain,
        before: before && auditDomain(before),
        after: auditDomain(row),
        ...(before === null ? {} : { requires: isUnchanged(customDomains, before) }),
      },
    )
    dropDirectory()
    return written ? row : null
  } catch (error) {
    // Two calls of one tenant at once: the second reads what the first has made.
    if (isTaken(error, 'custom_domains.tenant_id')) return null
    throw error
  }
}

async function pointElsewhere(
  ctx: TenantContext,
  before: CustomDomainRow,
  agentAlias: string | null,
): Promise<CustomDomainRow | null> {
  if (before.agentAlias === agentAlias) return before
  return saveBinding(ctx, before, { agentAlias })
}

/** @returns null when the binding is no longer as it was read. */
async function saveBinding(
  ctx: OperatorContext,
  before: CustomDomainRow,
  changed: Partial<CustomDomainRow>,
): Promise<CustomDomainRow | null> {
  const after = await saveResource(ctx, DOMAIN, before, changed)
  dropDirectory()
  return after
}

/** Takes the domain offline. @throws notFound when nothing is bound. */
export async function unbindDomain(ctx: TenantContext): Promise<void> {
  await untilCommitted(turnOf(ctx.tenant.id), async () => {
    const before = await findBinding(ctx)
    if (before === null) throw notFound(DOMAIN.title)
    const removed = await removeResource(ctx, DOMAIN, before)
    dropDirectory()
    return removed
  })
}

/** Looks at the records now. @throws notFound when nothing is bound. */
export async function checkBinding(ctx: TenantContext): Promise<CustomDomainRow> {
  const row = await findBinding(ctx)
  if (row === null) throw notFound(DOMAIN.title)
  const proof = await findProof(ctx.config, row)
  const after = await untilCommitted(turnOf(ctx.tenant.id), async () => {
    const now = await findBinding(ctx)
    // Bound anew meanwhile: what was found belongs to another label.
    if (now === null || now.id !== row.id) return { row: now }
    const saved = await noteProof(ctx, now, proof)
    return saved && { row: saved }
  })
  if (after.row === null) throw notFound(DOMAIN.title)
  return after.row
}

/**
 * Writes what a look at the records found. Only a change of status is a change of the configuration and stands in the
 * audit trail. @returns null when the binding is no longer as it was read.
 */
export async function noteProof(
  ctx: OperatorContext,
  before: CustomDomainRow,
  proof: Proof,
): Promise<CustomDomainRow | null> {
  const fields = decideStatus(before, proof, ctx.now)
  if (fields.status === before.status) {
    const row = await ctx.db
      .update(customDomains)
      .set(fields)
      .where(and(isRow(before), eq(customDomains.updatedAt, before.updatedAt)))
      .returning()
      .get()
    return row ?? null
  }
  try {
    return await saveBinding(ctx, before, fields)
  } catch (error) {
    if (!isTaken(error, 'custom_domains.domain')) throw error
    return noteProof(ctx, before, { kind: 'wrong', detail: PROVED_ELSEWHERE })
  }
}

/** The tenant's proved names: where its people may be sent. */
export async function listActiveDomains(base: BaseContext, tenantId: string): Promise<string[]> {
  const rows = await pickOwn(
    openReplica(base.env.DB),
    customDomains,
    tenantId,
    { domain: customDomains.domain },
    eq(customDomains.status, 'active'),
  )
  return rows.map((row) => row.domain)
}

/** A statement for the batch that renames an agent's alias: what refers to it follows. */
export function renameAlias(
  { db }: BaseContext,
  { tenantId, alias: from }: Pick<AgentRow, 'tenantId' | 'alias'>,
  { alias: to }: Pick<AgentRow, 'alias'>,
) {
  if (from === null || to === null || from === to) return []
  return [
    db
      .update(customDomains)
      .set({ agentAlias: to })
      .where(and(eq(customDomains.tenantId, tenantId), eq(customDomains.agentAlias, from))),
  ]
}

async function requireAlias({ db, tenant }: TenantContext, alias: string): Promise<void> {
  const agent = await findOwn(db, agents, tenant.id, eq(agents.alias, alias))
  if (!agent) throw notFound('Agent')
}

/** A claim without proof blocks nobody. */
async function requireFree({ db }: TenantContext, domain: string): Promise<void> {
  const proved = and(eq(customDomains.domain, domain), eq(customDomains.status, 'active'))
  const row = await db.select().from(customDomains).where(proved).limit(1).get()
  if (row) throw conflict(TAKEN)
}

const turnOf = (tenantId: string) => `domain ${tenantId}`
const isRow = (row: CustomDomainRow) =>
  and(eq(customDomains.tenantId, row.tenantId), eq(customDomains.id, row.id))
