import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUserToken } from '../../src/platform/crypto/jwt'
import { parseKeyring } from '../../src/platform/crypto/keyring'
import { type Parley, SECRETS, startParley } from '../support/harness'
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
  const untilSent = (headers: Record<string, string>) =>
    waitFor(async () => {
      const { json } = await parley.call('GET', '/me/reminders', { headers })
      return json.items.every(({ status }: { status: string }) => status === 'sent') ? true : null
    })
  const evict = async (headers: Record<string, string>) => {
    const { json: me } = await parley.call('GET', '/me', { headers })
    const name = `${me.tenant_id}/${me.user_id}/${me.space_id}`
    await parley.worker.evictDurableObject('USER_SPACE', { name, webSockets: 'hibernate' })
  }

  // Most of these wait, for pings and alarms, each for a person of its own; what counts pings stands alone below.
  it.concurrent.each(['key', 'token'])('greets and pings a user known by a %s', async (form) => {
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

  it.concurrent('tells a due reminder to every tab, once, under both paths', async () => {
    const headers = keyed()
    const tabs = [await listen(headers), await listen(headers, '/v1/me/stream')]
    const id = await remind(headers, 'Call Ada back', 'PT1S')
    for (const tab of tabs) {
      const frame = await tab.next(isEvent('reminder'))
      expect(frame.data).toMatchObject({ id, text: 'Call Ada back' })
      expect(Date.parse(frame.data.due_at)).toBeLessThanOrEqual(Date.now())
    }
    const later = await remind(headers, 'Call Bob back')
    for (const tab of tabs) {
      await tab.next((frame) => isEvent('reminder')(frame) && frame.data.id === later)
      const told = tab.frames.filter(isEvent('reminder'))
      expect(told.map(({ data }) => data.id)).toEqual([id, later])
    }
  })

  it.concurrent('replays what was missed after Last-Event-ID, with rising ids, also after eviction', async () => {
    const headers = keyed()
    const first = await listen(headers)
    await remind(headers, 'one')
    const seen = await first.next(isEvent('reminder'))
    first.leave()
    for (const text of ['two', 'three']) await remind(headers, text)
    await untilSent(headers)
    for (const evicted of [false, true]) {
      if (evicted) await evict(headers)
      const again = await listen({ ...headers, 'last-event-id': String(seen.id) })
      await again.next((frame) => frame.data.text === 'three')
      const [hello, ...rest] = again.frames
      expect(hello).toMatchObject({ event: 'hello', id: seen.id })
      expect(rest.map(({ data }) => data.text)).toEqual(['two', 'three'])
      expect(rest.map(({ id }) => id)).toEqual([seen.id + 1, seen.id + 2])
      again.leave()
    }
    const all = await listen({ ...headers, 'last-event-id': '0' })
    await all.next((frame) => frame.data.text === 'three')
    expect(all.frames.slice(1).map(({ data }) => data.text)).toEqual(['one', 'two', 'three'])
  })

  it.concurrent('is heard when the stream lived for a ping, or by Last-Event-ID; not by a listener who left at once', async () => {
    const headers = keyed()
    const sent = async () => {
      const { json } = await parley.call('GET', '/me/reminders', { headers })
      return json.items.every(({ status }: { status: string }) => status === 'sent') ? true : null
    }
    /** What a client is told that comes without an id: all of it precedes the first ping after `hello`. */
    const toldTo = async (pings: number) => {
      const stream = await listen(headers)
      await stream.next(isEvent('hello'))
      await waitFor(async () => (stream.pings() >= pings ? true : null))
      stream.leave()
      return stream.frames.filter(isEvent('reminder')).map(({ data }) => data.text)
    }
    await remind(headers, 'first')
    await waitFor(sent)
    for (let n = 0; n < 3; n++) (await listen(headers)).leave()
    expect(await toldTo(1)).toEqual(['first'])
    expect(await toldTo(5)).toEqual(['first'])
    expect(await toldTo(2)).toEqual([])

    // Told to an open stream that ends before the next ping but one.
    const open = await listen(headers)
    await remind(headers, 'second')
    const { id } = await open.next(isEvent('reminder'))
    open.leave()
    expect(await toldTo(2)).toEqual(['second'])
    const again = await listen({ ...headers, 'last-event-id': String(id) })
    await again.next(isEvent('hello'))
    again.leave()
    expect(await toldTo(2)).toEqual([])
  })

  it.concurrent('an id ahead of all events, as of another space, misses nothing that comes', async () => {
    const headers = keyed()
    const stream = await listen({ ...headers, 'last-event-id': '999999' })
    expect((await stream.next(isEvent('hello'))).id).toBe(0)
    await remind(headers, 'still told')
    await stream.next(isEvent('reminder'))
  })

  it.concurrent.each(['x', '-1', '1.5'])('refuses Last-Event-ID %s', async (id) => {
    const answer = await parley.call('GET', '/me/stream', {
      headers: { ...keyed(), 'last-event-id': id },
    })
    expect(answer.status).toBe(422)
    expect(answer.json.detail[0].loc).toEqual(['header', 'last-event-id'])
  })

  it.concurrent('tells a reminder that came while nobody listened to the next one who comes, once', async () => {
    const headers = keyed()
    await remind(headers, 'while you were away')
    await untilSent(headers)
    const first = await listen(headers)
    expect((await first.next(isEvent('reminder'))).data.text).toBe('while you were away')
    await waitFor(async () => (first.pings() >= 4 ? true : null))
    const second = await listen(headers)
    await waitFor(async () => (second.pings() >= 2 ? true : null))
    expect(second.frames.map(({ event }) => event)).toEqual(['hello'])
  })

  it.concurrent('sleeping sockets are woken by the alarm', async () => {
    const headers = keyed()
    const tabs = [await listen(headers), await listen(headers)]
    for (const tab of tabs) await tab.next(isEvent('hello'))
    await remind(headers, 'good morning', 'PT2S')
    await evict(headers)
    for (const tab of tabs) {
      expect((await tab.next(isEvent('reminder'))).data.text).toBe('good morning')
    }
  })

  it.concurrent('an open stream lets the object sleep, and a sleeping object still tells', async () => {
    const headers = keyed()
    const stream = await listen(headers)
    await stream.next(isEvent('hello'))
    await remind(headers, 'from its sleep', 'PT20S')
    // The platform puts an object to sleep that had nothing to do for ten seconds; the Worker goes on pinging, once a second.
    await waitFor(async () => (stream.pings() > 13 ? true : null))
    await expect(evict(headers)).rejects.toThrow('not currently running')
    expect((await stream.next(isEvent('reminder'))).data.text).toBe('from its sleep')
  }, 60_000)

  it.concurrent('keeps a second tab in step with turns and sessions', async () => {
    const headers = keyed()
    const tab = await listen(headers)
    const body = { message: 'Hello there', agent: 'desk' }
    const { json } = await expectOk(parley.call('POST', '/v1/chat', { body, headers }))
    const session = json.session_id
    const change = (kind: string) => (frame: { event: string; data: { change?: string } }) =>
      frame.event === 'session' && frame.data.change === kind
    expect((await tab.next(change('created'))).data).toEqual({ id: session, change: 'created' })
    const answered = await tab.next(({ data }) => data.role === 'assistant')
    expect(answered).toMatchObject({
      event: 'message',
      data: { id: json.message_id, session_id: session, change: 'created' },
    })
    expect(tab.frames.filter(({ data }) => data.role === 'user')).toHaveLength(1)
    await expectOk(
      parley.call('PATCH', `/me/sessions/${session}`, { body: { title: 'Mine' }, headers }),
    )
    await tab.next(change('updated'))
    await expectOk(
      parley.call('DELETE', `/me/sessions/${session}/messages/${json.message_id}`, { headers }),
    )
    const deleted = { id: json.message_id, session_id: session, change: 'deleted' }
    expect(
      (await tab.next(({ event, data }) => event === 'message' && data.change === 'deleted')).data,
    ).toEqual(deleted)
    await expectOk(parley.call('DELETE', `/me/sessions/${session}`, { headers }))
    await tab.next(change('deleted'))
    expect(tab.frames.some(({ data }) => JSON.stringify(data).includes('Hello there'))).toBe(false)
  })

  it.concurrent('belongs to one user and space', async () => {
    const ada = keyed()
    const bob = keyed()
    const { json: space } = await expectOk(
      parley.call('POST', '/me/spaces', { body: { name: 'Second' }, headers: ada }),
    )
    const home = await listen(ada)
    const second = await listen({ ...ada, 'x-space-id': space.id })
    const stranger = await listen(bob)
    expect((await second.next(isEvent('hello'))).data.space_id).toBe(space.id)
    await remind({ ...ada, 'x-space-id': space.id }, 'for the second space')
    await second.next(isEvent('reminder'))
    await waitFor(async () => (stranger.pings() >= 3 ? true : null))
    for (const other of [home, stranger]) {
      expect(other.frames.map(({ event }) => event)).toEqual(['hello'])
    }
    const foreign = await parley.call('GET', '/me/stream', {
      headers: { ...bob, 'x-space-id': space.id },
    })
    expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Space not found' }])
    expect((await parley.call('GET', '/me/stream')).status).toBe(401)
    expect((await tenant.call('GET', '/me/stream')).status).toBe(401)
    await expectOk(parley.call('DELETE', `/me/spaces/${space.id}`, { headers: ada }))
    expect((await second.next(isEvent('error'))).data).toMatchObject({ code: 'space_gone' })
    await second.ended()
  })

  const endOf = async (stream: LiveStream) => {
    const { data } = await stream.next(isEvent('error'))
    await stream.ended()
    return data
  }

  it('ends within a ping period when the key is revoked or the tenant suspended; others stay', async () => {
    const own = await seedTenant(parley)
    const { json: spare } = await expectOk(
      own.call('POST', '/v1/tenant/keys', { name: 'spare', scopes: ['chat'] }),
    )
    const doomed = await listen(keyed(spare.api_key))
    const other = await listen(keyed(own.key))
    const byToken = await listen((await visitor(own)).headers)
    for (const stream of [doomed, other, byToken]) await stream.next(isEvent('hello'))
    await expectOk(own.call('POST', `/v1/tenant/keys/${spare.id}/revoke`))
    const heard = doomed.pings()
    expect(await endOf(doomed)).toEqual({
      code: 'invalid_key',
      detail: 'Invalid API key',
      retryable: false,
    })
    // One ping may have been on its way.
    expect(doomed.pings() - heard).toBeLessThanOrEqual(1)
    await waitFor(async () => (other.pings() >= 3 ? true : null))
    await parley.admin('PATCH', `/v1/admin/tenants/${own.id}`, { status: 'suspended' })
    const others = [other, byToken].map((stream) => ({ stream, heard: stream.pings() }))
    for (const { stream, heard } of others) {
      expect(await endOf(stream)).toMatchObject({ detail: 'Tenant is not active' })
      expect(stream.pings() - heard).toBeLessThanOrEqual(1)
    }
  })

  it('is pushed to its end when tokens of that version are, at once', async () => {
    const { headers, userId } = await visitor()
    const { json: me } = await parley.call('GET', '/me', { headers })
    const stream = await listen(headers)
    await stream.next(isEvent('hello'))
    const env = await parley.worker.getEnv()
    const name = `${tenant.id}/${userId}/${me.space_id}`
    const space = env.USER_SPACE.get(env.USER_SPACE.idFromName(name))
    await space.revoke(2, false)
    expect(await endOf(stream)).toEqual({
      code: 'invalid_token',
      detail: 'Invalid or expired token',
      retryable: false,
    })
    expect((await parley.call('GET', '/me/stream', { headers })).status).toBe(401)
  })

  it('ends when its token runs out', async () => {
    const { headers } = await visitor()
    const payload = JSON.parse(
      Buffer.from(headers.authorization.split('.')[1] ?? '', 'base64url').toString(),
    )
    const claims = {
      user: payload.sub,
      tenant: payload.tid,
      version: payload.ver,
      space: payload.spc,
      tag: payload.tag,
      source: payload.src,
    }
    const ring = parseKeyring(SECRETS.JWT_SECRET, 'JWT_SECRET')
    const token = await signUserToken(ring, claims, Date.now() - 898_000, 900)
    const stream = await listen({ authorization: `Bearer ${token}` })
    expect(await endOf(stream)).toMatchObject({ code: 'invalid_token' })
  })

  it('may be read from any origin', async () => {
    const stream = await listen({ ...keyed(), origin: 'https://shop.example' })
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    expect(stream.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('/me/stream with the limits of a deployment', () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await startParley({ STREAM_PING_S: '1', LIMITS_STREAMS_PER_USER: '5' })
  })
  afterAll(() => parley.close())

  it('gives a user five streams, and a place back to whoever leaves', async () => {
    const tenant = await seedTenant(parley)
    const headers = { 'x-api-key': tenant.key, 'x-end-user': 'ada' }
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openLive(parley.url, headers)),
    )
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const refused = await parley.call('GET', '/me/stream', { headers })
    expect([refused.status, refused.json]).toEqual([429, { detail: 'Too many requests' }])
    expect(refused.headers.get('retry-after')).toBe('1')
    const bob = await openLive(parley.url, { ...headers, 'x-end-user': 'bob' })
    expect(bob.status).toBe(200)
    // Renewals hold the places for as long as the streams are open.
    await waitFor(async () => (streams.every((stream) => stream.pings() >= 4) ? true : null))
    expect((await parley.call('GET', '/me/stream', { headers })).status).toBe(429)
    streams[0]?.leave()
    const next = await waitFor(async () => {
      const stream = await openLive(parley.url, headers)
      return stream.status === 200 ? stream : null
    })
    for (const stream of [...streams, bob, next]) stream.leave()
  })
})
