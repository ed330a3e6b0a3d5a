/** Runs the product, the floor of `../shared/floor` and the fake model, each in a process of its own and on the same runtime. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { listModules } from '../scripts/list-modules.mjs'
import { findFreePort } from '../scripts/local-server.mjs'
import { CHAT_MODEL, EMBEDDER } from './workload.ts'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist/bench')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const HOST = '127.0.0.1'
const TICK_MS = 10
/** The least that a turn can cost. It is measured as it is: nothing of it is kept here. */
const FLOOR = process.env.FLOOR_DIR ?? resolve(ROOT, '../shared/floor')
const WIDE = '1000000000'

export const ADMIN_TOKEN = 'bench-admin-token-0123456789-abcdefghijkl'
const VARS = {
  ADMIN_TOKEN,
  MASTER_KEYS: 'bench-master-keys-abcdefghijklmnopqrstuvwxyz01',
  JWT_SECRET: 'bench-jwt-secret-zyxwvutsrqponmlkjihgfedcba98',
  MODEL_PROVIDER: 'openai-compatible',
  CHAT_MODEL,
  EMBEDDING_MODEL: EMBEDDER,
  MONTHLY_TOKENS: '1000000000000',
  LIMITS_CHAT_PER_USER: WIDE,
  LIMITS_CHAT_PER_TENANT: WIDE,
}

/** The product as it is deployed, and the product with everything counted. */
export async function buildBundles() {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-web.mjs')], { cwd: ROOT })
  bundleProduct('product', [])
  bundleProduct('counted', ['bench/counted.ts'])
}

function bundleProduct(name, entry) {
  const args = ['deploy', ...entry, '--dry-run', '--env=', '--minify', '--outdir', join(OUT, name)]
  execFileSync(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    stdio: 'pipe',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
}

/** Starts a Node script and waits until it says that it listens. */
function startProcess(script, args, { says, ...options }) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  return new Promise((done, fail) => {
    child.stdout.on('data', (text) => String(text).includes(says) && done(child))
    child.on('exit', (code) => fail(new Error(`${script} ended with ${code}`)))
  })
}

/** The fake model that product and floor ask alike. */
export async function startModel() {
  const port = await findFreePort()
  const child = await startProcess(join(import.meta.dirname, 'model.mjs'), [String(port)], {
    says: 'ready',
  })
  return { port, url: `http://${HOST}:${port}/v1`, stop: () => child.kill() }
}

export function requireFloor() {
  if (existsSync(FLOOR)) return
  console.error(
    `bench  There is no ${FLOOR}: the floor is not in this repository. FLOOR_DIR says where it lies.`,
  )
  process.exit(1)
}

/** The floor on the project's own runtime. It finds its modules from inside the project. */
export async function startFloor({ state, model }) {
  const folder = join(OUT, 'floor')
  mkdirSync(folder, { recursive: true })
  for (const file of ['serve.mjs', 'worker.mjs'])
    copyFileSync(join(FLOOR, file), join(folder, file))
  const port = await findFreePort()
  const data = join(state, 'floor')
  mkdirSync(data, { recursive: true })
  const child = await startProcess(
    join(folder, 'serve.mjs'),
    ['--port', String(port), '--llm', model.url, '--data', data],
    { says: 'floor ready', env: { ...process.env, FLOOR_MINIFLARE: ROOT } },
  )
  return { ...runtimeOf(child.pid), port, stop: () => child.kill('SIGTERM') }
}

/**
 * Starts the product on a port of its own.
 * @param state folder of the stored data @param bundle `product` or `counted`
 * @param consumers whether what turns put into the queue is worked off beside them @param vars configuration beside the usual
 */
export async function startServer({
  state,
  model,
  bundle = 'product',
  consumers = false,
  vars = {},
  inspectorPort,
}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'))
  // Assets put a Worker of their own in front of every request, which the floor has not.
  const { modulesRules: _, assets: _none, queueConsumers, ...product } = workerOptions
  const folder = join(OUT, bundle)
  const port = await findFreePort()
  const options = convertV4MiniflareOptions({
    host: HOST,
    port: await findFreePort(),
    cf: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    logRequests: false,
    // Each job tells that it is done; what went wrong is all that is wanted beside the figures.
    handleStructuredLogs: ({ level, message }) => {
      if (level === 'error') console.error(message)
    },
    workers: [
      {
        ...product,
        name: 'parley',
        modulesRoot: folder,
        modules: listModules(folder),
        bindings: { ...product.bindings, ...VARS, OPENAI_BASE_URL: model.url, ...vars },
        unsafeDirectSockets: [{ host: HOST, port }],
        ...(consumers ? { queueConsumers } : {}),
      },
    ],
  })
  options.resourcePersistencePath = join(state, 'product')
  const runtime = new Miniflare(options)
  await runtime.ready
  const started = runtimeOf(process.pid)
  return {
    ...started,
    port,
    runtime,
    /** Resident memory of the runtime's process in kB, and its JavaScript heaps, once nothing is left to collect. */
    memory: async () => {
      const heapKb = await collectGarbage(inspectorPort)
      return { kb: started.memoryMb() * 1024, heapKb }
    },
    stop: () => runtime.dispose(),
  }
}

/** What is known of the runtime that a process started last. Requests come straight to it: the process itself has no part in them. */
function runtimeOf(parent) {
  const pid = findRuntime(parent)
  return {
    /** User and system time so far, in ms, steps of 10. */
    cpuMs: () => readCpu(pid),
    /** Time since it was started, in ms, steps of 10. */
    ageMs: () => readAge(pid),
    memoryMb: () => readMemory(pid) / 1024,
  }
}

function findRuntime(parent) {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = readStat(pid)
      return stat && stat.name === 'workerd' && Number(stat.fields[1]) === parent
        ? [Number(pid)]
        : []
    })
  const last = Math.max(...found)
  if (!Number.isFinite(last)) throw new Error('The runtime has no process')
  return last
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      fields: text.slice(end + 2).split(' '),
    }
  } catch {
    return null
  }
}

function readCpu(pid) {
  const { fields } = requireStat(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const INSPECTOR_MS = 5000

/** Collects the garbage of every Worker in the runtime. @returns the heaps' used size in kB */
async function collectGarbage(port) {
  const targets = await (await fetch(`http://${HOST}:${port}/json`)).json()
  let used = 0
  for (const { webSocketDebuggerUrl } of targets) {
    const socket = new WebSocket(webSocketDebuggerUrl)
    used += await new Promise((done, fail) => {
      setTimeout(() => fail(new Error('The inspector does not answer')), INSPECTOR_MS).unref()
      const ask = (id, method) => socket.send(JSON.stringify({ id, method }))
      socket.onopen = () => {
        ask(1, 'HeapProfiler.enable')
        ask(2, 'HeapProfiler.collectGarbage')
        ask(3, 'Runtime.getHeapUsage')
      }
      socket.onmessage = ({ data }) => {
        const { id, result } = JSON.parse(data)
        if (id === 3) done(result.usedSize)
      }
      socket.onerror = () => fail(new Error('The inspector cannot be reached'))
    })
    socket.close()
  }
  return used / 1000
}

function readMemory(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1])
}

function readAge(pid) {
  const uptimeMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000
  return uptimeMs - Number(requireStat(pid).fields[19]) * TICK_MS
}

function requireStat(pid) {
  const stat = readStat(pid)
  if (!stat) throw new Error('The runtime is gone')
  return stat
}

export async function applyMigrations(runtime) {
  const db = await runtime.getD1Database('DB', 'parley')
  const folder = join(ROOT, 'migrations')
  for (const file of readdirSync(folder).sort()) {
    const { unstable_splitSqlQuery: split } = await import('wrangler')
    const statements = split(readFileSync(join(folder, file), 'utf8'))
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
}
