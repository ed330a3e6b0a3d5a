import { afterEach, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, changeVars, type Parley, SECRETS, startParley } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { keyOf, pathOf, ROUTES } from '../support/route-contract'
import { seedAgent, seedTenant } from '../support/seed'

const NAMES = Object.keys(SECRETS) as (keyof typeof SECRETS)[]
const without = (name: string) =>
  Object.fromEntries(Object.entries(SECRETS).filter(([known]) => known !== name))

describe('a Worker that is not set up', { timeout: 120_000 }, () => {
  let parley: Parley
  afterEach(() => parley.close())

  const logged = () =>
    parley.server
      .getLogs()
      .map(({ message }) => message)
      .filter((message) => message.includes('not_set_up'))
      .join('\n')
  const get = (path: string) =>
    parley.call('GET', path, { headers: { 'x-admin-token': ADMIN_TOKEN } })

  it.each(NAMES)('says locally that %s is missing, and how it is set', async (name) => {
    parley = await startParley({}, { secrets: without(name), migrate: false })
    const refused = await get('/v1/admin/tenants')
    expect([refused.status, refused.json.code]).toEqual([503, 'not_set_up'])
    expect(refused.json.detail).toContain(`${name} is missing`)
    expect(refused.json.detail).toContain('npm run dev')
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await get('/health')).status).toBe(200)
    const ready = await get('/readyz')
    expect([ready.status, ready.json.checks]).toEqual([503, { configuration: `missing: ${name}` }])
    const others = await Promise.all(['/', '/docs', '/v1/agents', '/a/x/y', '/nothing'].map(get))
    expect(others.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  })

  it('in production tells the log and /readyz alone, and never a value', async () => {
    const short = 'too-short-a-secret'
    const secrets = { ...SECRETS, MASTER_KEYS: short }
    parley = await startParley({ ENVIRONMENT: 'production' }, { secrets, migrate: false })
    const refused = await get('/v1/admin/tenants')
    expect([refused.status, refused.json]).toEqual([
      503,
      { detail: 'Not set up', code: 'not_set_up' },
    ])
    expect((await get('/readyz')).json.checks).toEqual({ configuration: 'missing: MASTER_KEYS' })
    expect((await get('/health')).status).toBe(200)
    expect(logged()).toContain('MASTER_KEYS')
    expect(logged()).not.toContain(short)
  })

  it.each([
    ['MASTER_KEYS', '{"primary":"k1","keys":{"k1":"a quote in a file ate the end', 'is not a ring'],
    ['JWT_SECRET', 'a'.repeat(43), 'does not look random'],
  ])('says of %s that it is no secret before a call needs it', async (name, value, why) => {
    parley = await startParley({}, { secrets: { ...SECRETS, [name]: value }, migrate: false })
    const refused = await get('/v1/admin/tenants')
    expect([refused.status, refused.json.code]).toEqual([503, 'not_set_up'])
    expect(refused.json.detail).toContain(why)
    expect((await get('/readyz')).json.checks).toEqual({ configuration: `missing: ${name}` })
    expect(logged()).not.toContain(value)
  })

  it('without its tables answers no route with 500', async () => {
    parley = await startParley({}, { migrate: false })
    const wrong: string[] = []
    let refused = 0
    for (const route of ROUTES) {
      const { status, text } = await rawSend(parley.url, route.method, pathOf(route.path, {}), {
        headers: { 'x-admin-token': ADMIN_TOKEN, 'x-api-key': `pk_${'a'.repeat(43)}` },
        untilFirst: true,
      })
      if (text.includes('"not_set_up"')) refused += 1
      else if (status >= 500) wrong.push(`${keyOf(route)} ${status} ${text.slice(0, 120)}`)
    }
    expect(wrong.filter((line) => !line.startsWith('GET /readyz 503'))).toEqual([])
    expect(refused).toBeGreaterThan(0)
    expect((await get('/health')).status).toBe(200)
    const answer = await get('/v1/admin/tenants')
    expect([answer.status, answer.json.code]).toEqual([503, 'not_set_up'])
    expect(answer.json.detail).toContain('migrations apply DB --local')
  })

  it('misses the last migration: names what it adds, locally to the caller, else to /readyz and the log', async () => {
    parley = await startParley({ ENVIRONMENT: 'production' })
    const db = (await parley.worker.getEnv()).DB as D1Database
    await db.exec('ALTER TABLE tenants DROP COLUMN monthly_token_ceiling')
    const refused = await get('/v1/admin/tenants')
    expect([refused.status, refused.json]).toEqual([
      503,
      { detail: 'Not set up', code: 'not_set_up' },
    ])
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    expect(ready.json.checks).toEqual({
      database: 'ok',
      migrations: 'missing: tenants.monthly_token_ceiling',
      keys: 'ok',
      files: 'ok',
    })
    expect(logged()).toContain('tenants.monthly_token_ceiling')
  })

  it.each(['skills.updated_at', 'agents.config', 'tenants.status'])(
    'says so when the first call is a turn, of which %s is missing',
    async (place) => {
      parley = await startParley()
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      const db = (await parley.worker.getEnv()).DB as D1Database
      const [table, column] = place.split('.')
      await db.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
      // A new isolate, which knows nothing of the database.
      await changeVars(parley, { STREAM_PING_S: '20' })
      const refused = await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello there' })
      expect([refused.status, refused.json.code]).toEqual([503, 'not_set_up'])
      expect(refused.json.detail).toContain(place)
    },
  )

  it("says so of another deployment's MASTER_KEYS", async () => {
    parley = await startParley()
    await seedTenant(parley)
    expect((await get('/readyz')).json.checks.keys).toBe('ok')
    await changeVars(parley, { MASTER_KEYS: 'another deployment has this key of its own, 0123' })
    const ready = await get('/readyz')
    const keys = 'not the MASTER_KEYS that sealed what is stored'
    expect([ready.status, ready.json.checks]).toMatchObject([503, { database: 'ok', keys }])
    await changeVars(parley, {})
    expect((await get('/readyz')).status).toBe(200)
  })

  it('looks at the database once, not with every call', async () => {
    parley = await startParley()
    const db = (await parley.worker.getEnv()).DB as D1Database
    expect((await get('/v1/admin/tenants')).status).toBe(200)
    await db.exec('ALTER TABLE skills DROP COLUMN updated_at')
    expect((await get('/v1/admin/tenants')).status).toBe(200)
  })
})
