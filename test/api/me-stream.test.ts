import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { isEvent, type LiveStream, openLive } from '../support/live-stream'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PING_S = 1

describe('/me/stream', () => {
  let parley: Parley
  let tenant: SeededTenant
  const open: LiveStream[] = []
  let people = 0

  beforeAll(async () => {
    parley = await startParley({ STREAM_PING_S: String(PING_S), LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(async () => {
    for (const stream of open) stream.leave()
    await parley.close()
  })

  /** Somebody of this test's own, known through the tenant's key or by a token. */
  const keyed = (key = tenant.key) => ({
    'x-api-key': key,
    'x-end-user': `person-${process.pid}-${++people}`,
  })
  const visitor = async (of = tenant) => {
    const { json } = await expectOk(
      parley.call('POST', '/auth/anonymous', { body: { tenant_id: of.id } }),
    )
    return { headers: { authorization: `Bearer ${json.access_token}` }, userId: json.user_id }
  }
  const listen = async (headers: Record<string, string>, path?: string) => {
    const stream = await openLive(parley.url, headers, path)
    open.push(stream)
    return stream
  }
  const remind = async (headers: Record<string, string>, text: string, dueAt = 'PT0S') => {
    const body = { text, due_at: dueAt }
    const { json } = await expectOk(parley.call('POST', '/me/reminders', { body, headers }))
    return json.id as string
  }
  const evictAll = async () => {
    for (const id of await parley.worker.listDurableObjectIds('USER_SPACE')) {
      await parley.worker.evictDurableObject('USER_SPACE', { id, webSockets: 'hibernate' } as never)
    }
  }

  it.each(['key', 'token'])('greets and pings a user known by a %s', async (form) => {
    const headers = form === 'key' ? keyed() : (await visitor()).headers
    const { json: me } = await parley.call('GET', '/me', { headers })
    const stream = await listen(headers)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform')
    const hello = await stream.next(isEvent('hello'))
    expect(hello).toEqual({ id: 0, event: 'hello', data: { space_id: me.space_id } })
    await waitFor(async () => (stream.pings() >= 3 ? true : null))
  })

  it('tells a due reminder to every tab, once, under both paths', async () => {
    const headers = keyed()
    const tabs = [await listen(headers), await listen(headers, '/v1/me/stream')]
    const id = await remind(headers, 'Call Ada back', 'PT1S')
    for (const tab of tabs) {
      const frame = await tab.next(isEvent('reminder'))
      expect(frame.data).toMatchObject({ id, text: 'Call Ada back' })
      expect(Date.parse(frame.data.due_at)).toBeLessThanOrEqual(Date.now())
    }
    await new Promise((resolve) => setTimeout(resolve, 1500))
    for (const tab of tabs) expect(tab.frames.filter(isEvent('reminder'))).toHaveLength(1)
  })
})
