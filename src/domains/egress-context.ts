import { type Config, configOf } from '../config/read-config'
import { createLog } from '../log'
import type { EgressContext } from '../platform/egress'
import { isBound } from './directory'

/**
 * The rules of this deployment for outbound requests.
 * @param own an address that the deployment itself configures, and that is called here: trusted, also without TLS.
 */
export function egressContext(env: Env, own = ''): EgressContext {
  const config = configOf(env)
  tellEgressHoles(config)
  const trusted = own.startsWith('http://') ? [hostAndPort(own)] : []
  const base = config.publicBase === '' ? [] : [new URL(config.publicBase).hostname]
  return {
    allow: [...config.egressAllow, ...trusted],
    ownHosts: [...base, ...config.ownHosts, config.cnameBase],
    resolver: config.resolverUrl,
    isBound: (host) => isBound(env, host),
  }
}

function hostAndPort(address: string): string {
  const url = new URL(address)
  return `${url.hostname}:${url.port || '80'}`
}

const told = new WeakSet<Config>()

/** Rule SF6: whoever opens a hole in the egress guard finds it in the log of every start. */
export function tellEgressHoles(config: Config): void {
  if (config.egressAllow.length === 0 || told.has(config)) return
  told.add(config)
  createLog('egress').warn('egress_allow', { pairs: config.egressAllow.join(' ') })
}
