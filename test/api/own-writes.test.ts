import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import { keyOf, ROUTES } from '../support/route-contract'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'

/** Writes of an end user that end users cannot read back, or that are the conversation itself. */
const ELSEWHERE = new Set([
  'POST /v1/chat',
  'POST /v1/chat/stream',
  'POST /v1/chat/ui',
  'POST /v1/chat/stop',
  'POST /v1/chat/completions',
  'POST /v1/users/token',
  // Heard, where something speaks: test/api/speech.test.ts.
  'POST /v1/speech',
  // Ends tokens: test/api/own-account.test.ts.
  'POST /me/password',
  'POST /me/sign-out-everywhere',
  // By a link in a mail: test/api/own-email.test.ts.
  'POST /me/email',
  'DELETE /me',
  // Carried over in the background; a link to a messenger needs a messenger.
  'POST /me/remembered/carry',
  'POST /me/{channel}/bind-code',
  'DELETE /me/channels/{channel}',
])

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came.
type Json = any

/** What is written is there for its own user at once: the very next call shows it, and so does the very next turn. */
describe('a write is seen at once by its own user', { timeout: 60_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley({ LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(parley)
    for (const name of ['desk', 'second']) await seedAgent(tenant, name)
  })
  afterAll(() => parley.close())

  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    tenant.as('ada', method, path, body, headers)
  const ok = async (...args: Parameters<typeof call>): Promise<Json> =>
    (await expectOk(call(...args))).json
  const ids = (items: { id: string }[]) => items.map(({ id }) => id)
  const chat = (spaceId: string | null, agent = 'desk', more: object = {}): Promise<Answer> =>
    call(
      'POST',
      '/v1/chat',
      { message: 'Hello there', agent, ...more },
      spaceId === null ? {} : { 'x-space-id': spaceId },
    )
  const newSpace = async (name = 'Work') => (await ok('POST', '/me/spaces', { name })).id
  const space = async (id: string) =>
    (await ok('GET', '/me/spaces')).find((one: Json) => one.id === id)
  const newSession = async () => {
    const { status, json } = await chat(null)
    expect(status).toBe(200)
    return json as { session_id: string; message_id: string }
  }
  const sessions = async () => {
    const { space_id } = await ok('GET', '/me')
    return (await ok('GET', `/me/spaces/${space_id}/sessions`)).items as Json[]
  }
  const session = async (id: string) => (await sessions()).find((one) => one.id === id)
  const messages = (id: string) => ok('GET', `/me/sessions/${id}/messages`) as Promise<Json[]>
  const reminder = async () =>
    (await ok('POST', '/me/reminders', { text: 'Call back', due_at: 'PT1H' })).id
  const reminders = async () => (await ok('GET', '/me/reminders')).items as Json[]

  const CASES: Record<string, () => Promise<void>> = {
    'POST /me/onboarding': async () => {
      for (const pref_city of ['Lima', 'Quito']) {
        await ok('POST', '/me/onboarding', { pref_city })
        expect((await ok('GET', '/me/profile')).pref_city).toBe(pref_city)
      }
    },
    'POST /v1/chat/dismiss': async () => {
      const link = 'https://shop.example/trial'
      await seedAgent(tenant, 'seller', { proactive_cta: true, cta_prompt: link })
      const { session_id } = (await chat(null, 'seller', { message: 'What do you sell?' })).json
      await expectOk(call('POST', '/v1/chat/dismiss', { session_id }))
      for (let turn = 0; turn < 5; turn++) {
        const { json } = await chat(null, 'seller', { message: 'What do you sell?', session_id })
        expect(json.cta).toBeUndefined()
      }
    },
    'POST /me/exports': async () => {
      const { id } = await ok('POST', '/me/exports')
      expect((await ok('GET', `/me/exports/${id}`)).id).toBe(id)
    },
    'PATCH /me/profile': async () => {
      for (const pref_name of ['Ada', 'Countess']) {
        await ok('PATCH', '/me/profile', { pref_name })
        expect((await ok('GET', '/me/profile')).pref_name).toBe(pref_name)
      }
    },
    'POST /me/spaces': async () => {
      const id = await newSpace()
      expect((await space(id)).name).toBe('Work')
      expect((await chat(id)).json.detail).toBe('Agent not available in this space')
    },
    'PATCH /me/spaces/{sid}': async () => {
      const id = await newSpace()
      await space(id)
      await ok('PATCH', `/me/spaces/${id}`, { name: 'Home' })
      expect((await space(id)).name).toBe('Home')
    },
    'DELETE /me/spaces/{sid}': async () => {
      const id = await newSpace()
      await ok('POST', `/me/spaces/${id}/agents`, { name: 'desk' })
      expect((await chat(id)).status).toBe(200)
      await expectOk(call('DELETE', `/me/spaces/${id}`))
      expect(await space(id)).toBeUndefined()
      expect((await chat(id)).status).toBe(404)
    },
    'POST /me/spaces/{sid}/merge': async () => {
      const [from, to] = [await newSpace(), await newSpace()]
      await ok('POST', `/me/spaces/${from}/agents`, { name: 'desk' })
      const { session_id } = (await chat(from)).json
      await ok('POST', `/me/spaces/${from}/merge`, { target_space_id: to })
      expect(await space(from)).toBeUndefined()
      expect(ids((await ok('GET', `/me/spaces/${to}/sessions`)).items)).toEqual([session_id])
      expect((await chat(from)).status).toBe(404)
      expect(await messages(session_id)).toHaveLength(2)
    },
    'POST /me/spaces/{sid}/agents': async () => {
      const id = await newSpace()
      expect((await chat(id)).status).toBe(403)
      await ok('POST', `/me/spaces/${id}/agents`, { name: 'desk' })
      expect((await space(id)).agents).toEqual(['desk'])
      expect((await chat(id)).status).toBe(200)
    },
    'DELETE /me/spaces/{sid}/agents/{name}': async () => {
      const id = await newSpace()
      await ok('POST', `/me/spaces/${id}/agents`, { name: 'desk' })
      expect((await chat(id)).status).toBe(200)
      await expectOk(call('DELETE', `/me/spaces/${id}/agents/desk`))
      expect((await space(id)).agents).toEqual([])
      expect((await chat(id)).status).toBe(403)
    },
    'POST /me/spaces/{sid}/documents': async () => {
      const path = `/me/spaces/${await newSpace()}/documents`
      const { id } = await ok('POST', path, { title: 'Note', text: 'Refunds take five days.' })
      expect(ids((await ok('GET', path)).items)).toEqual([id])
    },
    'DELETE /me/spaces/{sid}/documents/{id}': async () => {
      const path = `/me/spaces/${await newSpace()}/documents`
      const { id } = await ok('POST', path, { title: 'Note', text: 'Refunds take five days.' })
      await expectOk(call('DELETE', `${path}/${id}`))
      expect((await ok('GET', path)).items).toEqual([])
    },
    'PATCH /me/sessions/{sid}': async () => {
      const { session_id } = await newSession()
      await ok('PATCH', `/me/sessions/${session_id}`, { title: 'Mine' })
      expect((await session(session_id)).title).toBe('Mine')
    },
    'DELETE /me/sessions/{sid}': async () => {
      const { session_id } = await newSession()
      await expectOk(call('DELETE', `/me/sessions/${session_id}`))
      expect(await session(session_id)).toBeUndefined()
      expect((await chat(null, 'desk', { session_id })).status).toBe(404)
    },
    'POST /me/sessions/{sid}/read': async () => {
      const { session_id } = await newSession()
      await expectOk(call('POST', `/me/sessions/${session_id}/read`))
      expect((await session(session_id)).unread_count).toBe(0)
    },
    'PATCH /me/sessions/{sid}/messages/{mid}': async () => {
      const { session_id } = await newSession()
      const mid = (await messages(session_id))[0].id
      await ok('PATCH', `/me/sessions/${session_id}/messages/${mid}`, { content: 'Edited' })
      expect((await messages(session_id))[0].content).toBe('Edited')
    },
    'DELETE /me/sessions/{sid}/messages/{mid}': async () => {
      const { session_id } = await newSession()
      const mid = (await messages(session_id))[0].id
      await expectOk(call('DELETE', `/me/sessions/${session_id}/messages/${mid}`))
      expect(ids(await messages(session_id))).not.toContain(mid)
    },
    'POST /me/sessions/{sid}/messages/{mid}/branch': async () => {
      const { session_id, message_id } = await newSession()
      const { id } = await ok('POST', `/me/sessions/${session_id}/messages/${message_id}/branch`)
      expect((await session(id)).forked_from).not.toBeNull()
      expect((await chat(null, 'desk', { session_id: id })).json.session_id).toBe(id)
    },
    'POST /v1/messages/{message_id}/feedback': async () => {
      const { session_id, message_id } = await newSession()
      await expectOk(call('POST', `/v1/messages/${message_id}/feedback`, { value: 'up' }))
      expect((await messages(session_id)).at(-1).feedback).toBe('up')
    },
    'POST /me/reminders': async () => {
      const id = await reminder()
      expect(ids(await reminders())).toContain(id)
    },
    'POST /me/reminders/{rid}/cancel': async () => {
      const id = await reminder()
      await expectOk(call('POST', `/me/reminders/${id}/cancel`))
      expect((await reminders()).find((one) => one.id === id).status).toBe('cancelled')
    },
    'DELETE /me/reminders/{rid}': async () => {
      const id = await reminder()
      await call('POST', `/me/reminders/${id}/cancel`)
      await expectOk(call('DELETE', `/me/reminders/${id}`))
      expect(ids(await reminders())).not.toContain(id)
    },
    'DELETE /me/remembered/{agent_name}': async () => {
      await chat(null, 'second', { message: 'I live in Lima.' })
      const names = async () =>
        (await ok('GET', '/me/remembered')).map((one: Json) => one.agent_name) as string[]
      await waitFor(async () => ((await names()).includes('second') ? true : null))
      await expectOk(call('DELETE', '/me/remembered/second'))
      expect(await names()).not.toContain('second')
    },
  }

  it.each(Object.entries(CASES))('%s', (_name, shown) => shown())

  it('every write of an end user has its case', () => {
    const writes = ROUTES.filter(
      (route) => route.method !== 'GET' && (route.layer === 'user' || route.layer === 'app'),
    ).map(keyOf)
    expect(writes.length).toBeGreaterThan(20)
    expect(writes.filter((key) => !(key in CASES) && !ELSEWHERE.has(key))).toEqual([])
  })

  it('what the tenant writes, the next turn obeys', async () => {
    await ok('GET', '/me')
    const put = (path: string, body: unknown) => expectOk(tenant.call('PUT', path, body))
    await put('/v1/agents/brief', { published: false })
    expect((await chat(null, 'brief')).status).toBe(404)
    await expectOk(tenant.call('PATCH', '/v1/agents/brief', { published: true }))
    expect((await chat(null, 'brief')).status).toBe(200)
    const { id } = (
      await expectOk(
        tenant.call('POST', `/v1/manage/users/${(await ok('GET', '/me')).user_id}/spaces`, {
          name: 'Team',
        }),
      )
    ).json
    expect((await chat(id, 'brief')).status).toBe(403)
    await expectOk(tenant.call('POST', `/v1/manage/spaces/${id}/agents`, { name: 'brief' }))
    expect((await chat(id, 'brief')).status).toBe(200)
    await expectOk(tenant.call('DELETE', `/v1/manage/spaces/${id}/agents/brief`))
    expect((await chat(id, 'brief')).status).toBe(403)
    await expectOk(
      tenant.call('PATCH', '/v1/tenant/settings', { profile: { default_agent: 'second' } }),
    )
    expect((await call('POST', '/v1/chat', { message: 'Hello there' })).json.agent).toBe('second')
    await expectOk(tenant.call('DELETE', '/v1/agents/brief'))
    expect((await chat(null, 'brief')).status).toBe(404)
  })
})

const OTHER = 'other'

/** The next call may land in an isolate that remembers what was before: the object of the space knows better. */
describe('a write is seen at once in another isolate', { timeout: 60_000 }, () => {
  let parley: Parley
  let telegram: TelegramServer
  let tenant: SeededTenant
  beforeAll(async () => {
    telegram = await startTelegram()
    parley = await startParley({ TELEGRAM_URL: telegram.url }, { again: OTHER })
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(async () => {
    await parley.close()
    await telegram.close()
  })

  const here = async (method: string, path: string, body?: unknown): Promise<Json> =>
    (await expectOk(tenant.as('ada', method, path, body))).json
  const chatThere = async (space: string) => {
    const response = await parley.server.getWorker(OTHER).fetch('http://parley/v1/chat', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': tenant.key,
        'x-end-user': 'ada',
        'x-space-id': space,
      },
      body: JSON.stringify({ message: 'Hello there', agent: 'desk' }),
    })
    return [response.status, ((await response.json()) as { detail?: string }).detail]
  }
  /** By ids alone, which lead to where the space is. */
  const askThere = async (
    method: string,
    path: string,
    body?: unknown,
    user = 'ada',
    key = tenant.key,
  ) => {
    const response = await parley.server.getWorker(OTHER).fetch(`http://parley${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-end-user': user },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    } as { method: string; body: string })
    return [response.status, await (response as unknown as Response).text()] as const
  }
  const SERVED = [200, undefined]
  const NOT_OFFERED = [403, 'Agent not available in this space']
  const newSpace = async () => {
    const { id } = await here('POST', '/me/spaces', { name: 'Work' })
    expect(await chatThere(id)).toEqual(NOT_OFFERED)
    await here('POST', `/me/spaces/${id}/agents`, { name: 'desk' })
    expect(await chatThere(id)).toEqual(SERVED)
    return id as string
  }

  it('an agent that was removed, and added again', async () => {
    const id = await newSpace()
    await here('DELETE', `/me/spaces/${id}/agents/desk`)
    expect(await chatThere(id)).toEqual(NOT_OFFERED)
    await here('POST', `/me/spaces/${id}/agents`, { name: 'desk' })
    expect(await chatThere(id)).toEqual(SERVED)
  })

  it('the same by the tenant', async () => {
    const id = await newSpace()
    await expectOk(tenant.call('DELETE', `/v1/manage/spaces/${id}/agents/desk`))
    expect(await chatThere(id)).toEqual(NOT_OFFERED)
    await expectOk(tenant.call('POST', `/v1/manage/spaces/${id}/agents`, { name: 'desk' }))
    expect(await chatThere(id)).toEqual(SERVED)
  })

  it('a space that was deleted, and one that was merged away', async () => {
    const [gone, merged] = [await newSpace(), await newSpace()]
    const { space_id } = await here('GET', '/me')
    await here('DELETE', `/me/spaces/${gone}`)
    expect(await chatThere(gone)).toEqual([404, 'Space not found'])
    await here('POST', `/me/spaces/${merged}/merge`, { target_space_id: space_id })
    expect(await chatThere(merged)).toEqual([404, 'Space not found'])
  })

  it('where a turn is gone on with, and stopped, once its space was merged away', async () => {
    const space = await newSpace()
    const { space_id } = await here('GET', '/me')
    const body = { message: 'Hello there', agent: 'desk' }
    const { json } = await expectOk(
      tenant.as('ada', 'POST', '/v1/chat', body, { 'x-space-id': space }),
    )
    const session_id: string = json.session_id
    const ways = async () => [
      await askThere('GET', `/v1/chat/stream/${json.message_id}`),
      await askThere('GET', `/v1/chat/ui/${session_id}/stream`),
      await askThere('POST', '/v1/chat/stop', { session_id }),
      await askThere('POST', '/v1/chat', { message: 'Go on', session_id }),
    ]
    expect((await ways()).map(([status]) => status)).toEqual([200, 204, 200, 200])
    await here('POST', `/me/spaces/${space}/merge`, { target_space_id: space_id })
    const after = await ways()
    expect(after.map(([status]) => status)).toEqual([200, 204, 200, 200])
    expect(after[0]?.[1]).toContain('event: done')
  })

  it('a tenant that was deleted, whose key is none any more', async () => {
    const leaving = await seedTenant(parley)
    const ask = (method: string, path: string, body?: unknown) =>
      askThere(method, path, body, 'ada', leaving.key)
    expect((await ask('GET', '/me'))[0]).toBe(200)
    await parley.admin('DELETE', `/v1/admin/tenants/${leaving.id}`)
    const refused = [401, '{"detail":"Invalid API key"}']
    expect(await ask('GET', '/me')).toEqual(refused)
    expect(await ask('POST', '/v1/chat', { message: 'Hello' })).toEqual(refused)
  })

  it('a user who was deleted: nothing is begun for them', async () => {
    const channel = { token: telegram.addBot().token }
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', channel))
    const { DB } = await parley.worker.getEnv()
    for (const [n, path] of [
      '/me/spaces',
      '/me/exports',
      '/me/telegram/bind-code?agent=desk',
    ].entries()) {
      const [, text] = await askThere('GET', '/me', undefined, `leaver-${n}`)
      const { user_id } = JSON.parse(text)
      await expectOk(tenant.call('DELETE', `/v1/manage/users/${user_id}`))
      const done = DB.prepare('SELECT 1 FROM deletions WHERE user_id = ? AND finished_at > 0')
      await waitFor(() => done.bind(user_id).first())
      const late = await askThere('POST', path, { name: 'Late' }, `leaver-${n}`)
      expect([path, ...late]).toEqual([path, 404, '{"detail":"User not found"}'])
    }
  })
})
