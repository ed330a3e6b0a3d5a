/** What a script of ours starts ends with it, and an expected failure is one sentence. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const STOP_MS = 5000
/**
 * For whatever starts esbuild: as its service it collects garbage as if it ran for days, which is half of its time, though
 * it lives for seconds here. Percent of the heap that may be new before it collects.
 */
export const BUILD_ENV = { GOGC: '400' }
/** Code that node has compiled, so that large tools load faster the next time. */
export const COMPILE_CACHE = join(ROOT, '.wrangler/cache')

/** How to end each thing that still runs. */
const running = new Set()
let interrupted = false

/** An expected failure whose message is all that the person needs. */
export class SetupError extends Error {}

/** Ctrl-C and its like end everything that runs first, then this process with `code`. Call before anything is started. */
export function stopOnSignals(code) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      interrupted = true
      const late = new Promise((done) => setTimeout(done, STOP_MS))
      await Promise.race([late, Promise.allSettled([...running].map((end) => end()))])
      process.exit(code)
    })
  }
}

/** After Ctrl-C nothing is a failure any more: whoever waited for something waits for the end of this process. */
export async function unlessInterrupted() {
  if (interrupted) await new Promise(() => {})
}

/** Ends `end` on Ctrl-C. @returns forgets it again */
export function endOnSignal(end) {
  running.add(end)
  return () => running.delete(end)
}

/**
 * Runs a Node script quietly.
 * @param env what it gets beside this process's own environment
 * @throws SetupError with what it wrote when it fails
 */
export async function runScript(args, complaint, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...BUILD_ENV,
      ...process.env,
      ...env,
      CI: '1',
      WRANGLER_SEND_METRICS: 'false',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text) => {
      output += text
    })
  }
  const exited = new Promise((done) => child.once('close', done))
  const forget = endOnSignal(() => {
    child.kill()
    return exited
  })
  const code = await exited
  forget()
  await unlessInterrupted()
  if (code !== 0) throw new SetupError(`${complaint}:\n${output.trimEnd()}`)
}
