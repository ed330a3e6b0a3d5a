import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Parley, sharedParley, startParley } from '../support/harness'
import { startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

describe('an agent that is renamed', { timeout: 60_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
  })
  afterAll(() => parley.close())

  const get = async (path: string) => (await expectOk(tenant.as('ada', 'GET', path))).json
  const say = async (agent: string, message: string) =>
    (await expectOk(tenant.as('ada', 'POST', '/v1/chat', { agent, message }))).json.session_id
  const rename = (from: string, to: string) =>
    expectOk(tenant.call('PATCH', `/v1/agents/${from}`, { name: to }))

  it('is known by its new name in sessions, messages, reminders and what it remembers; nothing else is', async () => {
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'other')
    const { space_id } = await get('/me')
    const session = await say('desk', 'My name is Rosa. I live in Lima.')
    const kept = await say('other', 'I like gooseberry marmalade.')
    await waitFor(async () => ((await get('/me/remembered')).length === 2 ? true : null))
    const remind = { text: 'Call back', due_at: 'PT1H', agent: 'desk' }
    await expectOk(tenant.as('ada', 'POST', '/me/reminders', remind))

    // Twice in a row, and the first name is taken by a new agent at once.
    await rename('desk', 'front')
    await rename('front', 'reception')
    await seedAgent(tenant, 'desk')
    const later = await say('desk', 'Hello there')

    const names = async () => {
      const sessions: { id: string; agent_name: string }[] = (
        await get(`/me/spaces/${space_id}/sessions`)
      ).items
      const nameOf = (id: string) => sessions.find((one) => one.id === id)?.agent_name
      const messages = await get(`/me/sessions/${session}/messages`)
      return {
        sessions: [session, kept, later].map(nameOf),
        reply: messages.at(-1).agent_name,
        reminders: (await get('/me/reminders')).items.map(
          (one: { agent_name: string }) => one.agent_name,
        ),
        remembered: (await get('/me/remembered')).map(
          (one: { agent_name: string }) => one.agent_name,
        ),
      }
    }
    const expected = {
      sessions: ['reception', 'other', 'desk'],
      reply: 'reception',
      reminders: ['reception'],
      remembered: ['other', 'reception'],
    }
    await waitFor(async () =>
      JSON.stringify(await names()) === JSON.stringify(expected) ? true : null,
    ).catch(async () => expect(await names()).toEqual(expected))
    const views = await get('/me/remembered')
    expect(views[1].points.sort()).toEqual(['I live in Lima.', 'My name is Rosa.'])
    expect((await tenant.as('ada', 'DELETE', '/me/remembered/reception')).status).toBe(204)
    expect(
      (await get('/me/remembered')).map((one: { agent_name: string }) => one.agent_name),
    ).toEqual(['other'])
  })
})

describe('an agent that is renamed while it answers', { timeout: 60_000 }, () => {
  it('signs with its new name', async () => {
    const model = await startOpenAi()
    const parley = await startParley({
      ...model.vars,
      CHAT_MODEL: 'scripted',
    })
    try {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      const { promise, resolve } = Promise.withResolvers<void>()
      model.script = ({ stream }) => ({
        text: 'I am still here.',
        ...(stream ? { until: promise } : {}),
      })
      const turn = tenant.as('ada', 'POST', '/v1/chat', { agent: 'desk', message: 'Who is there?' })
      const get = async (path: string) => (await expectOk(tenant.as('ada', 'GET', path))).json
      const { space_id } = await get('/me')
      const session = () =>
        waitFor(async () => (await get(`/me/spaces/${space_id}/sessions`)).items[0] ?? null)
      await session()
      await expectOk(tenant.call('PATCH', '/v1/agents/desk', { name: 'reception' }))
      await waitFor(async () => ((await session()).agent_name === 'reception' ? true : null))
      resolve()
      const { json } = await expectOk(turn)
      const messages = await get(`/me/sessions/${json.session_id}/messages`)
      expect(messages.at(-1).agent_name).toBe('reception')
      expect((await session()).agent_name).toBe('reception')
    } finally {
      await parley.close()
      await model.close()
    }
  })
})

describe('a session that is gone on with', { timeout: 60_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
  })
  beforeEach(async () => {
    tenant = await seedTenant(parley)
  })
  afterAll(() => parley.close())

  const begin = async (message: object, headers: Record<string, string> = {}) =>
    (
      await expectOk(
        tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello', ...message }, headers),
      )
    ).json.session_id
  const goOn = async (session_id: string, headers: Record<string, string> = {}) => {
    const body = { message: 'Go on', session_id }
    const { status, json } = await tenant.as('ada', 'POST', '/v1/chat', body, headers)
    return [status, json.agent ?? json.detail]
  }

  it('has its agent by every name that this gets', async () => {
    await seedAgent(tenant, 'usual')
    await seedAgent(tenant, 'desk')
    const session = await begin({ agent: 'desk' })
    const unheard = await begin({ agent: 'desk' })
    expect(await goOn(session)).toEqual([200, 'desk'])
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { name: 'reception' }))
    expect(await goOn(session)).toEqual([200, 'reception'])
    expect(await goOn(unheard)).toEqual([200, 'reception'])
  })

  it('needs no word for its agent where the usual one is not offered', async () => {
    await seedAgent(tenant, 'usual')
    await seedAgent(tenant, 'desk')
    const { id } = (await expectOk(tenant.as('ada', 'POST', '/me/spaces', { name: 'Work' }))).json
    await expectOk(tenant.as('ada', 'POST', `/me/spaces/${id}/agents`, { name: 'desk' }))
    const here = { 'x-space-id': id }
    const session = await begin({ agent: 'desk' }, here)
    expect(await goOn(session)).toEqual([200, 'desk'])
    const chat = {
      id: 'my chat',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    }
    const sendUi = (body: object) => tenant.as('ada', 'POST', '/v1/chat/ui', body, here)
    expect((await sendUi(chat)).status).toBe(403)
    expect((await sendUi({ ...chat, agent: 'desk' })).status).toBe(200)
    expect((await sendUi(chat)).status).toBe(200)
    await expectOk(tenant.as('ada', 'DELETE', `/me/spaces/${id}/agents/desk`))
    expect(await goOn(session)).toEqual([403, 'Agent not available in this space'])
  })

  it('needs no word for a draft where nothing is published', async () => {
    await seedAgent(tenant, 'draft', { published: false })
    const preview = { 'x-preview': '1' }
    const session = await begin({ agent: 'draft' }, preview)
    expect(await goOn(session, preview)).toEqual([200, 'draft'])
    expect(await goOn(session)).toEqual([404, 'Agent not found'])
  })
})
