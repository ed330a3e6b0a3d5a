import { cpSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { buildSync } from 'esbuild'
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerdStructuredLog,
} from 'miniflare'
import type { WorkerHandle } from 'wrangler'
import { RATES } from '../../src/config/limits'
import { BUNDLE, OPTIONS, ROOT, STATE } from './build-once'
import { headersOf, KeptConnections } from './kept-connections'
import { stateFolder } from './state-folder'
import { SERVER_OPTIONS, workerOptions } from './worker-options.mjs'

export const ADMIN_TOKEN = 'test-admin-token-0123456789-abcdefghij'
export const SECRETS = {
  ADMIN_TOKEN,
  MASTER_KEYS: 'test-master-keys-abcdefghijklmnopqrstuvwxyz0123456789',
  JWT_SECRET: 'test-jwt-secret-zyxwvutsrqponmlkjihgfedcba9876543210',
}
/** Rates that a test file never reaches by accident; a test of a limit starts its own Worker with the limit it wants. */
export const WIDE_RATES: Record<string, string> = Object.fromEntries(
  [...Object.keys(RATES), 'streamsPerUser'].map((name) => [
    `LIMITS_${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`,
    '100000',
  ]),
)

export interface Parley {
  /** Of the Worker itself: miniflare's own before it, and those of the public files, cost several times a refusal. */
  url: URL
  /** The same behind miniflare's Worker, which resolves dots and doubles of a path as an edge does. */
  edge: URL
  server: {
    getLogs(): V4WorkerdStructuredLog[]
    /** A Worker beside it. */
    getWorker(name: string): {
      fetch(
        path: string,
        init: { method: string; headers?: Record<string, string>; body: string },
      ): Promise<{ status: number; json(): Promise<unknown> }>
    }
    /** The same Worker on the same data with some variables changed. */
    change(vars: Record<string, string>): Promise<void>
  }
  worker: Pick<
    WorkerHandle<Env>,
    | 'getEnv'
    | 'scheduled'
    | 'listDurableObjectIds'
    | 'evictDurableObject'
    | 'getDurableObjectStorage'
  >
  /** The operator's call. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>
  /** A call with exactly these headers and no credential of its own. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export interface CallOptions {
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it.
  json: any
  /** Of a 500: what the Worker logged of the request. */
  log?: string[]
}

/** Workers that stand in for services, and which bindings they are. */
export interface Beside {
  bindings?: Record<string, string>
  workers?: { name: string; main: string; vars: Record<string, string> }[]
  secrets?: Record<string, string>
  /** Queues gather messages as in production, so that no job runs beside the call that sent it. */
  patientQueues?: boolean
  /** Serves the files of `public`, as the platform does before it asks the Worker. */
  publicFiles?: boolean
  /** False: the database stays empty. */
  migrate?: boolean
  /** With the bindings of `bench/counted.ts`, which tells what a call asked of them. */
  counted?: boolean
  /** With the bindings of `test/fakes/failing.ts`, whose n-th call can be made to fail. */
  failing?: boolean
  /** With the database of `test/fakes/lagging.ts`, whose read copies know nothing of what was written. */
  lagging?: boolean
  /**
   * The same Worker a second time under this name, with the first one's database, files and objects: what the first
   * remembers in its isolate this one does not, and the other way round. `server.getWorker(name).fetch(…)` asks it.
   */
  again?: string
}

const NAME = 'app'
const CLASSES: Record<string, string> = {
  USER_SPACE: 'UserSpace',
  KNOWLEDGE_BASE: 'KnowledgeBase',
  TENANT_METER: 'TenantMeter',
}

/** The real bundle in workerd with real D1, R2, queues and objects, on a port of its own. */
export async function startParley(
  vars: Record<string, string> = {},
  beside: Beside = {},
): Promise<Parley> {
  const { bindings = {}, workers = [], secrets = SECRETS, migrate = true, again } = beside
  const state = stateFolder('parley-test-')
  if (migrate) cpSync(STATE, state, { recursive: true })
  const logs: V4WorkerdStructuredLog[] = []
  const built = { bundle: BUNDLE, options: OPTIONS }
  const optionsWith = (changed: Record<string, string>) => {
    const all = { ...secrets, ...WIDE_RATES, ...vars, ...changed }
    return {
      ...convertV4MiniflareOptions({
        ...SERVER_OPTIONS,
        log: new Log(LogLevel.NONE),
        handleStructuredLogs: (line) => logs.push(line),
        unsafeInspectDurableObjects: true,
        workers: [
          {
            ...behind(workerOptions(built, all, beside), beside),
            serviceBindings: bindings,
          },
          ...(again === undefined ? [] : [sharing(again, workerOptions(built, all))]),
          ...workers.map(bundled),
        ],
      }),
      resourcePersistencePath: join(state, 'v3'),
    }
  }
  const removeState = () => rmSync(state, { recursive: true, force: true })
  process.once('exit', removeState)
  const server = new Miniflare(optionsWith({}))
  const edge = await begun(server)
  const url = await server.unsafeGetDirectURL(NAME)
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const answer = await send(url, method, path, options)
    return answer.status === 500 ? explained(answer, `${method} ${path}`, logs) : answer
  }
  return {
    url,
    edge,
    server: {
      getLogs: () => [...logs],
      getWorker: (name) => ({
        fetch: async (path, init) =>
          (await server.getWorker(name)).fetch(new URL(path, url).href, init),
      }),
      change: (changed) => server.setOptions(optionsWith(changed)),
    },
    worker: {
      getEnv: () => server.getBindings<Env>(NAME),
      scheduled: async (event) => (await server.getWorker(NAME)).scheduled(event),
      listDurableObjectIds: (binding) => server.listDurableObjectIds(binding, NAME),
      evictDurableObject: (binding, options) =>
        server.unsafeEvictDurableObject(NAME, CLASSES[binding] ?? binding, options),
      getDurableObjectStorage: (binding, options) =>
        server.unsafeGetDurableObjectStorage(NAME, CLASSES[binding] ?? binding, options),
    },
    call,
    admin: (method, path, body) =>
      call(method, path, { body, headers: { 'x-admin-token': ADMIN_TOKEN } }),
    close: async () => {
      await server.dispose()
      process.off('exit', removeState)
      removeState()
    },
  }
}

/** Longer than anything takes on a busy machine, and shorter than a hook may take: what hangs is said by its name. */
const HANGS_MS = 100_000

/** @throws Error, once it was ended, for a runtime that does not come up */
export async function begun(server: Miniflare): Promise<URL> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`The runtime did not come up within ${HANGS_MS} ms`)),
    HANGS_MS,
  )
  try {
    return await Promise.race([server.ready, late.promise])
  } catch (error) {
    await server.dispose().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const LOG_PATIENCE_MS = 1000

/** An answer that should never come, with why it came: also on the console, for tests that look at its status alone. */
async function explained(
  answer: Answer,
  request: string,
  logs: readonly V4WorkerdStructuredLog[],
): Promise<Answer> {
  const id = answer.headers.get('x-request-id') ?? ''
  const linesOf = () => logs.map(({ message }) => message).filter((line) => line.includes(id))
  // The log comes by another way than the answer.
  for (const end = Date.now() + LOG_PATIENCE_MS; linesOf().length === 0 && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 10))
  const log = linesOf()
  console.error([`${request} was answered with 500`, ...log].join('\n'))
  return { ...answer, log }
}

/** One start for all who ask, who leave it to the next one when they `close` it. After one that failed the next asker starts anew. */
export function shareStart(start: () => Promise<Parley>): () => Promise<Parley> {
  let shared: Promise<Parley> | undefined
  return () => {
    shared ??= start().then(
      (parley) => ({ ...parley, close: async () => {} }),
      (error: unknown) => {
        shared = undefined
        throw error
      },
    )
    return shared
  }
}

/**
 * The Worker that test files of one process have in common: for those that keep to their own tenants and want no variables
 * of their own. It goes with the process.
 */
export const sharedParley = shareStart(() => startParley())

/** Every user's object starts anew with its next call, whether it was awake or not. */
export async function evictSpaces({ worker }: Parley): Promise<void> {
  for (const id of await worker.listDurableObjectIds('USER_SPACE'))
    await worker.evictDurableObject('USER_SPACE', { id }).catch((error: unknown) => {
      if (!String(error).includes('not currently running')) throw error
    })
}

/** A Worker whose objects are the first one's; queues have one consumer. */
function sharing(name: string, options: WorkerOptions) {
  const { queueConsumers: _one, durableObjects, ...rest } = options
  const objects = Object.entries(durableObjects as Record<string, { className: string }>).map(
    ([binding, { className }]) => [binding, { className, scriptName: NAME }],
  )
  return { ...rest, name, durableObjects: Object.fromEntries(objects) }
}

type WorkerOptions = ReturnType<typeof workerOptions>

/** The bundle behind the benchmark's counters, bindings that fail, or copies of the database that lag. */
function behind(options: WorkerOptions, { counted, failing, lagging }: Beside): WorkerOptions {
  const front = counted ? 'bench/counted.ts' : failing ? 'test/fakes/failing.ts' : null
  const entryPoint = lagging ? 'test/fakes/lagging.ts' : front
  if (entryPoint === null) return options
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, entryPoint)],
    bundle: true,
    write: false,
    format: 'esm',
    external: ['*/src/index'],
  })
  const contents = (outputFiles[0]?.text ?? '').replaceAll(/"[./]+\/src\/index"/g, '"./index.js"')
  const entry = { type: 'ESModule', path: join(BUNDLE, 'entry.js'), contents }
  const modules = [entry, ...options.modules]
  if (!failing) return { ...options, modules }
  const consumers = Object.entries(options.queueConsumers as Record<string, object>)
  const queueConsumers = consumers.map(([queue, said]) => [queue, { ...said, retryDelay: 0 }])
  return { ...options, modules, queueConsumers: Object.fromEntries(queueConsumers) }
}

/** A Worker of test/fakes as one module. */
function bundled({ name, main, vars }: NonNullable<Beside['workers']>[number]) {
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, main)],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  })
  return {
    name,
    compatibilityDate: '2026-11-01',
    compatibilityFlags: ['nodejs_compat'],
    bindings: vars,
    modules: [
      { type: 'ESModule' as const, path: 'index.mjs', contents: outputFiles[0]?.text ?? '' },
    ],
  }
}

/** A vector index beside the Worker: `startParley(vars, vectorsBeside(64))`. */
export const vectorsBeside = (dimensions: number): Beside => ({
  bindings: { VECTORS: 'vectors' },
  workers: [
    {
      name: 'vectors',
      main: 'test/fakes/vectors-worker.ts',
      vars: { DIMENSIONS: String(dimensions) },
    },
  ],
})

/** The same Worker on the same data with some variables changed. */
export const changeVars = ({ server }: Parley, vars: Record<string, string>): Promise<void> =>
  server.change(vars)

const connections = new KeptConnections()

/** One request; an object body goes as JSON, a form as it is. @throws Error that names the call of which nothing comes for so long */
export async function send(
  base: URL,
  method: string,
  path: string,
  { body, headers = {} }: CallOptions = {},
  timeout = HANGS_MS,
): Promise<Answer> {
  const url = new URL(path, base)
  const { bytes, type } = await encode(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, path: url.pathname + url.search }
    const lines = {
      ...(type === null ? {} : { 'content-type': type }),
      ...(bytes === null ? {} : { 'content-length': bytes.byteLength }),
      ...headers,
    }
    const outgoing = connections
      .request({ ...options, method, headers: lines, timeout }, resolve)
      .on('error', reject)
      .on('timeout', () =>
        outgoing.destroy(new Error(`${method} ${path}: nothing came for ${timeout} ms`)),
      )
    outgoing.end(bytes)
  })
  const text = await readText(response)
  const status = response.statusCode ?? 0
  return { status, headers: headersOf(response), text, json: parse(text) }
}

async function encode(body: unknown): Promise<{ bytes: Uint8Array | null; type: string | null }> {
  if (body === undefined) return { bytes: null, type: null }
  const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array
  const encoded = new Response(isRaw ? (body as BodyInit) : JSON.stringify(body))
  const type = isRaw ? encoded.headers.get('content-type') : 'application/json'
  return { bytes: await encoded.bytes(), type }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
