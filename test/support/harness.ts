import {
  createTestHarness,
  type TestHarness,
  type TestHarnessOptions,
  type WorkerHandle,
} from 'wrangler'
import { RATES } from '../../src/config/limits'
import { BUNDLE, ROOT } from './build-once'

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
  url: URL
  server: TestHarness
  worker: WorkerHandle<Env>
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
}

/**
 * The harness sends what the Worker sends through this process's fetch, which would follow the redirects that the Worker
 * asked to see (`redirect: 'manual'`) and so hide a missing check.
 */
function keepRedirects(): void {
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) =>
    isRequest(init)
      ? plain(input, { ...partsOf(init), redirect: 'manual' } as RequestInit)
      : plain(input, init)
}
const isRequest = (init: RequestInit | undefined): init is RequestInit & Request =>
  typeof init === 'object' && 'url' in init && 'redirect' in init
const partsOf = ({ method, headers, body, signal }: RequestInit & Request) => ({
  method,
  headers,
  signal,
  ...(body === null ? {} : { body, duplex: 'half' }),
})
keepRedirects()

/** Workers that stand in for services, and which bindings they are. */
export interface Beside {
  bindings?: Record<string, string>
  workers?: TestHarnessOptions['workers']
  secrets?: Record<string, string>
  /** False: the database stays empty. */
  migrate?: boolean
}

/** The real bundle in workerd with real D1, R2, queues and objects, on a port of its own. */
export async function startParley(
  vars: Record<string, string> = {},
  { bindings, workers = [], secrets = SECRETS, migrate = true }: Beside = {},
): Promise<Parley> {
  const server = createTestHarness({
    root: ROOT,
    workers: [
      {
        configPath: './wrangler.toml',
        prebuiltWorkerDir: BUNDLE,
        secrets,
        vars: { ...WIDE_RATES, ...vars },
        ...(bindings ? { bindingOverrides: bindings } : {}),
      },
      ...workers,
    ],
  })
  const { url } = await server.listen()
  const worker = server.getWorker<Env>()
  if (migrate) await worker.applyD1Migrations('DB')
  const call = (method: string, path: string, options: CallOptions = {}) =>
    send(url, method, path, options)
  return {
    url,
    server,
    worker,
    call,
    admin: (method, path, body) =>
      call(method, path, { body, headers: { 'x-admin-token': ADMIN_TOKEN } }),
    close: () => server.close(),
  }
}

/** A vector index beside the Worker: `startParley(vars, vectorsBeside(64))`. */
export const vectorsBeside = (dimensions: number): Beside => ({
  bindings: { VECTORS: 'vectors' },
  workers: [
    {
      config: {
        name: 'vectors',
        main: 'test/fakes/vectors-worker.ts',
        compatibility_date: '2026-11-01',
        compatibility_flags: ['nodejs_compat'],
        vars: { DIMENSIONS: String(dimensions) },
      },
    },
  ],
})

/** The same Worker on the same data with some variables changed. */
export const changeVars = ({ server }: Parley, vars: Record<string, string>): Promise<void> =>
  server.update((options) => ({
    ...options,
    workers: options.workers.map((worker, n) =>
      n === 0 && 'vars' in worker ? { ...worker, vars: { ...worker.vars, ...vars } } : worker,
    ),
  }))

/** One request; an object body goes as JSON, a form as it is. */
export async function send(
  base: URL,
  method: string,
  path: string,
  { body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const isRaw =
    body === undefined ||
    typeof body === 'string' ||
    body instanceof FormData ||
    body instanceof Uint8Array
  const response = await fetch(new URL(path, base), {
    method,
    redirect: 'manual',
    headers: { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
