/**
 * The product's Worker with a database whose read copies lag behind: nothing that was written has come to them yet, and only
 * the primary knows it. https://developers.cloudflare.com/d1/best-practices/read-replication
 */
import { aroundDatabase } from '../../bench/around-bindings'
import worker, * as product from '../../src/index'

/** No rows, in each form that a statement may ask for. */
const nothing = () => Object.assign([], { results: [], success: true, meta: {} })
/** The schema is everywhere. */
const isOfSchema = (statement: string) => statement.includes('sqlite_master')

const behind = (session: D1DatabaseSession): D1DatabaseSession =>
  aroundDatabase(session, async (call, statements, isBatch) => {
    if (!statements.some(isOfSchema)) return isBatch ? statements.map(nothing) : nothing()
    const answers = await call()
    if (!isBatch) return answers
    return (answers as unknown[]).map((one, i) =>
      isOfSchema(statements[i] ?? '') ? one : nothing(),
    )
  })

const lagging = (db: D1Database): D1Database =>
  new Proxy(db, {
    get(_, name) {
      if (name === 'withSession')
        return (constraint: string) => {
          const session = db.withSession(constraint)
          return constraint === 'first-unconstrained' ? behind(session) : session
        }
      const value: unknown = Reflect.get(db, name)
      return typeof value === 'function' ? value.bind(db) : value
    },
  })

const environments = new WeakMap<object, Env>()

function laggingEnv(env: Env): Env {
  const known = environments.get(env) ?? { ...env, DB: lagging(env.DB) }
  environments.set(env, known)
  return known
}

export class UserSpace extends product.UserSpace {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, laggingEnv(env))
  }
}

export class KnowledgeBase extends product.KnowledgeBase {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, laggingEnv(env))
  }
}

export class TenantMeter extends product.TenantMeter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, laggingEnv(env))
  }
}

export default {
  fetch: (request, env, ctx) => worker.fetch(request, laggingEnv(env), ctx),
  queue: (batch, env) => worker.queue(batch, laggingEnv(env)),
  scheduled: (event, env) => worker.scheduled(event, laggingEnv(env)),
} satisfies ExportedHandler<Env>
