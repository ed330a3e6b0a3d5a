import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RATES } from '../../src/config/limits'
import { type Answer, type Parley, startParley } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const TOO_MANY = { detail: 'Too many requests' }
/** The product's own limits: what the other tests raise. */
const DEFAULTS = Object.fromEntries(
  Object.keys(RATES).map((name) => [
    `LIMITS_${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}`,
    '',
  ]),
)

/** Rules RL1, RL2 and RL4, with the limits as they are delivered. Sign-in has its own file. */
describe('rate limits', { timeout: 120_000 }, () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await startParley(DEFAULTS)
  })
  afterAll(() => parley.close())

  /** Calls until refused, a few at a time. @returns how many were let through, and the refusal. */
  async function exhaust(call: () => Promise<Answer>, most: number) {
    let passed = 0
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 10 }, call))
      const refused = answers.filter(({ status }) => status === 429)
      passed += answers.length - refused.length
      if (refused[0]) return { passed, refusal: refused[0] }
      if (passed > most + 20) throw new Error(`${passed} calls were let through`)
    }
  }
  function expectRefusal(refusal: Answer, windowS: number) {
    expect([refusal.status, refusal.json]).toEqual([429, TOO_MANY])
    const after = Number(refusal.headers.get('retry-after'))
    expect(Number.isInteger(after) && after >= 1 && after <= windowS).toBe(true)
  }
  const agentOf = async (fields = {}): Promise<SeededTenant> => {
    const tenant = await seedTenant(parley, { monthly_token_ceiling: null })
    await seedAgent(tenant, 'desk', { tools: [], ...fields })
    return tenant
  }

  it('chat: 60 a minute for one user, who is nobody else', async () => {
    const tenant = await agentOf()
    const ask = (user: string) => tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' })
    await expectOk(ask('ada'))
    const { passed, refusal } = await exhaust(() => ask('ada'), 60)
    expect(passed + 1).toBe(60)
    expectRefusal(refusal, 60)
    expect((await ask('bob')).status).toBe(200)
    const other = await agentOf()
    expect((await other.as('ada', 'POST', '/v1/chat', { message: 'Hello' })).status).toBe(200)
    // A header names another address; the account's limit holds whatever headers say (RL2).
    const spoofed = await tenant.as(
      'ada',
      'POST',
      '/v1/chat',
      { message: 'Hello' },
      {
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
      },
    )
    expect(spoofed.status).toBe(429)
    const page = await tenant.as('ada', 'POST', '/v1/chat/stream', { message: 'Hello' })
    expectRefusal(page, 60)
    const openai = await tenant.as('ada', 'POST', '/v1/chat/completions', {
      model: 'desk',
      messages: [{ role: 'user', content: 'Hello' }],
    })
    expect(openai.json).toMatchObject({ error: { message: TOO_MANY.detail } })
    expectRefusal({ ...openai, json: { detail: openai.json.detail } }, 60)
  })

  it('chat: 120 a minute for all visitors of one address, who are not those of another', async () => {
    const tenant = await agentOf({ published: true })
    const visitor = async (address: string) => {
      const headers = { 'CF-Connecting-IP': address }
      const body = { tenant_id: tenant.id }
      const { json } = await expectOk(parley.call('POST', '/auth/anonymous', { body, headers }))
      const authorization = `Bearer ${json.access_token}`
      return (from = address) =>
        parley.call('POST', '/v1/chat', {
          body: { message: 'Hello' },
          headers: { 'CF-Connecting-IP': from, authorization },
        })
    }
    const asks = await Promise.all(Array.from({ length: 6 }, () => visitor('198.51.100.3')))
    let n = 0
    const { passed, refusal } = await exhaust(() => (asks[n++ % 6] as (typeof asks)[0])(), 120)
    expect(passed).toBe(120)
    expectRefusal(refusal, 60)
    expect((await asks[0]?.('198.51.100.4'))?.status).toBe(200)
    expect((await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' })).status).toBe(200)
  })

  it('a refused message leaves nothing behind', async () => {
    const tenant = await agentOf()
    const ask = () => tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' })
    await exhaust(ask, 60)
    const { json: me } = await tenant.as('ada', 'GET', '/me')
    const count = async () => {
      const { json } = await tenant.as('ada', 'GET', `/me/spaces/${me.space_id}/sessions?limit=100`)
      return json.items.length
    }
    const before = await count()
    expect((await ask()).status).toBe(429)
    expect(await count()).toBe(before)
  })

  it('preview-plan: 20 an hour for a tenant', async () => {
    const tenant = await agentOf()
    const plan = () => tenant.call('POST', '/v1/agents/desk/preview-plan', { goal: 'Refunds?' })
    const { passed, refusal } = await exhaust(plan, 20)
    expect(passed).toBe(20)
    expectRefusal(refusal, 3600)
    const other = await agentOf()
    expect((await other.call('POST', '/v1/agents/desk/preview-plan', { goal: 'x' })).status).toBe(
      200,
    )
  })

  it('uploads: 60 an hour for a tenant, counted before the body is looked at', async () => {
    const tenant = await agentOf()
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'guide' }))
    const upload = () => tenant.call('POST', '/v1/knowledge-bases/guide/documents/upload', 'x')
    const { passed, refusal } = await exhaust(upload, 60)
    expect(passed).toBe(60)
    expectRefusal(refusal, 3600)
  })

  it('documents of a space: 60 an hour for a user, who is nobody else behind the same server', async () => {
    const tenant = await agentOf()
    const upload = async (user: string) => {
      const { json: me } = await tenant.as(user, 'GET', '/me')
      return () => tenant.as(user, 'POST', `/me/spaces/${me.space_id}/documents`, {})
    }
    const { passed, refusal } = await exhaust(await upload('ada'), 60)
    expect(passed).toBe(60)
    expectRefusal(refusal, 3600)
    expect((await (await upload('bob'))()).status).toBe(422)
    const other = await agentOf()
    const { json: me } = await other.as('ada', 'GET', '/me')
    const elsewhere = await other.as('ada', 'POST', `/me/spaces/${me.space_id}/documents`, {})
    expect(elsewhere.status).toBe(422)
  })

  it('documents of a space: 60 an hour for a visitor’s address, and for a visitor from many', async () => {
    const tenant = await agentOf()
    const visitor = async (address: string) => {
      const body = { tenant_id: tenant.id }
      const headers = { 'CF-Connecting-IP': address }
      const { json } = await expectOk(parley.call('POST', '/auth/anonymous', { body, headers }))
      const authorization = `Bearer ${json.access_token}`
      return (from = address) =>
        parley.call('POST', `/me/spaces/${json.space_id}/documents`, {
          body: {},
          headers: { 'CF-Connecting-IP': from, authorization },
        })
    }
    const [ada, bob] = [await visitor('198.51.100.1'), await visitor('198.51.100.1')]
    expect((await exhaust(() => ada(), 60)).passed).toBe(60)
    expect((await bob()).status).toBe(429)
    const cara = await visitor('198.51.100.2')
    let n = 0
    const { passed } = await exhaust(() => cara(`198.51.101.${n++ % 200}`), 60)
    expect(passed).toBe(60)
  })

  it.each([
    ['answers read aloud: 30 a minute', '/v1/speech', 30, 60],
    ['copies of a chat: 60 an hour', '/me/sessions/none/messages/none/branch', 60, 3600],
    ['spaces: 60 made an hour', '/me/spaces', 60, 3600],
    ['reminders: 60 made an hour', '/me/reminders', 60, 3600],
  ])('%s for a user, who is nobody else', async (_, path, most, windowS) => {
    const tenant = await agentOf()
    const ask = (user: string) => tenant.as(user, 'POST', path, {})
    const { passed, refusal } = await exhaust(() => ask('ada'), most)
    expect(passed).toBe(most)
    expectRefusal(refusal, windowS)
    expect((await ask('bob')).status).toBe(422)
  })

  it('visitors’ tokens: 20 an hour for an address', async () => {
    const tenant = await agentOf()
    const { passed, refusal } = await exhaust(
      () => parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
      20,
    )
    expect(passed).toBe(20)
    expectRefusal(refusal, 3600)
  })

  it('a visitor’s address that only looks at a page leaves nothing stored', async () => {
    const tenant = await agentOf({ published: true })
    const tables = async () => {
      const all = await parley.worker.listDurableObjectIds('TENANT_METER')
      const counts = all.map(async (id) => {
        const storage = await parley.worker.getDurableObjectStorage('TENANT_METER', { id })
        return (await storage.exec("SELECT 1 FROM sqlite_schema WHERE name = 'windows'")).length
      })
      return {
        objects: all.length,
        stored: (await Promise.all(counts)).filter((n) => n > 0).length,
      }
    }
    const before = await tables()
    for (let n = 0; n < 5; n++) {
      const headers = { 'CF-Connecting-IP': `192.0.2.${n}` }
      const path = `/v1/agents/desk/opening?tenant_id=${tenant.id}`
      await expectOk(parley.call('GET', path, { headers }))
    }
    expect(await tables()).toEqual({ objects: before.objects + 5, stored: before.stored })
  })

  it('wrong keys: 60 a minute for an address, whatever their form; a right one still works', async () => {
    const tenant = await agentOf()
    let n = 0
    const guess = () =>
      rawSend(parley.url, 'GET', '/v1/tenant/me', {
        headers: { 'x-api-key': n++ % 2 ? 'pk_short' : `pk_${'a'.repeat(49)}` },
      })
    const { passed, refusal } = await exhaust(guess, 60)
    expect(passed).toBe(60)
    expectRefusal(refusal, 60)
    expect((await tenant.call('GET', '/v1/tenant/me')).status).toBe(200)
  })

  it('wrong operator tokens: 10 a minute for an address; the right one still works', async () => {
    const guess = () =>
      parley.call('GET', '/v1/admin/tenants', { headers: { 'x-admin-token': 'x'.repeat(40) } })
    const { passed, refusal } = await exhaust(guess, 10)
    expect(passed).toBe(10)
    expectRefusal(refusal, 60)
    expect((await parley.admin('GET', '/v1/admin/tenants')).status).toBe(200)
  })

  it('without quota: 429 with the time to the month’s end, told from a rate', async () => {
    const tenant = await seedTenant(parley, { monthly_token_ceiling: 10 })
    await seedAgent(tenant, 'desk')
    const { status, json, headers } = await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hi' })
    expect([status, json]).toEqual([429, { detail: 'Monthly token quota exceeded' }])
    const now = new Date()
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    const left = Math.ceil((end - now.getTime()) / 1000)
    expect(Math.abs(Number(headers.get('retry-after')) - left)).toBeLessThan(30)
  })
})
