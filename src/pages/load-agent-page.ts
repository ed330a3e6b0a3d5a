import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { withDefaults } from '../agents/agent-config'
import { menuStorylines } from '../agents/live-storylines'
import { localize, shownName } from '../agents/localize'
import { readMenu } from '../agents/menu'
import type { AppSettings } from '../apps/present-app'
import { LANGUAGES, type Language } from '../config/names'
import type { BaseContext } from '../context'
import { findNear, openReplica } from '../db/client'
import { pickOwn } from '../db/own'
import { type AgentRow, agentApps, agents } from '../db/tables/agents'
import { storylines } from '../db/tables/storylines'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { hasSpeech } from '../models/speech-model'
import { hasTranscription } from '../models/transcribe'
import { isNamed } from '../tenants/is-named'
import type { AgentWords } from './types'

export interface PublicAgent {
  tenant: TenantRow
  agent: AgentRow
  words: AgentWords
  translations: Partial<Record<Language, AgentWords>>
  /** Whether visitors see what its answers rest on. */
  sources: boolean
  /** Whether a person can be asked for. */
  handsOff: boolean
  speaks: boolean
  hears: boolean
  /** Whether its opening has more than these words. */
  opening: boolean
  app: AppSettings
}

export const wordsFor = ({ words, translations }: PublicAgent, lang: Language): AgentWords =>
  translations[lang] ?? words

/** A published agent by the two words of its address, or null: absent, unpublished and suspended look alike. */
export function loadAgentPage(
  base: BaseContext,
  tenantAlias: string,
  agentAlias: string,
): Promise<PublicAgent | null> {
  return load(base, isNamed(tenantAlias), eq(agents.alias, agentAlias))
}

/** A published agent for another site: by its alias or its name; without either the one that answers who names none. */
export function loadFramedAgent(
  base: BaseContext,
  tenant: string,
  agent: string | null,
): Promise<PublicAgent | null> {
  if (agent === null) {
    const isDefault = sql`${agents.name} = json_extract(${tenants.profile}, '$.default_agent')`
    return load(base, isNamed(tenant), undefined, desc(isDefault))
  }
  const named = or(eq(agents.alias, agent), eq(agents.name, agent))
  return load(base, isNamed(tenant), named, desc(eq(agents.alias, agent)))
}

/** The same by the tenant's id alone. */
export function loadAgentOf(
  base: BaseContext,
  tenantId: string,
  agentAlias: string,
): Promise<PublicAgent | null> {
  return load(base, eq(tenants.id, tenantId), eq(agents.alias, agentAlias))
}

/** Whether the agent has a published storyline; which of them are offered, its opening says. */
const hasStorylines = sql<number>`EXISTS (SELECT 1 FROM ${storylines}
  WHERE ${storylines.tenantId} = ${agents.tenantId} AND ${storylines.agentName} = ${agents.name}
    AND ${storylines.publishedRevisionId} IS NOT NULL)`

/** The first of the published ones that fit, the oldest where nothing else decides. */
async function load(
  base: BaseContext,
  ofTenant: SQL,
  named: SQL | undefined,
  ...first: SQL[]
): Promise<PublicAgent | null> {
  const row = await findNear(base.env.DB, (db) =>
    db
      .select({ tenant: tenants, agent: agents, app: agentApps, guides: hasStorylines })
      .from(agents)
      .innerJoin(tenants, eq(tenants.id, agents.tenantId))
      .leftJoin(agentApps, eq(agentApps.agentId, agents.id))
      .where(and(ofTenant, eq(tenants.status, 'active'), named, eq(agents.published, true)))
      .orderBy(...first, asc(agents.createdAt), asc(agents.id))
      .limit(1)
      .get(),
  )
  if (!row) return null
  const { tenant, agent } = row
  const config = withDefaults(agent.config)
  const [toMenu, guides] = await Promise.all([
    readMenu(base.env.DB, agent),
    menuStorylines(openReplica(base.env.DB), tenant.id, agent.name),
  ])
  const flows = guides.map(({ displayName }) => ({ label: displayName, prompt: displayName }))
  const wordsIn = (lang: Language | null): AgentWords => {
    const { displayName, greeting, menuItems } = localize(config, lang)
    return {
      name: displayName ?? agent.name,
      greeting,
      menu: [...toMenu(menuItems ?? []), ...flows],
    }
  }
  const languages = LANGUAGES.filter((lang) => config.translations?.[lang])
  const translations = Object.fromEntries(languages.map((lang) => [lang, wordsIn(lang)]))
  const app = row.app ?? { tenantId: tenant.id, installPrompt: 'off' as const, icon: null }
  const { public_sources: sources } = config
  const handsOff = config.tools.includes('handoff')
  const opening = config.auto_greeting || row.guides === 1
  const speaks = hasSpeech(base.env)
  const can = { sources, handsOff, speaks, hears: hasTranscription(base.env), opening }
  return { tenant, agent, words: wordsIn(null), translations, ...can, app }
}

/** The agents that a tenant shows under addresses of their own, by the name shown; null for a tenant that is not active. */
export async function loadPublicAgents(
  base: BaseContext,
  tenantId: string,
  lang: Language,
): Promise<{ tenant: TenantRow; agents: { name: string; alias: string }[] } | null> {
  const found = await findNear(base.env.DB, async (db) => {
    const [[tenant], rows] = await db.batch([
      db
        .select()
        .from(tenants)
        .where(and(eq(tenants.id, tenantId), eq(tenants.status, 'active')))
        .limit(1),
      pickOwn(
        db,
        agents,
        tenantId,
        { name: agents.name, alias: agents.alias, config: agents.config },
        eq(agents.published, true),
      ),
    ])
    return tenant && { tenant, rows }
  })
  if (!found) return null
  const { tenant, rows } = found
  const { compare } = new Intl.Collator(lang)
  const shown = rows
    .flatMap((agent) =>
      agent.alias === null ? [] : [{ name: shownName(agent, lang), alias: agent.alias }],
    )
    .sort((a, b) => compare(a.name, b.name))
  return { tenant, agents: shown }
}
