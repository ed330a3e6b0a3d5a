import { findAgentFacts } from '../../../src/agents/resolve-agent'
import { discoverRemote, listRemoteTools } from '../../../src/chat/remote-tools'
import { type CarrierPorts, carrierOf, type ToolGround } from '../../../src/chat/storyline/carry'
import { configOf } from '../../../src/config/read-config'
import { egressContext } from '../../../src/domains/egress-context'
import { createLog } from '../../../src/log'
import { createTurnServers } from '../../../src/mcp/turn-servers'
import { fetchWeather } from '../../../src/platform/weather'
import type { Carrier } from '../../../src/storylines/play'
import type { StorylineRevision } from '../../../src/storylines/records'
import { NO_TENANT_FACTS } from '../../../src/tenants/tenant-facts'
import type { UserFacts } from '../../../src/users/user-facts'
import type { SpaceCore } from '../core/space-core'

export interface ClockGround extends Pick<CarrierPorts, 'storylines' | 'schedule'> {
  enrollment: { id: string; agentId: string }
  revision: StorylineRevision
  profile: UserFacts
  now: number
}

/**
 * Carries out what a storyline asks for at the clock. No turn has looked anything up for it: that is done when a tool is
 * called, so a wait that only says something costs nothing more. To be closed.
 */
export function clockCarrier(
  core: SpaceCore,
  { enrollment, revision, profile, now, storylines, schedule }: ClockGround,
): Carrier & { close(): Promise<void> } {
  const { env } = core
  const config = configOf(env)
  const { address, wrappedTenantKey } = core.callerHere()
  const log = createLog('storyline', { agent_id: enrollment.agentId })
  const stop = new AbortController()
  const tenant = { id: address.tenantId, wrappedKey: wrappedTenantKey }
  const servers = createTurnServers(env, tenant, stop.signal)
  const ports: CarrierPorts = {
    callRemote: (server, tool, args) => servers.call(server, tool, args),
    fetchWeather: (query) =>
      fetchWeather(egressContext(env, config.weatherUrl), config.weatherUrl, query),
    schedule,
    onInjection: (rule) => log.warn('injection_withheld', { rule }),
    nonce: crypto.randomUUID().slice(0, 8),
    signal: stop.signal,
    storylines,
  }
  const lookUp = async (): Promise<ToolGround | null> => {
    const agent = await findAgentFacts(env.DB, address, enrollment.agentId, now)
    if (!agent) return null
    const remote = discoverRemote(agent.mcp, (server) => servers.discover(server))
    return {
      agent,
      now,
      place: null,
      tenant: NO_TENANT_FACTS,
      lookups: { profile: Promise.resolve(profile), remote: remote.then(listRemoteTools) },
    }
  }
  const close = () => {
    stop.abort()
    return servers.close()
  }
  return { ...carrierOf(ports, lookUp, enrollment.id, revision), close }
}
