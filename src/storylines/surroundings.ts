import { asc, eq } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import type { TenantContext } from '../context'
import { pickOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { skills } from '../db/tables/skills'
import { type StorylineRow, storylines } from '../db/tables/storylines'
import { selectDirectory, toDirectory, toolProblem } from '../mcp/tool-directory'
import type { Subject, Surroundings } from './checks/findings'
import type { NamedIds } from './records'

export const subjectOf = (row: StorylineRow): Subject => ({
  graph: row.graph,
  profile_schema: row.profileSchema,
  entry: row.entry,
  enroll_trigger: row.enrollTrigger,
  user_visibility: row.userVisibility,
  on_complete: row.onComplete,
  concurrency: row.concurrency,
  allow_agent_enroll: row.allowAgentEnroll,
  is_default: row.isDefault,
})

/** What a storyline names outside itself, with the ids of the tenant's bases and servers, in one round trip. */
export async function readSurroundings(
  { db, tenant }: TenantContext,
  row: StorylineRow,
): Promise<Surroundings & { ids: NamedIds }> {
  const [[agent], skillRows, bases, servers, [next]] = await db.batch([
    selectOwn(db, agents, tenant.id, eq(agents.name, row.agentName)),
    pickOwn(db, skills, tenant.id, { name: skills.name, config: skills.config }),
    pickOwn(db, knowledgeBases, tenant.id, {
      id: knowledgeBases.id,
      name: knowledgeBases.name,
      formerNames: knowledgeBases.formerNames,
    }).orderBy(asc(knowledgeBases.updatedAt)),
    selectDirectory(db, tenant.id),
    pickOwn(
      db,
      storylines,
      tenant.id,
      { status: storylines.status },
      eq(storylines.id, row.nextStorylineId ?? ''),
    ),
  ])
  const config = agent && withDefaults(agent.config)
  const ofSkills = skillRows
    .filter(({ name }) => config?.skills.includes(name))
    .flatMap((skill) => skill.config.tools ?? [])
  const directory = toDirectory(servers)
  // The last one counts: a name that a base has now before one that it had, and as `findBases` has it among those.
  const baseIds = Object.fromEntries([
    ...bases.flatMap(({ id, formerNames }) => formerNames.map((name) => [name, id] as const)),
    ...bases.map(({ id, name }) => [name, id] as const),
  ])
  const tools = [...(config?.tools ?? []), ...ofSkills].filter(
    (tool) => toolProblem(tool, directory) === null,
  )
  return {
    agentExists: agent !== undefined,
    tools: new Set(tools),
    knowledgeBases: new Set(Object.keys(baseIds)),
    ids: {
      bases: baseIds,
      servers: Object.fromEntries(servers.map(({ name, id }) => [name, id])),
    },
    next: row.nextStorylineId === null ? null : nextOf(next),
  }
}

function nextOf(next: Pick<StorylineRow, 'status'> | undefined): Surroundings['next'] {
  if (!next) return 'missing'
  return next.status === 'published' ? 'published' : 'unpublished'
}
