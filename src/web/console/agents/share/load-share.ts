import type * as z from 'zod'
import type { AppOut } from '../../../../apps/schema'
import type { Api } from '../../api/create-api'
import { agentApi } from '../paths'
import type { Agent, AgentRow, Alias } from '../types'

export type AppSettings = z.output<typeof AppOut>

export interface ShareData {
  agent: Agent
  alias: Alias
  app: AppSettings
  /** Of the tenant's other agents. */
  otherAliases: readonly (string | null)[]
  tenant: { id: string; widgetOrigins: readonly string[]; accent: string | null }
  domain: { domain: string; agent_alias: string | null; status: string } | null
  channels: readonly {
    channel: string
    configured: boolean
    bot_username: string | null
    url: string | null
  }[]
}

interface Settings {
  tenant_id: string
  profile: { widget_origins?: unknown; accent?: unknown } | null
}

/** What the ways to an agent depend on. */
export async function loadShare(api: Api, name: string, signal: AbortSignal): Promise<ShareData> {
  const get = <T>(path: string) => api.get<T>(path, {}, signal)
  const own = agentApi(name)
  const [agent, alias, app, agents, settings, domain, channels] = await Promise.all([
    get<Agent>(own),
    get<Alias>(`${own}/alias`),
    get<AppSettings>(`${own}/pwa`),
    get<AgentRow[]>('/v1/agents'),
    get<Settings>('/v1/tenant/settings'),
    get<ShareData['domain']>('/v1/tenant/custom-domain'),
    get<ShareData['channels']>('/v1/tenant/channels'),
  ])
  const { widget_origins: origins, accent } = settings.profile ?? {}
  return {
    agent,
    alias,
    app,
    otherAliases: agents.flatMap((row) => (row.id === agent.id ? [] : row.alias)),
    tenant: {
      id: settings.tenant_id,
      widgetOrigins: [origins ?? []].flat().filter((one) => typeof one === 'string'),
      accent: typeof accent === 'string' ? accent : null,
    },
    domain,
    channels,
  }
}
