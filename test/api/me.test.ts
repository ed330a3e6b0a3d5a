import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'

describe('/me', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', {
      Refunds: 'Refunds are paid within five working days. Shipping is free above 50 euros.',
    })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], public_sources: false })
    await seedAgent(tenant, 'second')
  })
  afterAll(() => parley.close())

  const say = async (user: string, message: string, fields: Record<string, unknown> = {}) =>
    (await tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields })).json
  const messagesOf = async (user: string, session: string, query = '') =>
    (await tenant.as(user, 'GET', `/me/sessions/${session}/messages${query}`)).json
  const homeOf = async (user: string) => (await tenant.as(user, 'GET', '/me')).json.space_id

  it('says who the caller is, by key and by token, and refuses a key alone', async () => {
    const { json } = await tenant.as('ada', 'GET', '/me', undefined, { 'accept-language': 'es-MX' })
    expect(json).toMatchObject({
      external_user_id: 'ada',
      tenant_id: tenant.id,
      auth: 'proxy',
      lang: 'es',
    })
    const visitor = (
      await parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })
    ).json
    const mine = await parley.call('GET', '/v1/me', {
      headers: { authorization: `Bearer ${visitor.access_token}` },
    })
    expect(mine.json).toMatchObject({
      user_id: visitor.user_id,
      external_user_id: visitor.user_id,
      auth: 'anonymous',
    })
    const { json: token } = await tenant.as('ada', 'POST', '/v1/users/token')
    const headers = { authorization: `Bearer ${token.access_token}`, 'accept-language': 'es-MX' }
    expect((await parley.call('GET', '/me', { headers })).json).toEqual(json)
    expect((await tenant.call('GET', '/me')).status).toBe(401)
    expect((await tenant.as('ada', 'GET', '/me/features')).json).toEqual({ stt: false })
    expect((await tenant.as('ada', 'GET', '/me/agents')).json).toEqual(['desk', 'second'])
  })

  it('says the language that the user registered with, else what the call asks for', async () => {
    const register = async (email: string, lang?: string) => {
      const { json } = await parley.call('POST', '/auth/register', {
        body: { tenant_id: tenant.id, email, password: 'correct horse battery', lang },
      })
      const headers = { authorization: `Bearer ${json.access_token}`, 'accept-language': 'es' }
      return (await parley.call('GET', '/me', { headers })).json.lang
    }
    expect(await register('fr@example.com', 'fr')).toBe('fr')
    expect(await register('zh@example.com', 'zh-Hant-HK')).toBe('zh-TW')
  })

  it('knows no place where the runtime makes one up, nor that of a tenant’s server', async () => {
    const { json } = await tenant.as('ada', 'GET', '/me/profile')
    expect(json.suggestion).toBeNull()
    const visitor = await parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })
    const headers = { authorization: `Bearer ${visitor.json.access_token}` }
    expect((await parley.call('GET', '/me/profile', { headers })).json.suggestion).toBeNull()
    await seedAgent(tenant, 'finder', { tools: ['ip_geo'] })
    const body = { message: 'Where am I right now?', agent: 'finder' }
    for (const answer of [
      await tenant.as('ada', 'POST', '/v1/chat', body),
      await parley.call('POST', '/v1/chat', { body, headers }),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.json.reply).not.toMatch(/Austin|Texas|US\b/)
    }
  })

  it('keeps a profile, sealed, and clears a field by an empty text or null', async () => {
    const sent = {
      pref_name: 'Ada',
      contact_email: 'ada@example.com',
      contact_phone: '+4915112345678',
      pref_timezone: 'Europe/Berlin',
    }
    expect((await tenant.as('ada', 'PATCH', '/me/profile', sent)).json).toMatchObject(sent)
    const cleared = await tenant.as('ada', 'PATCH', '/me/profile', {
      contact_phone: '',
      pref_timezone: null,
    })
    const zone = { pref_timezone: 'europe/berlin' }
    expect((await tenant.as('ada', 'PATCH', '/me/profile', zone)).json).toMatchObject({
      pref_timezone: 'Europe/Berlin',
    })
    await tenant.as('ada', 'PATCH', '/me/profile', { pref_timezone: null })
    // As an account’s address may be.
    const email = { contact_email: 'jürgen@müller.example' }
    expect((await tenant.as('ada', 'PATCH', '/me/profile', email)).json).toMatchObject(email)
    expect(cleared.json).toMatchObject({
      pref_name: 'Ada',
      contact_phone: null,
      pref_timezone: null,
    })
    for (const wrong of [
      { contact_email: 'no' },
      { contact_phone: '0151' },
      { pref_timezone: 'Mars/Base' },
      { contact_phone: '+49 what' },
      { pref_name: 7 },
      { pref_name: 'A\u0000da' },
      { pref_city: '\u200b\u2060' },
    ]) {
      expect((await tenant.as('ada', 'PATCH', '/me/profile', wrong)).status).toBe(422)
    }
    const said = await tenant.as('ada', 'PATCH', '/me/profile', { pref_timezone: 'Mars/Base' })
    expect(said.json.detail[0].msg).toBe('Value error, not an IANA time zone such as Europe/Paris')
    // An address book writes signs around a number that nobody sees.
    const pasted = { contact_email: '\ufeffada@example.com\u200b' }
    expect((await tenant.as('ada', 'PATCH', '/me/profile', pasted)).json).toMatchObject({
      contact_email: 'ada@example.com',
    })
    for (const contact_phone of [
      ...['+49 (151) 1234-5678', '0049 151 12345678', '+49/151.12345678'],
      ...['\u202a+49 151 12345678\u202c', '+٤٩١٥١١٢٣٤٥٦٧٨', '＋４９ １５１ １２３４５６７８'],
    ])
      expect(
        (await tenant.as('ada', 'PATCH', '/me/profile', { contact_phone })).json,
      ).toMatchObject({
        contact_phone: '+4915112345678',
      })
    const env = await parley.worker.getEnv()
    const { results } = await env.DB.prepare('SELECT * FROM user_profiles').all()
    expect(JSON.stringify(results)).not.toMatch(/ada@example|"Ada"/)
  })

  it('keeps every field of a profile that several writers change at once', async () => {
    const sent = {
      pref_name: 'Ada',
      contact_email: 'ada@example.com',
      contact_phone: '+491234567890',
      pref_city: 'Paris',
      pref_timezone: 'Europe/Paris',
    }
    const answers = await Promise.all(
      Object.entries(sent).map(([field, value]) =>
        tenant.as('nina', 'PATCH', '/me/profile', { [field]: value }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await tenant.as('nina', 'GET', '/me/profile')).json).toMatchObject(sent)
  })

  it('lists sessions newest first, page by page, with titles of the user’s own', async () => {
    const ids: string[] = []
    for (const message of ['When are refunds paid?', 'Is shipping free?', 'Hello there'])
      ids.push((await say('bob', message)).session_id)
    const home = await homeOf('bob')
    const first = (await tenant.as('bob', 'GET', `/me/spaces/${home}/sessions?limit=2`)).json
    expect(first.items.map((item: { id: string }) => item.id)).toEqual([ids[2], ids[1]])
    const second = (
      await tenant.as(
        'bob',
        'GET',
        `/me/spaces/${home}/sessions?limit=2&cursor=${first.next_cursor}`,
      )
    ).json
    expect(second.items.map((item: { id: string }) => item.id)).toEqual([ids[0]])
    expect(second.next_cursor).toBeNull()
    const renamed = await tenant.as('bob', 'PATCH', `/me/sessions/${ids[0]}`, {
      title: '  Money back ',
    })
    expect(renamed.json).toMatchObject({
      title: 'Money back',
      title_by_user: true,
      message_count: 2,
      unread_count: 2,
    })
    expect((await tenant.as('bob', 'POST', `/me/sessions/${ids[0]}/read`)).json).toMatchObject({
      read_count: 2,
      unread_count: 0,
    })
    expect(
      (await tenant.as('eve', 'PATCH', `/me/sessions/${ids[0]}`, { title: 'Mine' })).json,
    ).toEqual({ detail: 'Session not found' })
    expect((await tenant.as('eve', 'GET', `/me/spaces/${home}/sessions`)).json).toEqual({
      detail: 'Space not found',
    })
    expect((await tenant.as('bob', 'PATCH', `/me/sessions/${ids[0]}`, { title: '' })).status).toBe(
      422,
    )
  })

  it('lists messages in order, pages back, edits and deletes one', async () => {
    const { session_id } = await say('carl', 'When are refunds paid?')
    await say('carl', 'Is shipping free?', { session_id })
    const all = await messagesOf('carl', session_id)
    expect(all.map((message: { role: string }) => message.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(all[1].content).toContain('five working days')
    const back = await messagesOf('carl', session_id, `?limit=2&before=${all[2].id}`)
    expect(back.map((message: { id: string }) => message.id)).toEqual([all[0].id, all[1].id])
    const edited = await tenant.as(
      'carl',
      'PATCH',
      `/me/sessions/${session_id}/messages/${all[0].id}`,
      { content: 'When is my money back?' },
    )
    expect(edited.json).toMatchObject({ content: 'When is my money back?', role: 'user' })
    expect(edited.json.edited_at).not.toBeNull()
    expect(
      (await tenant.as('carl', 'DELETE', `/me/sessions/${session_id}/messages/${all[1].id}`))
        .status,
    ).toBe(204)
    expect(await messagesOf('carl', session_id)).toHaveLength(3)
    expect(
      (await tenant.as('carl', 'DELETE', `/me/sessions/${session_id}/messages/${all[1].id}`)).json,
    ).toEqual({ detail: 'Message not found' })
  })

  it('hides source details from an end user and shows them to the tenant’s server', async () => {
    const visitor = (
      await parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })
    ).json
    const headers = { authorization: `Bearer ${visitor.access_token}` }
    const turn = (
      await parley.call('POST', '/chat', {
        body: { message: 'When are refunds paid?', agent: 'desk' },
        headers,
      })
    ).json
    const mine = (await parley.call('GET', `/me/sessions/${turn.session_id}/messages`, { headers }))
      .json
    expect(Object.keys(mine[1].sources[0]).sort()).toEqual(['distance', 'document_id', 'n'])
    const proxied = await say('dan', 'When are refunds paid?')
    expect((await messagesOf('dan', proxied.session_id))[1].sources[0].quote).toContain(
      'five working days',
    )
  })

  it('branches with an answer included and with a question as prefill', async () => {
    const { session_id } = await say('fay', 'When are refunds paid?', { images: [PIXEL] })
    await say('fay', 'Is shipping free?', { session_id })
    const [q1, a1, q2] = await messagesOf('fay', session_id)
    const atAnswer = await tenant.as(
      'fay',
      'POST',
      `/me/sessions/${session_id}/messages/${a1.id}/branch`,
    )
    expect(atAnswer.status).toBe(201)
    expect(atAnswer.json).toMatchObject({
      forked_from: session_id,
      prefill: null,
      message_count: 2,
    })
    const copied = await messagesOf('fay', atAnswer.json.id)
    expect(copied.map((message: { content: string }) => message.content)).toEqual([
      q1.content,
      a1.content,
    ])
    expect(copied[0].id).not.toBe(q1.id)
    const image = await fetch(
      new URL(`/me/attachments/${copied[0].attachments[0].id}`, parley.url),
      { headers: { 'x-api-key': tenant.key, 'x-end-user': 'fay' } },
    )
    expect(new Uint8Array(await image.arrayBuffer()).slice(1, 4)).toEqual(
      new TextEncoder().encode('PNG'),
    )
    const atQuestion = await tenant.as(
      'fay',
      'POST',
      `/me/sessions/${session_id}/messages/${q2.id}/branch`,
    )
    expect(atQuestion.json).toMatchObject({ prefill: 'Is shipping free?', message_count: 2 })
    const next = await say('fay', 'And above 50 euros?', { session_id: atAnswer.json.id })
    expect(next.session_id).toBe(atAnswer.json.id)
  })

  it('lists and serves images to their owner alone, and removes them with the session', async () => {
    const { session_id } = await say('gus', 'Look', { images: [PIXEL] })
    const [attachment] = (await tenant.as('gus', 'GET', `/me/sessions/${session_id}/attachments`))
      .json
    expect(attachment).toMatchObject({ session_id, mime: 'image/png', name: 'image-1.png' })
    const got = await tenant.as('gus', 'GET', `/me/attachments/${attachment.id}`)
    expect(got.headers.get('content-type')).toBe('image/png')
    expect(got.headers.get('cache-control')).toBe('private, no-store')
    expect((await tenant.as('eve', 'GET', `/me/attachments/${attachment.id}`)).json).toEqual({
      detail: 'Attachment not found',
    })
    expect((await tenant.as('gus', 'DELETE', `/me/sessions/${session_id}`)).status).toBe(204)
    expect((await tenant.as('gus', 'GET', `/me/attachments/${attachment.id}`)).status).toBe(404)
    expect((await tenant.as('gus', 'GET', `/me/sessions/${session_id}/messages`)).status).toBe(404)
    const env = await parley.worker.getEnv()
    await waitFor(async () => {
      const { objects } = await env.FILES.list({ prefix: `users/${tenant.id}/` })
      return objects.some((object) => object.key.endsWith(attachment.id)) ? null : true
    })
  })

  it('says once what is wrong with a text of blanks, and leaves the message as it is', async () => {
    const { session_id } = await say('hal', 'When are refunds paid?')
    const [question] = await messagesOf('hal', session_id)
    const missing = (field: string) => [
      {
        type: 'string_too_short',
        loc: ['body', field],
        msg: 'String should have at least 1 character',
      },
    ]
    for (const blank of ['', ' \n '])
      for (const [method, path, field] of [
        ['PATCH', `/me/sessions/${session_id}/messages/${question.id}`, 'content'],
        ['PATCH', `/me/sessions/${session_id}`, 'title'],
        ['POST', '/me/spaces', 'name'],
      ] as const) {
        const { status, json } = await tenant.as('hal', method, path, { [field]: blank })
        expect([status, json.detail]).toEqual([422, missing(field)])
      }
    const path = `/me/sessions/${session_id}/messages/${question.id}`
    const unseen = await tenant.as('hal', 'PATCH', path, { content: '\u200b\ufe0f\ufeff' })
    expect([unseen.status, unseen.json.detail]).toEqual([422, missing('content')])
    expect((await messagesOf('hal', session_id))[0].content).toBe('When are refunds paid?')
  })

  it('finds sessions by title and by what was said', async () => {
    const { session_id } = await say('hal', 'When are refunds paid?')
    const home = await homeOf('hal')
    await tenant.as('hal', 'PATCH', `/me/sessions/${session_id}`, { title: 'Summer holidays' })
    const search = async (q: string) =>
      (
        await tenant.as(
          'hal',
          'GET',
          `/me/spaces/${home}/sessions/search?q=${encodeURIComponent(q)}`,
        )
      ).json
    expect(await search('HOLIDAYS')).toMatchObject([{ session_id, match: 'title' }])
    expect(await search('hólidáys')).toMatchObject([{ session_id, match: 'title' }])
    const [hit] = await search('working days')
    expect(hit).toMatchObject({ session_id, match: 'keyword' })
    expect(hit.snippet).toContain('working days')
    expect(await search('')).toEqual([])
    expect(await search('nothing like it')).toEqual([])
    // Signs that are folded away stand before what is looked for, and digits of another script in it.
    const marked = 'تُدْفَعُ المَبَالِغُ المُسْتَرَدَّةُ. '.repeat(20)
    await say('hal', `${marked} الطلب رقم ١٢٣٤. ${marked}`)
    expect((await search('الطلب 1234'))[0].snippet).toContain('الطلب رقم ١٢٣٤')
  })

  it('finds sessions with one agent among many with others', async () => {
    const { session_id } = await say('ann', 'When are refunds paid?')
    for (let n = 0; n < 21; n++)
      await say('ann', `Refunds once more, number ${n}?`, { agent: 'second' })
    const search = async (query: string) =>
      (await tenant.as('ann', 'GET', `/me/spaces/${await homeOf('ann')}/sessions/search?${query}`))
        .json
    expect(await search('q=refunds')).toHaveLength(20)
    expect(await search('q=refunds&agent=desk')).toMatchObject([{ session_id }])
    expect(await search('q=refunds&agent=nobody')).toEqual([])
  })

  it('has fifty spaces at most, also where many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        tenant.as('jill', 'POST', '/me/spaces', { name: `Space ${n}` }),
      ),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(49)
    expect(made.find(({ status }) => status !== 201)).toMatchObject({
      status: 409,
      json: { detail: 'A user has at most 50 spaces; delete or merge one first' },
    })
    expect((await tenant.as('jill', 'GET', '/me/spaces')).json).toHaveLength(50)
  })

  it('has spaces of one’s own with their agents; the default one stays', async () => {
    const home = await homeOf('ivy')
    expect((await tenant.as('ivy', 'DELETE', `/me/spaces/${home}`)).json).toEqual({
      detail: 'The default space cannot be deleted',
    })
    const made = await tenant.as('ivy', 'POST', '/me/spaces', { name: 'Work' })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'Work',
      is_default: false,
      agents: [],
      session_count: 0,
    })
    const space = made.json.id
    const inSpace = { 'x-space-id': space }
    const refused = await tenant.as(
      'ivy',
      'POST',
      '/v1/chat',
      { message: 'Hi', agent: 'second' },
      inSpace,
    )
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      'Agent not available in this space',
    ])
    const added = await tenant.as('ivy', 'POST', `/me/spaces/${space}/agents`, { name: 'second' })
    expect([added.status, added.json]).toEqual([201, ['second']])
    await waitFor(async () =>
      (await tenant.as('ivy', 'POST', '/v1/chat', { message: 'Hi', agent: 'second' }, inSpace))
        .status === 200
        ? true
        : null,
    )
    expect(
      (await tenant.as('ivy', 'PATCH', `/me/spaces/${space}`, { name: 'Office' })).json,
    ).toMatchObject({ name: 'Office', session_count: 1 })
    expect(
      (await tenant.as('ivy', 'GET', '/me/spaces')).json.map((row: { name: string }) => row.name),
    ).toEqual(['Default', 'Office'])
    expect((await tenant.as('ivy', 'DELETE', `/me/spaces/${space}/agents/second`)).status).toBe(204)
    expect((await tenant.as('ivy', 'DELETE', `/me/spaces/${space}/agents/second`)).status).toBe(404)
    expect((await tenant.as('ivy', 'DELETE', `/me/spaces/${home}/agents/second`)).status).toBe(409)
    expect((await tenant.as('eve', 'DELETE', `/me/spaces/${space}`)).status).toBe(404)
    expect((await tenant.as('ivy', 'DELETE', `/me/spaces/${space}`)).status).toBe(204)
    expect((await tenant.as('ivy', 'GET', '/me', undefined, inSpace)).json).toEqual({
      detail: 'Space not found',
    })
  })

  it('takes thumbs with a comment, which is stored sealed', async () => {
    const turn = await say('joe', 'When are refunds paid?')
    const path = `/v1/messages/${turn.message_id}/feedback`
    expect(
      (await tenant.as('joe', 'POST', path, { value: 'down', comment: 'Too short' })).status,
    ).toBe(204)
    expect((await messagesOf('joe', turn.session_id))[1].feedback).toBe('down')
    expect((await tenant.as('joe', 'POST', path, { value: 'sideways' })).status).toBe(422)
    expect((await tenant.as('eve', 'POST', path, { value: 'up' })).json).toEqual({
      detail: 'Message not found',
    })
    expect(
      (await tenant.as('joe', 'POST', `/me/messages/${turn.message_id}/feedback`, { value: null }))
        .status,
    ).toBe(204)
    expect((await messagesOf('joe', turn.session_id))[1].feedback).toBeNull()
  })
})
