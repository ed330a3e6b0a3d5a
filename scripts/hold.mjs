import { createHash } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** What the pages are built into, in the checkout: whoever builds them holds it. */
export const PAGES = resolve(import.meta.dirname, '../public')
const RETRY_MS = 50
/** A socket that is being opened is there a moment before somebody listens on it. */
const OPENING_MS = 250

/**
 * Holds `thing` (a path) for this process: whoever dies lets go, whatever killed it, since a socket stands for it.
 * @param describe what the holder says of itself to those that come later
 * @returns `{release}`, or `{holder}` with those words when another process holds it
 */
export async function hold(thing, describe = () => '') {
  const server = createServer((socket) => {
    socket.once('error', () => {})
    socket.end(describe())
  })
  const address = addressOf(thing)
  if (!(await listen(server, address))) {
    const found = identify(address)
    const holder = (await ask(address)) ?? (await pause(OPENING_MS).then(() => ask(address)))
    if (holder !== null) return { holder }
    // A socket that nobody listens on is what a killed process left; whoever came first may have put another in its place.
    if (found && identify(address) === found) rmSync(address, { force: true })
    if (!(await listen(server, address))) return { holder: (await ask(address)) ?? '' }
  }
  server.unref()
  return { release: () => new Promise((done) => server.close(done)) }
}

/**
 * Waits until nobody else holds `thing`, then holds it.
 * @param onWait is told once that another process holds it
 * @returns {Promise<() => Promise<void>>} lets go
 */
export async function waitToHold(thing, onWait = () => {}) {
  let { release } = await hold(thing)
  if (!release) onWait()
  while (!release) {
    await pause(RETRY_MS)
    release = (await hold(thing)).release
  }
  return release
}

/** Tells a socket from the next one at its address. */
function identify(address) {
  const stats = statSync(address, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.ctimeNs}`
}

function addressOf(thing) {
  const name = `parley-${createHash('sha256').update(`${userInfo().uid} ${thing}`).digest('hex').slice(0, 24)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

function listen(server, address) {
  return new Promise((done, fail) => {
    const refuse = (error) => (error.code === 'EADDRINUSE' ? done(false) : fail(error))
    server.once('error', refuse)
    server.listen(address, () => {
      server.off('error', refuse)
      done(true)
    })
  })
}

/** What the holder says, or null when there is none. */
function ask(address) {
  return new Promise((done) => {
    let words = ''
    const socket = connect(address)
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      words += text
    })
    socket.once('end', () => done(words))
    socket.once('error', () => done(null))
  })
}
