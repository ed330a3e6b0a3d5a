import { and, asc, desc, eq, ne, type SQL, sql } from 'drizzle-orm'
import {
  clearStorylines,
  clearStorylinesLater,
  removeStorylines,
} from '../agents/remove-storylines'
import { FEATURE_DEFAULTS, STORYLINES } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import { countOwn, findOwn, listOwn, pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import {
  type StorylineRow,
  storylineEnrollments,
  storylineRevisions,
  storylines,
} from '../db/tables/storylines'
import { ApiError, conflict, forbidden, invalid, notFound } from '../errors'
import { newId } from '../platform/ids'
import {
  changeResource,
  createResource,
  getResource,
  insertResource,
  type ResourceKind,
  removeResource,
  saveResource,
  stillAs,
} from '../resources/named-resource'
import { requireExportOf } from '../resources/require-export-of'
import { auditStoryline } from './present-storyline'
import type { StorylineImport, StorylineIn } from './schema'

export const STORYLINE: ResourceKind<typeof storylines> = {
  table: storylines,
  entity: 'storyline',
  title: 'Storyline',
  named: 'key',
  nameOf: (row) => row.key,
  limit: {
    most: STORYLINES.perTenant,
    full: `A tenant has at most ${STORYLINES.perTenant} storylines; delete one first`,
  },
  snapshot: auditStoryline,
  made: onlyDefault,
  follow: (ctx, _, after) => (after === null ? [] : onlyDefault(ctx, after)),
}

/** An agent's default takes the place of the one before it. */
function onlyDefault(ctx: OperatorContext, { tenantId, id, agentName, isDefault }: StorylineRow) {
  if (!isDefault) return []
  const others = and(
    eq(storylines.tenantId, tenantId),
    eq(storylines.agentName, agentName),
    eq(storylines.isDefault, true),
    ne(storylines.id, id),
  )
  return [
    ctx.db
      .update(storylines)
      .set({
        isDefault: false,
        version: sql`${storylines.version} + 1`,
        updatedAt: laterThan(ctx),
      })
      .where(others),
  ]
}

const laterThan = ({ now }: OperatorContext): SQL<number> =>
  sql`max(${now}, ${storylines.updatedAt} + 1)`

export function isEnabled({ tenant }: Pick<TenantContext, 'tenant'>): boolean {
  return tenant.features.storylines ?? FEATURE_DEFAULTS.storylines
}

/** What is running goes on; nothing is changed. @throws forbidden. */
export function requireEnabled(ctx: Pick<TenantContext, 'tenant'>): void {
  if (!isEnabled(ctx)) throw forbidden('Storylines are not enabled')
}

export function listStorylines(ctx: TenantContext, agent?: string): Promise<StorylineRow[]> {
  return listOwn(
    ctx.db,
    storylines,
    ctx.tenant.id,
    [agent === undefined ? undefined : eq(storylines.agentName, agent)],
    [asc(storylines.agentName), asc(storylines.position), asc(storylines.key)],
  )
}

/** @throws notFound. */
export function getStoryline(ctx: TenantContext, id: string): Promise<StorylineRow> {
  return getResource(ctx, STORYLINE, eq(storylines.id, id))
}

/** A draft. @throws conflict when the agent has one of that key, or the tenant its 500. */
export async function createStoryline(
  ctx: TenantContext,
  input: StorylineIn,
): Promise<StorylineRow> {
  requireEnabled(ctx)
  requireVersion(input, 1)
  return createResource(ctx, STORYLINE, newStoryline(ctx, input))
}

export function newStoryline(
  ctx: TenantContext,
  { agent_name, key, ...input }: StorylineIn,
): StorylineRow {
  const name = orElse(input.name, key)
  return {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    agentName: agent_name,
    key,
    description: '',
    graph: {},
    profileSchema: {},
    status: 'draft',
    publishedRevisionId: null,
    isDefault: false,
    userVisibility: 'title',
    entry: 'menu',
    allowExit: true,
    showProfile: false,
    onComplete: 'return',
    allowAgentEnroll: false,
    enrollTrigger: 'manual',
    concurrency: 'exclusive',
    nextStorylineId: null,
    position: 0,
    ...fieldsOf(input),
    name,
    displayName: orElse(input.display_name, name),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
}

/** A name that shows nothing is none. */
const orElse = (name: string | null | undefined, other: string): string =>
  name?.trim() ? name : other

type Sent = Partial<Omit<StorylineIn, 'agent_name' | 'key'>>

/** The columns of what was sent; `null` says nothing, but for the next storyline. */
function fieldsOf(input: Sent): Partial<StorylineRow> {
  const columns = {
    name: input.name,
    description: input.description,
    graph: input.graph,
    profileSchema: input.profile_schema,
    isDefault: input.is_default,
    userVisibility: input.user_visibility ?? input.learner_visibility,
    entry: input.entry,
    displayName: input.display_name,
    allowExit: input.allow_exit,
    showProfile: input.show_profile,
    onComplete: input.on_complete,
    allowAgentEnroll: input.allow_agent_enroll,
    enrollTrigger: input.enroll_trigger,
    concurrency: input.concurrency,
    position: input.position,
  }
  const said = Object.entries(columns).filter(([, value]) => value !== undefined && value !== null)
  const next = input.next_storyline_id
  return {
    ...Object.fromEntries(said),
    ...(next === undefined ? {} : { nextStorylineId: next }),
  }
}

/**
 * Replaces the fields that are sent. What is live stays as it was published.
 * @throws notFound; conflict for a stale `expected_version`, a key that is taken, and an agent or a key that would leave
 * people behind.
 */
export async function replaceStoryline(
  ctx: TenantContext,
  id: string,
  { agent_name: agentName, key, ...input }: StorylineIn,
): Promise<StorylineRow> {
  requireEnabled(ctx)
  return changeResource(ctx, STORYLINE, id, async () => {
    const before = await getStoryline(ctx, id)
    requireVersion(input, before.version)
    const changed = { ...fieldsOf(input), agentName, key }
    const name = orElse(changed.name ?? before.name, key)
    if (changed.name !== undefined) changed.name = name
    if (changed.displayName !== undefined) changed.displayName = orElse(changed.displayName, name)
    const moves = agentName !== before.agentName || key !== before.key
    if (moves) await requireNobodyIn(ctx, id)
    const version = before.version + (isSame(before, changed) ? 0 : 1)
    const requires = moves ? sql`${stillAs(STORYLINE, before)} AND ${isEmpty(id)}` : undefined
    return saveResource(ctx, STORYLINE, before, { ...changed, version }, 'update', requires)
  })
}

/** @throws conflict. */
function requireVersion({ expected_version: expected }: Sent, version: number): void {
  if (typeof expected !== 'number' || expected === version) return
  throw new ApiError('conflict', 'Version conflict', {
    publicCode: 'stale_version',
    facts: { version },
  })
}

const isSame = (before: StorylineRow, changed: Partial<StorylineRow>): boolean =>
  JSON.stringify({ ...before, ...changed }) === JSON.stringify(before)

const isEmpty = (id: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${storylineEnrollments} WHERE storyline_id = ${id})`

async function requireNobodyIn({ db, tenant }: TenantContext, id: string): Promise<void> {
  const people = await countOwn(
    db,
    storylineEnrollments,
    tenant.id,
    eq(storylineEnrollments.storylineId, id),
  )
  if (people > 0)
    throw conflict('agent_name and key can change only while nobody is enrolled', 'has_enrollments')
}

/** With its revisions, counts and, in the background, all that people's objects hold of it. @throws notFound. */
export async function deleteStoryline(ctx: TenantContext, id: string): Promise<void> {
  requireEnabled(ctx)
  const told = [{ id }]
  await changeResource(ctx, STORYLINE, id, async () => {
    const before = await getStoryline(ctx, id)
    await clearStorylinesLater(ctx, told)
    // Its own row goes with the entry that says so.
    return removeResource(ctx, STORYLINE, before, removeStorylines(ctx, told).slice(0, -1))
  })
  await clearStorylines(ctx, told)
}

/** A draft with the key `{key}-copy`, `-copy2`…, without revisions. @throws notFound. */
export async function cloneStoryline(ctx: TenantContext, id: string): Promise<StorylineRow> {
  requireEnabled(ctx)
  const original = await getStoryline(ctx, id)
  const base = original.key.slice(0, STORYLINES.keyLength - 'copy500'.length - 1)
  return insertUnderFreeKey(ctx, copyOf(ctx, original), 'clone', (n) =>
    n === 1 ? `${base}-copy` : `${base}-copy${n}`,
  )
}

const copyOf = (ctx: TenantContext, original: StorylineRow): StorylineRow => ({
  ...original,
  id: newId(ctx.now),
  status: 'draft',
  publishedRevisionId: null,
  isDefault: false,
  version: 1,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

/** The first of the keys that the agent has not yet; one that is taken meanwhile is passed over. */
export async function insertUnderFreeKey(
  ctx: TenantContext,
  row: StorylineRow,
  action: 'create' | 'clone' | 'import',
  keyOf: (n: number) => string,
): Promise<StorylineRow> {
  const rows = await pickOwn(
    ctx.db,
    storylines,
    ctx.tenant.id,
    { key: storylines.key },
    eq(storylines.agentName, row.agentName),
  )
  const taken = new Set(rows.map(({ key }) => key))
  for (let n = 1; ; n++) {
    const key = keyOf(n)
    if (taken.has(key)) continue
    const inserted = await insertResource(ctx, STORYLINE, { ...row, key }, action)
    if (inserted) return inserted
  }
}

/**
 * A draft from an export; ids, `is_default` and what else the file may hold are passed over, a key that is taken gets a
 * number.
 */
export async function importStoryline(
  ctx: TenantContext,
  { override_agent_name, ...input }: StorylineImport,
): Promise<StorylineRow> {
  requireEnabled(ctx)
  // What has a graph is a storyline, whatever it calls itself.
  requireExportOf('storyline', input.graph ? { ...input, kind: null } : input)
  const agentName = override_agent_name ?? input.agent_name ?? (await defaultAgent(ctx))
  const key = input.key ?? 'storyline'
  const base = keyBase(key)
  const row = newStoryline(ctx, { ...input, agent_name: agentName, key })
  return insertUnderFreeKey(ctx, row, 'import', (n) => (n === 1 ? key : `${base}-${n}`))
}

/** A key that leaves room for a number. */
export const keyBase = (key: string): string => key.slice(0, STORYLINES.keyLength - '-500'.length)

/**
 * The agent of a file that names none: the tenant's default, else its oldest, a published one first.
 * @throws ApiError 422 when the tenant has no agent.
 */
async function defaultAgent({ db, tenant }: TenantContext): Promise<string> {
  const wished = tenant.profile.default_agent
  const isWished = typeof wished === 'string' ? [desc(eq(agents.name, wished))] : []
  const [first] = await pickOwn(db, agents, tenant.id, { name: agents.name })
    .orderBy(...isWished, desc(agents.published), asc(agents.createdAt), asc(agents.id))
    .limit(1)
  if (first) return first.name
  throw invalid(['body', 'agent_name'], 'Field required', 'missing')
}

/** Newest first. @throws notFound. */
export async function listStorylineRevisions(ctx: TenantContext, id: string) {
  const { db, tenant } = ctx
  const row = await getStoryline(ctx, id)
  const columns = {
    id: storylineRevisions.id,
    version: storylineRevisions.version,
    actor: storylineRevisions.actor,
    createdAt: storylineRevisions.createdAt,
  }
  const own = eq(storylineRevisions.storylineId, row.id)
  return pickOwn(db, storylineRevisions, tenant.id, columns, own)
    .orderBy(sql`${storylineRevisions.id} DESC`)
    .limit(STORYLINES.revisionsShown)
}

/** @throws notFound. */
export async function getStorylineRevision(ctx: TenantContext, id: string, revisionId: string) {
  const row = await getStoryline(ctx, id)
  const which = [eq(storylineRevisions.storylineId, row.id), eq(storylineRevisions.id, revisionId)]
  const revision = await findOwn(ctx.db, storylineRevisions, ctx.tenant.id, ...which)
  if (!revision) throw notFound('Revision')
  return revision
}

/** The live revision's row, or null. */
export async function findLive(ctx: TenantContext, row: StorylineRow) {
  if (row.publishedRevisionId === null) return null
  const own = eq(storylineRevisions.id, row.publishedRevisionId)
  return (await findOwn(ctx.db, storylineRevisions, ctx.tenant.id, own)) ?? null
}
