import type { Context } from 'hono'
import { configOf } from '../config/read-config'
import type { AppEnv, BaseContext } from '../context'
import { openPrimary } from '../db/client'
import { createLog } from '../log'
import { tellEgressHoles } from '../platform/egress-context'

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

/** The caller's address: the edge's word, never a forwarded header. */
export function clientAddress({
  req,
}: {
  req: { header(name: string): string | undefined }
}): string {
  return req.header('cf-connecting-ip') ?? 'local'
}
