import type { Context } from 'hono'
import { configOf } from '../config/read-config'
import type { AppEnv, BaseContext } from '../context'
import { openPrimary } from '../db/client'
import { tellEgressHoles } from '../domains/egress-context'
import { createLog } from '../log'
import { parseAddress } from '../platform/egress-rules'

export function createBaseContext(c: Context<AppEnv>): BaseContext {
  const config = configOf(c.env)
  tellEgressHoles(config)
  const requestId = c.get('requestId')
  const log = createLog('http', { request_id: requestId })
  let db: BaseContext['db'] | undefined
  return {
    env: c.env,
    config,
    get db() {
      db ??= openPrimary(c.env.DB)
      return db
    },
    log,
    now: Date.now(),
    requestId,
    readOnly: c.req.method === 'HEAD',
    address: clientAddress(c),
    origin: config.publicBase || new URL(c.req.url).origin,
    // What nobody catches the runtime prints as it is, a statement's values included.
    waitUntil: (work) =>
      c.executionCtx.waitUntil(
        work.catch((error: unknown) => log.error('behind_answer_failed', error)),
      ),
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
