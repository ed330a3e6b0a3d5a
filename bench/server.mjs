/** Builds the bundles and runs product, floors and fake model in one workerd through Miniflare's class. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
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
/** Only a name: every outbound request goes to the fake model's Worker. */
const MODEL_URL = 'http://model.bench/v1'
const WIDE = '1000000000'

export const ADMIN_TOKEN = 'bench-admin-token-0123456789-abcdefghijkl'
const VARS = {
  ADMIN_TOKEN,
  MASTER_KEYS: 'bench-master-keys-abcdefghijklmnopqrstuvwxyz01',
  JWT_SECRET: 'bench-jwt-secret-zyxwvutsrqponmlkjihgfedcba98',
  MODEL_PROVIDER: 'openai-compatible',
  OPENAI_BASE_URL: MODEL_URL,
  CHAT_MODEL,
  EMBEDDING_MODEL: EMBEDDER,
  MONTHLY_TOKENS: '1000000000000',
  LIMITS_CHAT_PER_USER: WIDE,
  LIMITS_CHAT_PER_TENANT: WIDE,
}

/** The product as it is deployed, the product with everything counted, the floors, the model. */
export async function buildBundles({ minify = true } = {}) {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-web.mjs')], { cwd: ROOT })
  bundleProduct('product', [], minify)
  bundleProduct('counted', ['bench/counted.ts'], minify)
  await build({
    absWorkingDir: ROOT,
    entryPoints: { floor: 'bench/floor.ts', model: 'bench/model.ts' },
    outdir: OUT,
    bundle: true,
    minify,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'warning',
  })
}

function bundleProduct(name, entry, minify) {
  const args = ['deploy', ...entry, '--dry-run', '--env=', '--outdir', join(OUT, name)]
  if (minify) args.push('--minify')
  execFileSync(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    stdio: 'pipe',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
}

/**
 * Starts everything on ports of its own.
 * @param state folder of the stored data @param bundle `product` or `counted`
 * @param consumers whether what turns put into the queue is worked off beside them @param vars configuration beside the usual
 */
export async function startServer({
  state,
  bundle = 'product',
  consumers = false,
  vars = {},
  inspectorPort,
}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'))
  const { modulesRules: _, queueConsumers, ...product } = workerOptions
  const folder = join(OUT, bundle)
  const [port, floorPort] = [await findFreePort(), await findFreePort()]
  const common = {
    compatibilityDate: product.compatibilityDate,
    compatibilityFlags: product.compatibilityFlags,
  }
  const options = convertV4MiniflareOptions({
    host: HOST,
    port: await findFreePort(),
    cf: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    logRequests: false,
    workers: [
      {
        ...product,
        name: 'parley',
        modulesRoot: folder,
        modules: listModules(folder),
        bindings: { ...product.bindings, ...VARS, ...vars },
        outboundService: 'model',
        unsafeDirectSockets: [{ host: HOST, port }],
        ...(consumers ? { queueConsumers } : {}),
      },
      {
        ...common,
        name: 'floor',
        modulesRoot: OUT,
        modules: [{ type: 'ESModule', path: join(OUT, 'floor.js') }],
        bindings: { MODEL_URL },
        d1Databases: { DB: 'floor' },
        durableObjects: {
          SPACE: { className: 'FloorSpace', useSQLite: true },
          BASE: { className: 'FloorBase', useSQLite: true },
          KNOWLEDGE_BASE: { className: 'KnowledgeBase', scriptName: 'parley', useSQLite: true },
          USER_SPACE: { className: 'UserSpace', scriptName: 'parley', useSQLite: true },
        },
        outboundService: 'model',
        unsafeDirectSockets: [{ host: HOST, port: floorPort }],
      },
      {
        ...common,
        name: 'model',
        modulesRoot: OUT,
        modules: [{ type: 'ESModule', path: join(OUT, 'model.js') }],
      },
    ],
  })
  options.resourcePersistencePath = state
  const runtime = new Miniflare(options)
  await runtime.ready
  const pid = findRuntime()
  return {
    port,
    floorPort,
    runtime,
    /** User and system time of the runtime's process so far, in ms, steps of 10. */
    cpuMs: () => readCpu(pid),
    /** Resident memory of the runtime's process in kB, and its JavaScript heaps, once nothing is left to collect. */
    memory: async () => {
      const heapKb = await collectGarbage(inspectorPort)
      return { kb: readMemory(pid), heapKb }
    },
    /** Time since the runtime's process was started, in ms, steps of 10. */
    ageMs: () => readAge(pid),
    /** Memory of the runtime's process, in MiB. */
    memoryMb: () => readMemory(pid) / 1024,
    stop: () => runtime.dispose(),
  }
}

/** The workerd process that this one started last. */
function findRuntime() {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = readStat(pid)
      return stat && stat.name === 'workerd' && Number(stat.fields[1]) === process.pid
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
