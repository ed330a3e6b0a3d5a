import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { keyOf, ROUTES } from '../support/route-contract'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'
/** Sent in one piece: what is waited for must not be cut by a frame's end. */
const SAID = 'Refunds take five working days, as everybody here will tell you.'

interface Caller {
  tenant: SeededTenant
  headers: Record<string, string>
  userId: string
  keyId: string
  /** For the user's eyes after the end. */
  again(): Promise<Record<string, string>>
}

/** A running answer that is being read. */
interface Reading {
  /** Resolves when so much has come. @throws Error when it ended before. */
  until(text: string): Promise<void>
  /** All that came, once the server closed it. */
  ended: Promise<string>
}

describe('an answer that is being read', () => {
  let parley: Parley
  let model: OpenAiServer
  let release = () => {}
  beforeAll(async () => {
    model = await startOpenAi()
    parley = await startParley({
      STREAM_PING_S: '1',
      ...model.vars,
      OPENAI_API_KEY: 'test',
    })
  })
  afterAll(async () => {
    release()
    await parley.close()
    await model.close()
  })

  async function open(path: string, headers: Record<string, string>, body?: unknown) {
    const response = await fetch(new URL(path, parley.url), {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(response.status).toBe(200)
    let text = ''
    let isOver = false
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
      isOver = true
      return text
    }
    const reading: Reading = {
      ended: read(),
      until: async (wanted) => {
        await waitFor(async () => (isOver || text.includes(wanted) ? true : null))
        expect(text).toContain(wanted)
      },
    }
    return reading
  }

  /** Begins a turn that goes on without its reader. @returns what came by then */
  async function begin(path: string, headers: Record<string, string>, sent: unknown, till: string) {
    const abort = new AbortController()
    const { headers: got, body } = await fetch(new URL(path, parley.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(sent),
      signal: abort.signal,
    })
    expect(got.get('content-type')).toContain('text/event-stream')
    let begun = ''
    for await (const chunk of body ?? []) {
      begun += new TextDecoder().decode(chunk)
      if (begun.includes(till)) break
    }
    return begun
  }

  const message = 'When are refunds paid?'
  const uiMessage = {
    id: 'conversation',
    trigger: 'submit-message',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: message }] }],
  }
  const doors: Record<string, (headers: Record<string, string>) => Promise<Reading>> = {
    'POST /v1/chat/stream': (headers) => open('/v1/chat/stream', headers, { message }),
    'POST /v1/chat/stream?protocol=ui-message': (headers) =>
      open('/v1/chat/stream?protocol=ui-message', headers, uiMessage),
    'POST /v1/chat/ui': (headers) => open('/v1/chat/ui', headers, uiMessage),
    'GET /v1/chat/ui/{id}/stream': async (headers) => {
      await begin('/v1/chat/ui', headers, uiMessage, 'five')
      return open(`/v1/chat/ui/${uiMessage.id}/stream`, headers)
    },
    'POST /v1/chat/completions': (headers) =>
      open('/v1/chat/completions', headers, {
        model: 'desk',
        stream: true,
        messages: [{ role: 'user', content: message }],
      }),
    'GET /v1/chat/stream/{message_id}': async (headers) => {
      const begun = await begin('/v1/chat/stream', headers, { message }, 'message_id')
      const id = /"message_id":"([^"]+)"/.exec(begun)?.[1] ?? ''
      return open(`/v1/chat/stream/${id}`, headers)
    },
  }

  async function someone(withKey: boolean): Promise<Caller> {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { json: key } = await tenant.call('POST', '/v1/tenant/keys', { name: 'web' })
    if (withKey) {
      const headers = { 'x-api-key': key.api_key, 'x-end-user': 'ada' }
      const { user_id } = (await expectOk(parley.call('GET', '/me', { headers }))).json
      const again = async () => ({ 'x-api-key': tenant.key, 'x-end-user': 'ada' })
      return { tenant, headers, userId: user_id, keyId: key.id, again }
    }
    const account = { tenant_id: tenant.id, email: 'ada@example.org', password: PASSWORD }
    const enter = async (path: string) =>
      (await expectOk(parley.call('POST', path, { body: account }))).json
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    const { access_token, user_id } = await enter('/auth/register')
    return {
      tenant,
      headers: bearer(access_token),
      userId: user_id,
      keyId: key.id,
      again: async () => bearer((await enter('/auth/login')).access_token),
    }
  }

  const ends: Record<string, { end(caller: Caller): Promise<unknown>; says: string }> = {
    'a password reset': {
      end: ({ tenant, userId }) =>
        tenant.call('POST', `/v1/manage/users/${userId}/password`, { new_password: PASSWORD }),
      says: 'Invalid or expired token',
    },
    'the user’s deletion': {
      end: ({ tenant, userId }) => tenant.call('DELETE', `/v1/manage/users/${userId}`),
      says: 'Invalid or expired token',
    },
    'the key’s revocation': {
      end: ({ tenant, keyId }) => tenant.call('POST', `/v1/tenant/keys/${keyId}/revoke`),
      says: 'Invalid API key',
    },
    'the tenant’s suspension': {
      end: ({ tenant }) =>
        parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { status: 'suspended' }),
      says: 'Tenant is not active',
    },
  }

  const CASES = Object.keys(doors).flatMap((door) => [
    ...['a password reset', 'the user’s deletion', 'the tenant’s suspension'].map(
      (end) => [door, 'token', end] as const,
    ),
    ...['the key’s revocation', 'the user’s deletion', 'the tenant’s suspension'].map(
      (end) => [door, 'key', end] as const,
    ),
  ])

  it.each(CASES)(
    '%s with a %s closes after %s, while the model still writes',
    async (door, who, end) => {
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      model.script = () => ({ text: SAID, pieceChars: SAID.length, until })
      const caller = await someone(who === 'key')
      const reading = await doors[door]?.(caller.headers)
      await reading?.until('five')
      await ends[end]?.end(caller)
      const text = (await reading?.ended) ?? ''
      expect(text).toContain(ends[end]?.says)
      expect(text).not.toMatch(/"finish_reason":"stop"|event: done|"type":"finish"/)
      release()
    },
  )

  it('every route that streams an answer is tried', () => {
    const streams = ({ streams, answers }: (typeof ROUTES)[number]) =>
      streams || Object.values(answers).some((is) => typeof is === 'object' && 'media' in is)
    const answering = ROUTES.filter(
      (route) => route.path.startsWith('/v1/chat') && streams(route),
    ).map(keyOf)
    expect([...new Set(Object.keys(doors).map((door) => door.split('?')[0]))].sort()).toEqual(
      answering.sort(),
    )
  })

  it('the turn goes on without a reader and is stored', async () => {
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    model.script = () => ({ text: SAID, pieceChars: SAID.length, until })
    const caller = await someone(false)
    const reading = await open('/v1/chat/stream', caller.headers, { message })
    await reading.until('five')
    await ends['a password reset']?.end(caller)
    await reading.ended
    release()
    const headers = await caller.again()
    const { space_id } = (await expectOk(parley.call('GET', '/me', { headers }))).json
    const ask = async (path: string) => (await expectOk(parley.call('GET', path, { headers }))).json
    const stored = await waitFor(async () => {
      const [session] = (await ask(`/me/spaces/${space_id}/sessions`)).items
      const items = await ask(`/me/sessions/${session.id}/messages`)
      return items.find(({ role }: { role: string }) => role === 'assistant') ?? null
    })
    expect(stored).toMatchObject({ content: SAID })
  })

  it('of another key stays open', async () => {
    const until = new Promise<void>((resolve) => {
      release = resolve
    })
    model.script = () => ({ text: SAID, pieceChars: SAID.length, until })
    const caller = await someone(true)
    const [own, other] = await Promise.all(
      [caller.headers, await caller.again()].map((headers) =>
        open('/v1/chat/stream', headers, { message }),
      ),
    )
    await Promise.all([own?.until('five'), other?.until('five')])
    await ends['the key’s revocation']?.end(caller)
    expect(await own?.ended).toContain('Invalid API key')
    release()
    expect(await other?.ended).toContain('event: done')
  })
})
