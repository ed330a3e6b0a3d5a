import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'

let paths = 0
const freshPath = () => `/hook-${++paths}`

/** The real runtime's own network, not the harness's: what a receiver does to the connection is what is tested. */
describe('webhooks to receivers that misbehave', { timeout: 60_000 }, () => {
  let server: Killable
  let receiver: WebhookReceiver

  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    server = await startKillable({
      EGRESS_ALLOW: receiver.pair,
      DOH_URL: 'http://127.0.0.1:9/dns-query',
      WEBHOOK_RETRY_S: '1,1',
    })
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await receiver.close()
  })

  const seed = () => seedTenant(server.parley as Parley)
  const add = async (tenant: SeededTenant, path: string, fields: Record<string, unknown> = {}) =>
    (
      await expectOk(
        tenant.call('POST', '/v1/tenant/webhooks', { url: receiver.url(path), ...fields }),
      )
    ).json
  const arrived = (path: string, count = 1) =>
    waitFor(async () => (receiver.to(path).length >= count ? receiver.to(path) : null))

  it('follows no redirect', async () => {
    const tenant = await seed()
    const [path, target] = [freshPath(), freshPath()]
    receiver.behave(path, (response) =>
      response.writeHead(307, { location: receiver.url(target) }).end(),
    )
    const { id } = await add(tenant, path)
    const { json } = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(json).toMatchObject({ status: 'failed', response_status: 307, error: 'redirect' })
    expect(receiver.to(target)).toHaveLength(0)
  })

  it('reads nothing of an endless answer', async () => {
    const tenant = await seed()
    const path = freshPath()
    let sent = 0
    receiver.behave(path, (response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(64 * 1024)
      const pour = () => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', pour)
        }
      }
      pour()
    })
    const { id } = await add(tenant, path)
    const { json } = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(json).toMatchObject({ status: 'delivered', response_status: 200 })
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('waits fifteen seconds for a receiver that hangs, and keeps nobody else waiting', async () => {
    const tenant = await seed()
    await seedAgent(tenant, 'desk')
    const [hanging, other] = [freshPath(), freshPath()]
    receiver.behave(hanging, () => {})
    const { id } = await add(tenant, hanging)
    const started = Date.now()
    const test = tenant.call('POST', `/v1/tenant/webhooks/${id}/test`)
    await add(tenant, other, { events: ['turn.completed'] })
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello?' }))
    await arrived(other)
    expect(Date.now() - started).toBeLessThan(10_000)
    expect((await test).json).toMatchObject({
      status: 'failed',
      error: 'timeout',
      response_status: null,
    })
    expect(Date.now() - started).toBeLessThan(20_000)
  }, 40_000)

  it('says nothing of why a connection failed', async () => {
    const tenant = await seed()
    const path = freshPath()
    receiver.behave(path, (response) => response.destroy())
    const { id } = await add(tenant, path)
    const { json } = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
    expect(json).toMatchObject({ status: 'failed', error: 'unreachable', response_status: null })
  })

  it('brings what was on its way when everything was killed', async () => {
    const tenant = await seed()
    await seedAgent(tenant, 'desk')
    const path = freshPath()
    // Takes the call and says nothing: the attempt is under way when the process dies.
    receiver.behave(path, (response, _call, n) => {
      if (n > 1) response.writeHead(204).end()
    })
    const { id } = await add(tenant, path, { events: ['turn.completed'] })
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello?' }))
    await arrived(path)
    await server.kill()
    await server.start()
    // The claim of the dead attempt runs out after two minutes.
    await server.watch(5 * 60_000)
    const row = await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', `/v1/tenant/webhooks/${id}/deliveries`))
      return json.items[0]
    })
    expect(['pending', 'delivered']).toContain(row.status)
    const ids = receiver.to(path).map((call) => call.headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })
})
