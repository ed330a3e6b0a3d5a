import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { UserContext } from '../context'
import { type Db, openPrimary, openReplica } from '../db/client'
import { findMissing, isComplete, type Place, selectPlaces } from '../db/find-missing'
import { pickOwn, selectOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { type SkillRow, skills } from '../db/tables/skills'
import { spaceAgents } from '../db/tables/spaces'
import { forbidden, notFound } from '../errors'
import { selectReferredServers, toServerFacts } from '../mcp/facts'
import type { McpServerFacts } from '../mcp/types'
import { isolateCache } from '../platform/isolate-caches'
import { SKILL_DEFAULTS, type SkillConfig } from '../skills/schema'
import type { LiveStoryline } from '../storylines/records'
import { withDefaults } from './agent-config'
import { selectLiveStorylines, toLiveStoryline } from './live-storylines'
import type { AgentConfig } from './schema'

/** All that a turn needs of the configuration, as plain data for the user's object. */
export interface AgentFacts {
  id: string
  name: string
  config: AgentConfig
  published: boolean
  skills: (SkillConfig & { name: string })[]
  bases: { id: string; name: string; instructions: string; rerank?: boolean }[]
  /** Remote servers that its tools or its skills' tools name, with what may be used of them. */
  mcp: McpServerFacts[]
  /** Its published storylines, in the order in which they may start. */
  storylines?: LiveStoryline[]
}

/** The agent exists, and this space does not offer it. */
export const agentNotOffered = () => forbidden('Agent not available in this space')

const known = isolateCache<AgentFacts & { offered: boolean }>()

/** An agent by its name, or by its id, which a rename does not change. */
export type AgentRef = string | { id: string }

/**
 * The agent of a turn: the one that is meant, else the tenant's default, else the oldest published. One round trip to D1,
 * none when this isolate has read it in the last seconds.
 * @param preview whether an unpublished agent may be talked to
 * @throws notFound; forbidden when the agent is there but the space does not offer it.
 */
export async function resolveAgent(
  ctx: UserContext,
  meant: AgentRef | null,
  preview: boolean,
): Promise<AgentFacts> {
  const wanted =
    meant ??
    (typeof ctx.tenant.profile.default_agent === 'string' ? ctx.tenant.profile.default_agent : null)
  const place = ctx.space.home ?? ctx.space
  // An id is told from a name by the slash, which no name has.
  const key = typeof wanted === 'object' ? wanted && `/${wanted.id}` : wanted
  const cacheKey = `${ctx.tenant.id} ${place.isDefault ? '' : place.id} ${key ?? ''}`
  let found = known.get(cacheKey, ctx.now)
  if (!found?.offered) {
    found = await load(ctx, wanted, openReplica)
    // A replica may lag behind: only the primary says that something is not there.
    if (!found?.offered || !(found.published || preview))
      found = await load(ctx, wanted, openPrimary)
    if (found) known.set(cacheKey, found, ctx.now)
  }
  if (!found || (!found.published && !preview)) {
    if (meant === null && wanted !== null) return resolveAgentByAge(ctx, preview)
    throw notFound('Agent')
  }
  if (!found.offered) throw agentNotOffered()
  return found
}

/** The tenant's default agent is gone or unpublished: the oldest published one answers. */
async function resolveAgentByAge(ctx: UserContext, preview: boolean): Promise<AgentFacts> {
  const found = (await load(ctx, null, openReplica)) ?? (await load(ctx, null, openPrimary))
  if (!found || (!found.published && !preview)) throw notFound('Agent')
  if (!found.offered) throw agentNotOffered()
  return found
}

function load(
  { env, tenant, space, now }: UserContext,
  wanted: AgentRef | null,
  open: (d1: D1Database) => Db,
): Promise<(AgentFacts & { offered: boolean }) | undefined> {
  return loadChosen(env.DB, open(env.DB), tenant.id, choose(wanted), space.home ?? space, now)
}

function choose(wanted: AgentRef | null): SQL {
  if (wanted === null) return eq(agents.published, true)
  return typeof wanted === 'string' ? eq(agents.name, wanted) : eq(agents.id, wanted.id)
}

/** For work in no session: the agent as it is now, published or not. Undefined when it is gone. */
export async function findAgentFacts(
  d1: D1Database,
  { tenantId, spaceId }: { tenantId: string; spaceId: string },
  agentId: string,
  now: number,
  db = openReplica(d1),
): Promise<AgentFacts | undefined> {
  const space = { id: spaceId, isDefault: true }
  return loadChosen(d1, db, tenantId, eq(agents.id, agentId), space, now)
}

/** Reads, in one batch, the first agent that `choice` finds and all that it refers to. */
async function loadChosen(
  d1: D1Database,
  db: Db,
  tenantId: string,
  choice: SQL,
  space: { id: string; isDefault: boolean },
  now: number,
): Promise<(AgentFacts & { offered: boolean }) | undefined> {
  const chosen = (column: string) =>
    sql`SELECT ${sql.raw(column)} FROM agents WHERE tenant_id = ${tenantId} AND ${choice} ORDER BY created_at, id LIMIT 1`
  // An isolate's first turn checks for a missing migration in this same batch instead of by a round trip of its own.
  const look = isComplete(d1) ? [] : [db.all<Place>(selectPlaces)]
  const [rows, skillRows, baseRows, offers, serverRows, storylineRows, places] = await db.batch([
    selectOwn(db, agents, tenantId, choice).orderBy(asc(agents.createdAt), asc(agents.id)).limit(1),
    pickOwn(
      db,
      skills,
      tenantId,
      { name: skills.name, config: skills.config },
      sql`${skills.name} IN (SELECT value FROM json_each((${chosen("json_extract(config, '$.skills')")})))`,
    ),
    pickOwn(db, knowledgeBases, tenantId, {
      id: knowledgeBases.id,
      name: knowledgeBases.name,
      instructions: knowledgeBases.instructions,
      rerank: knowledgeBases.rerank,
    }),
    pickOwn(
      db,
      spaceAgents,
      tenantId,
      { agentId: spaceAgents.agentId },
      eq(spaceAgents.spaceId, space.id),
      sql`${space.isDefault ? 0 : 1} = 1`,
    ),
    selectReferredServers(db, tenantId, chosen('config')),
    selectLiveStorylines(db, tenantId, sql`(${chosen('name')})`),
    ...look,
  ])
  const missing = places ? findMissing(d1, places) : null
  if (missing !== null) throw new Error(`The database has no ${missing}`)
  const row = rows[0]
  if (!row) return undefined
  return {
    ...assembleFacts(row, skillRows, baseRows, serverRows, now),
    storylines: storylineRows.map(toLiveStoryline),
    offered: space.isDefault || offers.some((offer) => offer.agentId === row.id),
  }
}

/**
 * An agent with what it and its skills refer to. What a name leads nowhere to is left out.
 * @param skillRows the agent's skills, in any order @param baseRows all bases of the tenant
 */
function assembleFacts(
  row: AgentRow,
  skillRows: readonly Pick<SkillRow, 'name' | 'config'>[],
  baseRows: readonly AgentFacts['bases'][number][],
  serverRows: Parameters<typeof toServerFacts>[0],
  now: number,
): Omit<AgentFacts, 'storylines'> {
  const config = withDefaults(row.config)
  const used = config.skills.flatMap((skill) =>
    skillRows.filter((candidate) => candidate.name === skill),
  )
  const baseNames = new Set([
    ...config.knowledge_bases,
    ...used.flatMap((skill) => skill.config.knowledge_bases ?? []),
  ])
  const references = new Set(
    [config.tools, ...used.map((skill) => skill.config.tools ?? [])]
      .flat()
      .filter((tool) => tool.startsWith('mcp:')),
  )
  return {
    id: row.id,
    name: row.name,
    config,
    published: row.published,
    skills: used.map((skill) => ({ ...SKILL_DEFAULTS, ...skill.config, name: skill.name })),
    bases: baseRows.filter((base) => baseNames.has(base.name)),
    mcp: toServerFacts(serverRows, references, now),
  }
}
