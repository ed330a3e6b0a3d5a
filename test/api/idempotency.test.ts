import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/config/limits'
import type { Route } from '../../src/http/route'
import { ADMIN_TOKEN, type Answer, evictSpaces, type Parley, startParley } from '../support/harness'
import { startKillable } from '../support/killable'
import { type Loopback, startLoopback } from '../support/loopback'
import { startOpenAi } from '../support/openai-server'
import { bodyOf, exampleOf, keyOf, pathOf, ROUTES } from '../support/route-contract'
import type { Filled } from '../support/route-examples'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { model, parley, withModel } from '../support/with-model'
import { makeWorld, type World } from '../support/world'

const DIFFERS = {
  detail: [
    {
      type: 'value_error',
      loc: ['header', 'idempotency-key'],
      msg: 'Value error, the key was used with another body',
    },
  ],
}
const RUNNING = { detail: 'Request in progress' }

describe('a turn with an Idempotency-Key', () => {
  let tenant: SeededTenant
  const ask = { message: 'When are refunds paid?' }
  let asked = 0
  const freshKey = () => ({ 'idempotency-key': `key ${++asked}` })
  const turns = () => model.calls.filter((call) => call.stream).length
  const sessionsOf = async (user: string) => {
    const { json: me } = await tenant.as(user, 'GET', '/me')
    return (await tenant.as(user, 'GET', `/me/spaces/${me.space_id}/sessions`)).json.items
  }

  withModel({ EMBEDDING_MODEL: 'test-embedder' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
  })
  beforeEach(() => {
    model.script = () => ({ text: 'Within five working days [1|within five working days].' })
  })

  it('runs once however many calls come at the same moment', async () => {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
    model.script = () => ({ text: 'Within five working days.', until })
    const headers = freshKey()
    let others = 5
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const answer = await tenant.as('rush', 'POST', '/v1/chat', ask, headers)
        // The one that runs ends only once all others were told.
        others -= 1
        if (others === 0) letGo()
        return answer
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.json).toEqual(RUNNING)
    expect(turns()).toBe(1)
    expect(await sessionsOf('rush')).toHaveLength(1)
  })

  it('is told from another body that comes at the same moment', async () => {
    model.script = () => ({ text: 'Slow.', pieceChars: 1, pieceDelayMs: 60 })
    const headers = freshKey()
    const [one, other] = await Promise.all([
      tenant.as('mixed', 'POST', '/v1/chat', ask, headers),
      tenant.as('mixed', 'POST', '/v1/chat', { message: 'Something else?' }, headers),
    ])
    expect([one.status, other.status].sort()).toEqual([200, 422])
    expect((one.status === 422 ? one : other).json).toEqual(DIFFERS)
  })

  it('that failed may be tried again', async () => {
    const headers = freshKey()
    model.script = () => ({ status: 500 })
    const failed = await tenant.as('again', 'POST', '/v1/chat', ask, headers)
    expect([failed.status, failed.json.detail]).toEqual([502, 'Upstream error'])
    model.script = () => ({ text: 'Now it works.' })
    const second = await tenant.as('again', 'POST', '/v1/chat', ask, headers)
    expect([second.status, second.json.reply]).toEqual([200, 'Now it works.'])
    expect(second.headers.get('idempotency-replayed')).toBeNull()
    const third = await tenant.as('again', 'POST', '/v1/chat', ask, headers)
    expect(third.json).toEqual(second.json)
    expect(third.headers.get('idempotency-replayed')).toBe('true')
  })

  it('that failed as a stream may be tried again', async () => {
    const headers = freshKey()
    model.script = () => ({ status: 500 })
    const failed = await tenant.as('flow', 'POST', '/v1/chat/stream', ask, headers)
    expect(parseSse(failed.text).at(-1)?.event).toBe('error')
    model.script = () => ({ text: 'Now it flows.' })
    const second = await tenant.as('flow', 'POST', '/v1/chat/stream', ask, headers)
    expect(parseSse(second.text).at(-1)?.data.reply).toBe('Now it flows.')
  })

  it('is answered to the last field as the first time, also from storage and under the other address', async () => {
    const headers = freshKey()
    const first = await tenant.as('same', 'POST', '/v1/chat', ask, headers)
    expect(first.json.sources[0].quote).toBe('within five working days')
    await evictSpaces(parley)
    const second = await tenant.as('same', 'POST', '/chat', ask, headers)
    expect(second.json).toEqual(first.json)
    expect(turns()).toBe(1)
  })

  it('whose answer was deleted since says so, whole and streamed, and asks no model again', async () => {
    const GONE = {
      detail: 'The answer to this Idempotency-Key was deleted since',
      code: 'answer_gone',
    }
    const openAi = { model: 'desk', messages: [{ role: 'user', content: ask.message }] }
    for (const [path, sent] of [
      ['/v1/chat', ask],
      ['/v1/chat/stream', ask],
      ['/v1/chat/completions', openAi],
    ] as const) {
      const headers = freshKey()
      expect((await tenant.as('gone', 'POST', path, sent, headers)).status).toBe(200)
      for (const { id } of await sessionsOf('gone'))
        await tenant.as('gone', 'DELETE', `/me/sessions/${id}`)
      const second = await tenant.as('gone', 'POST', path, sent, headers)
      expect([path, second.status, second.json]).toEqual([path, 410, expect.objectContaining(GONE)])
    }
    expect(turns()).toBe(3)
  })

  it('belongs to its operation, query, key and user', async () => {
    const headers = freshKey()
    const { json: spare } = await tenant.call('POST', '/v1/tenant/keys', { name: 'spare' })
    const body = { model: 'desk', messages: [{ role: 'user', content: ask.message }] }
    const ui = { id: 'x', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }] }
    const answers = [
      await tenant.as('owner', 'POST', '/v1/chat', ask, headers),
      await tenant.as('owner', 'POST', '/v1/chat/stream', ask, headers),
      await tenant.as('owner', 'POST', '/v1/chat/completions', body, headers),
      await tenant.as('other', 'POST', '/v1/chat', ask, headers),
      await parley.call('POST', '/v1/chat', {
        body: ask,
        headers: { 'x-api-key': spare.api_key, 'x-end-user': 'owner', ...headers },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(
      Array(5).fill(null),
    )
    expect(turns()).toBe(5)
    const path = '/v1/chat/stream?protocol=ui-message'
    const otherQuery = await tenant.as('owner', 'POST', path, ui, headers)
    expect([otherQuery.status, otherQuery.json]).toEqual([422, DIFFERS])
  })

  it('is honoured by the OpenAI protocol, whole and streamed', async () => {
    const body = { model: 'desk', messages: [{ role: 'user', content: ask.message }] }
    const path = '/v1/chat/completions'
    const headers = freshKey()
    const whole = await tenant.as('oa', 'POST', path, body, headers)
    const repeated = await tenant.as('oa', 'POST', path, body, headers)
    expect(repeated.json).toEqual(whole.json)
    expect(repeated.headers.get('idempotency-replayed')).toBe('true')
    const streamed = { ...body, stream: true }
    expect((await tenant.as('oa', 'POST', path, streamed, headers)).json).toMatchObject(DIFFERS)
    const streamKey = freshKey()
    const textOf = (answer: Answer) =>
      parseSse(answer.text)
        .map((frame) => frame.data.choices?.[0]?.delta?.content ?? '')
        .join('')
    const flow = await tenant.as('oa', 'POST', path, streamed, streamKey)
    const flowAgain = await tenant.as('oa', 'POST', path, streamed, streamKey)
    expect(textOf(flow)).toBe('Within five working days [1].')
    expect(textOf(flowAgain)).toBe(textOf(flow))
    expect(turns()).toBe(2)
  })
})

it('a turn that a crash cut off may be tried again under its key', {
  timeout: 90_000,
}, async () => {
  const model = await startOpenAi()
  model.script = () => ({
    text: 'A long answer that never ends.',
    pieceChars: 1,
    pieceDelayMs: 200,
  })
  const server = await startKillable(model.vars)
  try {
    const tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk', {})
    const headers = { 'idempotency-key': 'cut' }
    const ask = () => tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello there' }, headers)
    const cut = ask().catch(() => null)
    await waitFor(async () => (model.calls.length > 0 ? true : null))
    await server.kill()
    expect(await cut).toBeNull()
    model.script = () => ({ text: 'Back again.' })
    await server.start()
    const { status, json } = await ask()
    expect([status, json.reply]).toEqual([200, 'Back again.'])
    expect((await ask()).json).toEqual(json)
  } finally {
    await server.dispose()
    await model.close()
  }
})

describe('a creating POST with an Idempotency-Key', () => {
  let parley: Parley
  let page: Loopback
  let telegram: TelegramServer
  let world: World
  beforeAll(async () => {
    page = await startLoopback((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page of one line.</p>'),
    )
    telegram = await startTelegram()
    parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
    world = await makeWorld(parley, page.origin, telegram)
  })
  afterAll(async () => {
    await parley.close()
    await page.close()
    await telegram.close()
  })

  const credential = (route: Route): Record<string, string> =>
    route.layer === 'operator'
      ? { 'x-admin-token': ADMIN_TOKEN }
      : { 'x-api-key': world.own.tenant.key, 'x-end-user': 'ada' }
  const send = (route: Route, filled: Filled, key: string, headers = credential(route)) =>
    parley.call(route.method, pathOf(route.path, filled), {
      ...bodyOf(filled),
      headers: { ...headers, 'idempotency-key': key },
    })
  const redactedIn = (route: Route) =>
    typeof route.idempotent === 'object' ? route.idempotent.redacted : []
  const without = (value: Answer['json'], fields: string[]) => {
    const copy = structuredClone(value)
    for (const field of fields) {
      const names = field.split('.')
      const last = names.pop() ?? ''
      names.reduce((part, name) => part[name], copy)[last] = null
    }
    return copy
  }

  it('is honoured wherever something is made', () => {
    const making = ROUTES.filter(
      ({ method, layer, tag, idempotent, reads }) =>
        method === 'POST' && layer !== 'public' && !idempotent && tag !== 'Chat' && !reads?.length,
    ).map(keyOf)
    // Each of these acts on something that is there: the same call again finds it done, or is meant to act again.
    const acting =
      /\/(?:search|reindex|revoke|restore|preview-plan|test|logo|icon|read|cancel|feedback|token|check|merge|draft|reject|approve|stop|password|bind-code|mcp|replay|carry|validate|simulate|run|publish|unpublish|resume|onboarding|sign-out-everywhere|email|dismiss)$/
    expect(making.filter((key) => !acting.test(key))).toEqual([])
  })

  const repeatable = ROUTES.filter((route) => route.idempotent && !exampleOf(route).unmet)
  it.each(repeatable.map((route) => [keyOf(route), route] as const))(
    '%s: once, then the stored answer',
    async (name, route) => {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const first = await expectOk(send(route, filled, name))
      const second = await send(route, filled, name)
      expect([second.status, second.json]).toEqual([
        first.status,
        without(first.json, redactedIn(route)),
      ])
      expect(second.headers.get('idempotency-replayed')).toBe('true')
      const otherQuery = await send(route, { ...filled, query: { x: '1' } }, name)
      expect([otherQuery.status, otherQuery.json]).toEqual([422, DIFFERS])
      const again = await exampleOf(route).fill(world, world.own.ada)
      const otherBody = filled.form
        ? { ...filled, form: again.form as FormData }
        : { ...filled, body: { ...filled.body, unknown_field: 1 } }
      const differs = await send(route, otherBody, name)
      expect([differs.status, differs.json]).toEqual([422, DIFFERS])
    },
  )

  it('makes one thing of calls at the same moment', async () => {
    const { tenant } = world.own
    const before = (await tenant.call('GET', '/v1/tenant/keys')).json.length
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        tenant.call('POST', '/v1/tenant/keys', { name: 'rush' }, { 'idempotency-key': 'rush' }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true)
    expect(answers.filter(({ json }) => json.api_key)).toHaveLength(1)
    expect((await tenant.call('GET', '/v1/tenant/keys')).json.length).toBe(before + 1)
  })

  it('belongs to the key that was used, and to the object in the path', async () => {
    const { tenant } = world.own
    const body = { soul: 'Kind.' }
    const post = (name: string, headers: Record<string, string>) =>
      parley.call('POST', `/v1/agents/${name}`, {
        body,
        headers: { ...headers, 'idempotency-key': 'shared' },
      })
    const mine = { 'x-api-key': tenant.key }
    expect((await post('scoped-one', mine)).status).toBe(200)
    expect((await post('scoped-two', mine)).json.name).toBe('scoped-two')
    const other = await post('scoped-one', { authorization: `Bearer ${world.keys.manage}` })
    expect([other.status, other.json.detail]).toEqual([409, 'Agent already exists'])
  })

  it('of a user belongs to the user, and to the key behind them', async () => {
    const { tenant } = world.own
    const { json: spare } = await tenant.call('POST', '/v1/tenant/keys', { name: 'spare' })
    const callers = [
      [tenant.key, 'ada'],
      [tenant.key, 'ada'],
      [tenant.key, 'bob'],
      [spare.api_key, 'ada'],
    ]
    const ids = []
    for (const [key = '', user = ''] of callers) {
      const headers = { 'x-api-key': key, 'x-end-user': user, 'idempotency-key': 'of a user' }
      const body = { name: 'Work' }
      const made = await parley.call('POST', '/me/spaces', { body, headers })
      expect(made.status).toBe(201)
      ids.push(made.json.id)
    }
    expect(ids[1]).toBe(ids[0])
    expect(new Set(ids).size).toBe(3)
  })

  it('is not kept for a refused call', async () => {
    const { tenant } = world.own
    const post = (name: string) =>
      tenant.call(
        'POST',
        '/v1/skills/refused-first',
        { description: name },
        { 'idempotency-key': 'refused' },
      )
    await tenant.call('POST', '/v1/skills/refused-first', {})
    expect((await post('one')).status).toBe(409)
    await tenant.call('DELETE', '/v1/skills/refused-first')
    expect((await post('two')).status).toBe(200)
  })

  it('of a request that died is free again after a short lease', async () => {
    const { tenant } = world.own
    const post = () =>
      tenant.call('POST', '/v1/tenant/keys', { name: 'died' }, { 'idempotency-key': 'died' })
    const { id } = (await expectOk(post())).json
    // What a Worker leaves that dies between its claim and its answer.
    const died = `UPDATE idempotency SET status = NULL, answer = NULL
      WHERE rowid = (SELECT max(rowid) FROM idempotency WHERE tenant_id = ?1)`
    await world.db.prepare(died).bind(tenant.id).run()
    const held = await post()
    expect([held.status, held.json]).toEqual([409, RUNNING])
    await world.db
      .prepare(
        'UPDATE idempotency SET created_at = created_at - ?2 WHERE tenant_id = ?1 AND status IS NULL',
      )
      .bind(tenant.id, LIMITS.idempotencyLeaseMs + 1000)
      .run()
    const after = await expectOk(post())
    expect(after.json.api_key).toMatch(/^pk_/)
    expect(after.json.id).not.toBe(id)
    expect((await post()).json).toEqual({ id: after.json.id, api_key: null })
  })

  it('keeps its answer sealed', async () => {
    await world.own.tenant.call(
      'POST',
      '/v1/knowledge-bases',
      { name: 'sealed-answer', instructions: 'unmistakable instructions' },
      { 'idempotency-key': 'sealed' },
    )
    const { results } = await world.db.prepare('SELECT * FROM idempotency').all()
    const text = JSON.stringify(results)
    expect(text).toContain('v1.')
    for (const plain of ['unmistakable', 'api_key', 'instructions', world.own.tenant.key])
      expect(text).not.toContain(plain)
  })

  it('opens for nobody after its day', async () => {
    const { tenant } = world.own
    const post = () =>
      tenant.call('POST', '/v1/tenant/keys', { name: 'old' }, { 'idempotency-key': 'old' })
    const first = (await expectOk(post())).json
    await world.db
      .prepare('UPDATE idempotency SET created_at = created_at - ?2 WHERE tenant_id = ?1')
      .bind(tenant.id, LIMITS.idempotencyHours * 3_600_000 + 1000)
      .run()
    expect((await expectOk(post())).json.id).not.toBe(first.id)
  })
})
