/**
 * The product's Worker with every binding and every object's storage counted: the bill of a turn. Only the benchmark
 * and the test of the trips build it; the product knows nothing of it. `GET /__bill` answers what was used since the last
 * time, `GET /__trips` which statements went to D1 and whether anything is still going on behind an answer.
 */
import worker, * as product from '../src/index'
import { aroundDatabase, aroundMethods, aroundNamespace } from './around-bindings'

type Counts = Record<string, number>

let counts: Counts = {}
/** One way to D1 and back: who asked what. */
interface Trip {
  by: Asker
  statements: string[]
}
type Asker = 'call' | 'job' | 'object'
let trips: Trip[] = []
let requests = 0
let behind = 0
let cursors: { owner: string; cursor: SqlStorageCursor<Record<string, SqlStorageValue>> }[] = []

function add(name: string, amount = 1): void {
  counts[name] = (counts[name] ?? 0) + amount
}

function countTrip(by: Asker, statements: string[]): void {
  add('D1 round trips')
  add('D1 queries', statements.length)
  trips.push({ by, statements })
}

function takeTrips(): { trips: Trip[]; settled: boolean } {
  const taken = { trips, settled: requests === 0 && behind === 0 }
  if (taken.settled) trips = []
  return taken
}

function takeBill(): Counts {
  for (const { owner, cursor } of cursors) {
    add(`rows read ${owner}`, cursor.rowsRead)
    add(`rows written ${owner}`, cursor.rowsWritten)
  }
  const bill = counts
  counts = {}
  cursors = []
  trips = []
  return bill
}

function countObjects<T extends Rpc.DurableObjectBranded>(
  space: DurableObjectNamespace<T>,
  owner: string,
): DurableObjectNamespace<T> {
  return aroundNamespace(space, (call, method) => {
    add('object calls')
    add(`call ${owner}.${method}`)
    return call()
  })
}

function countMessages(call: () => unknown, _name: string, [first]: unknown[]): unknown {
  add('queue messages', Array.isArray(first) ? first.length : 1)
  return call()
}

const environments: Record<Asker, WeakMap<object, Env>> = {
  call: new WeakMap(),
  job: new WeakMap(),
  object: new WeakMap(),
}

function countEnv(env: Env, by: Asker): Env {
  const known = environments[by].get(env)
  if (known) return known
  const counted: Env = {
    ...env,
    DB: aroundDatabase(env.DB, (call, statements) => {
      countTrip(by, statements)
      return call()
    }),
    FILES: aroundMethods(env.FILES, (call, name) => {
      add(`R2 ${name}`)
      return call()
    }),
    JOBS: aroundMethods(env.JOBS, countMessages),
    INGEST: aroundMethods(env.INGEST, countMessages),
    USER_SPACE: countObjects(env.USER_SPACE, 'UserSpace'),
    KNOWLEDGE_BASE: countObjects(env.KNOWLEDGE_BASE, 'KnowledgeBase'),
    TENANT_METER: countObjects(env.TENANT_METER, 'TenantMeter'),
  }
  environments[by].set(env, counted)
  return counted
}

/** Makes an object's own storage count: SQL by its cursors, alarms as the row that they are billed as. */
function countStorage(ctx: DurableObjectState, owner: string): DurableObjectState {
  const { storage } = ctx
  const exec = storage.sql.exec.bind(storage.sql)
  storage.sql.exec = ((query: string, ...bindings: SqlStorageValue[]) => {
    const cursor = exec(query, ...bindings)
    add(`statements ${owner}`)
    cursors.push({ owner, cursor })
    return cursor
  }) as typeof storage.sql.exec
  const setAlarm = storage.setAlarm.bind(storage)
  storage.setAlarm = (...args) => {
    add(`alarms set ${owner}`)
    return setAlarm(...args)
  }
  return ctx
}

export class UserSpace extends product.UserSpace {
  constructor(ctx: DurableObjectState, env: Env) {
    super(countStorage(ctx, 'UserSpace'), countEnv(env, 'object'))
  }
}

export class KnowledgeBase extends product.KnowledgeBase {
  constructor(ctx: DurableObjectState, env: Env) {
    super(countStorage(ctx, 'KnowledgeBase'), countEnv(env, 'object'))
  }
}

export class TenantMeter extends product.TenantMeter {
  constructor(ctx: DurableObjectState, env: Env) {
    super(countStorage(ctx, 'TenantMeter'), countEnv(env, 'object'))
  }
}

const fetchOut = globalThis.fetch
globalThis.fetch = (...args: Parameters<typeof fetch>) => {
  add('fetches')
  return fetchOut(...args)
}

/** The same, telling how much of what goes on behind the answers is not done yet. */
function countBehind(ctx: ExecutionContext): ExecutionContext {
  return new Proxy(ctx, {
    get(_, name) {
      const value: unknown = Reflect.get(ctx, name)
      if (typeof value !== 'function') return value
      if (name !== 'waitUntil') return value.bind(ctx)
      return (work: Promise<unknown>) => {
        behind++
        ctx.waitUntil(
          work.finally(() => {
            behind--
          }),
        )
      }
    },
  })
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url)
    if (pathname === '/__bill') return Response.json(takeBill())
    if (pathname === '/__trips') return Response.json(takeTrips())
    requests++
    try {
      return await worker.fetch(request, countEnv(env, 'call'), countBehind(ctx))
    } finally {
      requests--
    }
  },
  queue(batch, env) {
    return worker.queue(batch, countEnv(env, 'job'))
  },
  scheduled(event, env) {
    return worker.scheduled(event, countEnv(env, 'job'))
  },
} satisfies ExportedHandler<Env>
