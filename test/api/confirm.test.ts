import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askCall } from '../../src/chat/asking/ask-call'
import { LANGUAGES } from '../../src/config/names'
import { type Parley, startParley } from '../support/harness'
import { type HostileMcp, startHostileMcp, toolOf } from '../support/hostile-mcp'
import { mcpTenant } from '../support/mcp-tenant'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { startTelegram, type TelegramServer } from '../support/telegram-server'

const QUESTION = 'Refund order 4711, please.'
const ARGS = { order: '4711', amount: 12 }
const DONE = 'The refund R-9 is on its way.'
const SCHEMA = {
  type: 'object',
  properties: { order: { type: 'string' }, amount: { type: 'number' } },
}

describe('a remote tool that acts', () => {
  let parley: Parley
  let model: OpenAiServer
  let remote: HostileMcp
  let telegram: TelegramServer
  let tenant: SeededTenant
  let peer: ReturnType<typeof mcpTenant>
  // biome-ignore lint/suspicious/noExplicitAny: a record of the API.
  let server: any

  beforeAll(async () => {
    model = await startOpenAi()
    remote = await startHostileMcp('http://127.0.0.1:1')
    telegram = await startTelegram()
    parley = await startParley({
      TELEGRAM_URL: telegram.url,
      ...model.vars,
      EGRESS_ALLOW: `${remote.pair},${telegram.pair}`,
    })
    tenant = await seedTenant(parley)
    peer = mcpTenant(tenant, model)
    remote.tools = ['refund', 'look_up'].map((name) => toolOf(name, { inputSchema: SCHEMA }))
    server = await peer.addChecked(remote.urlOf('/tools'), { confirm: ['refund'] })
    await seedAgent(tenant, 'clerk', { tools: [`mcp:${server.name}`] })
    await seedAgent(tenant, 'strict', { tools: [`mcp:${server.name}`], grounding_required: true })
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await Promise.all([model.close(), remote.close(), telegram.close()])
  })
  beforeEach(() => {
    model.calls.length = 0
    remote.calls.length = 0
    remote.result = { content: [{ type: 'text', text: 'The refund R-9 is on its way.' }] }
    wants('refund')
  })

  /** The model calls a tool for the question, and tells what came of a call. */
  const wants = (tool: string, args: unknown = ARGS, name = server?.name) => {
    const call = { name: `mcp_${name}_${tool}`, arguments: JSON.stringify(args) }
    model.script = ({ stream, messages }) => {
      if (!stream) return { text: 'A title' }
      const last = messages.at(-1)
      if (last?.role === 'tool') return { text: DONE }
      return JSON.stringify(last?.content).includes(QUESTION)
        ? { toolCalls: [call] }
        : { text: 'All right.' }
    }
  }
  const say = async (message: string, session_id?: string, agent = 'clerk') =>
    (await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message, agent, session_id }))).json
  const remake = async (session_id: string, replaces: string, fields: object = {}) =>
    (await expectOk(tenant.as('ann', 'POST', '/v1/chat', { session_id, replaces, ...fields }))).json
  const acted = () => remote.calls.filter(({ call }) => call.method === 'tools/call')
  const asked = () => model.calls.filter(({ stream }) => stream)

  it('is called once its user has said so, with the id of the call that was asked for', async () => {
    const first = await say(QUESTION)
    const question = `Shall I do this: mcp:${server.name}/refund\n- order: 4711\n- amount: 12`
    expect(first).toMatchObject({ reply: question, finish_reason: 'clarify' })
    expect(first.clarify).toEqual({
      question,
      options: [
        { label: 'Do it', value: 'Do it' },
        { label: 'Don’t', value: 'Don’t' },
      ],
    })
    expect(acted()).toEqual([])
    expect(asked()).toHaveLength(1)

    const second = await say('Do it', first.session_id)
    expect(second).toMatchObject({ reply: DONE, finish_reason: 'stop' })
    const [{ call } = { call: null }, ...more] = acted()
    expect(more).toEqual([])
    expect(call?.params).toMatchObject({
      name: 'refund',
      arguments: ARGS,
      _meta: { 'parley/idempotency-key': `${first.message_id}:1` },
    })
    expect(JSON.stringify(asked().at(-1)?.messages.at(-1))).toContain('R-9')
    await say('Do it', first.session_id)
    expect(acted()).toHaveLength(1)
  })

  it('is not called where the user says no, and no model is asked', async () => {
    const { session_id } = await say(QUESTION)
    model.calls.length = 0
    const refused = await say('Don’t', session_id)
    expect(refused).toMatchObject({
      reply: 'All right, I have not done it.',
      finish_reason: 'stop',
    })
    expect(asked()).toEqual([])
    await say('Do it', session_id)
    expect(acted()).toEqual([])
  })

  it('is given up by whatever else is said', async () => {
    const { session_id } = await say(QUESTION)
    for (const message of ['What does it cost?', 'Do it'])
      expect((await say(message, session_id)).reply).toBe('All right.')
    expect(acted()).toEqual([])
  })

  it('is its user’s to confirm', async () => {
    const { session_id } = await say(QUESTION)
    const body = { message: 'Do it', agent: 'clerk', session_id }
    expect((await tenant.as('eve', 'POST', '/v1/chat', body)).status).toBe(404)
    expect(acted()).toEqual([])
  })

  it('leaves the others as they are, each call with an id', async () => {
    wants('look_up')
    const { reply, message_id } = await say(QUESTION)
    expect(reply).toBe(DONE)
    expect(acted()[0]?.call.params).toMatchObject({
      _meta: { 'parley/idempotency-key': `${message_id}:1` },
    })
  })

  it('gives evidence for what is said of it', async () => {
    const { session_id } = await say(QUESTION, undefined, 'strict')
    expect((await say('Do it', session_id, 'strict')).reply).toBe(DONE)
  })

  it('tells the model of a failure, and of a tool that is gone', async () => {
    const first = await say(QUESTION)
    remote.result = { isError: true, content: [{ type: 'text', text: 'No such order.' }] }
    await say('Do it', first.session_id)
    expect(JSON.stringify(asked().at(-1)?.messages.at(-1))).toContain('No such order')
    const second = await say(QUESTION)
    await expectOk(
      tenant.call('PATCH', '/v1/agents/clerk', { tools: [`mcp:${server.name}/look_up`] }),
    )
    await tenant.call('PATCH', `/v1/mcp-servers/${server.id}`, { confirm: 'all' })
    remote.calls.length = 0
    await say('Do it', second.session_id)
    expect(acted()).toEqual([])
    await expectOk(tenant.call('PATCH', '/v1/agents/clerk', { tools: [`mcp:${server.name}`] }))
    await tenant.call('PATCH', `/v1/mcp-servers/${server.id}`, { confirm: ['refund'] })
  })

  it('comes as a frame, to useChat, and as lines where only text is seen', async () => {
    const body = { message: QUESTION, agent: 'clerk' }
    const { text } = await tenant.as('ann', 'POST', '/v1/chat/stream', body)
    expect(parseSse(text).filter(({ event }) => event === 'clarify')).toHaveLength(1)
    const ui = await tenant.as('ann', 'POST', '/v1/chat/ui', {
      id: 'acts',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
      agent: 'clerk',
    })
    expect(ui.text).toContain('"type":"data-clarify"')
    const { json } = await expectOk(
      tenant.call('POST', '/v1/chat/completions', {
        model: 'clerk',
        user: 'ann',
        messages: [{ role: 'user', content: QUESTION }],
      }),
    )
    expect(json.choices[0].message.content).toContain('\n\n- Do it\n- Don’t')
  })

  it('is called in privacy mode too, once', async () => {
    const privacy = (on: boolean) =>
      expectOk(tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: on }))
    await privacy(true)
    const { session_id, finish_reason } = await say(QUESTION)
    expect([finish_reason, acted()]).toEqual(['clarify', []])
    expect((await say('Do it', session_id)).reply).toBe(DONE)
    await say('Do it', session_id)
    expect(acted()).toHaveLength(1)
    await privacy(false)
  })

  it('waits for its user’s word while the quota is used up', async () => {
    const ceiling = (monthly_token_ceiling: number | null) =>
      expectOk(parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { monthly_token_ceiling }))
    const { session_id } = await say(QUESTION)
    await ceiling(1)
    const body = { message: 'Do it', agent: 'clerk', session_id }
    const refused = await tenant.as('ann', 'POST', '/v1/chat', body)
    expect([refused.status, acted()]).toEqual([429, []])
    await ceiling(null)
    expect((await say('Do it', session_id)).reply).toBe(DONE)
    expect(acted()).toHaveLength(1)
  })

  describe('of an answer that is made anew', () => {
    it('has acted: what came of it is told again, to each variant', async () => {
      wants('look_up')
      const first = await say(QUESTION)
      expect(acted()).toHaveLength(1)
      remote.result = { content: [{ type: 'text', text: 'It was called again.' }] }
      let last = first
      for (const _ of [1, 2]) {
        last = await remake(first.session_id, last.message_id)
        expect(last.reply).toBe(DONE)
        expect(JSON.stringify(asked().at(-1)?.messages.at(-1))).toContain('R-9')
      }
      expect(acted()).toHaveLength(1)
    })

    it('has been confirmed: neither the answer nor the question before it acts twice', async () => {
      const first = await say(QUESTION)
      const second = await say('Do it', first.session_id)
      const again = await remake(first.session_id, second.message_id)
      expect(again).toMatchObject({ reply: DONE, finish_reason: 'stop' })
      expect(JSON.stringify(asked().at(-1)?.messages.at(-1))).toContain('R-9')
      const question = await remake(first.session_id, first.message_id)
      expect(question).toMatchObject({ reply: DONE, finish_reason: 'stop' })
      expect(acted()).toHaveLength(1)
    })

    it('was confirmed by a message that is edited: it is done no second time', async () => {
      const first = await say(QUESTION)
      await say('Do it', first.session_id)
      const path = `/me/sessions/${first.session_id}/messages`
      const messages = (await tenant.as('ann', 'GET', path)).json
      const edited = await remake(first.session_id, messages.at(-2).id, { message: 'do it' })
      expect(edited.reply).toBe(DONE)
      expect(acted()).toHaveLength(1)
    })

    it('calls what was not called before: other arguments are asked for, under an id of their own', async () => {
      const first = await say(QUESTION)
      await say('Do it', first.session_id)
      wants('refund', { ...ARGS, amount: 13 })
      const other = await remake(first.session_id, first.message_id)
      expect(other.finish_reason).toBe('clarify')
      await say('Do it', first.session_id)
      const keys = acted().map(({ call }) => JSON.stringify(call.params?._meta))
      expect(new Set(keys).size).toBe(2)
      expect(keys).toHaveLength(2)
    })

    it('failed at the server: it is tried again by the id that it had', async () => {
      wants('look_up')
      remote.result = { isError: true, content: [{ type: 'text', text: 'Busy.' }] }
      const first = await say(QUESTION)
      remote.result = { content: [{ type: 'text', text: DONE }] }
      await remake(first.session_id, first.message_id)
      const [one, two] = acted().map(({ call }) => call.params?._meta)
      expect(two).toEqual(one)
      expect(acted()).toHaveLength(2)
    })
  })

  it.each(['refund', 'look_up'])(
    'is not called again by a message that is sent again after the model failed: %s',
    async (name) => {
      wants(name)
      const { session_id } = name === 'refund' ? await say(QUESTION) : await say('Hello')
      const script = model.script
      model.script = (call, n) =>
        call.messages.at(-1)?.role === 'tool' ? { status: 400 } : script(call, n)
      const message = name === 'refund' ? 'Do it' : QUESTION
      const body = { message, agent: 'clerk', session_id }
      expect((await tenant.as('ann', 'POST', '/v1/chat', body)).status).toBe(502)
      expect(acted()).toHaveLength(1)
      model.script = script
      expect((await say(message, session_id)).reply).toBe(DONE)
      expect(JSON.stringify(asked().at(-1)?.messages.at(-1))).toContain('R-9')
      expect(acted()).toHaveLength(1)
    },
  )

  it('is not called again where the model said nothing of it and is asked once more', async () => {
    wants('look_up')
    const script = model.script
    let empty = 0
    model.script = (call, n) =>
      call.stream && call.messages.at(-1)?.role === 'tool' && empty++ === 0
        ? { text: '' }
        : script(call, n)
    expect((await say(QUESTION)).reply).toBe(DONE)
    expect(empty).toBeGreaterThan(1)
    expect(acted()).toHaveLength(1)
  })

  it('is confirmed and refused in a messaging app, by its buttons', async () => {
    const bot = telegram.addBot()
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
    const path = '/me/chatapp/bind-code?agent=clerk'
    const chat = 7_100_001
    const { json } = await expectOk(tenant.as('tom', 'POST', path))
    await telegram.say(bot, chat, { text: `/start ${json.code}` })
    const tell = async (text: string) => {
      const before = telegram.sentTo(chat).length
      await telegram.say(bot, chat, { text })
      return waitFor(async () => telegram.sentTo(chat)[before] ?? null)
    }
    const buttons = () => {
      const sent = telegram.calls.filter(
        ({ method, body }) => method === 'sendMessage' && body.chat_id === chat,
      )
      return sent.at(-1)?.body.reply_markup?.keyboard
    }
    const keyboard = [[{ text: 'Do it' }], [{ text: 'Don’t' }]]
    for (const [word, reply, calls] of [
      ['Don’t', 'All right, I have not done it.', 0],
      ['Do it', DONE, 1],
    ] as const) {
      const question = await tell(QUESTION)
      expect(question).toContain('refund')
      expect(question).toContain('order: 4711')
      expect(buttons()).toEqual(keyboard)
      expect(await tell(word)).toContain(reply.replace(/\.$/u, '').slice(0, 12))
      expect(acted()).toHaveLength(calls)
    }
    await tell('Do it')
    expect(acted()).toHaveLength(1)
  })

  it('is its server’s, by whatever name, and no other one’s that took the name', async () => {
    const url = remote.urlOf('/tools')
    const add = (which: string, fields: object = {}) =>
      peer.addChecked(url, { config: { url, headers: { 'x-which': which } }, ...fields })
    const { id, name } = await add('first', { confirm: 'all' })
    await seedAgent(tenant, 'mover', { tools: [`mcp:${name}`] })
    wants('refund', ARGS, name)
    const moved = await say(QUESTION, undefined, 'mover')
    const gone = await say(QUESTION, undefined, 'mover')
    await expectOk(tenant.call('PATCH', `/v1/mcp-servers/${id}`, { name: `${name}-new` }))
    await add('other', { name })
    await expectOk(tenant.call('PATCH', '/v1/agents/mover', { tools_add: [`mcp:${name}`] }))
    await say('Do it', moved.session_id, 'mover')
    expect(acted().map(({ headers }) => headers['x-which'])).toEqual(['first'])
    await expectOk(tenant.call('DELETE', `/v1/mcp-servers/${id}`))
    await say('Do it', gone.session_id, 'mover')
    expect(acted()).toHaveLength(1)
  })

  it('is marked on the server’s record, all of them or by name, and nothing else', async () => {
    const path = `/v1/mcp-servers/${server.id}`
    expect((await tenant.call('GET', path)).json.confirm).toEqual(['refund'])
    for (const confirm of ['some', 7, [''], [7], {}, [['refund']]]) {
      const { status, json } = await tenant.call('PATCH', path, { confirm })
      expect([status, json.detail[0].loc.slice(0, 2)], JSON.stringify(confirm)).toEqual([
        422,
        ['body', 'confirm'],
      ])
    }
  })

  it.each(LANGUAGES)('is asked for in %s, each with words of its own', (lang) => {
    const call = { reference: 'mcp:shop/refund', args: ARGS, id: 't:1', question: '', lang, at: 0 }
    const { question, clarify } = askCall(call)
    expect(question).toContain('mcp:shop/refund\n- order: 4711')
    expect(new Set(clarify?.options.map(({ label }) => label)).size).toBe(2)
    expect(question.startsWith('Shall I')).toBe(lang === 'en')
  })
})
