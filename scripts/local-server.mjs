/** Runs Parley in the local runtime on this machine, for `npm run dev`, `npm run demo` and the evaluations. */
import { mkdirSync } from 'node:fs'
// By its name: an old Node has no such export, and would not come as far as to say that it is too old.
import module from 'node:module'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { noteRuntime } from './left-runtime.mjs'
import { listModules } from './list-modules.mjs'
import { ensureBuild } from './local-build.mjs'
import { COMPILE_CACHE, endOnSignal, SetupError, unlessInterrupted } from './run-script.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const NAME = 'parley'
const LOG_LINES_KEPT = 40
const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/** @throws SetupError when Node is too old for wrangler; npm scripts use the project's own Node, so this names npm. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) return
  throw new SetupError(
    `Node ${version} is too old. Run this through npm, which uses the project's own Node: npm install && npm run dev
Where npm runs no scripts of packages, that Node comes by: npm rebuild node --ignore-scripts=false`,
  )
}

/** @throws SetupError where nobody could listen: an address of another machine, a port that is not for everybody */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', ({ code, message }) => {
      if (code === 'EADDRINUSE') done(false)
      else fail(new SetupError(`Parley cannot listen there: ${message}`))
    })
    probe.listen(port, host, () => probe.close(() => done(true)))
  })
}

/** Where whoever is on this machine reaches what listens there. */
export function originOf(host, port) {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

export function findFreePort() {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

/**
 * Builds what is not built yet, starts the runtime with the state in `persistTo`, which `npx wrangler dev` shares, and
 * applies new migrations.
 * @param vars the Worker's secrets and settings, beside those of wrangler.toml
 * @param log says what is being done @param onLine gets what the Worker and the runtime write, as `{level, text}`
 * @returns {{origin, stop, tail, folder, update, fireCron}} `update` serves the sources as they are now
 * @throws SetupError with the last lines of the log when it does not become ready
 */
export async function startServer({
  port,
  host = '127.0.0.1',
  persistTo,
  vars,
  log = () => {},
  onLine = () => {},
}) {
  module.enableCompileCache(COMPILE_CACHE)
  // The runtime's library is read while the build runs.
  const [build, library] = await Promise.all([ensureBuild({ log }), import('miniflare')])
  const lines = []
  const take = (level, text) => {
    lines.push(text)
    if (lines.length > LOG_LINES_KEPT) lines.shift()
    onLine({ level, text })
  }
  const tail = () => lines.join('\n')
  const optionsOf = (of) => toOptions(library, { build: of, port, host, persistTo, vars, take })

  mkdirSync(persistTo, { recursive: true })
  log(`starting on port ${port}`)
  const forgetRuntime = noteRuntime(persistTo)
  const runtime = new library.Miniflare(optionsOf(build))
  const dispose = async () => {
    await runtime.dispose()
    forgetRuntime()
  }
  const forget = endOnSignal(dispose)
  const stop = async () => {
    forget()
    await dispose()
  }
  const origin = originOf(host, port)
  try {
    await runtime.ready
    const count = await migrate(runtime, NAME, build.migrations)
    if (count > 0) log(`${count} migrations applied to the database`)
    await requireReady(origin)
  } catch (error) {
    await unlessInterrupted()
    await stop()
    throw new SetupError(`Parley does not start: ${error.message}\n${tail()}`)
  }
  let current = build
  return {
    origin,
    stop,
    tail,
    /** The build that is served. */
    folder: () => current.folder,
    /** @returns whether the sources had changed */
    update: async () => {
      const next = await ensureBuild({ log })
      if (next.folder === current.folder) return false
      await runtime.setOptions(optionsOf(next))
      await migrate(runtime, NAME, next.migrations)
      current = next
      return true
    },
    fireCron: async (cron) => {
      const worker = await runtime.getWorker(NAME)
      const { outcome } = await worker.scheduled({ cron })
      return outcome === 'ok'
    },
  }
}

/** wrangler's own options of the Worker, with the kept build in place of the sources. */
function toOptions(library, { build, port, host, persistTo, vars, take }) {
  const { convertV4MiniflareOptions, Log, LogLevel } = library
  class Lines extends Log {
    logWithLevel(level, message) {
      if (level <= LogLevel.INFO) take(LogLevel[level].toLowerCase(), message)
    }
  }
  const folder = join(build.folder, 'worker')
  const options = convertV4MiniflareOptions({
    host,
    port,
    log: new Lines(LogLevel.INFO),
    handleStructuredLogs: ({ level, message }) => take(level, message),
    // No look-up of a place that is not this machine's.
    cf: false,
    telemetry: { enabled: false },
    workers: [
      {
        ...build.worker,
        name: NAME,
        rootPath: ROOT,
        assets: { ...build.worker.assets, directory: join(build.folder, 'public') },
        bindings: { ...build.worker.bindings, LOCAL_ORIGIN: originOf(host, port), ...vars },
        modulesRoot: folder,
        modules: listModules(folder),
      },
    ],
  })
  options.resourcePersistencePath = join(persistTo, 'v3')
  return options
}

/** Applies what the database of a Worker does not have yet, in wrangler's own books. @returns how many */
export async function migrate(runtime, name, migrations) {
  const db = await runtime.getD1Database('DB', name)
  await db.prepare(MIGRATIONS_TABLE).run()
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(results.map(({ name }) => name))
  const open = migrations.filter(({ name }) => !applied.has(name))
  // All in one statement, and so in one transaction: each is a call to another process.
  const all = open.map(
    ({ name, sql }) => `${sql};\nINSERT INTO d1_migrations (name) VALUES ('${name}');\n`,
  )
  if (open.length > 0) await db.prepare(all.join('')).run()
  return open.length
}

async function requireReady(origin) {
  const answer = await fetch(`${origin}/readyz`)
  if (answer.status === 200) return answer.body?.cancel()
  throw new Error(`/readyz answered ${answer.status}: ${await answer.text()}`)
}
