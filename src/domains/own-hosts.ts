import type { Config } from '../config/read-config'

/** Host names of this deployment, as configured: never taken from a request. */
export function ownHosts(config: Config): string[] {
  const bases = [config.publicBase, ...config.consoleOrigins].flatMap((base) => {
    const host = URL.parse(base)?.hostname
    return host ? [host] : []
  })
  return [...new Set([...bases, ...config.ownHosts, config.cnameBase])]
}

const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/

/**
 * Whether a request's host name is the deployment's own. Addresses and names without a dot only reach a machine that is
 * ours. Without a configured base there is nothing to compare with, so every name that no tenant has bound is ours.
 */
export function isOwnHost(config: Config, host: string): boolean {
  if (ADDRESS.test(host) || !host.includes('.') || host.endsWith('.localhost')) return true
  return ownHosts(config).includes(host)
}
