/**
 * The product's Worker with bindings whose n-th call fails: `POST /__fail` says which, `GET /__calls` tells which calls
 * there were since, and whether anything is still going on behind an answer. The product knows nothing of it.
 */
import {
  aroundDatabase,
  aroundMethods,
  aroundNamespace,
  type Method,
} from '../../bench/around-bindings'
import worker, * as product from '../../src/index'

type Asker = 'call' | 'job' | 'object'

/** Which call fails, counted from 1 among those whose label holds `only`. */
export interface Fault {
  at: number
  only?: string
  /** `lost`: it is done, but its answer does not come. */
  how?: 'refused' | 'lost'
  /** So many calls from the n-th on. */
  times?: number
  message?: string
}

let fault: Fault | null = null
let calls: string[] = []
let counted = 0
let running = 0

/** What the platform says of each binding when it cannot be reached. */
function failure(label: string, message: string | undefined): Error {
  if (label.includes(' DB ')) return new Error(message ?? 'D1_ERROR: Network connection lost.')
  if (label.includes(' FILES '))
    return new Error(message ?? 'put: We encountered an internal error. Please try again. (10001)')
  if (/ [A-Z]+ send/.test(label))
    return new Error(message ?? 'Queue send failed: Internal Server Error')
  return Object.assign(new Error(message ?? 'Network connection lost.'), { retryable: true })
}

async function attempt(label: string, call: () => unknown): Promise<unknown> {
  calls.push(label)
  if (fault === null || (fault.only && !label.includes(fault.only))) return call()
  counted++
  if (counted < fault.at || counted >= fault.at + (fault.times ?? 1)) return call()
  const { how, message } = fault
  calls[calls.length - 1] = `${label} <-- ${how ?? 'refused'}`
  if (how === 'lost') await call()
  throw failure(label, message)
}

const brief = (text: string, most = 90) => text.replace(/\s+/g, ' ').slice(0, most)

const failingDatabase = (db: D1Database, by: Asker): D1Database =>
  aroundDatabase(db, (call, statements, isBatch) =>
    attempt(
      isBatch
        ? `${by} DB batch ${statements.map((one) => brief(one, 40)).join(' | ')}`
        : `${by} DB ${brief(statements[0] ?? '')}`,
      call,
    ),
  )

const failingQueue = (queue: Queue, owner: string): Queue =>
  aroundMethods(prompt(queue), (call, name) => attempt(`${owner} ${name}`, call))

function failingNamespace<T extends Rpc.DurableObjectBranded>(
  space: DurableObjectNamespace<T>,
  owner: string,
): DurableObjectNamespace<T> {
  return aroundNamespace(space, (call, name, args, object) => {
    const part = name === 'work' ? ` ${args[0]}.${args[1]}` : ''
    const verb = name === 'ask' ? ` ${args[1]}.${args[2]}` : part
    return attempt(`${owner} ${name}${verb} ${object}`, call)
  })
}

/** What is to come later comes after a second: a test need not wait for it. */
const prompt = (queue: Queue): Queue =>
  new Proxy(queue, {
    get(_, name) {
      const value: unknown = Reflect.get(queue, name)
      if (typeof value !== 'function') return value
      return (sent: unknown, options?: { delaySeconds?: number }) => {
        const hasty = (one: unknown) => ({ ...(one as object), delaySeconds: 1 })
        const late = (one: unknown) => ((one as typeof options)?.delaySeconds ? hasty(one) : one)
        const body = Array.isArray(sent) ? sent.map(late) : sent
        return (value as Method).call(queue, body, late(options))
      }
    },
  })

const environments: Record<Asker, WeakMap<object, Env>> = {
  call: new WeakMap(),
  job: new WeakMap(),
  object: new WeakMap(),
}

function failingEnv(env: Env, by: Asker): Env {
  const known = environments[by].get(env)
  if (known) return known
  const failing: Env = {
    ...env,
    DB: failingDatabase(env.DB, by),
    // Of a file its folder.
    FILES: aroundMethods(env.FILES, (call, name, [key]) =>
      attempt(`${by} FILES ${name} ${String(key).split('/')[0]}`, call),
    ),
    JOBS: failingQueue(env.JOBS, `${by} JOBS`),
    INGEST: failingQueue(env.INGEST, `${by} INGEST`),
    DELIVERIES: failingQueue(env.DELIVERIES, `${by} DELIVERIES`),
    CHANNELS: failingQueue(env.CHANNELS, `${by} CHANNELS`),
    USER_SPACE: failingNamespace(env.USER_SPACE, `${by} USER_SPACE`),
    KNOWLEDGE_BASE: failingNamespace(env.KNOWLEDGE_BASE, `${by} KNOWLEDGE_BASE`),
    TENANT_METER: failingNamespace(env.TENANT_METER, `${by} TENANT_METER`),
  }
  environments[by].set(env, failing)
  return failing
}

export class UserSpace extends product.UserSpace {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, failingEnv(env, 'object'))
  }
}

export class KnowledgeBase extends product.KnowledgeBase {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, failingEnv(env, 'object'))
  }
}

export class TenantMeter extends product.TenantMeter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, failingEnv(env, 'object'))
  }
}

async function during<T>(work: () => T | Promise<T>): Promise<T> {
  running++
  try {
    return await work()
  } finally {
    running--
  }
}

/** The same, with what goes on behind the answers. */
function watchedBehind(ctx: ExecutionContext): ExecutionContext {
  return new Proxy(ctx, {
    get(_, name) {
      const value: unknown = Reflect.get(ctx, name)
      if (typeof value !== 'function') return value
      if (name !== 'waitUntil') return value.bind(ctx)
      return (work: Promise<unknown>) => ctx.waitUntil(during(() => work))
    },
  })
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    if (pathname === '/__fail') {
      fault = await request.json()
      calls = []
      counted = 0
      return Response.json({})
    }
    if (pathname === '/__calls') return Response.json({ calls, settled: running === 0 })
    return during(() => worker.fetch(request, failingEnv(env, 'call'), watchedBehind(ctx)))
  },
  queue(batch, env) {
    return during(() => worker.queue(batch, failingEnv(env, 'job')))
  },
  scheduled(event, env) {
    return during(() => worker.scheduled(event, failingEnv(env, 'job')))
  },
} satisfies ExportedHandler<Env>
