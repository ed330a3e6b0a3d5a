/** `GET /internal/tls-allow` beside `GET /health`, with many bound domains: what a reverse proxy asks in a handshake. */
import { Agent, request } from 'node:http'
import { quantile } from './load.mjs'

const DOMAINS = 1000
const ROWS_AT_ONCE = 25
const ROUNDS = 20
const CALLS = 500
const AT_ONCE = 4
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

export async function measureTls({ server }) {
  const { port, runtime } = server
  await bindMany(runtime)
  const paths = {
    health: () => '/health',
    bound: (n) => `/internal/tls-allow?domain=${nameOf(n % DOMAINS)}`,
    unknown: (n) => `/internal/tls-allow?domain=nobody-${n}.example.com`,
  }
  const times = { health: [], bound: [], unknown: [] }
  const wrong = []
  const expected = { health: 200, bound: 200, unknown: 404 }
  // Turn about in short windows, so that all three see the same disturbances of a shared machine.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [kind, pathOf] of Object.entries(paths)) {
      const window = []
      await inParallel(CALLS, async (i) => {
        const { status, ms } = await get(port, pathOf(round * CALLS + i))
        window.push(ms)
        if (status !== expected[kind]) wrong.push(`${kind} ${status}`)
      })
      // The first round warms up.
      if (round > 0) times[kind].push(...window)
    }
  }
  return Object.entries(times).map(([kind, all]) => ({
    kind,
    calls: all.length,
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    wrong: wrong.filter((text) => text.startsWith(kind)),
  }))
}

const nameOf = (n) => `chat-${n}.bench-customer.com`

async function bindMany(runtime) {
  const db = await runtime.getD1Database('DB', 'parley')
  const now = Date.now()
  const tenant = db.prepare(
    "INSERT INTO tenants (id, name, wrapped_key, created_at, updated_at) VALUES (?1, ?1, '', ?2, ?2)",
  )
  const domain = db.prepare(
    "INSERT INTO custom_domains (id, tenant_id, domain, label, status, verified_at, next_check_at, created_at, updated_at) VALUES (?1, ?1, ?2, ?1, 'active', ?3, ?3 + 86400000, ?3, ?3)",
  )
  for (let from = 0; from < DOMAINS; from += ROWS_AT_ONCE) {
    const ids = Array.from({ length: ROWS_AT_ONCE }, (_, i) => from + i)
    await db.batch(
      ids.flatMap((n) => [
        tenant.bind(`bench-tls-${n}`, now),
        domain.bind(`bench-tls-${n}`, nameOf(n), now),
      ]),
    )
  }
}

async function inParallel(count, work) {
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let i = next++; i < count; i = next++) await work(i)
    }),
  )
}

function get(port, path) {
  const started = performance.now()
  return new Promise((done, fail) => {
    const call = request({ agent, host: '127.0.0.1', port, path, timeout: 30_000 }, (answer) => {
      answer.resume()
      answer.on('end', () => done({ status: answer.statusCode, ms: performance.now() - started }))
    })
    call.on('timeout', () => call.destroy(new Error(`No answer from ${path}`)))
    call.on('error', fail)
    call.end()
  })
}
