import type { Context } from 'hono'
import { configOf } from '../config/read-config'
import type { AppEnv, BaseContext } from '../context'
import { openPrimary } from '../db/client'
import { createLog } from '../log'
import { tellEgressHoles } from '../platform/egress-context'
import { parseAddress } from '../platform/egress-rules'

export function createBaseContext(c: Context<AppEnv>): BaseContext {
  const config = configOf(c.env)
  tellEgressHoles(config)
  const requestId = c.get('requestId')
  let db: BaseContext['db'] | undefined
  return {
    env: c.env,
    config,
    get db() {
      db ??= openPrimary(c.env.DB)
      return db
    },
    log: createLog('http', { request_id: requestId }),
    now: Date.now(),
    requestId,
    readOnly: c.req.method === 'HEAD',
    origin: config.publicBase || new URL(c.req.url).origin,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  }
}

/**
 * The caller's address: the edge's word, never a forwarded header. Of IPv6 its network of 64 bits, all of whose addresses
 * anybody has who has one.
 */
export function clientAddress({
  req,
}: {
  req: { header(name: string): string | undefined }
}): string {
  const address = req.header('cf-connecting-ip') ?? 'local'
  const network = parseAddress(address)?.slice(0, 8)
  // Loopback, and IPv4 in the clothes of IPv6, have an empty one.
  return network?.some(Boolean) ? String(network) : address
}
