import type { Config } from '../config'
import type { EgressContext } from './egress'

/** The rules of this deployment for outbound requests. Addresses that the deployment itself configures are trusted. */
export function egressContext(config: Config): EgressContext {
  const trusted = [config.weatherUrl, config.telegramUrl]
    .filter((address) => address.startsWith('http://'))
    .map(hostAndPort)
  const base = config.publicBase === '' ? [] : [new URL(config.publicBase).hostname]
  return {
    allow: [...config.egressAllow, ...trusted],
    ownHosts: [...base, ...config.ownHosts, config.cnameBase],
    resolver: config.resolverUrl,
  }
}

function hostAndPort(address: string): string {
  const url = new URL(address)
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
}
