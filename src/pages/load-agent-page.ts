import { and, eq, or } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import { openReplica } from '../db/client'
import { type AgentRow, agents, skills, type TenantRow, tenants } from '../db/tables'
import type { BaseContext } from '../http/context'
import type { MenuChip } from './types'

export interface PublicAgent {
  tenant: TenantRow
  agent: AgentRow
  greeting: string | null
  menu: MenuChip[]
}

/** A published agent by the two words of its address, or null: absent, unpublished and suspended look alike. */
export async function loadAgentPage(
  base: BaseContext,
  tenantAlias: string,
  agentAlias: string,
): Promise<PublicAgent | null> {
  const db = openReplica(base.env.DB)
  const row = (
    await db
      .select({ tenant: tenants, agent: agents })
      .from(agents)
      .innerJoin(tenants, eq(tenants.id, agents.tenantId))
      .where(
        and(
          or(eq(tenants.alias, tenantAlias), eq(tenants.id, tenantAlias)),
          eq(tenants.status, 'active'),
          eq(agents.alias, agentAlias),
          eq(agents.published, true),
        ),
      )
      .limit(1)
  )[0]
  if (!row) return null
  const config = withDefaults(row.agent.config)
  const menu = await readMenu(base, row.agent.tenantId, config.menu_items ?? [])
  return { ...row, greeting: config.greeting, menu }
}

/** An item that equals a skill's name shows its label and sends its prompt; any other is said as it is. */
async function readMenu(base: BaseContext, tenantId: string, items: string[]): Promise<MenuChip[]> {
  if (items.length === 0) return []
  const rows = await openReplica(base.env.DB)
    .select({ name: skills.name, config: skills.config })
    .from(skills)
    .where(eq(skills.tenantId, tenantId))
  return items.map((item) => {
    const skill = rows.find((row) => row.name === item)?.config
    return { label: skill?.menu_label || item, prompt: skill?.menu_prompt || item }
  })
}
