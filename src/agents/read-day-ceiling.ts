import { eq } from 'drizzle-orm'
import { openReplica } from '../db/client'
import { findOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { withDefaults } from './agent-config'

/** Which agent a name is, and what one user may use of it in a day, where no turn knows the agent. Undefined when it is gone. */
export async function readDayCeiling(
  database: D1Database,
  tenantId: string,
  name: string,
): Promise<{ id: string; ceiling: number | null } | undefined> {
  const row = await findOwn(openReplica(database), agents, tenantId, eq(agents.name, name))
  return row && { id: row.id, ceiling: withDefaults(row.config).daily_tokens_per_user }
}
