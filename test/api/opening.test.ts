import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failingCalls } from '../support/failing-calls'
import { type Parley, sharedParley } from '../support/harness'
import type { ModelAct } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'
import { model, parley, withModel } from '../support/with-model'

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
        greeting_id: expect.stringMatching(/^v1\.[\w-]+\.[\w-]+$/),
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

  it.each(['', '\u200b', '\n'])(
    'is nothing of words with nothing to see, and neither is a reply: %j',
    async (unseen) => {
      const name = `unseen-${crypto.randomUUID()}`
      await seedAgent(tenant, name, {
        grounding_required: true,
        greeting: unseen,
        no_match_reply: unseen,
        menu_items: ['Hello', unseen || '\u2060'],
        translations: { fr: { greeting: unseen } },
      })
      for (const lang of ['en', 'fr']) {
        const { json } = await openingOf(parley, tenant, name, lang)
        expect([json.greeting, json.greeting_id, json.chips]).toEqual([
          null,
          null,
          [{ label: 'Hello', value: 'Hello' }],
        ])
      }
      const body = { message: 'Who built the tower of Babel?', agent: name }
      const { json } = await tenant.as('ada', 'POST', '/v1/chat', body)
      expect(json).toMatchObject({ finish_reason: 'no_match', reply: expect.stringMatching(/\w/) })
    },
  )

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

  it('comes with the page where it is fixed, in each language, and not where the page is told to say nothing', async () => {
    const pageOf = async (query: string) => {
      const { text } = await parley.call('GET', `/widget/${tenant.id}/desk${query}`)
      return JSON.parse(/id="bootstrap">([^<]*)</.exec(text)?.[1] ?? '')
    }
    const greeted = await pageOf('')
    const greetingId = expect.stringMatching(/^v1\.[\w-]+\.[\w-]+$/)
    expect(greeted.agent.words).toMatchObject({ greeting: FIXED, greetingId })
    expect(greeted.agent.translations.fr).toMatchObject({ greeting: 'Bonjour !', greetingId })
    expect(greeted.agent.translations.fr.greetingId).not.toBe(greeted.agent.words.greetingId)
    const silent = await pageOf('?greeting=off')
    expect(silent.agent.words.greeting).toBeNull()
    expect(JSON.stringify(silent)).not.toContain('greetingId')
    const { text } = await parley.call('GET', `/widget/${tenant.id}/silent?greeting=off`)
    expect(text).toContain('"opening":false')
  })

  it('has the fixed greeting, or none, where no model writes', async () => {
    const { json } = await openingOf(parley, tenant, 'silent')
    expect([json.greeting, json.greeting_id]).toEqual([null, null])
  })
})

describe('a greeting that a conversation begins with', () => {
  const OFFER = 'Hello, I am Iris. Shall I show you how refunds are paid?'
  let tenant: SeededTenant
  withModel()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { greeting: OFFER })
    await seedAgent(tenant, 'other', { greeting: OFFER })
    await seedAgent(tenant, 'stateless', { greeting: OFFER, history_window: 0 })
  })
  beforeEach(() => {
    model.script = ({ stream }) => ({ text: stream ? 'Gladly.' : 'A title' })
  })
  const greetingId = async (agent = 'desk', of = tenant): Promise<string> =>
    (await openingOf(parley, of, agent)).json.greeting_id
  const say = (fields: object, user = 'ada') =>
    tenant.as(user, 'POST', '/v1/chat', { message: 'Yes, please', agent: 'desk', ...fields })
  const list = async (session: string) =>
    (await expectOk(tenant.as('ada', 'GET', `/me/sessions/${session}/messages`))).json
  /** What the model was told last, without its orders. */
  const told = () =>
    (model.calls.findLast(({ stream }) => stream)?.messages ?? [])
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => [role, content])

  it('is its first message, once, and told to the model before the question', async () => {
    const greeting_id = await greetingId()
    expect(greeting_id).not.toContain('Iris')
    const { text: page } = await parley.call('GET', `/widget/${tenant.id}/desk`)
    const shown = JSON.parse(/id="bootstrap">([^<]*)</.exec(page)?.[1] ?? '').agent.words
    const { json: onPage } = await expectOk(say({ greeting_id: shown.greetingId }))
    expect((await list(onPage.session_id))[0]).toMatchObject({ role: 'assistant', content: OFFER })
    const { json: first } = await expectOk(say({ greeting_id }))
    expect(told()).toEqual([
      ['assistant', OFFER],
      ['user', expect.stringContaining('Yes, please')],
    ])
    const { session_id } = first
    const said = await list(session_id)
    expect(said).toMatchObject([
      { role: 'assistant', content: OFFER },
      { role: 'user', content: 'Yes, please' },
      { role: 'assistant', content: 'Gladly.' },
    ])
    await expectOk(say({ session_id, message: 'And then?' }))
    expect(told().map(([role]) => role)).toEqual(['assistant', 'user', 'assistant', 'user'])
    const { json: me } = await tenant.as('ada', 'GET', '/me')
    const { json } = await tenant.as('ada', 'GET', `/me/spaces/${me.space_id}/sessions`)
    const session = json.items.find(({ id }: { id: string }) => id === session_id)
    expect(session.message_count).toBe(5)

    const [greeted, asked] = said
    const replaces = asked.id
    await expectOk(say({ session_id, replaces, message: 'No, thank you' }))
    expect((await list(session_id)).map(({ content }: { content: string }) => content)).toEqual([
      OFFER,
      'No, thank you',
      'Gladly.',
    ])
    expect((await say({ session_id, replaces: greeted.id, message: undefined })).status).toBe(422)
  })

  it('comes with a stream, and once with a request that is repeated', async () => {
    const greeting_id = await greetingId()
    const body = { message: 'Yes, please', agent: 'desk', greeting_id }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const [one, two] = [
      await tenant.as('bob', 'POST', '/v1/chat/stream', body, key),
      await tenant.as('bob', 'POST', '/v1/chat/stream', body, key),
    ]
    const sessionOf = ({ text }: { text: string }) => /"session_id":"([^"]+)"/.exec(text)?.[1]
    expect(sessionOf(two)).toBe(sessionOf(one))
    const { json } = await tenant.as('bob', 'GET', `/me/sessions/${sessionOf(one)}/messages`)
    expect(json.map(({ role }: { role: string }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('is nothing that an agent without memory is told', async () => {
    await expectOk(say({ agent: 'stateless', greeting_id: await greetingId('stateless') }))
    expect(told().map(([role]) => role)).toEqual(['user'])
  })

  it('is left out by who does not send it', async () => {
    const { json } = await expectOk(say({ greeting_id: null }))
    expect(told().map(([role]) => role)).toEqual(['user'])
    expect(await list(json.session_id)).toHaveLength(2)
  })

  it('is of this agent and tenant, and of the first message alone', async () => {
    const greeting_id = await greetingId()
    const { json } = await expectOk(say({}))
    const foreign = await seedTenant(parley)
    await seedAgent(foreign, 'desk', { greeting: OFFER })
    model.calls.length = 0
    for (const fields of [
      { greeting_id, session_id: json.session_id },
      { greeting_id: await greetingId('other') },
      { greeting_id: await greetingId('desk', foreign) },
      { greeting_id: greeting_id.replace(/.(?=.{10}$)/u, (sign) => (sign === 'A' ? 'B' : 'A')) },
      { greeting_id: 'Hello' },
      { greeting_id: '' },
      { greeting_id: 7 },
      { greeting_id: 'x'.repeat(40_000) },
    ]) {
      const { status, json } = await say(fields)
      expect([status, json.detail[0].loc], JSON.stringify(fields).slice(0, 80)).toEqual([
        422,
        ['body', 'greeting_id'],
      ])
    }
    // An earlier chat's title may still be asked for; only what streams is a turn.
    expect(model.calls.filter(({ stream }) => stream)).toEqual([])
  })
})

describe('a greeting that a model writes', () => {
  let tenant: SeededTenant
  let act: ModelAct

  withModel({}, { failing: true })
  beforeEach(async () => {
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

  it('is told to a visitor beside whom another one’s is being kept', async () => {
    const { fail } = failingCalls(parley)
    // Of a second write of a key within a second: /r2/platform/limits.
    const message = 'put: Reduce your concurrent request rate for the same object. (10058)'
    await fail({ at: 1, only: 'FILES put greetings', message })
    const said = await openingOf(parley, tenant, 'desk')
    await fail(null)
    expect([said.status, said.json.greeting]).toEqual([200, WRITTEN])
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
