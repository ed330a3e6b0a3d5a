import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askCall } from '../../src/chat/asking/ask-call'
import { LANGUAGES } from '../../src/config/names'
import { type Parley, startParley } from '../support/harness'
import { type HostileMcp, startHostileMcp, toolOf } from '../support/hostile-mcp'
import { mcpTenant } from '../support/mcp-tenant'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { parseSse } from '../support/sse-reader'

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
  let tenant: SeededTenant
  let peer: ReturnType<typeof mcpTenant>
  // biome-ignore lint/suspicious/noExplicitAny: a record of the API.
  let server: any

  beforeAll(async () => {
    model = await startOpenAi()
    remote = await startHostileMcp('http://127.0.0.1:1')
    parley = await startParley({
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: model.baseUrl,
      CHAT_MODEL: 'test-model',
      EGRESS_ALLOW: remote.pair,
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
    await Promise.all([model.close(), remote.close()])
  })
  beforeEach(() => {
    model.calls.length = 0
    remote.calls.length = 0
    remote.result = { content: [{ type: 'text', text: 'The refund R-9 is on its way.' }] }
    wants('refund')
  })

  /** The model calls a tool for the question, and tells what came of a call. */
  const wants = (tool: string, args: unknown = ARGS) => {
    const call = { name: `mcp_${server?.name}_${tool}`, arguments: JSON.stringify(args) }
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
