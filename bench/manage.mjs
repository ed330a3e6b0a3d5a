/** Management lists that grow: page 1 beside page 500, usage over a million rows by every grouping, a long trail as CSV. */
import { quantile } from './load.mjs'
import { ADMIN_TOKEN } from './server.mjs'

const USERS = 100_000
const ENTRIES = 1_000_000
const DOCUMENTS = 20_000
const USAGE_ROWS = 1_000_000
const USAGE_HOURS = 720
const ROWS_AT_ONCE = 50_000
const ROUNDS = 40
const FAR_PAGE = 500
const WALK = 200
const GROUPS = ['total', 'agent', 'user', 'space', 'hour', 'day', 'week', 'model', 'kind']
const SAMPLE_MS = 100

export async function measureManage({ server, say }) {
  const { port, runtime } = server
  const db = await runtime.getD1Database('DB', 'parley')
  const tenant = await makeTenant(port)
  const call = (path) => get(port, tenant.key, path)
  const seeded = await fill(db, tenant.id, await makeBase(port, tenant.key), say)
  const lists = [
    { name: 'users, recent', path: '/v1/manage/users?sort=recent', limit: 50 },
    { name: 'users, tokens24h', path: '/v1/manage/users?sort=tokens24h', limit: 50 },
    { name: 'audit', path: '/v1/tenant/audit?', limit: 50 },
    // Page 500 of 50 would lie behind the last document.
    { name: 'documents', path: '/v1/knowledge-bases/bench/documents?', limit: 40 },
  ]
  const pages = []
  for (const list of lists) {
    say?.(`manage: ${list.name}`)
    pages.push({ name: list.name, ...(await comparePages(call, list)) })
  }
  const usage = []
  for (const group of GROUPS) {
    say?.(`manage: usage by ${group}`)
    const times = []
    for (let i = 0; i < 3; i++) {
      times.push((await timed(() => call(`/v1/manage/usage?group=${group}&since=31d`))).ms)
    }
    usage.push({ group, ms: median(times) })
  }
  say?.('manage: audit.csv')
  return { seeded, pages, usage, csv: await readCsv(server, tenant.key) }
}

async function comparePages(call, { path, limit }) {
  const first = `${path}&limit=${limit}`.replace('?&', '?')
  const far = `${first}&cursor=${encodeURIComponent(await cursorOf(call, path, limit * (FAR_PAGE - 1)))}`
  const times = { first: [], far: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [kind, url] of [
      ['first', first],
      ['far', far],
    ]) {
      const { ms, value } = await timed(() => call(url))
      if (value.items.length !== limit) throw new Error(`${url}: ${value.items.length} items`)
      if (round > 0) times[kind].push(ms)
    }
  }
  const [one, other] = [median(times.first), median(times.far)]
  return { first: one, far: other, ratio: Math.max(one, other) / Math.min(one, other) }
}

/** The cursor behind this many rows, walked to in larger pages: a cursor does not depend on the page's size. */
async function cursorOf(call, path, rows) {
  let cursor = ''
  for (let left = rows; left > 0; ) {
    const size = Math.min(WALK, left)
    const { next_cursor } = await call(`${path}&limit=${size}${cursor}`.replace('?&', '?'))
    if (next_cursor === null) throw new Error(`${path} ends too early`)
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
    left -= size
  }
  return decodeURIComponent(cursor.slice('&cursor='.length))
}

async function readCsv({ port, memoryMb }, key) {
  const before = memoryMb()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryMb())
  }, SAMPLE_MS)
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/v1/tenant/audit.csv`, {
    headers: { 'x-api-key': key },
  })
  let bytes = 0
  let lines = 0
  let early = 0
  for await (const chunk of response.body) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines++
    // Caches have filled by then: what comes after must not grow with the length of the trail.
    if (early === 0 && lines > ENTRIES / 10) early = memoryMb()
  }
  clearInterval(timer)
  return { lines, bytes, ms: performance.now() - began, before, early, peak }
}

async function makeTenant(port) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/admin/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-token': ADMIN_TOKEN },
    body: JSON.stringify({ name: 'Lists' }),
  })
  const json = await response.json()
  if (!response.ok) throw new Error(`No tenant: ${response.status}`)
  return { id: json.id, key: json.key.api_key }
}

async function makeBase(port, key) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/knowledge-bases`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { id } = await response.json()
  return id
}

/** @returns seconds that each filling took. */
async function fill(db, tenantId, baseId, say) {
  const now = Date.now()
  const hour = Math.floor(now / 3_600_000) * 3_600_000
  const seconds = {}
  const parts = {
    users: [
      USERS,
      `INSERT INTO users (id, tenant_id, source, external_id, created_at, last_active_at, tokens_24h)
       SELECT printf('0198c000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), ?1, 'proxy', 'user-' || n, ?2, ?2 - (n * 7919 % 100003) * 1000, n * 104729 % 5000 FROM rows`,
      [tenantId, now],
    ],
    // Every user has a space of its own.
    spaces: [
      USERS,
      `INSERT INTO spaces (id, tenant_id, user_id, name, is_default, tag, session_count, created_at, updated_at)
       SELECT printf('0198d000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), ?1, printf('0198c000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), 'Default', 1, 900000000000 + n, n % 40, ?2, ?2 FROM rows`,
      [tenantId, now],
    ],
    documents: [
      DOCUMENTS,
      `INSERT INTO documents (id, tenant_id, base_id, path, name, kind, mime, size_bytes, version, live_version, status, progress, chunk_count, progressed_at, created_at, updated_at)
       SELECT printf('0198e000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), ?1, ?2, 'folder/file-' || n || '.md', 'file-' || n || '.md', 'md', 'text/markdown', 1000, 'v1', 'v1', 'ready', 100, 4, ?3, ?3, ?3 FROM rows`,
      [tenantId, baseId, now],
    ],
    usage: [
      USAGE_ROWS,
      `INSERT INTO usage_hourly (tenant_id, hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, events)
       SELECT ?1, ?2 - n % ${USAGE_HOURS} * 3600000, 'agent-' || (n % 7), 'user-' || (n / ${USAGE_HOURS}), 'space-' || (n / ${USAGE_HOURS}), 'model-' || (n % 3), CASE n % 4 WHEN 0 THEN 'embedding' ELSE 'chat' END, 1, 900, 100, 0, 1 FROM rows`,
      [tenantId, hour],
    ],
    audit: [
      ENTRIES,
      `INSERT INTO audit (tenant_id, seq, id, created_at, actor, actor_type, via, action, entity, entity_id, entity_name, before, after, request_id, hash)
       SELECT ?1, n + ?3, printf('0198f000-%04x-7%03x-8000-%012x', n >> 12, n & 4095, n), ?2 + n, 'key:first', 'key', 'api', 'update', 'agent', 'agent-' || (n % 50), 'desk ' || (n % 50),
         '{"task":"Answer questions about parcel ' || n || '.","published":false}', '{"task":"Answer questions about parcel ' || n || '.","published":true}', 'request-' || n, 'hash' FROM rows`,
      [tenantId, now - ENTRIES, await lastSeq(db, tenantId)],
    ],
  }
  for (const [name, [count, statement, values]] of Object.entries(parts)) {
    say?.(`manage: ${count} ${name}`)
    const began = performance.now()
    for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
      const to = Math.min(count, from + ROWS_AT_ONCE - 1)
      const rows = `WITH RECURSIVE rows (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM rows WHERE n < ${to})`
      const { success } = await db
        .prepare(`${rows} ${statement}`)
        .bind(...values)
        .run()
      if (!success) throw new Error(`${name} could not be filled`)
    }
    seconds[name] = (performance.now() - began) / 1000
  }
  return seconds
}

/** The tenant and its base left entries of their own. */
async function lastSeq(db, tenantId) {
  const row = await db
    .prepare('SELECT max(seq) AS seq FROM audit WHERE tenant_id = ?')
    .bind(tenantId)
    .first()
  return row.seq
}

async function get(port, key, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

const median = (times) => quantile(times, 0.5)

async function timed(work) {
  const began = performance.now()
  const value = await work()
  return { ms: performance.now() - began, value }
}
