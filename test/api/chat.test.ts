import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evictSpaces, type Parley, send, startParley } from '../support/harness'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { parseSse, readSse } from '../support/sse-reader'

const GUIDE = {
  Refunds: 'Refunds are paid within five working days. Shipping is free above 50 euros.',
  Opening: 'The office opens at nine in the morning. On Sundays it is closed.',
}

describe('chat', () => {
  let parley: Parley
  let tenant: SeededTenant

  beforeAll(async () => {
    parley = await startParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
  })
  afterAll(() => parley.close())

  it('answers from the base with a verified quote', async () => {
    const { status, json } = await tenant.as('ada', 'POST', '/v1/chat', {
      message: 'When are refunds paid?',
    })
    expect(status).toBe(200)
    expect(json.reply).toContain('within five working days')
    expect(json.finish_reason).toBe('stop')
    expect(json.sources).toHaveLength(1)
    expect(GUIDE.Refunds.slice(json.sources[0].start, json.sources[0].end)).toBe(
      json.sources[0].quote,
    )
    expect(json.usage.model).toMatch(/^offline/)
  })

  it('says so when nothing fits, without calling the model', async () => {
    const { json } = await tenant.as('ada', 'POST', '/v1/chat', {
      message: 'Who discovered penicillin and in which laboratory?',
    })
    expect(json.finish_reason).toBe('no_match')
    expect(json.sources).toEqual([])
    for (const closest of json.closest)
      expect(closest).toEqual({
        document_id: expect.any(String),
        title: expect.any(String),
        heading: closest.heading,
      })
    expect(json.closest.length).toBeLessThanOrEqual(3)
    expect(json.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 })
  })

  it('goes on in the language of the talk where a message tells none, whatever the browser’s is', async () => {
    const say = async (message: string, session_id?: string) =>
      (
        await tenant.as(
          'eva',
          'POST',
          '/v1/chat',
          { message, session_id },
          { 'accept-language': 'en' },
        )
      ).json
    const first = await say('¿Quién ganó la copa de fútbol en 1954?')
    const second = await say('1958?', first.session_id)
    expect([second.finish_reason, second.reply]).toEqual([first.finish_reason, first.reply])
    expect((await say('1958?')).reply).not.toBe(first.reply)
  })

  it('streams session first, done last, with rising ids', async () => {
    const { text, headers } = await tenant.as('ada', 'POST', '/v1/chat/stream', {
      message: 'When does the office open?',
    })
    const frames = parseSse(text)
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(text.startsWith(': ping')).toBe(true)
    expect(frames[0]?.event).toBe('session')
    expect(frames.at(-1)?.event).toBe('done')
    expect(frames.map((frame) => frame.id)).toEqual(
      frames.map((frame) => frame.id).toSorted((a, b) => a - b),
    )
    const reply = frames
      .filter((frame) => frame.event === 'token')
      .map((frame) => frame.data.text)
      .join('')
    expect(frames.at(-1)?.data.reply).toBe(reply)
  })

  it('goes on after a lost connection without loss or repeats, also from storage', async () => {
    const { text } = await tenant.as('bob', 'POST', '/v1/chat/stream', {
      message: 'When are refunds paid?',
    })
    const frames = parseSse(text)
    const messageId = frames[0]?.data.message_id
    const tokens = frames.filter((frame) => frame.event === 'token')
    const first = tokens[0]
    if (!first) throw new Error('There is no token')
    for (const evict of [false, true]) {
      if (evict) await evictSpaces(parley)
      const again = await tenant.as('bob', 'GET', `/v1/chat/stream/${messageId}`, undefined, {
        'last-event-id': String(first.id),
      })
      const rest = parseSse(again.text)
      const resumed =
        first.data.text +
        rest
          .filter((frame) => frame.event === 'token')
          .map((frame) => frame.data.text)
          .join('')
      expect(resumed).toBe(frames.at(-1)?.data.reply)
      expect(rest.at(-1)?.event).toBe('done')
    }
  })

  it('tells again how it ended to whoever has heard the end', async () => {
    const message = 'When are refunds paid?'
    const { text } = await tenant.as('bob', 'POST', '/v1/chat/stream', { message })
    const done = parseSse(text).at(-1)
    const path = `/v1/chat/stream/${done?.data.message_id}`
    for (const evict of [false, true]) {
      if (evict) await evictSpaces(parley)
      for (const beyond of [0, 5]) {
        const id = String((done?.id ?? 0) + beyond)
        const again = await tenant.as('bob', 'GET', path, undefined, { 'last-event-id': id })
        const last = parseSse(again.text).at(-1)
        expect([last?.event, last?.data.reply]).toEqual(['done', done?.data.reply])
      }
    }
  })

  it('lets its object sleep once the title is written', async () => {
    await tenant.as('sleeper', 'POST', '/v1/chat', { message: 'When are refunds paid?' })
    const { json: me } = await tenant.as('sleeper', 'GET', '/me')
    await waitFor(async () => {
      const { json } = await tenant.as('sleeper', 'GET', `/me/spaces/${me.space_id}/sessions`)
      return json.items[0].title
    })
    // An eviction waits for whatever keeps an object awake, such as a timer that nobody took back.
    const begun = Date.now()
    await evictSpaces(parley)
    expect(Date.now() - begun).toBeLessThan(10_000)
  })

  it('hides the details of sources from end users unless they are public', async () => {
    const { json: token } = await parley.call('POST', '/auth/anonymous', {
      body: { tenant_id: tenant.id },
    })
    const ask = () =>
      parley.call('POST', '/chat', {
        body: { message: 'When are refunds paid?' },
        headers: { authorization: `Bearer ${token.access_token}` },
      })
    const hidden = await ask()
    expect(Object.keys(hidden.json.sources[0]).sort()).toEqual(['distance', 'document_id', 'n'])
    await tenant.call('PATCH', '/v1/agents/desk', { public_sources: true })
    const shown = await ask()
    await tenant.call('PATCH', '/v1/agents/desk', { public_sources: false })
    expect(shown.json.sources[0].quote).toBe('Refunds are paid within five working days.')
  })

  it('shows whoever goes on with a stream as much of the sources as they may know, whoever began it', async () => {
    const { json: token } = await tenant.as('dora', 'POST', '/v1/users/token')
    const byToken = { authorization: `Bearer ${token.access_token}` }
    const byKey = { 'x-api-key': tenant.key, 'x-end-user': 'dora' }
    const cited = async (path: string, headers: Record<string, string>, body?: unknown) => {
      const { text } = await parley.call(body ? 'POST' : 'GET', path, { headers, body })
      const frames = parseSse(text)
      const sources = frames.findLast(({ event }) => event === 'sources')?.data.sources
      expect(frames.at(-1)?.data.sources).toEqual(sources)
      return { id: frames.at(-1)?.data.message_id, isWhole: sources[0].quote !== undefined }
    }
    for (const isPublic of [false, true]) {
      await tenant.call('PATCH', '/v1/agents/desk', { public_sources: isPublic })
      for (const begun of [byToken, byKey]) {
        const message = 'When are refunds paid?'
        const first = await cited('/chat/stream', begun, { message })
        expect(first.isWhole).toBe(isPublic || begun === byKey)
        for (const isStored of [false, true]) {
          if (isStored) await evictSpaces(parley)
          const path = `/chat/stream/${first.id}`
          expect((await cited(path, byToken)).isWhole).toBe(isPublic)
          expect((await cited(path, byKey)).isWhole).toBe(true)
        }
      }
    }
    await tenant.call('PATCH', '/v1/agents/desk', { public_sources: false })
  })

  it('tells a stream that is gone on with nothing that was deleted or edited since', async () => {
    const { json } = await tenant.as('edda', 'POST', '/v1/chat', {
      message: 'When are refunds paid?',
    })
    const path = `/me/sessions/${json.session_id}/messages/${json.message_id}`
    const resume = (headers = {}) =>
      tenant.as('edda', 'GET', `/v1/chat/stream/${json.message_id}`, undefined, headers)
    await tenant.as('edda', 'PATCH', path, { content: 'Soon.' })
    expect(parseSse((await resume()).text).at(-1)?.data.reply).toBe('Soon.')
    const rest = parseSse((await resume({ 'last-event-id': '20480' })).text)
    expect(rest.map(({ event, data }) => [event, data.text])[0]).toEqual(['replace', 'Soon.'])
    await tenant.as('edda', 'DELETE', path)
    expect((await resume()).json).toEqual({ detail: 'Message not found' })
  })

  it('tells end users which documents came nearest only where sources are public', async () => {
    const { json: token } = await parley.call('POST', '/auth/anonymous', {
      body: { tenant_id: tenant.id },
    })
    const authorization = `Bearer ${token.access_token}`
    const message = 'Does the office in Helgoland sell ferry tickets?'
    const everyWay = async () => {
      const headers = { authorization, 'idempotency-key': crypto.randomUUID() }
      const said = () => parley.call('POST', '/chat', { body: { message }, headers })
      const [first, again] = [await said(), await said()]
      const streamed = await parley.call('POST', '/chat/stream', {
        body: { message },
        headers: { authorization },
      })
      const done = parseSse(streamed.text).at(-1)?.data
      const answers = [first.json, again.json, done]
      expect(answers.map((answer) => answer.finish_reason)).toEqual(answers.map(() => 'no_match'))
      expect(again.json.message_id).toBe(first.json.message_id)
      return answers.map((answer) => answer.closest)
    }
    const { json: byKey } = await tenant.as('ada', 'POST', '/v1/chat', { message })
    expect(byKey.closest[0]).toEqual({
      document_id: expect.any(String),
      title: 'Opening',
      heading: null,
    })
    expect(await everyWay()).toEqual([[], [], []])
    await tenant.call('PATCH', '/v1/agents/desk', { public_sources: true })
    const shown = await everyWay()
    await tenant.call('PATCH', '/v1/agents/desk', { public_sources: false })
    expect(shown).toEqual([byKey.closest, byKey.closest, byKey.closest])
  })

  it('keeps a session to its user', async () => {
    const { json } = await tenant.as('carol', 'POST', '/v1/chat', {
      message: 'When are refunds paid?',
    })
    const stranger = await tenant.as('mallory', 'POST', '/v1/chat', {
      message: 'And on Sundays?',
      session_id: json.session_id,
    })
    expect(stranger.status).toBe(404)
    expect(stranger.json).toEqual({ detail: 'Session not found' })
  })

  it('answers a repeated Idempotency-Key with the stored turn and refuses another body', async () => {
    const headers = { 'idempotency-key': 'once' }
    const one = await tenant.as(
      'dora',
      'POST',
      '/v1/chat',
      { message: 'When are refunds paid?' },
      headers,
    )
    const two = await tenant.as(
      'dora',
      'POST',
      '/v1/chat',
      { message: 'When are refunds paid?' },
      headers,
    )
    const other = await tenant.as(
      'dora',
      'POST',
      '/v1/chat',
      { message: 'When does the office open?' },
      headers,
    )
    expect(two.json.message_id).toBe(one.json.message_id)
    expect(two.json.reply).toBe(one.json.reply)
    expect(other.status).toBe(422)
  })

  it('speaks the OpenAI protocol, whole and streamed', async () => {
    const body = { model: 'desk', messages: [{ role: 'user', content: 'When are refunds paid?' }] }
    const whole = await tenant.call('POST', '/v1/chat/completions', body)
    expect(whole.json.choices[0].message.content).toContain('five working days')
    const streamed = await tenant.call('POST', '/v1/chat/completions', {
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = parseSse(streamed.text)
    const content = chunks.map((chunk) => chunk.data.choices?.[0]?.delta?.content ?? '').join('')
    expect(content).toBe(whole.json.choices[0].message.content)
    expect(streamed.text.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(
      (await tenant.call('POST', '/v1/chat/completions', { ...body, tools: [{}] })).status,
    ).toBe(422)
    for (const user of ['josé', 'josé'.normalize('NFD')])
      await tenant.call('POST', '/v1/chat/completions', { ...body, user })
    const users = await tenant.call('GET', '/v1/manage/users?limit=200')
    const ids = users.json.items.map((one: { external_user_id: string }) => one.external_user_id)
    expect(ids.filter((id: string) => id.startsWith('jos'))).toEqual(['josé'])
    const models = await tenant.call('GET', '/v1/models')
    expect(models.json.data.map((model: { id: string }) => model.id)).toEqual(['desk'])
  })

  it('speaks the UI message stream and keeps the conversation under the client’s id', async () => {
    const ask = (text: string) =>
      tenant.as('eve', 'POST', '/v1/chat/stream?protocol=ui-message', {
        id: 'chat-abc',
        messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
        trigger: 'submit-message',
      })
    const one = await ask('When are refunds paid?')
    expect(one.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const start = parseSse(one.text)[0]?.data
    expect(start.type).toBe('start')
    const two = parseSse((await ask('When does the office open?')).text)[0]?.data
    expect(two.messageMetadata.session_id).toBe(start.messageMetadata.session_id)
  })

  it('refuses a file of a UI message that nobody would read', async () => {
    const text = { type: 'text', text: 'When are refunds paid?' }
    const file = {
      type: 'file',
      mediaType: 'application/pdf',
      url: 'data:application/pdf;base64,AA==',
    }
    const ask = (...messages: object[]) =>
      tenant.as('fay', 'POST', '/v1/chat/ui', { id: 'with-files', messages })
    const earlier = { role: 'user', parts: [file, text] }
    const refused = await ask(earlier)
    expect([refused.status, refused.json.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'messages', 0, 'parts', 0, 'mediaType'] }],
    ])
    expect((await ask(earlier, { role: 'user', parts: [text] })).status).toBe(200)
  })

  it.each(['', ' \n', '\u200b', '\ufeff\u2060', '\ufe0f \u{e0101}', '\u3164\u00ad'])(
    'takes a message with nothing to see for none: %j',
    async (message) => {
      const parts = [{ type: 'text', text: message }]
      const messages = [{ role: 'user', content: message }]
      for (const [path, body, loc] of [
        ['/v1/chat', { message }, 'message'],
        ['/v1/chat/stream', { message }, 'message'],
        ['/v1/chat/ui', { id: 'unseen', messages: [{ role: 'user', parts }] }, 'messages'],
        ['/v1/chat/completions', { model: 'desk', messages }, 'messages'],
      ] as const) {
        const { status, json } = await tenant.as('ida', 'POST', path, body)
        expect([path, status, json.detail?.[0]?.loc]).toEqual([path, 422, ['body', loc]])
      }
    },
  )

  it('ends a stream for a listener that leaves, not the turn', async () => {
    const response = await fetch(new URL('/v1/chat/stream', parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': 'frank',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: 'When are refunds paid?' }),
    })
    const [session] = await readSse(response, (frames) => frames.length > 0)
    const done = await waitFor(async () => {
      const { text } = await send(
        parley.url,
        'GET',
        `/v1/chat/stream/${session?.data.message_id}`,
        { headers: { 'x-api-key': tenant.key, 'x-end-user': 'frank' } },
      )
      return parseSse(text).find((frame) => frame.event === 'done') ?? null
    })
    expect(done.data.reply).toContain('five working days')
  })
})
