/**
 * The runtime that serves a state outlives the script that started it where that was killed. Two of them must never serve
 * one state, so each start writes down its own, and the next one ends what was left.
 */
import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'parley-runtime.json'
const POLL_MS = 20
const WAIT_MS = 5000

/**
 * Writes down every runtime that this process starts from now on (a new build starts another).
 * @returns stops writing, and forgets what was written
 */
export function noteRuntime(persistTo) {
  const file = join(persistTo, FILE)
  const onStart = ({ process: child }) => {
    child.once('spawn', () => {
      if (!/workerd(\.exe)?$/.test(child.spawnfile)) return
      const noted = { pid: child.pid, command: child.spawnargs.join(' ') }
      writeFileSync(file, JSON.stringify(noted), { mode: 0o600 })
    })
  }
  subscribe('child_process', onStart)
  return () => {
    unsubscribe('child_process', onStart)
    rmSync(file, { force: true })
  }
}

/** Ends the runtime that a killed process left with this state. Only who holds the state may call it. @returns whether there was one */
export async function endLeftRuntime(persistTo) {
  const file = join(persistTo, FILE)
  if (!existsSync(file)) return false
  const { pid, command } = JSON.parse(readFileSync(file, 'utf8'))
  // The number may be another process's by now: only the very command is ended.
  const found = look('args', pid) === command
  if (found) {
    process.kill(pid, 'SIGKILL')
    const until = Date.now() + WAIT_MS
    // Its words go first, its sockets and files last: it has let go once it is nothing, or a zombie (Z) without threads (l).
    while (!/^(?:Z[^l]*)?$/.test(look('stat', pid)) && Date.now() < until)
      await new Promise((done) => setTimeout(done, POLL_MS))
  }
  rmSync(file, { force: true })
  return found
}

/** What `ps` tells of the number; empty where nothing runs under it, or where there is no `ps` to ask. */
function look(column, pid) {
  try {
    const line = execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return line.trim()
  } catch {
    return ''
  }
}
