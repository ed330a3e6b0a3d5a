import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeVars, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

interface Item {
  kind?: string
  topic?: string
  importance?: number
  content: string
  replaces?: number[]
}

/** The order of a background extraction, to be told from a turn's own prompt. */
const isExtraction = (call: { messages: { content: unknown }[] }) =>
  JSON.stringify(call.messages[0]).includes('long-term memory')

describe('memory with a language model', () => {
  let tenant: SeededTenant
  let learnt: { memories: Item[]; profile: string | null }

  withModel({ OPENAI_API_KEY: 'sk-test', EMBEDDING_MODEL: 'test-embedder' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', {
      Staff: 'I live in Oslo, said the founder. My name is Mallory and I like herring.',
    })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    await seedAgent(tenant, 'second')
    await seedAgent(tenant, 'stateless', { history_window: 0 })
  })
  beforeEach(() => {
    learnt = { memories: [], profile: null }
    model.script = (call) => ({
      text: isExtraction(call) ? `Here: ${JSON.stringify(learnt)}` : 'I see.',
    })
  })

  const say = async (
    user: string,
    message: string,
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) =>
    (
      await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields }, headers),
      )
    ).json
  const remembered = async (user: string, headers: Record<string, string> = {}) =>
    (await expectOk(tenant.as(user, 'GET', '/me/remembered', undefined, headers))).json
  const pointsOf = async (user: string): Promise<string[]> =>
    (await remembered(user)).flatMap((view: { points: string[] }) => view.points)
  const untilPoints = (user: string, wanted: string[]) =>
    waitFor(async () => {
      const points = await pointsOf(user)
      return JSON.stringify([...points].sort()) === JSON.stringify([...wanted].sort())
        ? points
        : null
    })
  const lastTurn = () => JSON.stringify(model.calls.findLast((call) => call.stream)?.messages)
  const extractions = () => model.calls.filter(isExtraction)

  it('learns from the user’s words in the background and recalls it as fenced data', async () => {
    learnt = {
      memories: [
        { kind: 'fact', topic: 'home', importance: 8, content: 'I live in Lima.' },
        { kind: 'preference', topic: 'drinks', importance: 5, content: 'I like mate tea.' },
      ],
      profile: 'Lives in Lima and likes mate tea.',
    }
    await say('ada', 'I live in Lima and I like mate tea.')
    await untilPoints('ada', ['I live in Lima.', 'I like mate tea.'])
    expect(await remembered('ada')).toMatchObject([
      { agent_name: 'desk', content: 'Lives in Lima and likes mate tea.', from_anonymous: false },
    ])
    learnt = { memories: [], profile: null }
    await say('ada', 'What should I drink in my town?')
    const prompt = lastTurn()
    expect(prompt).toMatch(/<<DATA \w+ memory>>/)
    expect(prompt).toContain('I live in Lima.')
    expect(prompt.indexOf('I live in Lima.')).toBeLessThan(
      prompt.indexOf('Sources for the message'),
    )
  })

  it('shows the model the user’s words alone: no reply, no document, no quotation', async () => {
    model.script = (call) => ({
      text: isExtraction(call) ? JSON.stringify(learnt) : 'Mallory lives in Oslo [1].',
    })
    await say(
      'bert',
      'Where do I find herring? My neighbour wrote "I was born in Bergen and my name is Sigrid, of course"',
    )
    const text = await waitFor(async () => {
      const prompts = extractions().map((call) => JSON.stringify(call.messages))
      return prompts.find((prompt) => prompt.includes('Where do I find herring?')) ?? null
    })
    for (const foreign of ['Oslo', 'Mallory', 'Bergen', 'Sigrid'])
      expect(text).not.toContain(foreign)
  })

  it('neither shows a secret to the model nor keeps one that it gives back', async () => {
    learnt = {
      memories: [
        { content: 'I live in Quito.' },
        { content: 'My password is swordfish99.' },
        { topic: 'PIN code', content: 'It is 4921.' },
        { content: 'My card is 4111 1111 1111 1111.' },
      ],
      profile: 'The password is swordfish99.',
    }
    await say('carl', 'I live in Quito. My password is swordfish99. My PIN is 4921.')
    await untilPoints('carl', ['I live in Quito.'])
    const [view] = await remembered('carl')
    expect(view.content).toBe('I live in Quito.')
    expect(JSON.stringify(extractions()[0]?.messages)).not.toMatch(/swordfish99|4921/)
  })

  it('lets the newer win when the model says what is no longer true', async () => {
    learnt = { memories: [{ content: 'I own a red bicycle.' }], profile: null }
    await say('dora', 'I own a red bicycle.')
    await untilPoints('dora', ['I own a red bicycle.'])
    learnt = { memories: [{ content: 'I sold my bicycle.', replaces: [1] }], profile: null }
    await say('dora', 'I sold my bicycle.')
    await untilPoints('dora', ['I sold my bicycle.'])
  })

  it('learns anew from an edited message, and forgets with a deleted one', async () => {
    learnt = { memories: [{ content: 'I live in Porto.' }], profile: 'Lives in Porto.' }
    await say('emil', 'I live in Porto.')
    await untilPoints('emil', ['I live in Porto.'])
    learnt = { memories: [{ content: 'I live in Braga.' }], profile: null }
    const { session_id } = await say('emil', 'I live in Braga.')
    await untilPoints('emil', ['I live in Braga.'])
    const [question] = (await tenant.as('emil', 'GET', `/me/sessions/${session_id}/messages`)).json
    learnt = { memories: [{ content: 'I work in Braga.' }], profile: null }
    const path = `/me/sessions/${session_id}/messages/${question.id}`
    await expectOk(tenant.as('emil', 'PATCH', path, { content: 'I work in Braga.' }))
    // What the old words had superseded is true again.
    await untilPoints('emil', ['I work in Braga.', 'I live in Porto.'])
    await expectOk(tenant.as('emil', 'DELETE', path))
    expect(await pointsOf('emil')).toEqual(['I live in Porto.'])
  })

  it('keeps memories when their session is deleted', async () => {
    learnt = { memories: [{ content: 'I live in Turin.' }], profile: null }
    const { session_id } = await say('fina', 'I live in Turin.')
    await untilPoints('fina', ['I live in Turin.'])
    await expectOk(tenant.as('fina', 'DELETE', `/me/sessions/${session_id}`))
    expect(await pointsOf('fina')).toEqual(['I live in Turin.'])
  })

  it('crosses neither users nor spaces', async () => {
    learnt = { memories: [{ importance: 10, content: 'I live in Bogotá.' }], profile: null }
    await say('gina', 'I live in Bogotá.')
    await untilPoints('gina', ['I live in Bogotá.'])
    learnt = { memories: [], profile: null }
    await say('hugo', 'Where do I live?')
    expect(lastTurn()).not.toContain('Bogotá')
    expect(await remembered('hugo')).toEqual([])
    const space = (await expectOk(tenant.as('gina', 'POST', '/me/spaces', { name: 'Work' }))).json
      .id
    await expectOk(tenant.as('gina', 'POST', `/me/spaces/${space}/agents`, { name: 'desk' }))
    await say('gina', 'Where do I live?', {}, { 'x-space-id': space })
    expect(lastTurn()).not.toContain('Bogotá')
    expect(await remembered('gina', { 'x-space-id': space })).toEqual([])
    await say('gina', 'Where do I live?')
    expect(lastTurn()).toContain('Bogotá')
  })

  it('recalls the eight that fit best of many', async () => {
    for (let part = 0; part < 3; part++) {
      const names = ['tulips', 'chess', 'sailing', 'opera', 'pottery', 'karate', 'bees', 'maps']
      learnt = {
        memories: names.map((name) => ({
          importance: 3,
          content: `I know ${name} level ${part}.`,
        })),
        profile: null,
      }
      await say('iris', `I know many things, part ${part}.`)
      await waitFor(async () =>
        (await remembered('iris'))[0]?.points.length >= Math.min(20, 8 * (part + 1)) ? true : null,
      )
    }
    learnt = { memories: [], profile: null }
    await say('iris', 'How do I get better at chess?')
    const prompt = lastTurn()
    expect(prompt.match(/I know chess level/g)).toHaveLength(3)
    expect((prompt.match(/I know \w+ level/g) ?? []).length).toBeLessThanOrEqual(8)
  })

  it('asks no model about messages that say nothing of the user', async () => {
    await say('jan', 'When are refunds paid?')
    await say('jan', 'Thank you!')
    await say('jan', 'I keep bees.')
    const prompts = await waitFor(async () => {
      const asked = extractions().map((call) => JSON.stringify(call.messages))
      return asked.some((prompt) => prompt.includes('I keep bees.')) ? asked : null
    })
    expect(prompts.join()).not.toMatch(/refunds paid|Thank you!/)
  })

  it('remembers nothing for a stateless agent, nor for a key that names no user', async () => {
    learnt = { memories: [{ content: 'I live in Nice.' }], profile: null }
    await say('kim', 'I live in Nice.', { agent: 'stateless' })
    const body = { model: 'desk', messages: [{ role: 'user', content: 'I live in Nice.' }] }
    await expectOk(tenant.call('POST', '/v1/chat/completions', body))
    learnt = { memories: [], profile: null }
    await say('kim', 'I keep bees.')
    const prompts = await waitFor(async () => {
      const asked = extractions().map((call) => JSON.stringify(call.messages))
      return asked.some((prompt) => prompt.includes('I keep bees.')) ? asked : null
    })
    expect(prompts.join()).not.toContain('I live in Nice.')
    expect(await remembered('kim')).toEqual([])
  })

  it('remembers nothing from what a stateless agent was told in the session that another goes on from', async () => {
    const { session_id, message_id } = await say('lars', 'I live in Nice.', { agent: 'stateless' })
    const branch = await expectOk(
      tenant.as('lars', 'POST', `/me/sessions/${session_id}/messages/${message_id}/branch`),
    )
    const path = `/me/sessions/${branch.json.id}/messages`
    const [question] = (await expectOk(tenant.as('lars', 'GET', path))).json
    const words = { content: 'I live in Nantes.' }
    await expectOk(tenant.as('lars', 'PATCH', `${path}/${question.id}`, words))
    learnt = { memories: [{ content: 'I keep bees.' }], profile: null }
    await say('lars', 'I keep bees.')
    await untilPoints('lars', ['I keep bees.'])
    expect(
      extractions()
        .map((call) => JSON.stringify(call.messages))
        .join(),
    ).not.toContain('Nantes')
  })

  it('falls back to the rules when the model fails or answers without JSON', async () => {
    model.script = (call) => (isExtraction(call) ? { status: 500 } : { text: 'I see.' })
    await say('lea', 'I live in Gent.')
    await untilPoints('lea', ['I live in Gent.'])
    model.script = (call) => ({ text: isExtraction(call) ? 'No idea.' : 'I see.' })
    await say('lea', 'I like waffles.')
    await untilPoints('lea', ['I live in Gent.', 'I like waffles.'])
  })

  it('books what it costs as memory, and skips it without quota', async () => {
    learnt = { memories: [{ content: 'I live in Kyiv.' }], profile: null }
    await say('max', 'I live in Kyiv.')
    await untilPoints('max', ['I live in Kyiv.'])
    await waitFor(async () => {
      const rows = (await tenant.call('GET', '/v1/manage/usage?group=kind')).json
      return JSON.stringify(rows).includes('memory') ? true : null
    })
    const poor = await seedTenant(parley, { monthly_token_ceiling: 6000 })
    await seedAgent(poor, 'desk', { max_output_tokens: 200 })
    const spent = { prompt_tokens: 4900, completion_tokens: 100 }
    model.script = (call) => ({ text: 'Fine.', usage: call.stream ? spent : undefined }) as never
    const followed = countJobs(parley, 'turn.after')
    const turn = await poor.as('max', 'POST', '/v1/chat', { message: 'I live in Kyiv.' })
    expect(turn.status).toBe(200)
    await followed()
    expect((await poor.as('max', 'GET', '/me/remembered')).json).toEqual([])
  })
})

describe('memory in privacy mode', () => {
  it('keeps no vectors, and drops those made before', async () => {
    const model = await startOpenAi()
    const parley = await startParley({
      ...model.vars,
      EMBEDDING_MODEL: 'test-embedder',
    })
    try {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      let content = 'I live in Lima.'
      model.script = (call) => ({
        text: isExtraction(call)
          ? JSON.stringify({ memories: [{ content }], profile: null })
          : 'Ok.',
      })
      const say = (message: string) =>
        expectOk(tenant.as('ada', 'POST', '/v1/chat', { message, agent: 'desk' }))
      const points = async () =>
        (await tenant.as('ada', 'GET', '/me/remembered')).json[0]?.points.length ?? 0
      await say('I live in Lima.')
      await waitFor(async () => ((await points()) === 1 ? true : null))
      const { DB } = await parley.worker.getEnv()
      await DB.prepare('UPDATE tenants SET privacy_mode = 1 WHERE id = ?').bind(tenant.id).run()
      // A new isolate remembers no tenant.
      await changeVars(parley, {})
      content = 'I like tea.'
      await say('I like tea.')
      await waitFor(async () => ((await points()) === 2 ? true : null))
      const me = (await tenant.as('ada', 'GET', '/me')).json
      const env = await parley.worker.getEnv()
      const stub = env.USER_SPACE.get(
        env.USER_SPACE.idFromName(`${tenant.id}/${me.user_id}/${me.space_id}`),
      )
      expect(await stub.work('space', 'countVectors', [])).toMatchObject({ memories: 0 })
    } finally {
      await parley.close()
      await model.close()
    }
  })
})
