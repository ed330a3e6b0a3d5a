import { eq } from 'drizzle-orm'
import { openReplica } from '../db/client'
import { findOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { withDefaults } from './agent-config'

/** How long conversations of an agent wait for a person, where no turn knows the agent; null for as long as the deployment says. */
export async function readHandoffHours(
  database: D1Database,
  tenantId: string,
  agentId: string,
): Promise<number | null> {
  const row = await findOwn(openReplica(database), agents, tenantId, eq(agents.id, agentId))
  return row ? withDefaults(row.config).handoff_hours : null
}
