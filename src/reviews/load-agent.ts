import { eq } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import type { AgentFacts } from '../agents/resolve-agent'
import { AGENT_DEFAULTS } from '../agents/schema'
import type { Db } from '../db/client'
import { pickOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import type { ReviewRow } from '../db/tables/reviews'
import { skills } from '../db/tables/skills'

/**
 * The agent of a review as it is now with the bases it may search, without tools and skills: a question is asked anew, nothing is
 * done. Of an agent that is gone only the review's base remains.
 */
export async function loadAgent(
  db: Db,
  { tenantId, agentId, agentName, baseId }: ReviewRow,
): Promise<AgentFacts> {
  const [[row], skillRows, bases] = await db.batch([
    selectOwn(db, agents, tenantId, eq(agents.id, agentId)).limit(1),
    pickOwn(db, skills, tenantId, { name: skills.name, config: skills.config }),
    pickOwn(db, knowledgeBases, tenantId, {
      id: knowledgeBases.id,
      name: knowledgeBases.name,
      instructions: knowledgeBases.instructions,
    }),
  ])
  if (!row) {
    return {
      id: agentId,
      name: agentName,
      config: { ...AGENT_DEFAULTS, grounding_required: true, tools: [] },
      published: false,
      skills: [],
      bases: bases.filter((base) => base.id === baseId),
      mcp: [],
    }
  }
  const config = withDefaults(row.config)
  const names = new Set([
    ...config.knowledge_bases,
    ...skillRows
      .filter((skill) => config.skills.includes(skill.name))
      .flatMap((skill) => skill.config.knowledge_bases ?? []),
  ])
  return {
    id: row.id,
    name: row.name,
    config: { ...config, tools: [], skills: [], on_demand_context: false },
    published: row.published,
    skills: [],
    bases: bases.filter((base) => names.has(base.name)),
    mcp: [],
  }
}
