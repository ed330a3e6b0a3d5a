import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEBHOOK_EVENTS } from '../../src/config/names'
import { type Parley, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'

let paths = 0
const freshPath = () => `/hook-${++paths}`

describe('webhooks', () => {
  let parley: Parley
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    parley = await startParley({
      EGRESS_ALLOW: receiver.pair,
      DOH_URL: 'http://127.0.0.1:9/dns-query',
      WEBHOOK_RETRY_S: '1,1',
    })
  })
  afterAll(async () => {
    await parley.close()
    await receiver.close()
  })

  const add = async (tenant: SeededTenant, path: string, fields: Record<string, unknown> = {}) =>
    (
      await expectOk(
        tenant.call('POST', '/v1/tenant/webhooks', { url: receiver.url(path), ...fields }),
      )
    ).json
  const list = async (tenant: SeededTenant) =>
    (await expectOk(tenant.call('GET', '/v1/tenant/webhooks'))).json
  const deliveries = async (tenant: SeededTenant, id: string, query = '') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/webhooks/${id}/deliveries${query}`))).json.items
  const arrived = (path: string, count = 1) =>
    waitFor(async () => {
      const got = receiver.to(path)
      return got.length >= count ? got : null
    })
  const settled = (tenant: SeededTenant, id: string) =>
    waitFor(async () => {
      const [latest] = await deliveries(tenant, id)
      return latest && latest.status !== 'pending' ? latest : null
    })
  const ask = async (tenant: SeededTenant, message = 'When are refunds paid?') =>
    (await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message }))).json
  it('an answer has fifteen seconds, also where its head comes late', async () => {
    const tenant = await seedTenant(parley)
    const path = freshPath()
    receiver.behave(path, (response) => setTimeout(() => response.writeHead(204).end(), 10_500))
    const { id } = await add(tenant, path)
    const { json } = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(json).toMatchObject({ status: 'delivered', response_status: 204 })
  }, 30_000)

  const answering = async (tenant: SeededTenant) => {
    await seedBase(tenant, 'guide', {
      Refunds: 'Refunds are paid within five working days after the parcel arrives.',
    })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
  }
  const lastAudit = async (tenant: SeededTenant, entity = 'webhook') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?entity=${entity}&limit=1`))).json.items[0]

  it('shows its secret once and keeps it sealed', async () => {
    const tenant = await seedTenant(parley)
    const made = await add(tenant, `${freshPath()}?token=inner-secret`, { description: 'CRM' })
    expect(made).toMatchObject({
      description: 'CRM',
      events: [...WEBHOOK_EVENTS],
      status: 'active',
      disabled_reason: null,
      failing_since: null,
      secret: expect.stringMatching(/^whsec_/),
    })
    const { secret, ...shown } = made
    expect(await list(tenant)).toEqual([shown])
    const entry = await lastAudit(tenant)
    expect(entry).toMatchObject({ action: 'create', after: { id: made.id, secret: { set: true } } })
    const { DB } = await parley.worker.getEnv()
    const tables = ['webhooks', 'audit', 'idempotency', 'tenants']
    const stored = JSON.stringify(
      await Promise.all(
        tables.map((table) => (DB as D1Database).prepare(`SELECT * FROM ${table}`).all()),
      ),
    )
    expect(stored).not.toContain(secret.slice(6))
    expect(JSON.stringify(entry)).not.toContain('inner-secret')
  })

  it('does not show the secret to a repeated request', async () => {
    const tenant = await seedTenant(parley)
    const body = { url: receiver.url('/same') }
    const first = await tenant.call('POST', '/v1/tenant/webhooks', body, {
      'idempotency-key': 'same',
    })
    const second = await tenant.call('POST', '/v1/tenant/webhooks', body, {
      'idempotency-key': 'same',
    })
    expect(second.json).toEqual({ ...first.json, secret: null })
    expect(await list(tenant)).toHaveLength(1)
  })

  it('tells of a turn with a signature that a receiver can check, by ids alone', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const path = freshPath()
    const { id, secret } = await add(tenant, path, { events: ['turn.completed'] })
    const turn = await ask(tenant)
    const [call] = await arrived(path)
    expect(new Webhook(secret).verify(call?.body ?? '', call?.headers ?? {})).toEqual({
      type: 'turn.completed',
      timestamp: expect.stringMatching(/Z$/),
      tenant_id: tenant.id,
      data: {
        message_id: turn.message_id,
        session_id: turn.session_id,
        space_id: expect.any(String),
        user_id: expect.any(String),
        agent: 'desk',
        finish_reason: 'stop',
      },
    })
    expect(call?.body).not.toContain('efund')
    expect(await settled(tenant, id)).toMatchObject({
      type: 'turn.completed',
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
      event_id: call?.headers['webhook-id'],
    })
    expect((await list(tenant))[0].last_delivery_at).not.toBeNull()
  })

  it('tells of a question without a match, and of nothing that was not asked for', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const [noMatch, documents] = [freshPath(), freshPath()]
    await add(tenant, noMatch, { events: ['turn.no_match'] })
    await add(tenant, documents, { events: ['document.ready'] })
    await ask(tenant)
    const turn = await ask(tenant, 'Which zebra won the chess tournament in Uruguay?')
    expect(turn.finish_reason).toBe('no_match')
    const [call] = await arrived(noMatch)
    expect(JSON.parse(call?.body ?? '').data.message_id).toBe(turn.message_id)
    expect(receiver.to(noMatch)).toHaveLength(1)
    expect(receiver.to(documents)).toHaveLength(0)
  })

  it('tells of turns as soon as it is there, also where turns had been told that nobody listens', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    await ask(tenant)
    const { space_id } = (await expectOk(tenant.as('ada', 'GET', '/me'))).json
    // The title is written by the job that found out that nobody listens.
    await waitFor(async () => {
      const { json } = await tenant.as('ada', 'GET', `/me/spaces/${space_id}/sessions`)
      return json.items[0]?.title ? true : null
    })
    await ask(tenant)
    const path = freshPath()
    const { id } = await add(tenant, path, { events: ['turn.completed'] })
    const turn = await ask(tenant)
    const [call] = await arrived(path)
    expect(JSON.parse(call?.body ?? '').data.message_id).toBe(turn.message_id)
    await expectOk(tenant.call('DELETE', `/v1/tenant/webhooks/${id}`))
    const again = freshPath()
    await add(tenant, again, { events: ['turn.completed'] })
    const other = await ask(tenant)
    const [next] = await arrived(again)
    expect(JSON.parse(next?.body ?? '').data.message_id).toBe(other.message_id)
    expect(receiver.to(path)).toHaveLength(1)
  })

  it('tells of documents, ready, failed and read anew', async () => {
    const tenant = await seedTenant(parley)
    const path = freshPath()
    await add(tenant, path, { events: ['document.ready', 'document.failed'] })
    await seedBase(tenant, 'guide', { Refunds: 'Refunds take five working days.' })
    const [ready] = await arrived(path)
    const { type, data } = JSON.parse(ready?.body ?? '')
    expect(type).toBe('document.ready')
    await expectOk(
      tenant.call('POST', `/v1/knowledge-bases/guide/documents/${data.document_id}/reindex`),
    )
    await arrived(path, 2)
    const form = new FormData()
    form.set('file', new Blob(['%PDF-1.7\nbroken']), 'broken.pdf')
    await expectOk(tenant.call('POST', '/v1/knowledge-bases/guide/documents/upload', form))
    const calls = await arrived(path, 3)
    expect(JSON.parse(calls[2]?.body ?? '').type).toBe('document.failed')
    const ids = receiver.to(path).map((call) => call.headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('tells of a document of a space', async () => {
    const tenant = await seedTenant(parley)
    const path = freshPath()
    await seedAgent(tenant, 'desk')
    await add(tenant, path, { events: ['document.ready'] })
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/v1/me'))
    const form = new FormData()
    form.set('file', new Blob(['My locker has number nine.']), 'locker.txt')
    await expectOk(tenant.as('ada', 'POST', `/v1/me/spaces/${me.space_id}/documents`, form))
    const [call] = await arrived(path)
    expect(JSON.parse(call?.body ?? '').data).toEqual({
      document_id: expect.any(String),
      space_id: me.space_id,
      user_id: me.user_id,
    })
  })

  it('warns once when the monthly ceiling is near', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { max_output_tokens: 16, tools: [] })
    const path = freshPath()
    await add(tenant, path, { events: ['quota.warning'] })
    const quota = async () => (await expectOk(tenant.call('GET', '/v1/tenant/quota'))).json
    for (let n = 0; n < 4; n++) await ask(tenant, `Word ${n} `.repeat(1500))
    // Titles are booked in the background.
    await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', '/v1/manage/usage?group=kind'))
      const booked = json.rows.map(({ key, requests }: Record<string, unknown>) => [key, requests])
      return ['chat', 'title'].every((kind) => new Map(booked).get(kind) === 4) ? true : null
    })
    const { used } = await quota()
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, {
        monthly_token_ceiling: Math.ceil(used / 0.8) + 20,
      }),
    )
    expect(receiver.to(path)).toHaveLength(0)
    await ask(tenant, 'And again, if you please?')
    const [call] = await arrived(path)
    const { period, state } = await quota()
    expect(state).toBe('warning')
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'quota.warning',
      data: { period, percent: '80' },
    })
    await tenant.as('ada', 'POST', '/v1/chat', { message: 'Once more?' })
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, {
        monthly_token_ceiling: (await quota()).used,
      }),
    )
    await tenant.as('ada', 'POST', '/v1/chat', { message: 'And now?' })
    const told = (await arrived(path, 2)).map(({ body }) => JSON.parse(body).data.percent)
    expect(told).toEqual(['80', '100'])
  })

  it('warns of both marks when nothing fits under the ceiling any more', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const path = freshPath()
    await add(tenant, path, { events: ['quota.warning'] })
    await ask(tenant)
    const used = await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', '/v1/tenant/quota'))
      return json.used > 0 ? json.used : null
    })
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { monthly_token_ceiling: used }),
    )
    const refused = () =>
      tenant.as('ada', 'POST', '/v1/chat', { message: 'When are refunds paid?' })
    expect((await refused()).status).toBe(429)
    await refused()
    const told = (await arrived(path, 2)).map(({ body }) => JSON.parse(body).data.percent)
    expect(told.sort()).toEqual(['100', '80'])
  })

  it('jobs that come at once for one delivery call the receiver once', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const path = freshPath()
    const { id } = await add(tenant, path, { events: ['turn.completed'] })
    await ask(tenant)
    const { id: deliveryId } = await settled(tenant, id)
    const { DB, DELIVERIES } = await parley.worker.getEnv()
    await (DB as D1Database)
      .prepare("UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = 0 WHERE id = ?")
      .bind(deliveryId)
      .run()
    const repeated = countJobs(parley, 'webhook.deliver')
    const body = { type: 'webhook.deliver', tenantId: tenant.id, deliveryId }
    await DELIVERIES.sendBatch([{ body }, { body }, { body }])
    await repeated(3)
    expect(await settled(tenant, id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect(receiver.to(path)).toHaveLength(2)
  })

  it('tries again with the same id and body, until the receiver takes it', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const path = freshPath()
    receiver.behave(path, (response, _call, n) => response.writeHead(n < 3 ? 503 : 200).end())
    const { id, secret } = await add(tenant, path, { events: ['turn.completed'] })
    await ask(tenant)
    const calls = await arrived(path, 3)
    expect(new Set(calls.map((call) => `${call.headers['webhook-id']} ${call.body}`)).size).toBe(1)
    for (const call of calls) new Webhook(secret).verify(call.body, call.headers)
    expect(await settled(tenant, id)).toMatchObject({ status: 'delivered', attempts: 3 })
    expect((await list(tenant))[0]).toMatchObject({ status: 'active', failing_since: null })
  })

  it('gives up after the last attempt, is switched off, and is on again after a test that arrives', {
    timeout: 60_000,
  }, async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const path = freshPath()
    let status = 500
    receiver.behave(path, (response) => response.writeHead(status).end('inner detail'))
    const { id } = await add(tenant, path, { events: ['turn.completed'] })
    await ask(tenant)
    await arrived(path, 3)
    const failed = await settled(tenant, id)
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 3,
      response_status: 500,
      error: 'status',
      next_attempt_at: null,
    })
    expect(JSON.stringify(failed)).not.toContain('inner detail')
    const off = await waitFor(async () => {
      const [row] = await list(tenant)
      return row.status === 'disabled' ? row : null
    })
    expect(off.disabled_reason).toBe('failing')
    expect(await lastAudit(tenant)).toMatchObject({
      actor_type: 'system',
      action: 'update',
      before: { status: 'active' },
      after: { status: 'disabled', disabled_reason: 'failing' },
    })
    // Switched off, it gets nothing.
    const followed = countJobs(parley, 'turn.after')
    await ask(tenant)
    await followed()
    expect(receiver.to(path)).toHaveLength(3)
    const replay = (delivery: string) =>
      tenant.call('POST', `/v1/tenant/webhooks/${id}/deliveries/${delivery}/replay`)
    expect((await replay(failed.id)).status).toBe(409)
    const refused = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(refused.json).toMatchObject({ type: 'webhook.test', status: 'failed', attempts: 1 })
    expect((await list(tenant))[0].status).toBe('disabled')

    status = 200
    const passed = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(passed.json).toMatchObject({ status: 'delivered', response_status: 200 })
    expect((await list(tenant))[0]).toMatchObject({ status: 'active', disabled_reason: null })
    expect(await lastAudit(tenant)).toMatchObject({
      actor_type: 'key',
      after: { status: 'active' },
    })

    const again = await expectOk(replay(failed.id))
    expect(again.json).toMatchObject({ replay_of: failed.id, event_id: failed.event_id })
    expect(await settled(tenant, id)).toMatchObject({ id: again.json.id, status: 'delivered' })
    const ids = receiver.to(path).map((call) => call.headers['webhook-id'])
    expect(ids.filter((one) => one === failed.event_id)).toHaveLength(4)
    expect(await deliveries(tenant, id, '?status=failed')).toHaveLength(2)
  })

  it('takes up a delivery whose job was lost, and forgets those of a month ago', async () => {
    const tenant = await seedTenant(parley)
    const path = freshPath()
    const { id } = await add(tenant, path)
    const { DB } = await parley.worker.getEnv()
    const now = Date.now()
    const insert = (name: string, status: string, createdAt: number) =>
      (DB as D1Database)
        .prepare(
          `INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event_id, type, data, status, happened_at, next_attempt_at, created_at)
           VALUES (?, ?, ?, ?, 'user.deleted', '{"user_id":"u"}', ?, ?, ?, ?)`,
        )
        .bind(crypto.randomUUID(), tenant.id, id, name, status, createdAt, createdAt, createdAt)
        .run()
    await insert('evt_lost', 'pending', now - 120_000)
    await insert('evt_old', 'delivered', now - 31 * 86_400_000)
    await insert('evt_recent', 'delivered', now - 29 * 86_400_000)
    await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() })
    const [call] = await arrived(path)
    expect(call?.headers['webhook-id']).toBe('evt_lost')
    await parley.worker.scheduled({ cron: '17 3 * * *', scheduledTime: new Date() })
    const kept = await deliveries(tenant, id)
    expect(kept.map((row: { event_id: string }) => row.event_id).sort()).toEqual([
      'evt_lost',
      'evt_recent',
    ])
  })

  it('is switched off at once by 410 Gone', async () => {
    const tenant = await seedTenant(parley)
    await answering(tenant)
    const path = freshPath()
    receiver.behave(path, (response) => response.writeHead(410).end())
    const { id } = await add(tenant, path, { events: ['turn.completed'] })
    await ask(tenant)
    expect(await settled(tenant, id)).toMatchObject({ status: 'failed', attempts: 1 })
    const [row] = await waitFor(async () => {
      const rows = await list(tenant)
      return rows[0].status === 'disabled' ? rows : null
    })
    expect(row.disabled_reason).toBe('gone')
  })

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://metadata.internal/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com:9000/',
    'https://intranet/',
    'ftp://hooks.example.com/',
    'not a url',
  ])('refuses %s without a reason', async (url) => {
    const tenant = await seedTenant(parley)
    const { status, json } = await tenant.call('POST', '/v1/tenant/webhooks', { url })
    expect({ status, json }).toEqual({
      status: 422,
      json: { detail: [{ type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' }] },
    })
    expect(await list(tenant)).toEqual([])
  })

  it('reaches no listener on loopback, however its address is written, nor does an own model', async () => {
    const tenant = await seedTenant(parley)
    const canary = await startWebhookReceiver()
    try {
      const port = canary.pair.split(':')[1]
      const hosts = [
        ...[
          '127.0.0.1',
          '127.1',
          '2130706433',
          '0x7f.0.0.1',
          '0177.0.0.1',
          '127.0.0.1.',
          '0.0.0.0',
        ],
        ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', '%31%32%37.0.0.1', '①②⑦.0.0.1'],
        ...[
          '[::1]',
          '[::ffff:127.0.0.1]',
          '[::ffff:7f00:1]',
          '[0:0:0:0:0:0:0:1]',
          '[64:ff9b::7f00:1]',
        ],
        ...['user@127.0.0.1', 'example.com@127.0.0.1'],
      ]
      for (const host of hosts) {
        for (const scheme of ['http', 'https']) {
          const url = `${scheme}://${host}:${port}/v1`
          const hook = await tenant.call('POST', '/v1/tenant/webhooks', { url })
          const byok_config = { provider: 'openai-compatible', base_url: url, model: 'm' }
          const own = await tenant.call('PUT', '/v1/tenant/privacy', {
            privacy_mode: false,
            byok_config,
          })
          for (const { status, json } of [hook, own]) {
            expect([url, status, json.detail?.[0]?.msg]).toEqual([url, 422, 'URL is not allowed'])
          }
        }
      }
      for (const path of ['/', '/v1', '/v1/chat/completions']) {
        expect(canary.to(path)).toEqual([])
      }
    } finally {
      await canary.close()
    }
  })

  it('refuses unknown events and none at all', async () => {
    const tenant = await seedTenant(parley)
    const post = (events: unknown) =>
      tenant.call('POST', '/v1/tenant/webhooks', { url: receiver.url('/x'), events })
    expect((await post(['turn.started'])).json.detail[0]).toMatchObject({
      type: 'literal_error',
      loc: ['body', 'events', 0],
    })
    expect((await post([])).status).toBe(422)
    expect((await post('turn.completed')).json.detail[0].type).toBe('list_type')
  })

  it('is at most twenty times there', async () => {
    const tenant = await seedTenant(parley)
    for (let n = 0; n < 20; n++) await add(tenant, '/many')
    const { status, json } = await tenant.call('POST', '/v1/tenant/webhooks', {
      url: receiver.url('/many'),
    })
    expect([status, json.detail]).toEqual([409, 'A tenant has at most 20 webhooks'])
  })

  it('is gone once deleted, and another tenant never sees it', async () => {
    const [tenant, other] = await Promise.all([seedTenant(parley), seedTenant(parley)])
    await answering(tenant)
    const path = freshPath()
    const { id } = await add(tenant, path)
    const at = `/v1/tenant/webhooks/${id}`
    const { json: delivery } = await expectOk(tenant.call('POST', `${at}/test`))
    for (const [method, address] of [
      ['DELETE', at],
      ['POST', `${at}/test`],
      ['GET', `${at}/deliveries`],
      ['POST', `${at}/deliveries/${delivery.id}/replay`],
    ] as const)
      expect((await other.call(method, address)).status).toBe(404)
    expect(await list(other)).toEqual([])
    expect((await tenant.call('DELETE', at)).status).toBe(204)
    expect(await lastAudit(tenant)).toMatchObject({ action: 'delete', entity_id: id, after: null })
    expect((await tenant.call('DELETE', at)).status).toBe(404)
    const followed = countJobs(parley, 'turn.after')
    await ask(tenant)
    await followed()
    expect(receiver.to(path)).toHaveLength(1)
  })

  it('lists deliveries in pages', async () => {
    const tenant = await seedTenant(parley)
    const { id } = await add(tenant, freshPath())
    for (let n = 0; n < 5; n++) {
      await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = `?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
      const { json } = await expectOk(
        tenant.call('GET', `/v1/tenant/webhooks/${id}/deliveries${query}`),
      )
      seen.push(...json.items.map((item: { id: string }) => item.id))
      cursor = json.next_cursor
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    expect(seen).toHaveLength(5)
    const bad = await tenant.call('GET', `/v1/tenant/webhooks/${id}/deliveries?cursor=x`)
    expect(bad.status).toBe(422)
  })
})
