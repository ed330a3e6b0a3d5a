import { and, asc, eq, sql } from 'drizzle-orm'
import type { AuditAction } from '../audit/commit-change'
import { LIMITS } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import { findOwn, listOwn, pickOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables/agents'
import { reviews } from '../db/tables/reviews'
import { storylines } from '../db/tables/storylines'
import { tenants } from '../db/tables/tenants'
import { renameAlias } from '../domains/domains'
import { conflict, forbidden, invalid } from '../errors'
import { greetingPrefix, removeFiles } from '../platform/files'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import {
  changeResource,
  createResource,
  getResource,
  insertResource,
  type ResourceKind,
  removeResource,
  saveResource,
} from '../resources/named-resource'
import { requireExportOf } from '../resources/require-export-of'
import { readSnapshot } from '../revisions/fields'
import { getRevision } from '../revisions/revisions'
import { withCurrentNames } from '../skills/current-names'
import { requireKnownModel } from '../tenants/check-model'
import { aliasField } from '../tenants/schema'
import { cutText } from '../text/cut'
import { completeConfig, patchConfig } from './agent-config'
import { findIcon, removeIcon } from './icon-files'
import { presentAgent } from './present-agent'
import { clearStorylines, clearStorylinesLater, removeStorylines } from './remove-storylines'
import { AgentConfig, type AgentImport, type AgentIn, type AgentPatch } from './schema'

const AGENT: ResourceKind<typeof agents> = {
  table: agents,
  entity: 'agent',
  title: 'Agent',
  limit: {
    most: LIMITS.agentsPerTenant,
    full: `A tenant has at most ${LIMITS.agentsPerTenant} agents; delete one first`,
  },
  taken: {
    alias: 'Alias already in use',
    'storylines.key': 'A storyline that is kept for that name has the key of one of this agent',
  },
  snapshot: presentAgent,
  revised: 'agent',
  follow(ctx, before, after) {
    if (after === null) return []
    return [...renameAgent(ctx, before, after), ...renameAlias(ctx, before, after)]
  },
}

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
export function getAgent(ctx: TenantContext, name: string): Promise<AgentRow> {
  return getResource(ctx, AGENT, eq(agents.name, name))
}

const findAgent = (ctx: TenantContext, name: string): Promise<AgentRow | undefined> =>
  findOwn(ctx.db, agents, ctx.tenant.id, eq(agents.name, name))

/** @throws conflict when the name is taken or the tenant has its 200 agents. */
export async function createAgent(
  ctx: TenantContext,
  name: string,
  input: AgentIn,
): Promise<AgentRow> {
  const config = completeConfig(input)
  await requireKnownModel(ctx, config.model)
  return createResource(ctx, AGENT, newAgent(ctx, name, config))
}

/** `GET /v1/agents/templates`: an agent of that name could not be read. */
const TAKEN_BY_API = 'templates'

function requireOwnName(name: string): string {
  if (name === TAKEN_BY_API) throw conflict('An address of the API has that name', 'name_reserved')
  return name
}

const newAgent = (ctx: TenantContext, name: string, config: AgentConfig): AgentRow => ({
  id: newId(ctx.now),
  tenantId: ctx.tenant.id,
  name: requireOwnName(name),
  alias: null,
  source: 'tenant',
  published: config.published,
  config,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

/** PUT: creates when absent, else replaces in full; the alias has its own endpoint and stays. */
export async function replaceAgent(
  ctx: TenantContext,
  name: string,
  input: AgentIn,
): Promise<AgentRow> {
  const config = completeConfig(input)
  await requireKnownModel(ctx, config.model)
  return changeResource(ctx, AGENT, name, async () => {
    const before = await findAgent(ctx, name)
    if (!before) return insertResource(ctx, AGENT, newAgent(ctx, name, config))
    const { published } = config
    return saveAgent(ctx, before, { published, config }, actionFor(before, config))
  })
}

/** What a PATCH adds to. All else that is stored stays, by whichever release it was taken. */
const LISTS = AgentConfig.pick({ tools: true, skills: true, knowledge_bases: true })

/** @throws notFound; conflict when a new name is taken; ApiError 422 when a list grows too long. */
export async function patchAgent(
  ctx: TenantContext,
  name: string,
  patch: AgentPatch,
): Promise<AgentRow> {
  return changeResource(ctx, AGENT, name, async () => {
    const before = await getAgent(ctx, name)
    const config = patchConfig(before.config, patch)
    const issue = LISTS.safeParse(config).error?.issues[0]
    if (issue) throw invalid(['body', ...issue.path.map(String)], 'the resulting list is too long')
    if (patch.model !== undefined) await requireKnownModel(ctx, config.model)
    const to = patch.name ?? before.name
    if (to !== before.name) requireOwnName(to)
    const changed = { name: to, published: config.published, config }
    return saveAgent(ctx, before, changed, actionFor(before, config))
  })
}

function actionFor(before: AgentRow, config: AgentConfig) {
  if (before.published === config.published) return 'update'
  return config.published ? 'publish' : 'unpublish'
}

/** @returns null when the agent is no longer as it was read. */
async function saveAgent(
  ctx: TenantContext,
  before: AgentRow,
  changed: Partial<AgentRow>,
  action: AuditAction,
): Promise<AgentRow | null> {
  requireWritable(before)
  const after = await saveResource(ctx, AGENT, before, changed, action)
  if (after && before.name !== after.name) await renameInSpaces(ctx, before)
  if (after?.published && !before.published) await wakeStorylines(ctx, after)
  return after
}

/**
 * A rename takes along what refers to the agent by name: the tenant's default, its storylines and the reviews. Whoever read
 * a storyline before it does not give it back the former name: `expected_version` is another then.
 */
function renameAgent(ctx: OperatorContext, before: AgentRow, after: AgentRow) {
  if (before.name === after.name) return []
  const storylineUpdate = sql`max(${ctx.now}, ${storylines.updatedAt} + 1)`
  return [
    ctx.db
      .update(tenants)
      .set({
        profile: sql`json_set(${tenants.profile}, '$.default_agent', ${after.name})`,
        updatedAt: sql`max(${ctx.now}, ${tenants.updatedAt} + 1)`,
      })
      .where(
        and(
          eq(tenants.id, before.tenantId),
          sql`json_extract(${tenants.profile}, '$.default_agent') = ${before.name}`,
        ),
      ),
    // What was kept for that name may have a default; the agent's own one goes on.
    ctx.db
      .update(storylines)
      .set({
        isDefault: false,
        version: sql`${storylines.version} + 1`,
        updatedAt: storylineUpdate,
      })
      .where(
        and(
          eq(storylines.tenantId, before.tenantId),
          eq(storylines.agentName, after.name),
          eq(storylines.isDefault, true),
          sql`EXISTS (SELECT 1 FROM storylines AS own WHERE own.tenant_id = ${before.tenantId} AND own.agent_name = ${before.name} AND own.is_default)`,
        ),
      ),
    ctx.db
      .update(storylines)
      .set({
        agentName: after.name,
        version: sql`${storylines.version} + 1`,
        updatedAt: storylineUpdate,
      })
      .where(and(eq(storylines.tenantId, before.tenantId), eq(storylines.agentName, before.name))),
    ctx.db
      .update(reviews)
      .set({ agentName: after.name })
      .where(and(eq(reviews.tenantId, before.tenantId), eq(reviews.agentId, before.id))),
  ]
}

/** Sessions, reminders and what is remembered follow in the background, space by space. */
function renameInSpaces(ctx: TenantContext, { id, name }: AgentRow): Promise<void> {
  const renamed = { agentId: id, from: name, renamedAt: Date.now() }
  return sendJobs(ctx.env, [{ type: 'agent.rename', tenantId: ctx.tenant.id, ...renamed }])
}

/** Whose storylines rested while the agent was not published. */
function wakeStorylines({ env, tenant }: TenantContext, { name }: AgentRow): Promise<void> {
  const of = { agentName: name }
  return sendJobs(env, [{ type: 'storyline.wake', tenantId: tenant.id, of, after: null }])
}

function requireWritable(row: AgentRow): void {
  if (row.source === 'system') throw forbidden('A system agent cannot be changed')
}

/** With its storylines: nobody could be in them any more. @throws notFound. */
export async function deleteAgent(ctx: TenantContext, name: string): Promise<void> {
  const gone = await changeResource(ctx, AGENT, name, async () => {
    const before = await getAgent(ctx, name)
    requireWritable(before)
    const [icon, told] = await Promise.all([
      findIcon(ctx, before.id),
      pickOwn(
        ctx.db,
        storylines,
        ctx.tenant.id,
        { id: storylines.id },
        eq(storylines.agentName, name),
      ),
    ])
    await clearStorylinesLater(ctx, told)
    const removed = await removeResource(ctx, AGENT, before, removeStorylines(ctx, told))
    return removed && { id: before.id, icon, told }
  })
  await clearStorylines(ctx, gone.told)
  if (gone.icon !== null) await removeIcon(ctx, gone.icon)
  await removeFiles(ctx.env.FILES, greetingPrefix(ctx.tenant.id, gone.id))
}

/** An unpublished draft without an alias, named `{name}-copy`, `-copy-2`… unless a name is given. */
export async function cloneAgent(
  ctx: TenantContext,
  name: string,
  newName: string | undefined,
): Promise<AgentRow> {
  const original = await getAgent(ctx, name)
  const config = { ...structuredClone(original.config), published: false }
  if (newName !== undefined)
    return createResource(ctx, AGENT, newAgent(ctx, newName, config), 'clone')
  const wanted = `${cutText(name, LIMITS.nameLength - '-copy-200'.length)}-copy`
  // Nobody asked for the name, so one that is taken meanwhile is passed over.
  return changeResource(ctx, AGENT, name, async () =>
    insertResource(ctx, AGENT, newAgent(ctx, await freeName(ctx, wanted), config), 'clone'),
  )
}

/** That name, or the first of `-2`, `-3`… that is free. */
export async function freeName(ctx: TenantContext, wanted: string): Promise<string> {
  const taken = new Set([
    TAKEN_BY_API,
    ...(await listAgents(ctx, undefined)).map((row) => row.name),
  ])
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n++) if (!taken.has(`${wanted}-${n}`)) return `${wanted}-${n}`
}

/** A draft from an export; ids, alias and publication are never taken over. @throws conflict when the name is taken. */
export async function importAgent(ctx: TenantContext, input: AgentImport): Promise<AgentRow> {
  requireExportOf('agent', input)
  const config = { ...completeConfig(input), published: false }
  await requireKnownModel(ctx, config.model)
  const name = input.override_name ?? input.name
  return createResource(ctx, AGENT, newAgent(ctx, name, config), 'import')
}

/** @throws conflict when the alias is another agent's. */
export async function setAlias(
  ctx: TenantContext,
  name: string,
  alias: string | null,
): Promise<AgentRow> {
  return changeResource(ctx, AGENT, name, async () => {
    const before = await getAgent(ctx, name)
    return saveAgent(ctx, before, { alias }, 'update')
  })
}

/** The agent as it was at that revision; a new revision is written. The snapshot passes the same allow-list as any input. */
export async function restoreAgent(
  ctx: TenantContext,
  name: string,
  revisionId: string,
): Promise<AgentRow> {
  return changeResource(ctx, AGENT, name, async () => {
    const before = await getAgent(ctx, name)
    const revision = await getRevision(ctx, 'agent', before.id, revisionId)
    const former = completeConfig(readSnapshot(AgentConfig, revision.snapshot))
    const config = await withCurrentNames(ctx, former)
    const alias = aliasField.nullable().catch(null).parse(revision.snapshot.alias)
    return saveAgent(ctx, before, { alias, published: config.published, config }, 'restore')
  })
}
