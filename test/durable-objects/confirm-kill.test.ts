import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type HostileMcp, startHostileMcp, toolOf } from '../support/hostile-mcp'
import { type Killable, startKillable } from '../support/killable'
import { mcpTenant } from '../support/mcp-tenant'
import { type ChatCall, type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const QUESTION = 'Refund order 4711, please.'
const DONE = 'The refund R-9 is on its way.'
const OTHER = 'All right.'
const SCHEMA = { type: 'object', properties: { order: { type: 'string' } } }
const never = new Promise<void>(() => {})

describe('kill -9 around a remote tool that its user is to confirm', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let remote: HostileMcp
  let tenant: SeededTenant
  let tool: string

  beforeAll(async () => {
    model = await startOpenAi()
    remote = await startHostileMcp('http://127.0.0.1:1')
    server = await startKillable({
      ...model.vars,
      EGRESS_ALLOW: remote.pair,
    })
    tenant = await seedTenant(server.parley as Parley)
    remote.tools = [toolOf('refund', { inputSchema: SCHEMA })]
    remote.result = { content: [{ type: 'text', text: DONE }] }
    const { name } = await mcpTenant(tenant, model).addChecked(remote.urlOf('/tools'), {
      confirm: 'all',
    })
    tool = `mcp_${name}_refund`
    await seedAgent(tenant, 'clerk', { tools: [`mcp:${name}`] })
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await Promise.all([model.close(), remote.close()])
  })
  beforeEach(() => {
    remote.calls.length = 0
    delete remote.until
    void play(() => false)
  })

  const hasResult = ({ messages }: ChatCall) => messages.at(-1)?.role === 'tool'
  const isAsked = ({ messages }: ChatCall) =>
    JSON.stringify(messages.at(-1)?.content).includes(QUESTION)

  /** The model calls the tool for the question, and tells what came of it. @returns when a call that is held has come */
  function play(isHeld: (call: ChatCall) => boolean): Promise<void> {
    const reached = Promise.withResolvers<void>()
    model.script = (call) => {
      if (!call.stream) return { text: 'A title' }
      const until = isHeld(call) ? { until: never } : {}
      if (isHeld(call)) reached.resolve()
      if (hasResult(call)) return { text: DONE, ...until }
      return isAsked(call)
        ? { toolCalls: [{ name: tool, arguments: '{"order":"4711"}' }], ...until }
        : { text: OTHER, ...until }
    }
    return reached.promise
  }
  const post = (message: string, session_id?: string) =>
    tenant.as('ann', 'POST', '/v1/chat', { message, agent: 'clerk', session_id })
  const say = async (message: string, session_id?: string) =>
    (await expectOk(post(message, session_id))).json
  const begin = async () => (await say('Hello')).session_id as string
  const acted = () => remote.calls.filter(({ call }) => call.method === 'tools/call')
  const keys = () =>
    new Set(
      acted().map(({ call }) => JSON.stringify((call.params as { _meta?: object })?._meta ?? {})),
    )
  const cutOff = async (cut: Promise<unknown>) => {
    await server.kill()
    await cut.catch(() => {})
    await server.start()
  }

  it('while the question is being made: nothing was called, and nobody is taken to have agreed', async () => {
    const session = await begin()
    const reached = play(isAsked)
    const cut = post(QUESTION, session)
    cut.catch(() => {})
    await reached
    await cutOff(cut)
    void play(() => false)
    expect((await say('Do it', session)).reply).toBe(OTHER)
    expect(acted()).toEqual([])
    expect((await say(QUESTION, session)).finish_reason).toBe('clarify')
    expect((await say('Do it', session)).reply).toBe(DONE)
    expect(acted()).toHaveLength(1)
  })

  it('between the question and the word: it is called once, as it was asked for', async () => {
    const { session_id, message_id } = await say(QUESTION)
    await cutOff(Promise.resolve())
    expect((await say('Do it', session_id)).reply).toBe(DONE)
    await say('Do it', session_id)
    expect(acted().map(({ call }) => call.params?._meta)).toEqual([
      expect.objectContaining({ 'parley/idempotency-key': `${message_id}:1` }),
    ])
  })

  it('after a word that refuses: it stays uncalled', async () => {
    const { session_id } = await say(QUESTION)
    await say('Don’t', session_id)
    await cutOff(Promise.resolve())
    expect((await say('Do it', session_id)).reply).toBe(OTHER)
    expect(acted()).toEqual([])
  })

  it.each(['the call of the tool', 'the reply that tells of it'])(
    'in %s: by itself nothing is called again, and the word said again is the same call',
    async (place) => {
      const { session_id, message_id } = await say(QUESTION)
      const isCall = place === 'the call of the tool'
      const reached = play(isCall ? () => false : hasResult)
      if (isCall) remote.until = never
      const cut = post('Do it', session_id)
      cut.catch(() => {})
      if (isCall) await expect.poll(() => acted().length, { timeout: 20_000 }).toBe(1)
      else await reached
      await cutOff(cut)
      void play(() => false)
      delete remote.until
      await server.watch(10 * 60_000)
      const path = `/me/sessions/${session_id}/messages`
      const stored = (await expectOk(tenant.as('ann', 'GET', path))).json
      // The word stands there without an answer: its user sees that nothing was said of what came of it.
      expect(stored.at(-1)).toMatchObject({ role: 'user', content: 'Do it' })
      expect(acted()).toHaveLength(1)
      const again = await say('Do it', session_id)
      expect([again.reply, acted().length]).toEqual([DONE, 2])
      // One id: a server that keeps it has acted once.
      expect(keys()).toEqual(
        new Set([JSON.stringify({ 'parley/idempotency-key': `${message_id}:1` })]),
      )
      expect((await say('Do it', session_id)).reply).toBe(OTHER)
      expect(acted()).toHaveLength(2)
    },
  )
})
