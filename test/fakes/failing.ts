/**
 * The product's Worker with bindings whose n-th call fails: `POST /__fail` says which, `GET /__calls` tells which calls
 * there were since, and whether anything is still going on behind an answer. The product knows nothing of it.
 */
import worker, * as product from '../../src/index'

type Method = (...args: unknown[]) => unknown
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

/** @param of what the label ends in: which object, or for files the folder. */
function failingMethods<T extends object>(
  target: T,
  owner: string,
  of: (args: unknown[]) => string = () => '',
): T {
  const methods = target as Record<string, Method>
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      return (...args: unknown[]) => {
        const part = name === 'work' ? ` ${args[0]}.${args[1]}` : ''
        const verb = name === 'ask' ? ` ${args[1]}.${args[2]}` : part
        // A stub's methods have no `apply`: reading it would be another remote call.
        return attempt(`${owner} ${name}${verb}${of(args)}`, () => methods[name]?.(...args))
      }
    },
  })
}

const RUNS = new Set(['run', 'all', 'first', 'raw'])
const originals = new WeakMap<object, { statement: D1PreparedStatement; text: string }>()
const brief = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90)

function failingStatement(statement: D1PreparedStatement, text: string, by: Asker) {
  const wrapped: D1PreparedStatement = new Proxy(statement, {
    get(_, name) {
      const value: unknown = Reflect.get(statement, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const run = () => (value as Method).apply(statement, args)
        if (RUNS.has(String(name))) return attempt(`${by} DB ${brief(text)}`, run)
        const result = run()
        return name === 'bind' ? failingStatement(result as D1PreparedStatement, text, by) : result
      }
    },
  })
  originals.set(wrapped, { statement, text })
  return wrapped
}

function failingDatabase<T extends D1Database | D1DatabaseSession>(db: T, by: Asker): T {
  return new Proxy(db, {
    get(_, name) {
      const value: unknown = Reflect.get(db, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'batch') {
          const statements = (args[0] as D1PreparedStatement[]).map((one) => originals.get(one))
          const texts = statements.map((one) => brief(one?.text ?? '').slice(0, 40)).join(' | ')
          return attempt(`${by} DB batch ${texts}`, () =>
            db.batch(statements.flatMap((one) => one?.statement ?? [])),
          )
        }
        const result = (value as Method).apply(db, args)
        if (name === 'prepare')
          return failingStatement(result as D1PreparedStatement, String(args[0]), by)
        return name === 'withSession' ? failingDatabase(result as D1DatabaseSession, by) : result
      }
    },
  })
}

function failingNamespace<T extends Rpc.DurableObjectBranded>(
  space: DurableObjectNamespace<T>,
  owner: string,
): DurableObjectNamespace<T> {
  return new Proxy(space, {
    get(_, name) {
      const value: unknown = Reflect.get(space, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = (value as Method).apply(space, args)
        if (name !== 'get') return result
        const { name: which } = args[0] as DurableObjectId
        return failingMethods(result as DurableObjectStub<T>, owner, () => ` ${which}`)
      }
    },
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
    FILES: failingMethods(env.FILES, `${by} FILES`, ([key]) => ` ${String(key).split('/')[0]}`),
    JOBS: failingMethods(prompt(env.JOBS), `${by} JOBS`),
    INGEST: failingMethods(prompt(env.INGEST), `${by} INGEST`),
    DELIVERIES: failingMethods(prompt(env.DELIVERIES), `${by} DELIVERIES`),
    CHANNELS: failingMethods(prompt(env.CHANNELS), `${by} CHANNELS`),
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
