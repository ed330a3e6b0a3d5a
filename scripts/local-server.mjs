/** Runs Parley under wrangler on this machine, for `npm run dev` and `npm run demo`. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { renderVars } from './dev-secrets.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
const READY_MS = 90_000
const POLL_MS = 150
const STOP_MS = 5000
const LOG_LINES_KEPT = 40

/** How to end each child that still runs. */
const children = new Set()
let interrupted = false

/** Ctrl-C and its like end every child first, then this process with `code`. Call before anything is started. */
export function stopOnSignals(code) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      interrupted = true
      await Promise.all([...children].map((end) => end()))
      process.exit(code)
    })
  }
}

/** After Ctrl-C nothing is a failure any more: whoever waited for a child waits for the end of this process. */
export async function unlessInterrupted() {
  if (interrupted) await new Promise(() => {})
}

/** An expected failure whose message is all that the person needs. */
export class SetupError extends Error {}

/** @throws SetupError when Node is too old for wrangler; npm scripts use the project's own Node, so this names npm. */
export function checkNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) return
  throw new SetupError(
    `Node ${version} is too old. Run this through npm, which uses the project's own Node: npm install && npm run dev`,
  )
}

export function isPortFree(port) {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
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

/** Builds the pages where this checkout has them; wrangler needs the folder in any case. */
export async function buildWeb() {
  mkdirSync(join(ROOT, 'public'), { recursive: true })
  const script = join(ROOT, 'scripts/build-web.mjs')
  if (!existsSync(script)) return
  await run([script], 'The pages could not be built')
}

export async function applyMigrations(persistTo) {
  const args = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persistTo]
  await run([WRANGLER, ...args], 'The database migrations failed')
}

/** Runs a Node script quietly. @throws SetupError with the script's output when it fails. */
async function run(args, complaint) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const exited = new Promise((done) => child.once('close', done))
  const end = () => {
    child.kill()
    return exited
  }
  children.add(end)
  const code = await exited
  children.delete(end)
  await unlessInterrupted()
  if (code !== 0) throw new SetupError(`${complaint}:\n${output.tail()}`)
}

/**
 * Starts `wrangler dev` and waits until /readyz answers 200.
 * `vars` reach the Worker through a file that only its owner can read. The child has a process group of its own, so
 * that `stop` ends wrangler and the runtime below it, whichever of them still lives.
 * @returns {{origin, ended: Promise<number>, stop: () => Promise<void>, tail: () => string}} ended: by itself, not by Ctrl-C
 * @throws SetupError with the last lines of the log when it does not become ready
 */
export async function startServer({ port, persistTo, vars, args = [], onLine }) {
  mkdirSync(persistTo, { recursive: true })
  const envFile = join(persistTo, 'worker.env')
  writeFileSync(envFile, renderVars(vars), { mode: 0o600 })
  chmodSync(envFile, 0o600)
  const options = {
    port,
    ip: '127.0.0.1',
    'inspector-port': await findFreePort(),
    'persist-to': persistTo,
    'env-file': envFile,
    'show-interactive-dev-session': false,
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(process.execPath, [WRANGLER, 'dev', ...flags, ...args], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child, onLine)
  let gone = false
  const exited = new Promise((done) =>
    child.once('close', (code) => {
      gone = true
      done(code)
    }),
  )
  const stop = () => stopGroup(child.pid, exited)
  children.add(stop)
  // Last resort: whatever ends this process, the group below it must not stay behind.
  process.once('exit', () => signalGroup(child.pid, 'SIGKILL'))

  const origin = `http://127.0.0.1:${port}`
  const deadline = Date.now() + READY_MS
  while (!(await isReady(origin))) {
    await unlessInterrupted()
    if (gone) throw new SetupError(`wrangler dev ended before it was ready:\n${output.tail()}`)
    if (Date.now() > deadline) {
      await stop()
      throw new SetupError(`Parley was not ready after ${READY_MS / 1000} s:\n${output.tail()}`)
    }
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
  const ended = exited.then(async (code) => {
    await unlessInterrupted()
    return code
  })
  return { origin, ended, stop, tail: output.tail }
}

async function isReady(origin) {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(5000) })
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}

async function stopGroup(pid, exited) {
  signalGroup(pid, 'SIGTERM')
  const late = new Promise((done) => setTimeout(done, STOP_MS, 'late').unref())
  if ((await Promise.race([exited, late])) === 'late') signalGroup(pid, 'SIGKILL')
  await exited
  signalGroup(pid, 'SIGKILL')
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Keeps the last lines of a child's output; hands each line on as it comes. */
function collect(child, onLine) {
  const lines = []
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        onLine?.(line)
        lines.push(line)
        if (lines.length > LOG_LINES_KEPT) lines.shift()
      }
    })
  }
  return { tail: () => lines.join('\n') }
}
