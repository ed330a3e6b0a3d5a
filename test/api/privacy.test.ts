import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const isExtraction = (call: { messages: { content: unknown }[] }) =>
  JSON.stringify(call.messages[0]).includes('long-term memory')
const isTitle = (call: { messages: { content: unknown }[] }) =>
  JSON.stringify(call.messages[0]).includes('Write a title')

describe('privacy mode and title vectors', () => {
  let parley: Parley
  let model: OpenAiServer
  let title = ''
  let memory = ''

  beforeAll(async () => {
    model = await startOpenAi()
    model.script = (call) => ({
      text: isTitle(call)
        ? title
        : isExtraction(call)
          ? JSON.stringify({ memories: memory ? [{ content: memory }] : [], profile: null })
          : 'I see.',
    })
    parley = await startParley({
      ...model.vars,
      EMBEDDING_MODEL: 'test-embedder',
    })
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
  })

  const seed = async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    return tenant
  }
  const say = async (tenant: SeededTenant, message: string, user = 'ada') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk' }))).json
  const stubOf = async (tenant: SeededTenant, user = 'ada') => {
    const me = (await expectOk(tenant.as(user, 'GET', '/me'))).json
    const env = await parley.worker.getEnv()
    const name = `${tenant.id}/${me.user_id}/${me.space_id}`
    return { stub: env.USER_SPACE.get(env.USER_SPACE.idFromName(name)), space: me.space_id }
  }
  const counts = async (tenant: SeededTenant, user = 'ada') => {
    const { stub } = await stubOf(tenant, user)
    return stub.work('space', 'countVectors', [])
  }
  const untilCounts = (tenant: SeededTenant, wanted: object, user = 'ada') =>
    waitFor(async () => {
      const got = await counts(tenant, user)
      return JSON.stringify(got) === JSON.stringify(wanted) ? got : null
    })
  const search = async (tenant: SeededTenant, q: string, user = 'ada') => {
    const { space } = await stubOf(tenant, user)
    const path = `/me/spaces/${space}/sessions/search?q=${encodeURIComponent(q)}`
    return (await expectOk(tenant.as(user, 'GET', path))).json
  }
  const setPrivacy = (tenant: SeededTenant, privacy_mode: boolean) =>
    expectOk(tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode }))

  it('finds a session by what its title means, beside those that hold the words', async () => {
    const tenant = await seed()
    memory = ''
    title = 'Parcel lost between Lima and Cusco'
    const lost = await say(tenant, 'Where is it?')
    await untilCounts(tenant, { memories: 0, titles: 1 })
    title = 'Opening hours'
    await say(tenant, 'When are you open?')
    await untilCounts(tenant, { memories: 0, titles: 2 })
    // One word is not in the title: only the vectors know.
    const q = 'between Cusco and Lima my parcel lost'
    const hits = await search(tenant, q)
    expect(hits).toMatchObject([
      { session_id: lost.session_id, match: 'title', title: expect.any(String) },
    ])
    expect(hits[0].score).toBeGreaterThan(0.5)
    expect(hits[0].score).toBeLessThan(1)
    expect(await search(tenant, 'opening hours')).toMatchObject([{ match: 'title', score: 1 }])
    const stored = JSON.stringify(
      await (await parley.worker.getEnv()).DB.prepare('SELECT * FROM usage_hourly').all(),
    )
    expect(stored).not.toContain('Lima')
  })

  it('embeds a title of the user’s own anew', async () => {
    const tenant = await seed()
    memory = ''
    title = 'First words'
    const { session_id } = await say(tenant, 'Anything?')
    await untilCounts(tenant, { memories: 0, titles: 1 })
    const q = 'with my grandmother journey to Norway'
    expect(await search(tenant, q)).toEqual([])
    await expectOk(
      tenant.as('ada', 'PATCH', `/me/sessions/${session_id}`, {
        title: 'Journey with grandmother to Norway',
      }),
    )
    await waitFor(async () => ((await search(tenant, q)).length === 1 ? true : null))
  })

  it('takes existing vectors away, makes no new ones, and searches by words alone at once', async () => {
    const tenant = await seed()
    title = 'Parcel lost between Lima and Cusco'
    memory = 'I live in Lima.'
    const { session_id } = await say(tenant, 'I live in Lima. Where is it?')
    await say(tenant, 'I live in Lima. Where is it?', 'bob')
    await untilCounts(tenant, { memories: 1, titles: 1 })
    await untilCounts(tenant, { memories: 1, titles: 1 }, 'bob')
    const q = 'between Cusco and Lima my parcel lost'
    expect(await search(tenant, q)).toHaveLength(1)

    expect((await setPrivacy(tenant, true)).json).toEqual({
      tenant_id: tenant.id,
      privacy_mode: true,
      byok_provider: null,
      byok: null,
    })
    expect(await search(tenant, q)).toEqual([])
    expect(await search(tenant, 'parcel lost')).toMatchObject([{ session_id, match: 'title' }])
    await untilCounts(tenant, { memories: 0, titles: 0 })
    await untilCounts(tenant, { memories: 0, titles: 0 }, 'bob')
    const receipt = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/tenant/audit?entity=vectors')
      return json.items[0] ?? null
    })
    expect(receipt).toMatchObject({
      actor_type: 'system',
      action: 'delete',
      before: { spaces: 2, vectors: 4 },
      after: { spaces: 2, vectors: 0 },
    })
    const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=privacy'))
    expect(json.items[0]).toMatchObject({
      action: 'update',
      before: { privacy_mode: false, byok: null },
      after: { privacy_mode: true, byok: null },
    })
    expect((await tenant.call('GET', '/v1/tenant/settings')).json.privacy_mode).toBe(true)

    memory = 'I keep bees.'
    title = 'Bees in the garden'
    await say(tenant, 'I keep bees. May I?')
    await waitFor(async () => {
      const { json: remembered } = await tenant.as('ada', 'GET', '/me/remembered')
      return JSON.stringify(remembered).includes('bees') ? true : null
    })
    expect(await counts(tenant)).toEqual({ memories: 0, titles: 0 })

    await setPrivacy(tenant, false)
    memory = 'I paint houses.'
    title = 'Houses'
    await say(tenant, 'I paint houses. Nice?')
    await untilCounts(tenant, { memories: 1, titles: 1 })
  })

  it('is not undone by a caller that read the tenant before', async () => {
    const tenant = await seed()
    memory = ''
    title = 'Nine words of a title about llamas'
    const { session_id } = await say(tenant, 'Llamas?')
    await untilCounts(tenant, { memories: 0, titles: 1 })
    const before = Date.now() - 60_000
    await setPrivacy(tenant, true)
    await untilCounts(tenant, { memories: 0, titles: 0 })
    const me = (await expectOk(tenant.as('ada', 'GET', '/me'))).json
    const env = await parley.worker.getEnv()
    const row = await (env.DB as D1Database)
      .prepare(
        'SELECT t.wrapped_key, t.updated_at, s.tag FROM tenants t JOIN spaces s ON s.tenant_id = t.id WHERE s.id = ?',
      )
      .bind(me.space_id)
      .first<{ wrapped_key: string; updated_at: number; tag: number }>()
    const { stub } = await stubOf(tenant)
    const callAs = (settingsAt: number) =>
      stub.ask(
        {
          address: { tenantId: tenant.id, userId: me.user_id, spaceId: me.space_id },
          tag: row?.tag ?? 0,
          wrappedTenantKey: row?.wrapped_key ?? '',
          tokenVersion: null,
          privacy: false,
          byok: null,
          settingsAt,
        },
        'memories',
        'list',
        [],
      )
    expect((await callAs(before)).ok).toBe(true)
    await stub.work('afterTurn', 'indexTitle', [session_id])
    expect(await counts(tenant)).toEqual({ memories: 0, titles: 0 })
    // A later word counts.
    expect((await callAs((row?.updated_at ?? 0) + 1)).ok).toBe(true)
    await stub.work('afterTurn', 'indexTitle', [session_id])
    expect(await counts(tenant)).toEqual({ memories: 0, titles: 1 })
  })

  it('is one tenant’s own', async () => {
    const [tenant, other] = await Promise.all([seed(), seed()])
    memory = ''
    title = 'A title of some words'
    await say(other, 'Hello?')
    await untilCounts(other, { memories: 0, titles: 1 })
    await setPrivacy(tenant, true)
    await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/tenant/audit?entity=vectors')
      return json.items[0] ?? null
    })
    expect(await counts(other)).toEqual({ memories: 0, titles: 1 })
    expect((await other.call('GET', '/v1/tenant/privacy')).json.privacy_mode).toBe(false)
  })

  it('refuses what is no switch', async () => {
    const tenant = await seed()
    for (const body of [{}, { privacy_mode: 'perhaps' }, { privacy_mode: null }]) {
      const { status, json } = await tenant.call('PUT', '/v1/tenant/privacy', body)
      expect(status).toBe(422)
      expect(json.detail[0].loc).toEqual(['body', 'privacy_mode'])
    }
  })
})
