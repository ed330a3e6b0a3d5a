import { and, asc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { type AgentRow, agents, reviews, tenants } from '../db/tables'
import { renameAlias } from '../domains/domains'
import { conflict, forbidden, invalid, notFound } from '../errors'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { addRevision, getRevision } from '../revisions/revisions'
import { requireKnownModel } from '../tenants/check-model'
import { aliasField } from '../tenants/schema'
import { completeConfig, patchConfig } from './agent-config'
import { findIcon, removeIcon } from './icon-files'
import { presentAgent } from './present-agent'
import { AgentConfig, type AgentImport, type AgentIn, type AgentPatch } from './schema'

const NAME_TAKEN = 'Agent already exists'

export function listAgents(
  ctx: TenantContext,
  published: boolean | undefined,
): Promise<AgentRow[]> {
  return listOwn(
    ctx.db,
    agents,
    ctx.tenant.id,
    [published === undefined ? undefined : eq(agents.published, published)],
    [asc(agents.name)],
  )
}

/** @throws notFound. */
export async function getAgent(ctx: TenantContext, name: string): Promise<AgentRow> {
  const row = await findAgent(ctx, name)
  if (!row) throw notFound('Agent')
  return row
}

async function findAgent(ctx: TenantContext, name: string): Promise<AgentRow | undefined> {
  return findOwn(ctx.db, agents, ctx.tenant.id, eq(agents.name, name))
}

/** @throws conflict when the name is taken or the tenant has its 200 agents. */
export async function createAgent(
  ctx: TenantContext,
  name: string,
  input: AgentIn,
): Promise<AgentRow> {
  const config = completeConfig(input)
  await requireKnownModel(ctx, config.model)
  if (await findAgent(ctx, name)) throw conflict(NAME_TAKEN)
  return insertAgent(ctx, name, config, 'create')
}

async function insertAgent(
  ctx: TenantContext,
  name: string,
  config: AgentConfig,
  action: 'create' | 'clone' | 'import',
): Promise<AgentRow> {
  const row: AgentRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    name,
    alias: null,
    source: 'tenant',
    published: config.published,
    config,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  try {
    const hadRoom = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.insert(agents).values(row), ...addRevision(ctx, 'agent', row, presentAgent(row))],
      {
        action,
        entity: 'agent',
        entityId: row.id,
        entityName: name,
        before: null,
        after: presentAgent(row),
        requires: sql`(SELECT count(*) FROM agents WHERE tenant_id = ${ctx.tenant.id}) < ${LIMITS.agentsPerTenant}`,
      },
    )
    if (!hadRoom)
      throw conflict(`A tenant has at most ${LIMITS.agentsPerTenant} agents; delete one first`)
  } catch (error) {
    if (isTaken(error, 'agents.name')) throw conflict(NAME_TAKEN)
    throw error
  }
  return row
}

/** PUT: creates when absent, else replaces in full; the alias has its own endpoint and stays. */
export async function replaceAgent(
  ctx: TenantContext,
  name: string,
  input: AgentIn,
): Promise<AgentRow> {
  const config = completeConfig(input)
  await requireKnownModel(ctx, config.model)
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await findAgent(ctx, name)
    if (!before) return insertAgent(ctx, name, config, 'create')
    return saveAgent(
      ctx,
      before,
      { ...before, published: config.published, config },
      actionFor(before, config),
    )
  })
}

/** @throws notFound; conflict when a new name is taken. */
export async function patchAgent(
  ctx: TenantContext,
  name: string,
  patch: AgentPatch,
): Promise<AgentRow> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getAgent(ctx, name)
    const config = patchConfig(before.config, patch)
    const checked = AgentConfig.safeParse(config)
    if (!checked.success)
      throw invalid(
        ['body', ...(checked.error.issues[0]?.path.map(String) ?? [])],
        'the resulting list is too long',
      )
    if (patch.model !== undefined) await requireKnownModel(ctx, config.model)
    return saveAgent(
      ctx,
      before,
      { ...before, name: patch.name ?? before.name, published: config.published, config },
      actionFor(before, config),
    )
  })
}

const turnOf = (ctx: TenantContext, name: string) => `agent ${ctx.tenant.id} ${name}`

function actionFor(before: AgentRow, config: AgentConfig) {
  if (before.published === config.published) return 'update'
  return config.published ? 'publish' : 'unpublish'
}

/** @returns null when the agent is no longer as it was read. */
async function saveAgent(
  ctx: TenantContext,
  before: AgentRow,
  changed: AgentRow,
  action: 'update' | 'publish' | 'unpublish' | 'restore',
): Promise<AgentRow | null> {
  requireWritable(before)
  const after = { ...changed, updatedAt: nextUpdate(before, ctx.now) }
  const set = {
    name: after.name,
    alias: after.alias,
    published: after.published,
    config: after.config,
    updatedAt: after.updatedAt,
  }
  const isSame = JSON.stringify(presentAgent(before)) === JSON.stringify(presentAgent(after))
  try {
    const written = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .update(agents)
          .set(set)
          .where(and(eq(agents.tenantId, ctx.tenant.id), eq(agents.id, before.id))),
        ...(isSame ? [] : addRevision(ctx, 'agent', after, presentAgent(after))),
        ...renameDefault(ctx, before.name, after.name),
        ...renameInReviews(ctx, before, after),
        ...renameAlias(ctx, before.alias, after.alias),
      ],
      {
        action,
        entity: 'agent',
        entityId: before.id,
        entityName: after.name,
        before: presentAgent(before),
        after: presentAgent(after),
        requires: isUnchanged(agents, before),
      },
    )
    if (written && before.name !== after.name) await renameInSpaces(ctx, before)
    return written ? after : null
  } catch (error) {
    if (isTaken(error, 'agents.name')) throw conflict(NAME_TAKEN)
    if (isTaken(error, 'agents.alias')) throw conflict('Alias already in use')
    throw error
  }
}

/** A rename takes along what refers to the agent by name. */
function renameDefault(ctx: TenantContext, from: string, to: string) {
  if (from === to) return []
  return [
    ctx.db
      .update(tenants)
      .set({
        profile: sql`json_set(${tenants.profile}, '$.default_agent', ${to})`,
        updatedAt: sql`max(${ctx.now}, ${tenants.updatedAt} + 1)`,
      })
      .where(
        and(
          eq(tenants.id, ctx.tenant.id),
          sql`json_extract(${tenants.profile}, '$.default_agent') = ${from}`,
        ),
      ),
  ]
}

function renameInReviews(ctx: TenantContext, before: AgentRow, after: AgentRow) {
  if (before.name === after.name) return []
  return [
    ctx.db
      .update(reviews)
      .set({ agentName: after.name })
      .where(and(eq(reviews.tenantId, ctx.tenant.id), eq(reviews.agentId, before.id))),
  ]
}

/** Sessions, reminders and what is remembered follow in the background, space by space. */
function renameInSpaces(ctx: TenantContext, { id, name }: AgentRow): Promise<void> {
  const renamed = { agentId: id, from: name, renamedAt: Date.now() }
  return sendJobs(ctx.env, [{ type: 'agent.rename', tenantId: ctx.tenant.id, ...renamed }])
}

function requireWritable(row: AgentRow): void {
  if (row.source === 'system') throw forbidden('A system agent cannot be changed')
}

/** @throws notFound. */
export async function deleteAgent(ctx: TenantContext, name: string): Promise<void> {
  const icon = await untilCommitted(turnOf(ctx, name), async () => {
    const before = await getAgent(ctx, name)
    requireWritable(before)
    const shown = await findIcon(ctx, before.id)
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .delete(agents)
          .where(and(eq(agents.tenantId, ctx.tenant.id), eq(agents.id, before.id))),
      ],
      {
        action: 'delete',
        entity: 'agent',
        entityId: before.id,
        entityName: name,
        before: presentAgent(before),
        after: null,
        requires: isUnchanged(agents, before),
      },
    )
    return deleted ? { name: shown } : null
  })
  if (icon.name !== null) await removeIcon(ctx, icon.name)
}

/** An unpublished draft without an alias, named `{name}-copy`, `-copy-2`… unless a name is given. */
export async function cloneAgent(
  ctx: TenantContext,
  name: string,
  newName: string | undefined,
): Promise<AgentRow> {
  const original = await getAgent(ctx, name)
  const config = { ...structuredClone(original.config), published: false }
  if (newName !== undefined) {
    if (await findAgent(ctx, newName)) throw conflict(NAME_TAKEN)
    return insertAgent(ctx, newName, config, 'clone')
  }
  return insertAgent(
    ctx,
    await freeName(ctx, `${name.slice(0, LIMITS.nameLength - 8)}-copy`),
    config,
    'clone',
  )
}

async function freeName(ctx: TenantContext, wanted: string): Promise<string> {
  const taken = new Set((await listAgents(ctx, undefined)).map((row) => row.name))
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n++) if (!taken.has(`${wanted}-${n}`)) return `${wanted}-${n}`
}

/** A draft from an export; ids, alias and publication are never taken over. @throws conflict when the name is taken. */
export async function importAgent(ctx: TenantContext, input: AgentImport): Promise<AgentRow> {
  if (input.schema_version !== 1)
    throw invalid(
      ['body', 'schema_version'],
      'this version reads schema_version 1',
      'schema_version_unsupported',
    )
  if (input.kind !== undefined && input.kind !== 'agent')
    throw invalid(['body', 'kind'], 'the export is of another kind')
  const config = { ...completeConfig(input), published: false }
  await requireKnownModel(ctx, config.model)
  const name = input.override_name ?? input.name
  if (await findAgent(ctx, name)) throw conflict(NAME_TAKEN)
  return insertAgent(ctx, name, config, 'import')
}

/** @throws conflict when the alias is another agent's. */
export async function setAlias(
  ctx: TenantContext,
  name: string,
  alias: string | null,
): Promise<AgentRow> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getAgent(ctx, name)
    return saveAgent(ctx, before, { ...before, alias }, 'update')
  })
}

/** The agent as it was at that revision; a new revision is written. The snapshot passes the same allow-list as any input. */
export async function restoreAgent(
  ctx: TenantContext,
  name: string,
  revisionId: string,
): Promise<AgentRow> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getAgent(ctx, name)
    const revision = await getRevision(ctx, 'agent', before.id, revisionId)
    const config = completeConfig(AgentConfig.partial().parse(revision.snapshot))
    const alias = aliasField.nullable().catch(null).parse(revision.snapshot.alias)
    return saveAgent(
      ctx,
      before,
      { ...before, alias, published: config.published, config },
      'restore',
    )
  })
}
