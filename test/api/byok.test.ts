import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { homeOf, settleTitles } from '../support/space-content'

const KEY = 'sk-own-7f3a9c2e5b8d'
const MODEL = 'own-model'

describe('a model of the tenant’s own', () => {
  let parley: Parley
  let model: OpenAiServer
  let hostile: Server
  let behave: RequestListener
  let hostileUrl: string

  beforeAll(async () => {
    model = await startOpenAi()
    hostile = createServer((request, response) => behave(request, response))
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    const { port } = hostile.address() as AddressInfo
    hostileUrl = `http://127.0.0.1:${port}/v1`
    parley = await startParley({
      EGRESS_ALLOW: `${new URL(model.baseUrl).host},127.0.0.1:${port}`,
      DOH_URL: 'http://127.0.0.1:9/dns-query',
    })
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
    hostile.closeAllConnections()
    await new Promise((resolve) => hostile.close(resolve))
  })
  beforeEach(() => {
    model.calls.length = 0
    model.credentials.length = 0
    model.script = () => ({ text: 'From my own model.' })
  })

  const own = (fields = {}) => ({
    provider: 'openai-compatible',
    base_url: model.baseUrl,
    api_key: KEY,
    model: MODEL,
    ...fields,
  })
  const put = (tenant: SeededTenant, byok_config: unknown, privacy_mode = false) =>
    tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode, byok_config })
  const seed = async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { tools: [] })
    return tenant
  }
  const ask = async (tenant: SeededTenant, message = 'Say something, please?') =>
    (await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message }))).json
  /** The last call that wants a stream, as a trial does: titles of earlier tests may still be on their way. */
  const lastTry = () => {
    const n = model.calls.findLastIndex(({ stream }) => stream)
    return { model: model.calls[n]?.model, credential: model.credentials[n] }
  }
  const privacy = async (tenant: SeededTenant) =>
    (await expectOk(tenant.call('GET', '/v1/tenant/privacy'))).json
  const lastAudit = async (tenant: SeededTenant) =>
    (await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=privacy&limit=1'))).json.items[0]

  it('is tried before it is saved, answers turns, is booked, and is gone once removed', async () => {
    const tenant = await seed()
    expect(await privacy(tenant)).toEqual({
      tenant_id: tenant.id,
      privacy_mode: false,
      byok_provider: null,
      byok: null,
    })
    const { usage, session_id } = await ask(tenant)
    expect(usage.model).toBe('offline-extractive')
    // Else its title is written by the own model.
    await settleTitles(tenant, 'ada', [session_id], await homeOf(tenant, 'ada'))

    const saved = await put(tenant, own())
    expect(saved.json).toEqual({
      tenant_id: tenant.id,
      privacy_mode: false,
      byok_provider: 'openai-compatible',
      byok: { host: expect.stringMatching(/^127\.0\.0\.1:\d+$/), model: MODEL, has_api_key: true },
    })
    expect(model.calls).toHaveLength(1)
    expect(model.calls[0]).toMatchObject({ model: MODEL, stream: true })
    expect(model.credentials).toEqual([`Bearer ${KEY}`])
    expect(await privacy(tenant)).toEqual(saved.json)

    const turn = await ask(tenant)
    expect(turn).toMatchObject({ reply: 'From my own model.', usage: { model: MODEL } })
    expect(model.credentials.every((one) => one === `Bearer ${KEY}`)).toBe(true)
    const rows = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/usage?group=model')
      const row = json.rows.find((one: { key: string }) => one.key === MODEL)
      return row?.total_tokens >= 120 ? json.rows : null
    })
    expect(rows.length).toBeGreaterThan(0)
    // Titles are written by it too: nothing of the conversation goes to another model.
    await waitFor(async () => (model.calls.some((call) => !call.stream) ? true : null))

    expect((await put(tenant, null)).json.byok_provider).toBeNull()
    model.calls.length = 0
    expect((await ask(tenant)).usage.model).toBe('offline-extractive')
    expect(model.calls).toEqual([])
  })

  it('writes the drafts of reviews too', async () => {
    const tenant = await seed()
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'guide' }))
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
    const question = 'Do you lend umbrellas to visitors?'
    expect((await ask(tenant, question)).finish_reason).toBe('no_match')
    await seedBase(tenant, 'rain', { Rain: 'We lend umbrellas to visitors for free.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['rain'], grounding_required: true })
    await expectOk(put(tenant, own()))
    const review = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/reviews')
      return json.items?.[0] ?? json[0] ?? null
    })
    model.calls.length = 0
    model.script = () => ({ text: 'We lend umbrellas to visitors for free. [1]' })
    await tenant.call('POST', `/v1/manage/reviews/${review.id}/draft`)
    expect(model.calls.length).toBeGreaterThan(0)
    expect(model.calls.every((call) => call.model === MODEL)).toBe(true)
  })

  it('stays when only privacy mode is switched', async () => {
    const tenant = await seed()
    await expectOk(put(tenant, own()))
    const { json } = await expectOk(
      tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }),
    )
    expect(json).toMatchObject({ privacy_mode: true, byok_provider: 'openai-compatible' })
    expect((await ask(tenant)).usage.model).toBe(MODEL)
  })

  it('keeps the key while the address stays, and not beyond', async () => {
    const tenant = await seed()
    await expectOk(put(tenant, own()))
    await expectOk(put(tenant, own({ api_key: undefined, model: 'second' })))
    expect(lastTry()).toEqual({ model: 'second', credential: `Bearer ${KEY}` })
    await expectOk(put(tenant, own({ api_key: null, base_url: `${model.baseUrl}/` })))
    expect(lastTry().credential).toBe(`Bearer ${KEY}`)
    await expectOk(put(tenant, own({ api_key: undefined, base_url: `${model.baseUrl}/other` })))
    expect(lastTry().credential).toBeUndefined()
    await expectOk(put(tenant, own()))
    await expectOk(put(tenant, own({ api_key: '' })))
    expect(lastTry().credential).toBeUndefined()
  })

  it('may be named by an agent, as long as it is there', async () => {
    const tenant = await seed()
    const name = () => tenant.call('PATCH', '/v1/agents/desk', { model: MODEL })
    expect((await name()).status).toBe(422)
    await expectOk(put(tenant, own()))
    expect((await name()).status).toBe(200)
    expect((await ask(tenant)).usage.model).toBe(MODEL)
    await expectOk(put(tenant, null))
    expect((await ask(tenant)).usage.model).toBe('offline-extractive')
    const other = await seed()
    expect((await other.call('PATCH', '/v1/agents/desk', { model: MODEL })).status).toBe(422)
  })

  it('never shows the key, the address or what the endpoint says', async () => {
    const tenant = await seed()
    const path = '/v1/tenant-path-secret'
    const secretUrl = `${new URL(model.baseUrl).origin}${path}`
    const answers: Answer[] = []
    const keep = async (answer: Promise<Answer>) => {
      answers.push(await answer)
      return answers.at(-1)
    }
    await keep(put(tenant, own({ base_url: secretUrl })))
    behave = (_request, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `Key ${KEY} is unknown to inner-host` } }))
    await keep(put(tenant, own({ base_url: hostileUrl })))
    model.script = () => ({ status: 500 })
    const failed = await keep(tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello there?' }))
    expect(failed?.status).toBe(502)
    for (const route of [
      '/v1/tenant/privacy',
      '/v1/tenant/settings',
      '/v1/tenant/audit',
      '/v1/tenant/audit.csv',
      '/v1/tenant/me',
      '/v1/agents/desk',
      '/v1/agents/desk/export',
      '/v1/agents/desk/revisions',
    ])
      await keep(tenant.call('GET', route))
    const shown = answers.map((answer) => answer.text).join('\n')
    expect(shown).not.toContain(KEY)
    expect(shown).not.toContain('tenant-path-secret')
    expect(shown).not.toContain('inner-host')
    expect(await lastAudit(tenant)).toMatchObject({
      before: { privacy_mode: false, byok: null },
      after: {
        byok: {
          provider: 'openai-compatible',
          host: new URL(model.baseUrl).host,
          model: MODEL,
          api_key: { set: true },
        },
      },
    })
    const { DB } = await parley.worker.getEnv()
    const stored = await Promise.all(
      ['tenants', 'audit', 'idempotency', 'revisions'].map((table) =>
        (DB as D1Database).prepare(`SELECT * FROM ${table}`).all(),
      ),
    )
    expect(JSON.stringify(stored)).not.toContain(KEY)
    expect(JSON.stringify(stored)).not.toContain('tenant-path-secret')
  })

  it.each<[string, RequestListener, string]>([
    [
      'refuses the key',
      (_request, response) => response.writeHead(401).end('{}'),
      'The model endpoint refused the key',
    ],
    [
      'does not know the model',
      (_request, response) => response.writeHead(404).end('{}'),
      'The model endpoint does not know this model',
    ],
    [
      'fails',
      (_request, response) => response.writeHead(500).end('inner detail'),
      'The model could not be used',
    ],
    [
      'speaks no such protocol',
      (_request, response) => response.writeHead(200).end('<html>hello</html>'),
      'The model could not be used',
    ],
    [
      'ends in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"id":"c","object":"chat.completion.chunk","created":1,')
        setTimeout(() => response.destroy(), 50)
      },
      'The model could not be used',
    ],
    [
      'never stops talking',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const frame = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${'x'.repeat(60_000)}"},"finish_reason":null}]}\n\n`
        const pour = () => {
          while (!response.destroyed) {
            if (!response.write(frame)) return void response.once('drain', pour)
          }
        }
        pour()
      },
      'The model could not be used',
    ],
  ])('is not saved when the endpoint %s', async (_name, how, detail) => {
    const tenant = await seed()
    await expectOk(put(tenant, own()))
    behave = how
    const { status, json } = await put(tenant, own({ base_url: hostileUrl, model: 'other' }))
    expect({ status, json }).toEqual({ status: 502, json: { detail, code: 'byok_failed' } })
    expect((await ask(tenant)).usage.model).toBe(MODEL)
  })

  it('waits twenty seconds for an endpoint that hangs, and no longer', async () => {
    const tenant = await seed()
    behave = () => {}
    const started = Date.now()
    const { status, json } = await put(tenant, own({ base_url: hostileUrl }))
    expect({ status, json }).toEqual({
      status: 502,
      json: { detail: 'The model did not answer in time', code: 'byok_failed' },
    })
    expect(Date.now() - started).toBeLessThan(35_000)
    expect((await privacy(tenant)).byok_provider).toBeNull()
  }, 40_000)

  it.each([
    'https://127.0.0.1/v1',
    'https://localhost/v1',
    'https://[::1]/v1',
    'https://0x7f000001/v1',
    'https://169.254.169.254/latest',
    'https://models.internal/v1',
    'http://models.example.com/v1',
    'https://user:pass@models.example.com/v1',
    'https://models.example.com:9000/v1',
    'file:///etc/passwd',
    'models',
  ])('is never called at %s', async (base_url) => {
    const tenant = await seed()
    const { status, json } = await put(tenant, own({ base_url }))
    expect({ status, json }).toEqual({
      status: 422,
      json: {
        detail: [
          {
            type: 'value_error',
            loc: ['body', 'byok_config', 'base_url'],
            msg: 'URL is not allowed',
          },
        ],
      },
    })
  })

  it('says what is missing or cannot be', async () => {
    const tenant = await seed()
    const problems = async (config: unknown) => {
      const { status, json } = await put(tenant, config)
      expect(status).toBe(422)
      return json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc.at(-1)])
    }
    expect(await problems({ provider: 'openai-compatible' })).toEqual([
      ['missing', 'base_url'],
      ['missing', 'model'],
    ])
    expect(await problems({})).toEqual([['missing', 'provider']])
    expect(await problems(own({ provider: 'other' }))).toEqual([['literal_error', 'provider']])
    expect(await problems(own({ api_key: 'two words' }))).toEqual([['value_error', 'api_key']])
    expect(await problems(own({ api_key: 'x\r\ny' }))).toEqual([['value_error', 'api_key']])
    expect(await problems(own({ base_url: `${model.baseUrl}?key=1` }))).toEqual([
      ['value_error', 'base_url'],
    ])
    expect(await problems({ provider: 'workers-ai' })).toEqual([['value_error', 'provider']])
    expect(await problems('a key')).toEqual([['dict_type', 'byok_config']])
    const { status, json } = await tenant.call('PUT', '/v1/tenant/privacy', {})
    expect([status, json.detail[0].type]).toEqual([422, 'missing'])
    // Titles of earlier tests may still be on their way.
    expect(model.calls.filter(({ stream }) => stream)).toEqual([])
  })

  it('fails as a turn when its endpoint dies later, and leaves other tenants alone', async () => {
    const [tenant, other] = await Promise.all([seed(), seed()])
    behave = (request, response) => {
      void request
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"OK"},"finish_reason":null}]}\n\n',
      )
      response.end(
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    }
    await expectOk(put(tenant, own({ base_url: hostileUrl })))
    expect((await ask(tenant)).reply).toContain('OK')
    behave = (_request, response) => response.destroy()
    const failed = await tenant.as('ada', 'POST', '/v1/chat', { message: 'Still there, are you?' })
    expect([failed.status, failed.json.detail]).toEqual([502, 'Upstream error'])
    expect((await ask(other)).usage.model).toBe('offline-extractive')
  })
})
