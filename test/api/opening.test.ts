import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Parley, sharedParley, startParley } from '../support/harness'
import { type ModelAct, type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'

const FIXED = 'Hello, I am Iris.'
const WRITTEN = 'Welcome! I can help with your orders.'

const openingOf = (parley: Parley, { id }: SeededTenant, agent: string, lang = 'en') =>
  parley.call('GET', `/v1/agents/${agent}/opening?tenant_id=${id}`, {
    headers: { 'accept-language': lang },
  })

describe('the opening of an agent', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    const refund = { menu_label: 'Start a refund', menu_prompt: 'I want my money back.' }
    await expectOk(tenant.call('POST', '/v1/skills/refund', refund))
    await seedAgent(tenant, 'desk', {
      greeting: FIXED,
      skills: ['refund'],
      menu_items: ['refund', 'Opening hours'],
      display_name: 'Iris',
      translations: { fr: { greeting: 'Bonjour !', display_name: 'Iris à l’accueil' } },
    })
    await seedAgent(tenant, 'draft', { published: false, greeting: FIXED })
    await seedAgent(tenant, 'silent', { auto_greeting: true })
  })

  it('is its greeting and what one may start with, in the visitor’s language', async () => {
    const { status, json } = await openingOf(parley, tenant, 'desk')
    expect([status, json]).toEqual([
      200,
      {
        agent: 'desk',
        display_name: 'Iris',
        lang: 'en',
        greeting: FIXED,
        chips: [
          { label: 'Start a refund', value: 'I want my money back.' },
          { label: 'Opening hours', value: 'Opening hours' },
        ],
        storylines: [],
        can_hand_off: false,
        can_speak: false,
      },
    ])
    const french = await openingOf(parley, tenant, 'desk', 'fr-CA')
    expect(french.json).toMatchObject({
      lang: 'fr',
      greeting: 'Bonjour !',
      display_name: 'Iris à l’accueil',
    })
  })

  it('is none of an absent agent, a draft, or another tenant’s', async () => {
    const other = await seedTenant(parley)
    await seedAgent(other, 'theirs')
    for (const name of ['nobody', 'draft', 'theirs']) {
      const { status, json } = await openingOf(parley, tenant, name)
      expect([status, json], name).toEqual([404, { detail: 'Agent not found' }])
    }
    const gone = await openingOf(parley, { ...tenant, id: crypto.randomUUID() }, 'desk')
    expect([gone.status, gone.json]).toEqual([404, { detail: 'Tenant not found' }])
  })

  it('is asked for by a page that has more to show than its own words, and says who hands over', async () => {
    const features = async (agent: string) => {
      await expectOk(tenant.call('PUT', `/v1/agents/${agent}/alias`, { alias: agent }))
      const { text } = await parley.call('GET', `/a/${tenant.alias}/${agent}`)
      return JSON.parse(/id="bootstrap">([^<]*)</.exec(text)?.[1] ?? '').features
    }
    await seedAgent(tenant, 'guided', { tools: ['handoff'] })
    const guide = { ...storylineFile('customer-intake'), agent_name: 'guided' }
    await publishedStoryline(parley, tenant, guide)
    expect(await features('desk')).toMatchObject({ opening: false, handOff: false, speech: false })
    expect(await features('silent')).toMatchObject({ opening: true, handOff: false })
    expect(await features('guided')).toMatchObject({ opening: true, handOff: true })
  })

  it('has the fixed greeting, or none, where no model writes', async () => {
    const { json } = await openingOf(parley, tenant, 'silent')
    expect(json.greeting).toBeNull()
  })
})

describe('a greeting that a model writes', () => {
  let parley: Parley
  let model: OpenAiServer
  let tenant: SeededTenant
  let act: ModelAct

  beforeAll(async () => {
    model = await startOpenAi()
    parley = await startParley({
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: model.baseUrl,
      CHAT_MODEL: 'test-model',
    })
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
  })
  beforeEach(async () => {
    model.calls.length = 0
    model.script = () => act
    act = { text: `"${WRITTEN}"` }
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { greeting: FIXED, auto_greeting: true, task: 'Orders.' })
  })
  const greeting = async (lang?: string) =>
    (await openingOf(parley, tenant, 'desk', lang)).json.greeting

  it('is written once for all visitors of a language, and anew for what the agent has become', async () => {
    expect([await greeting(), await greeting()]).toEqual([WRITTEN, WRITTEN])
    expect(model.calls).toHaveLength(1)
    expect(model.calls[0]).toMatchObject({ temperature: 0, max_tokens: 150 })
    expect(model.calls[0]?.messages[0]?.content).toContain('English')
    act = { text: '欢迎！我可以帮您处理订单。' }
    expect(await greeting('zh')).toBe('欢迎！我可以帮您处理订单。')
    expect(model.calls).toHaveLength(2)
    act = { text: 'Welcome to the new desk.' }
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { task: 'Parcels.' }))
    expect(await greeting()).toBe('Welcome to the new desk.')
    expect(model.calls).toHaveLength(3)
  })

  const MISBEHAVED: [string, ModelAct][] = [
    ['nothing', { text: '' }],
    ['an essay', { text: 'Welcome. '.repeat(100) }],
    ['a foreign link', { text: 'Welcome! See https://evil.example/.' }],
    ['JSON', { text: '{"greeting": "Welcome"}' }],
    ['another language', { text: '欢迎！我可以帮您处理订单。' }],
    ['an error', { status: 500 }],
  ]
  it.each(MISBEHAVED)('falls back to the fixed one when the model says %s', async (_name, said) => {
    act = said
    expect([await greeting(), await greeting()]).toEqual([FIXED, FIXED])
    expect(model.calls).toHaveLength(1)
  })

  it('is metered, and not written without quota', async () => {
    await greeting()
    const { json } = await tenant.call('GET', '/v1/tenant/quota')
    expect(json.used).toBe(120)
    await parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { monthly_token_ceiling: 100 })
    expect(await greeting('fr')).toBe(FIXED)
    expect(model.calls).toHaveLength(1)
  })

  it('is no call for an agent without it', async () => {
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { auto_greeting: false }))
    expect(await greeting()).toBe(FIXED)
    expect(model.calls).toEqual([])
  })

  it('leaves nothing behind when the agent goes', async () => {
    await greeting()
    const { FILES } = await parley.worker.getEnv()
    const prefix = `greetings/${tenant.id}/`
    expect((await FILES.list({ prefix })).objects).toHaveLength(1)
    await expectOk(tenant.call('DELETE', '/v1/agents/desk'))
    await waitFor(async () => ((await FILES.list({ prefix })).objects.length === 0 ? true : null))
  })
})
