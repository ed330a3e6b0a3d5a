import type { UserContext } from '../context'
import { listOpenAgents } from '../spaces/spaces'

/** Whose sources the caller may see: a tenant's own call all, an end user what the agent's setting allows today. */
export async function sourceRule(ctx: UserContext): Promise<(agent: string | null) => boolean> {
  if (ctx.byKey) return () => true
  const open = await listOpenAgents(ctx)
  return (agent) => agent !== null && open.has(agent)
}
