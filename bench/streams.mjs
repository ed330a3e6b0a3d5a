/**
 * `node bench/streams.mjs [streams] [disconnects]`: many idle streams of /me/stream at once (memory of each, objects asleep),
 * how long a push takes, and a bad network while reminders fall due. Everything runs on loopback, in one workerd.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createParser } from 'eventsource-parser'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'

const ROOT = resolve(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist/bench/streams')
const ADMIN_TOKEN = 'bench-admin-token-0123456789-abcdefghijkl'
const STREAMS = Number(process.argv[2] ?? 1000)
const DISCONNECTS = Number(process.argv[3] ?? 1000)
const PING_S = 5
/** An object without work sleeps after ten seconds. */
const ASLEEP_MS = 14_000
const STORM = { users: 10, reminders: 50, leadMs: 10_000 }
const WIDE = '1000000'
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function wrangler(...args) {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' }
  const file = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  execFileSync(process.execPath, [file, ...args], { cwd: ROOT, stdio: 'pipe', env })
}

async function startServer(persist) {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-web.mjs')], { cwd: ROOT })
  wrangler('deploy', '--dry-run', '--minify', '--env=', '--outdir', OUT)
  wrangler('d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', persist)
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, 'wrangler.toml'))
  const { modulesRules: _rules, ...worker } = workerOptions
  const bindings = {
    ...worker.bindings,
    ADMIN_TOKEN,
    MASTER_KEYS: 'bench-master-keys-abcdefghijklmnopqrstuvwxyz01',
    JWT_SECRET: 'bench-jwt-secret-zyxwvutsrqponmlkjihgfedcba98',
    STREAM_PING_S: String(PING_S),
    LIMITS_REMINDER_LEAD_S: '0',
    LIMITS_STREAMS_PER_USER: WIDE,
  }
  const files = readdirSync(OUT).filter((file) => /\.(?:js|wasm)$/.test(file))
  const options = convertV4MiniflareOptions({
    port: 0,
    host: '127.0.0.1',
    cf: false,
    logRequests: false,
    workers: [
      {
        name: 'app',
        ...worker,
        bindings,
        modulesRoot: OUT,
        modules: files
          .toSorted((a) => (a === 'index.js' ? -1 : 1))
          .map((file) => ({
            type: file.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
            path: join(OUT, file),
          })),
      },
    ],
  })
  options.resourcePersistencePath = join(persist, 'v3')
  const mf = new Miniflare(options)
  return { mf, base: await mf.ready }
}

function call(base, method, path, headers, body) {
  return new Promise((done, fail) => {
    const outgoing = request(
      new URL(path, base),
      { method, agent, headers: { ...headers, 'content-type': 'application/json' } },
      (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => {
          if (response.statusCode >= 300) fail(new Error(`${path}: ${response.statusCode} ${text}`))
          else done(text === '' ? null : JSON.parse(text))
        })
      },
    )
    outgoing.on('error', fail)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** An open stream; `onEvent` hears each frame as it comes. Resolves once it is greeted. */
function open(base, headers, onEvent = () => {}) {
  return new Promise((done, fail) => {
    const outgoing = request(new URL('/me/stream', base), { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) return fail(new Error(`stream: ${response.statusCode}`))
      const parser = createParser({
        onEvent: ({ id, event, data }) => {
          onEvent({ id: Number(id), event, data: JSON.parse(data) })
          if (event === 'hello') done(() => outgoing.destroy())
        },
      })
      response.on('data', (part) => parser.feed(part.toString()))
      response.on('error', () => {})
    })
    outgoing.on('error', fail)
    outgoing.end()
  })
}

/** Runs `work` for each item, some at a time. */
async function inParallel(items, width, work) {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/** Resident memory of the processes that this one started, in MB. */
function childMemory() {
  let pages = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1])
      if (parent === process.pid)
        pages += Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    } catch {
      // It was gone already.
    }
  }
  return (pages * 4096) / 1e6
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms))
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
const quantiles = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms (n = ${sorted.length})`
}

async function holdIdle(mf, base, key) {
  const users = Array.from({ length: STREAMS }, (_, i) => ({
    headers: { 'x-api-key': key, 'x-end-user': `idle-${i}` },
    frames: [],
  }))
  await inParallel(users, 8, async (user) => {
    user.me = await call(base, 'GET', '/me', user.headers)
    // Makes the object, so that what is measured below is the stream alone.
    await call(base, 'GET', '/me/reminders', user.headers)
  })
  await wait(ASLEEP_MS)
  const before = childMemory()
  const since = performance.now()
  await inParallel(users, 16, async (user) => {
    user.leave = await open(base, user.headers, (frame) => user.hear?.(frame))
  })
  const opened = performance.now() - since
  await wait(ASLEEP_MS)
  const after = childMemory()
  console.log(
    `idle streams       ${STREAMS} opened in ${(opened / 1000).toFixed(1)} s (${(opened / STREAMS).toFixed(1)} ms each)`,
  )
  console.log(
    `memory per stream  ${(((after - before) * 1000) / STREAMS).toFixed(1)} kB (${before.toFixed(0)} → ${after.toFixed(0)} MB)`,
  )

  let awake = 0
  for (const { me } of users) {
    const name = `${me.tenant_id}/${me.user_id}/${me.space_id}`
    try {
      await mf.unsafeEvictDurableObject('app', 'UserSpace', { name, webSockets: 'hibernate' })
      awake += 1
    } catch (error) {
      if (!String(error).includes('not currently running')) throw error
    }
  }
  console.log(`objects awake      ${awake} of ${STREAMS}`)

  const [asleep, warm] = [[], []]
  for (const user of users.slice(0, Math.min(100, STREAMS))) {
    const body = { text: 'wake up', due_at: 'PT0S' }
    for (const times of [asleep, warm]) {
      const heard = new Promise((done) => {
        user.hear = ({ event }) => event === 'reminder' && done(performance.now())
      })
      const start = performance.now()
      await Promise.all([call(base, 'POST', '/me/reminders', user.headers, body), heard])
      times.push((await heard) - start)
    }
  }
  console.log(`request to push    asleep: ${quantiles(asleep)}`)
  console.log(`                   awake:  ${quantiles(warm)}`)
  for (const { leave } of users) leave()
}

async function weather(base, key) {
  const people = Array.from({ length: STORM.users }, (_, i) => ({
    headers: { 'x-api-key': key, 'x-end-user': `storm-${i}` },
    wanted: new Set(),
    seen: [],
    lateness: [],
  }))
  let disconnects = 0
  const plan = ({ headers, wanted }) => {
    const start = Date.now() + STORM.leadMs
    return inParallel(Array.from({ length: STORM.reminders }), 8, async (_, n) => {
      const due_at = new Date(start + (n % 2 === 0 ? 4000 : n * 200)).toISOString()
      wanted.add((await call(base, 'POST', '/me/reminders', headers, { text: `${n}`, due_at })).id)
    })
  }
  const suffer = async (person) => {
    let last = 0
    while (person.seen.length < person.wanted.size || disconnects < DISCONNECTS) {
      const leave = await open(
        base,
        { ...person.headers, 'last-event-id': String(last) },
        ({ id, event, data }) => {
          last = id
          if (event !== 'reminder') return
          person.seen.push(data.id)
          person.lateness.push(Date.now() - Date.parse(data.due_at))
        },
      )
      if (person.seen.length < person.wanted.size) await wait(Math.random() * 100)
      leave()
      disconnects += 1
    }
  }
  const since = performance.now()
  const all = []
  for (const person of people) {
    await plan(person)
    all.push(suffer(person))
  }
  await Promise.all(all)
  const seen = people.flatMap((person) => person.seen)
  const lost = people.flatMap(({ wanted, seen: own }) =>
    [...wanted].filter((id) => !own.includes(id)),
  )
  const twice = seen.length - new Set(seen).size
  console.log(
    `bad network        ${disconnects} disconnects, ${seen.length} reminders in ${((performance.now() - since) / 1000).toFixed(0)} s: ${lost.length} lost, ${twice} twice`,
  )
  console.log(
    `due to client      ${quantiles(people.flatMap(({ lateness }) => lateness))}, cut connections included`,
  )
  if (lost.length > 0 || twice > 0) process.exitCode = 1
}

const persist = mkdtempSync(join(tmpdir(), 'parley-streams-'))
const { mf, base } = await startServer(persist)
try {
  const { key } = await call(
    base,
    'POST',
    '/v1/admin/tenants',
    { 'x-admin-token': ADMIN_TOKEN },
    { name: 'Bench' },
  )
  if (STREAMS > 0) await holdIdle(mf, base, key.api_key)
  if (DISCONNECTS > 0) await weather(base, key.api_key)
} finally {
  await mf.dispose()
  rmSync(persist, { recursive: true, force: true })
}
