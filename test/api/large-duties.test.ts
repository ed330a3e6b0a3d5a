import { afterAll, beforeAll, expect, it } from 'vitest'
import { failingCalls } from '../support/failing-calls'
import { type Parley, startParley } from '../support/harness'
import { seedTenant, waitFor } from '../support/seed'

const NIGHTLY = '17 3 * * *'
const OFTEN = '*/5 * * * *'
const DAY_MS = 86_400_000
const MANY = 400
const ROWS = `WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${MANY})`
/** What one run may ask of the platform. */
const CALLS = 1000

let parley: Parley
let db: D1Database
beforeAll(async () => {
  parley = await startParley({}, { failing: true })
  db = (await parley.worker.getEnv()).DB as D1Database
})
afterAll(() => parley.close())

const run = async (cron: string): Promise<number> => {
  const { fail, settled } = failingCalls(parley)
  await fail(null)
  await parley.worker.scheduled({ cron, scheduledTime: new Date() })
  return (await settled()).length
}
const count = async (query: string): Promise<number> =>
  (await db.prepare(`SELECT count(*) AS n FROM ${query}`).first<{ n: number }>())?.n ?? 0

it('what many users left is gone after some runs of the cron, none of which asks too much', async () => {
  const { id } = await seedTenant(parley)
  const now = Date.now()
  await db.batch([
    db
      .prepare(
        `${ROWS} INSERT INTO deletions (tenant_id, user_id, request_id, requested_at, finished_at)
         SELECT ?1, 'gone-' || n, 'request', ?2, ?2 FROM rows`,
      )
      .bind(id, now - 2 * DAY_MS),
    db
      .prepare(
        `INSERT INTO users (id, tenant_id, source, external_id, created_at, last_active_at) VALUES ('ada', ?1, 'proxy', 'ada', 1, 1)`,
      )
      .bind(id),
    db
      .prepare(
        `${ROWS} INSERT INTO exports (id, tenant_id, user_id, status, parts, files, size_bytes, told_at, created_at, updated_at, expires_at)
         SELECT 'export-' || n, ?1, 'ada', 'done', '[]', 0, 0, 1, 1, 1, ?2 FROM rows`,
      )
      .bind(id, now - DAY_MS),
  ])
  const left = () =>
    count("deletions WHERE user_id LIKE 'gone-%'").then(async (n) => n + (await count('exports')))
  expect(await left()).toBe(2 * MANY)
  const asked: number[] = []
  while ((await left()) > 0 && asked.length < 20) asked.push(await run(OFTEN))
  expect(await left()).toBe(0)
  expect(Math.max(...asked)).toBeLessThan(CALLS / 2)
})

it('the old entries of many tenants are gone after one night, which asks a few times', async () => {
  const old = Date.now() - 3 * 365 * DAY_MS
  await db.batch([
    db.prepare(
      `${ROWS} INSERT INTO tenants (id, name, wrapped_key, created_at, updated_at, status)
       SELECT 'tenant-' || n, 'Tenant', 'key', 1, 1, 'deleted' FROM rows`,
    ),
    db
      .prepare(
        `${ROWS} INSERT INTO audit (tenant_id, seq, id, created_at, actor, actor_type, via, action, entity, hash)
         SELECT 'tenant-' || n, 1, 'entry-' || n, ?1, 'key', 'key', 'api', 'create', 'agent', 'hash-' || n FROM rows`,
      )
      .bind(old),
  ])
  expect(await run(NIGHTLY)).toBeLessThan(100)
  expect(await count("audit WHERE tenant_id LIKE 'tenant-%'")).toBe(0)
  expect(await count("audit_anchors WHERE hash = 'hash-' || substr(tenant_id, 8)")).toBe(MANY)
})

it.each(['webhook', 'tenant'])(
  'what was delivered goes with its %s, some thousands a statement',
  async (what) => {
    const tenant = await seedTenant(parley)
    const url = 'https://hooks.example.com/in'
    const { json } = await tenant.call('POST', '/v1/tenant/webhooks', { url })
    const mine = `webhook_deliveries WHERE tenant_id = '${tenant.id}'`
    await db
      .prepare(
        `WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < 12000)
       INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event_id, type, data, status, happened_at, created_at)
       SELECT ?1 || n, ?1, ?2, 'evt_' || n, 'user.deleted', '{}', 'delivered', ?3, ?3 FROM rows`,
      )
      .bind(tenant.id, json.id, Date.now())
      .run()
    const { fail, settled } = failingCalls(parley)
    await fail(null)
    if (what === 'webhook') await tenant.call('DELETE', `/v1/tenant/webhooks/${json.id}`)
    else await parley.admin('DELETE', `/v1/admin/tenants/${tenant.id}`)
    await waitFor(async () => ((await count(mine)) === 0 ? true : null))
    const some = (await settled()).filter((call) =>
      call.startsWith('job DB DELETE FROM webhook_deliveries'),
    )
    expect(some).toHaveLength(3)
  },
)
