import { and, asc, eq, type SQL } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import type { AppSettings } from '../apps/present-app'
import { openReplica } from '../db/client'
import { type AgentRow, agentApps, agents, skills, type TenantRow, tenants } from '../db/tables'
import type { BaseContext } from '../http/context'
import { isNamed } from '../tenants/is-named'
import type { MenuChip } from './types'

export interface PublicAgent {
  tenant: TenantRow
  agent: AgentRow
  greeting: string | null
  menu: MenuChip[]
  app: AppSettings
}

/** A published agent by the two words of its address, or null: absent, unpublished and suspended look alike. */
export function loadAgentPage(
  base: BaseContext,
  tenantAlias: string,
  agentAlias: string,
): Promise<PublicAgent | null> {
  return load(base, isNamed(tenantAlias), agentAlias)
}

/** The same by the tenant's id alone. */
export function loadAgentOf(
  base: BaseContext,
  tenantId: string,
  agentAlias: string,
): Promise<PublicAgent | null> {
  return load(base, eq(tenants.id, tenantId), agentAlias)
}

async function load(
  base: BaseContext,
  ofTenant: SQL,
  agentAlias: string,
): Promise<PublicAgent | null> {
  const row = (
    await openReplica(base.env.DB)
      .select({ tenant: tenants, agent: agents, app: agentApps })
      .from(agents)
      .innerJoin(tenants, eq(tenants.id, agents.tenantId))
      .leftJoin(agentApps, eq(agentApps.agentId, agents.id))
      .where(
        and(
          ofTenant,
          eq(tenants.status, 'active'),
          eq(agents.alias, agentAlias),
          eq(agents.published, true),
        ),
      )
      .limit(1)
  )[0]
  if (!row) return null
  const { tenant, agent } = row
  const config = withDefaults(agent.config)
  const menu = await readMenu(base, agent.tenantId, config.menu_items ?? [])
  const app = row.app ?? { tenantId: tenant.id, installPrompt: 'off' as const, icon: null }
  return { tenant, agent, greeting: config.greeting, menu, app }
}

/** The agents that a tenant shows under addresses of their own, by name; null for a tenant that is not active. */
export async function loadPublicAgents(
  base: BaseContext,
  tenantId: string,
): Promise<{ tenant: TenantRow; agents: { name: string; alias: string }[] } | null> {
  const db = openReplica(base.env.DB)
  const [[tenant], rows] = await db.batch([
    db
      .select()
      .from(tenants)
      .where(and(eq(tenants.id, tenantId), eq(tenants.status, 'active')))
      .limit(1),
    db
      .select({ name: agents.name, alias: agents.alias })
      .from(agents)
      .where(and(eq(agents.tenantId, tenantId), eq(agents.published, true)))
      .orderBy(asc(agents.name)),
  ])
  if (!tenant) return null
  const shown = rows.flatMap(({ name, alias }) => (alias === null ? [] : [{ name, alias }]))
  return { tenant, agents: shown }
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
