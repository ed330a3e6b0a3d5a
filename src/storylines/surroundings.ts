import { eq } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import type { TenantContext } from '../context'
import { pickOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { skills } from '../db/tables/skills'
import { type StorylineRow, storylines } from '../db/tables/storylines'
import { selectDirectory, toDirectory, toolProblem } from '../mcp/tool-directory'
import type { Subject, Surroundings } from './checks/findings'

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

/** What a storyline names outside itself, in one round trip. */
export async function readSurroundings(
  { db, tenant }: TenantContext,
  row: StorylineRow,
): Promise<Surroundings> {
  const [[agent], skillRows, bases, servers, [next]] = await db.batch([
    selectOwn(db, agents, tenant.id, eq(agents.name, row.agentName)),
    pickOwn(db, skills, tenant.id, { name: skills.name, config: skills.config }),
    pickOwn(db, knowledgeBases, tenant.id, {
      name: knowledgeBases.name,
      formerNames: knowledgeBases.formerNames,
    }),
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
  const tools = [...(config?.tools ?? []), ...ofSkills].filter(
    (tool) => toolProblem(tool, directory) === null,
  )
  return {
    agentExists: agent !== undefined,
    tools: new Set(tools),
    knowledgeBases: new Set(bases.flatMap(({ name, formerNames }) => [name, ...formerNames])),
    next: row.nextStorylineId === null ? null : nextOf(next),
  }
}

function nextOf(next: Pick<StorylineRow, 'status'> | undefined): Surroundings['next'] {
  if (!next) return 'missing'
  return next.status === 'published' ? 'published' : 'unpublished'
}
