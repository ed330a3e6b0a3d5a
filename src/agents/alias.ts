import type { TenantContext } from '../context'
import type { AgentRow } from '../db/tables/agents'

/** Where end users find the agent. `alias_prefix` is the tenant's alias, else its id; pages accept both. */
export function presentAlias(ctx: TenantContext, row: AgentRow) {
  const prefix = `${ctx.origin}/a/${ctx.tenant.alias ?? ctx.tenant.id}/`
  return {
    alias: row.alias,
    url: row.alias === null ? null : prefix + row.alias,
    url_prefix: prefix,
  }
}
