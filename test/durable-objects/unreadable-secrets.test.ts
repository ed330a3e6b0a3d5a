import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Parley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import { type Killable, startKillable } from '../support/killable'
import { isEvent, openLive } from '../support/live-stream'
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  plainText,
  startMailServer,
} from '../support/mail-server'
import { type ChatCall, type OpenAiServer, startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'

const EMAIL = 'wilma@post.example'
const PASSWORD = 'a long enough secret'
const NEW_PASSWORD = 'another long secret'
const KEY = 'sk-own-7f3a9c2e5b8d'

/** All that is damaged here; each column in every row. */
const DAMAGED: readonly (readonly [table: string, column: string])[] = [
  ['tenants', 'byok'],
  ['tenant_smtp', 'password'],
  ['tenant_oauth', 'client_secret'],
  ['tenant_channels', 'token'],
  ['webhooks', 'secret'],
  ['mcp_servers', 'headers'],
  ['accounts', 'email'],
  ['review_origins', 'question'],
  ['idempotency', 'answer'],
  ['attachments', 'wrapped_key'],
  ['events', 'body_sealed'],
  ['remembered', 'body_sealed'],
]

const speak = ({ messages }: ChatCall) => ({
  text: JSON.stringify(messages[0]).includes('long-term memory')
    ? JSON.stringify({ memories: [{ content: 'I live in Lisbon.' }], profile: 'Lives in Lisbon.' })
    : 'I see.',
})

/** Rule FE9: an operation that needs what does not open says so, and all others go on. */
describe('what is needed and does not open', { timeout: 120_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  let model: OpenAiServer
  let mail: MailServer
  let telegram: TelegramServer
  let resetToken: string
  let attachmentId: string
  let sessionId: string
  let reviewId: string
  let webhookId: string
  let mcpId: string

  const ada = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    tenant.as('ada', method, path, body, headers)
  const ask = (agent = 'talker', more = {}) =>
    ada('POST', '/v1/chat', { message: 'My name is Wilma and I live in Lisbon.', agent, ...more })
  const own = (fields = {}) => ({
    privacy_mode: false,
    byok_config: {
      provider: 'openai-compatible',
      base_url: model.baseUrl,
      model: 'own',
      ...fields,
    },
  })
  const mailed = (purpose: string) =>
    waitFor(async () => {
      const links = mail.mails.map((one) =>
        new RegExp(`#${purpose}=([\\w-]{43})`, 'u').exec(plainText(one)),
      )
      return links.find((link) => link !== null)?.[1] ?? null
    })
  const auth = (path: string, body: object) =>
    server.parley.call('POST', `/auth/${path}`, { body: { tenant_id: tenant.id, ...body } })

  beforeAll(async () => {
    model = await startOpenAi()
    model.script = speak
    mail = await startMailServer('none')
    telegram = await startTelegram()
    server = await startKillable({
      LIMITS_REMINDER_LEAD_S: '0',
      EGRESS_ALLOW: [new URL(model.baseUrl).host, mail.pair, '127.0.0.1:9'].join(),
      TELEGRAM_URL: telegram.url,
      PUBLIC_BASE: 'http://parley.test',
      GITHUB_OAUTH_URL: 'http://127.0.0.1:9',
    })
    tenant = await seedTenant(server.parley as Parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
    for (const name of ['clerk', 'talker']) await seedAgent(tenant, name)
    await configure()
    await live()
    await register()
    await server.kill()
    server.databases(damage)
    await server.start()
  }, 180_000)
  afterAll(async () => {
    await server.dispose()
    await Promise.all([model.close(), mail.close(), telegram.close()])
  })

  async function configure() {
    const put = (path: string, body: unknown) => expectOk(tenant.call('PUT', path, body))
    await put('/v1/tenant/privacy', own({ api_key: KEY }))
    const [host, port] = mail.pair.split(':')
    await put('/v1/tenant/settings/smtp', {
      host,
      port: Number(port),
      user: MAIL_USER,
      password: MAIL_PASSWORD,
      from_addr: 'desk@shop.example',
      starttls: true,
    })
    await put('/v1/tenant/oauth/github', { client_id: 'public', client_secret: 'hidden' })
    await put('/v1/tenant/channels/telegram', { token: telegram.addBot().token })
    const hook = { url: 'http://127.0.0.1:9/hook', events: ['turn.completed'] }
    webhookId = (await expectOk(tenant.call('POST', '/v1/tenant/webhooks', hook))).json.id
    const peer = {
      name: 'peer',
      transport: 'streamable_http',
      config: { url: 'http://127.0.0.1:9/mcp', headers: { authorization: 'Bearer hidden' } },
    }
    mcpId = (await expectOk(tenant.call('POST', '/v1/mcp-servers', peer))).json.id
  }

  async function live() {
    const { json } = await expectOk(ask('clerk', { images: [PIXEL] }))
    sessionId = json.session_id
    const stream = await openLive(server.parley.url, {
      'x-api-key': tenant.key,
      'x-end-user': 'ada',
    })
    await expectOk(ada('POST', '/me/reminders', { text: 'Soon', due_at: 'PT1S' }))
    await stream.next(isEvent('reminder'))
    stream.leave()
    const { json: attachments } = await expectOk(
      ada('GET', `/me/sessions/${sessionId}/attachments`),
    )
    attachmentId = attachments[0].id
    await expectOk(ada('POST', '/me/spaces', { name: 'Once' }, { 'idempotency-key': 'once' }))
    const asked = await expectOk(
      ada('POST', '/v1/chat', { message: 'When are refunds paid?', agent: 'desk' }),
    )
    await expectOk(ada('POST', `/v1/messages/${asked.json.message_id}/feedback`, { value: 'down' }))
    reviewId = await waitFor(
      async () => (await tenant.call('GET', '/v1/manage/reviews')).json[0]?.id ?? null,
    )
    await waitFor(async () => {
      const { json: remembered } = await ada('GET', '/me/remembered')
      return remembered.some(({ content }: { content: string }) => content) || null
    })
  }

  async function register() {
    await expectOk(auth('register', { email: EMAIL, password: PASSWORD }))
    await expectOk(server.parley.call('GET', `/auth/verify?token=${await mailed('verify')}`))
    await expectOk(auth('forgot-password', { email: EMAIL }))
    resetToken = await mailed('reset')
  }

  /** @returns nothing: a table that is not of this database has no such column. */
  function damage(database: DatabaseSync): void {
    for (const [table, column] of DAMAGED) {
      const known = database
        .prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?')
        .get(table, column)
      if (known !== undefined)
        database
          .prepare(
            `UPDATE "${table}" SET "${column}" = 'v1.gone.AAAA' WHERE "${column}" IS NOT NULL`,
          )
          .run()
    }
  }

  const UNREADABLE = { status: 409, json: { code: 'unreadable' } }

  it('a picture is not there', async () => {
    expect((await ada('GET', `/me/attachments/${attachmentId}`)).status).toBe(404)
    expect((await ada('GET', `/me/sessions/${sessionId}/attachments`)).json).toHaveLength(1)
  })

  it('the stream opens without the event', async () => {
    const stream = await openLive(server.parley.url, {
      'x-api-key': tenant.key,
      'x-end-user': 'ada',
      'last-event-id': '0',
    })
    expect(stream.status).toBe(200)
    await stream.next(isEvent('hello'))
    expect(stream.frames.filter(isEvent('reminder'))).toEqual([])
    stream.leave()
  })

  it('a draft, and the answer of a repeated request, are refused as unreadable', async () => {
    const draft = await tenant.call('POST', `/v1/manage/reviews/${reviewId}/draft`)
    expect(draft).toMatchObject(UNREADABLE)
    const again = await ada('POST', '/me/spaces', { name: 'Once' }, { 'idempotency-key': 'once' })
    expect(again).toMatchObject(UNREADABLE)
  })

  it('an agent with a remembered profile that does not open is renamed with its sessions', async () => {
    await expectOk(tenant.call('PATCH', '/v1/agents/clerk', { name: 'concierge' }))
    await waitFor(async () => {
      const { json } = await ada('GET', `/me/sessions/${sessionId}/messages`)
      const names = json.flatMap(
        ({ agent_name }: { agent_name: string | null }) => agent_name ?? [],
      )
      return names.length > 0 && names.every((name: string) => name === 'concierge') ? true : null
    })
    expect((await ada('GET', '/me/remembered')).status).toBe(200)
  })

  it('a password is set anew and signs in, whether or not the address opens', async () => {
    const reset = { token: resetToken, new_password: NEW_PASSWORD }
    await expectOk(server.parley.call('POST', '/auth/reset-password', { body: reset }))
    await expectOk(auth('login', { email: EMAIL, password: NEW_PASSWORD }))
  })

  it('a mail server whose password does not open sends nothing, and is mended by a new one', async () => {
    const test = () => tenant.call('POST', `/v1/tenant/settings/smtp/test?to=${EMAIL}`)
    expect(await test()).toMatchObject(UNREADABLE)
    expect((await auth('forgot-password', { email: EMAIL })).status).toBe(200)
    const { json: settings } = await expectOk(tenant.call('GET', '/v1/tenant/settings'))
    const { has_password: _has, ...smtp } = settings.smtp
    await expectOk(
      tenant.call('PUT', '/v1/tenant/settings/smtp', { ...smtp, password: MAIL_PASSWORD }),
    )
    expect((await test()).status).toBeLessThan(300)
  })

  it('sign-in with a provider whose secret does not open is refused as unreadable', async () => {
    const start = `/auth/oauth/github/start?tenant_id=${tenant.id}`
    expect(await server.parley.call('GET', start)).toMatchObject(UNREADABLE)
  })

  it('a webhook and a tool server say why they are not called', async () => {
    const { json: delivery } = await expectOk(
      tenant.call('POST', `/v1/tenant/webhooks/${webhookId}/test`),
    )
    expect(delivery).toMatchObject({ status: 'failed', error: 'secret_unreadable' })
    const check = () => tenant.call('POST', `/v1/mcp-servers/${mcpId}/check`)
    const { json: peer } = await expectOk(check())
    expect(peer).toMatchObject({ status: 'failed', last_error: expect.stringMatching(/read/u) })
    const patch = (headers: object | null) =>
      tenant.call('PATCH', `/v1/mcp-servers/${mcpId}`, { config: { headers } })
    expect(await patch({ 'x-more': '1' })).toMatchObject(UNREADABLE)
    await expectOk(patch(null))
    expect((await expectOk(check())).json.last_error).not.toMatch(/read/u)
  })

  it('a messaging channel is shown and removed', async () => {
    const { json } = await expectOk(tenant.call('GET', '/v1/tenant/channels/telegram'))
    expect(json.configured).toBe(true)
    expect((await tenant.call('DELETE', '/v1/tenant/channels/telegram')).status).toBe(204)
  })

  it('a model of the tenant’s own fails its turns, and the settings say why, until it is set anew', async () => {
    const calls = model.calls.length
    expect(await ask()).toMatchObject({ status: 502, json: { detail: 'Upstream error' } })
    const status = async () =>
      (await expectOk(tenant.call('GET', '/v1/tenant/settings'))).json.model_status
    await waitFor(async () => ((await status()).code === 'key_unreadable' ? true : null))
    expect(await status()).toMatchObject({ state: 'failing', model: 'byok_config' })
    const stream = await ada('POST', '/v1/chat/stream', {
      message: 'Who was Ada Lovelace?',
      agent: 'talker',
    })
    expect(stream.text).toMatch(/event: error\ndata: .*"upstream".*"retryable":false/u)
    expect(model.calls).toHaveLength(calls)

    const put = (body: object) => tenant.call('PUT', '/v1/tenant/privacy', body)
    expect((await put({ privacy_mode: false })).status).toBe(200)
    expect(await put(own())).toMatchObject(UNREADABLE)
    await expectOk(put(own({ api_key: KEY })))
    await waitFor(async () => ((await ask()).status === 200 ? true : null))
    expect(model.credentials.at(-1)).toBe(`Bearer ${KEY}`)
  })
})
