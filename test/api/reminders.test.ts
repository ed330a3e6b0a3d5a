import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFences } from '../../src/text/fence'
import { type Parley, sharedParley } from '../support/harness'
import { isEvent, openLive } from '../support/live-stream'
import type { ModelAct } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

const MINUTE = 60_000
const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

const LATE = { timeout: 20_000 }

describe('/me/reminders', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(() => parley.close())

  const add = (user: string, body: Record<string, unknown>, headers = {}) =>
    tenant.as(user, 'POST', '/me/reminders', { text: 'Call Ada', ...body }, headers)
  const list = async (user: string, query = '') =>
    (await tenant.as(user, 'GET', `/me/reminders${query}`)).json

  it('sets a reminder by key and by token, and never shows its text', async () => {
    const due = soon(10 * MINUTE)
    const { status, json, text } = await add('ada', { due_at: due, agent: 'desk' })
    expect(status).toBe(201)
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      status: 'pending',
      due_at: due,
      timezone: 'UTC',
      source: 'manual',
      agent_name: 'desk',
      agent_display_name: 'desk',
      session_id: null,
      created_at: expect.any(String),
      delivered_at: null,
      cancelled_at: null,
    })
    expect(text).not.toContain('Call Ada')
    expect((await list('ada')).items).toEqual([json])
    expect(JSON.stringify(await list('ada'))).not.toContain('Call Ada')

    const visitor = (
      await parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })
    ).json
    const headers = { authorization: `Bearer ${visitor.access_token}` }
    const body = { text: 'By token', due_at: 'PT1H' }
    expect((await parley.call('POST', '/v1/me/reminders', { body, headers })).status).toBe(201)
    const mine = await parley.call('GET', '/v1/me/reminders', { headers })
    expect(mine.json.items).toHaveLength(1)
    expect((await tenant.call('GET', '/me/reminders')).status).toBe(401)
  })

  it('reads a time without offset in the given zone, else the profile’s, else UTC', async () => {
    const day = soon(48 * 60 * MINUTE).slice(0, 10)
    const due = async (body: Record<string, unknown>) =>
      (await add('zoe', { due_at: `${day}T09:00:00`, ...body })).json
    expect(await due({})).toMatchObject({ due_at: `${day}T09:00:00.000Z`, timezone: 'UTC' })
    await tenant.as('zoe', 'PATCH', '/me/profile', { pref_timezone: 'Asia/Tokyo' })
    expect(await due({})).toMatchObject({ due_at: `${day}T00:00:00.000Z`, timezone: 'Asia/Tokyo' })
    expect(await due({ timezone: 'Asia/Kolkata' })).toMatchObject({
      due_at: `${day}T03:30:00.000Z`,
      timezone: 'Asia/Kolkata',
    })
    expect(await due({ due_at: `${day}T09:00:00+02:00` })).toMatchObject({
      due_at: `${day}T07:00:00.000Z`,
      timezone: 'Asia/Tokyo',
    })
  })

  it.each([
    [{ due_at: soon(20_000) }, 'value_error', 'due_at'],
    [{ due_at: '2020-01-01T00:00:00Z' }, 'value_error', 'due_at'],
    [{ due_at: soon(367 * 24 * 60 * MINUTE) }, 'value_error', 'due_at'],
    [{ due_at: '2027-02-30T10:00:00Z' }, 'value_error', 'due_at'],
    [{ due_at: 'tomorrow at nine' }, 'value_error', 'due_at'],
    [{ due_at: soon(MINUTE), timezone: 'Mars/Olympus' }, 'value_error', 'timezone'],
    [{ due_at: soon(MINUTE), timezone: '+02:00' }, 'value_error', 'timezone'],
    [{}, 'missing', 'due_at'],
    [{ due_at: 1_800_000_000 }, 'string_type', 'due_at'],
    [{ due_at: soon(MINUTE), text: '' }, 'string_too_short', 'text'],
    [{ due_at: soon(MINUTE), text: '\u200b\ufeff' }, 'value_error', 'text'],
    [{ due_at: soon(MINUTE), text: '  \n' }, 'value_error', 'text'],
    [{ due_at: soon(MINUTE), text: 'x'.repeat(501) }, 'string_too_long', 'text'],
    [{ due_at: soon(MINUTE), session_id: 'no-id' }, 'uuid_parsing', 'session_id'],
  ])('refuses %j', async (body, type, field) => {
    const { status, json } = await add('vera', body)
    expect(status).toBe(422)
    expect(json.detail[0]).toMatchObject({ type, loc: ['body', field] })
    expect(JSON.stringify(json)).not.toContain('Mars')
  })

  it('pages by creation, most recent first', async () => {
    const made: string[] = []
    for (let i = 0; i < 7; i++) {
      made.unshift((await expectOk(add('pia', { due_at: soon((60 - i) * MINUTE) }))).json.id)
    }
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      const { items, next_cursor } = await list('pia', `?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...items.map(({ id }: { id: string }) => id))
      if (next_cursor === null) break
      cursor = encodeURIComponent(next_cursor)
    }
    expect(seen).toEqual(made)
    const foreign = await tenant.as('quin', 'GET', `/me/reminders?cursor=${cursor}`)
    expect(foreign.status).toBe(422)
    for (const limit of ['0', '101', 'x'])
      expect((await tenant.as('pia', 'GET', `/me/reminders?limit=${limit}`)).status).toBe(422)
  })

  it('cancels a pending one once, keeps its record, and removes any', async () => {
    const { id } = (await add('cleo', { due_at: 'PT1H' })).json
    expect((await tenant.as('cleo', 'POST', `/me/reminders/${id}/cancel`)).status).toBe(204)
    const again = await tenant.as('cleo', 'POST', `/v1/me/reminders/${id}/cancel`)
    expect(again.status).toBe(409)
    expect(again.json.code).toBe('reminder_not_pending')
    const [item] = (await list('cleo')).items
    expect(item).toMatchObject({ id, status: 'cancelled' })
    expect(Date.parse(item.cancelled_at)).toBeGreaterThan(Date.now() - MINUTE)
    expect((await tenant.as('cleo', 'DELETE', `/me/reminders/${id}`)).status).toBe(204)
    expect((await list('cleo')).items).toEqual([])
    expect((await tenant.as('cleo', 'DELETE', `/me/reminders/${id}`)).status).toBe(404)
  })

  it('is nobody else’s: another user’s, space’s and an absent one are the same 404', async () => {
    const { id } = (await add('owen', { due_at: 'PT1H' })).json
    const other = await expectOk(tenant.as('owen', 'POST', '/me/spaces', { name: 'Second' }))
    const absent = '01890a5d-ac96-774b-bcce-b302099a8057'
    for (const [user, rid, headers] of [
      ['eve', id, {}],
      ['owen', absent, {}],
      ['owen', id, { 'x-space-id': other.json.id }],
    ] as const) {
      for (const [method, path] of [
        ['POST', `/me/reminders/${rid}/cancel`],
        ['DELETE', `/me/reminders/${rid}`],
      ] as const) {
        const { status, json } = await tenant.as(user, method, path, undefined, headers)
        expect([status, json]).toEqual([404, { detail: 'Reminder not found' }])
      }
    }
    expect((await tenant.as('owen', 'DELETE', '/me/reminders/no-id')).status).toBe(422)
    expect((await list('owen')).items[0].status).toBe('pending')
    const session = await add('owen', { due_at: 'PT1H', session_id: absent })
    expect([session.status, session.json]).toEqual([404, { detail: 'Session not found' }])
    const agent = await add('owen', { due_at: 'PT1H', agent: 'nobody' })
    expect([agent.status, agent.json]).toEqual([404, { detail: 'Agent not found' }])
  })

  it('holds 50 pending ones of a space, also when they come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 56 }, () => add('max', { due_at: 'PT2H' })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(50)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(6)
    expect(refused[0]?.json.code).toBe('reminder_limit')
    const { id } = (await list('max', '?limit=1')).items[0]
    await expectOk(tenant.as('max', 'POST', `/me/reminders/${id}/cancel`))
    expect((await add('max', { due_at: 'PT2H' })).status).toBe(201)
  })

  it('the offline answerer sets one from a plain wish, also for a grounded agent', async () => {
    await seedAgent(tenant, 'keeper', { tools: ['schedule_reminder'], grounding_required: true })
    const ask = async (agent: string, message: string) =>
      (await expectOk(tenant.as('kim', 'POST', '/v1/chat', { agent, message }))).json
    const { reply, finish_reason } = await ask('keeper', 'Remind me in 10 minutes to call Ada.')
    expect([reply, finish_reason]).toEqual([expect.stringMatching(/^I will remind you on/), 'stop'])
    const [item] = (await list('kim')).items
    expect(item).toMatchObject({ source: 'agent', agent_name: 'keeper', status: 'pending' })
    const ahead = Date.parse(item.due_at) - Date.parse(item.created_at)
    expect(Math.abs(ahead - 10 * MINUTE)).toBeLessThan(1000)
    await ask('desk', 'Remind me in 10 minutes to call Ada.')
    expect((await list('kim')).items).toHaveLength(1)
    expect((await ask('keeper', 'Remind me in 10 seconds to call Ada.')).reply).not.toMatch(
      /remind/,
    )
  })

  it('answers a repeated Idempotency-Key with the same reminder', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = await add('ivy', { due_at: 'PT1H' }, key)
    const second = await add('ivy', { due_at: 'PT1H' }, key)
    expect([second.status, second.json]).toEqual([201, first.json])
    const told = [first, second].map(({ headers }) => headers.get('idempotency-replayed'))
    expect(told).toEqual([null, 'true'])
    expect((await add('ivy', { due_at: 'PT2H' }, key)).status).toBe(422)
    expect((await list('ivy')).items).toHaveLength(1)
  })

  it('makes no other one for a repeat after it was removed, and says what it was', async () => {
    const key = { 'idempotency-key': 'gone' }
    const first = await add('jon', { due_at: 'PT1H' }, key)
    const removed = await tenant.as('jon', 'DELETE', `/me/reminders/${first.json.id}`)
    expect(removed.status).toBe(204)
    const again = await add('jon', { due_at: 'PT1H' }, key)
    expect([again.status, again.json]).toEqual([201, first.json])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await add('jon', { due_at: 'PT2H' }, key)).status).toBe(422)
    expect((await list('jon')).items).toEqual([])
    expect((await tenant.as('jon', 'DELETE', `/me/reminders/${first.json.id}`)).status).toBe(404)
  })
})

describe('schedule_reminder and schedule_followup', () => {
  let tenant: SeededTenant
  withModel({ LIMITS_REMINDER_LEAD_S: '0' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { tools: ['schedule_reminder'] })
    await seedAgent(tenant, 'plain', { tools: [] })
  })

  /** What a tool said, out of its fence, whose nonce is each turn's own; a failure has none. */
  const resultIn = (content: unknown) => readFences(String(content))[0]?.text ?? String(content)
  /** One turn in which the model calls a tool, then says "Done." @returns what the tool told the model. */
  const turn = async (
    user: string,
    name: string,
    input: Record<string, unknown>,
    agent = 'desk',
  ) => {
    model.calls.length = 0
    model.script = (_call, n) =>
      n === 0 ? { toolCalls: [{ name, arguments: JSON.stringify(input) }] } : { text: 'Done.' }
    const body = { message: 'Please remember it', agent }
    const { json } = await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
    const last = model.calls.filter((call) => call.stream).at(-1)
    const said = last?.messages.findLast((message) => message.role === 'tool')
    return { session: json.session_id as string, told: resultIn(said?.content) }
  }

  it('obeys the rules of the manual path and tells the model what came of it', async () => {
    await tenant.as('ada', 'PATCH', '/me/profile', { pref_timezone: 'America/Lima' })
    const day = soon(48 * 60 * MINUTE).slice(0, 10)
    const { session, told } = await turn('ada', 'schedule_reminder', {
      text: 'Water the plants',
      due_at: `${day}T08:00`,
    })
    expect(JSON.parse(told)).toMatchObject({
      status: 'scheduled',
      due_at: `${day}T08:00:00-05:00`,
      timezone: 'America/Lima',
    })
    const { items } = (await tenant.as('ada', 'GET', '/me/reminders')).json
    expect(items).toMatchObject([
      {
        source: 'agent',
        agent_name: 'desk',
        session_id: session,
        due_at: `${day}T13:00:00.000Z`,
        status: 'pending',
      },
    ])
  })

  it.each([
    [{ text: 'x', due_at: '2020-01-01T00:00:00Z' }, /due_at: .*ahead.*now/],
    [{ text: 'x', due_at: 'soon' }, /due_at/],
    [{ text: 'x', due_at: 'PT1H', timezone: 'Nowhere' }, /timezone/],
    [{ text: 'x'.repeat(501), due_at: 'PT1H' }, /too long/],
    [{ text: 'x' }, /due_at/],
  ])('tells the model what is wrong with %j', async (input, told) => {
    expect((await turn('bea', 'schedule_reminder', input)).told).toMatch(told)
    expect((await tenant.as('bea', 'GET', '/me/reminders')).json.items).toEqual([])
  })

  it('is not set again by an answer that is made anew, nor by one after a failed attempt', async () => {
    const input = { text: 'Water the plants', due_at: 'PT2H' }
    const { session, told } = await turn('gil', 'schedule_reminder', input)
    const [, answer] = (await tenant.as('gil', 'GET', `/me/sessions/${session}/messages`)).json
    const kept = async () => (await tenant.as('gil', 'GET', '/me/reminders')).json.items
    const first = await kept()
    /** The model calls the tool, whatever it did before. @returns what it was told came of that */
    const again = async (due_at: string, then: ModelAct = { text: 'Done.' }, text = input.text) => {
      const call = { name: 'schedule_reminder', arguments: JSON.stringify({ text, due_at }) }
      model.calls.length = 0
      model.script = (_call, n) => (n === 0 ? { toolCalls: [call] } : then)
      const body = { agent: 'desk', session_id: session, replaces: answer.id }
      const { status } = await tenant.as('gil', 'POST', '/v1/chat', body)
      const last = model.calls.filter((asked) => asked.stream).at(-1)
      const said = last?.messages.findLast(({ role }) => role === 'tool')
      return { status, told: resultIn(said?.content) }
    }
    expect(await again('PT2H')).toEqual({ status: 200, told })
    expect(await kept()).toEqual(first)
    const failed = await again('PT3H', { status: 400 })
    expect(failed.status).not.toBe(200)
    const moved = await kept()
    expect(moved).toEqual([{ ...first[0], due_at: expect.any(String) }])
    expect(moved[0].due_at > first[0].due_at).toBe(true)
    expect(await again('PT3H')).toEqual({ status: 200, told: failed.told })
    expect(await kept()).toEqual(moved)
  })

  it('is set once however an answer that is made anew words it, and told in its last words', async () => {
    const input = { text: 'Water the plants', due_at: 'PT2H' }
    const { session } = await turn('ida', 'schedule_reminder', input)
    const path = `/me/sessions/${session}/messages`
    const reword = async (...texts: string[]) => {
      const [, answer] = (await tenant.as('ida', 'GET', path)).json
      const toolCalls = texts.map((text) => ({
        name: 'schedule_reminder',
        arguments: JSON.stringify({ text, due_at: 'PT1S' }),
      }))
      model.calls.length = 0
      model.script = (_call, n) => (n === 0 ? { toolCalls } : { text: 'Done.' })
      const body = { agent: 'desk', session_id: session, replaces: answer.id }
      await expectOk(tenant.as('ida', 'POST', '/v1/chat', body))
    }
    const stream = await openLive(parley.url, { 'x-api-key': tenant.key, 'x-end-user': 'ida' })
    const told = () => stream.frames.filter(isEvent('reminder')).map(({ data }) => data.text)
    await reword('Water your plants')
    await expect.poll(told, LATE).toEqual(['Water your plants'])
    const items = async () => (await tenant.as('ida', 'GET', '/me/reminders')).json.items
    expect(await items()).toHaveLength(1)
    // What was told is not told again in other words' place: it is one more.
    await reword('Water all plants', 'Buy a can')
    const last = ['Buy a can', 'Water all plants', 'Water your plants']
    await expect.poll(() => told().sort(), LATE).toEqual(last)
    stream.leave()
    expect(await items()).toHaveLength(3)
  })

  it('of a message that failed stays beside what the next one asks for', async () => {
    const first = await turn('jan', 'schedule_reminder', { text: 'Feed the fish', due_at: 'PT2H' })
    const ask = (text: string, then: ModelAct) => {
      const call = {
        name: 'schedule_reminder',
        arguments: JSON.stringify({ text, due_at: 'PT2H' }),
      }
      model.calls.length = 0
      model.script = (_call, n) => (n === 0 ? { toolCalls: [call] } : then)
      const body = { agent: 'desk', session_id: first.session, message: text }
      return tenant.as('jan', 'POST', '/v1/chat', body)
    }
    expect((await ask('Feed the cat', { status: 400 })).status).not.toBe(200)
    await expectOk(ask('Feed the dog', { text: 'Done.' }))
    expect((await tenant.as('jan', 'GET', '/me/reminders')).json.items).toHaveLength(3)
  })

  it('is there only for an agent that lists it', async () => {
    const { told } = await turn('cal', 'schedule_reminder', { text: 'x', due_at: 'PT1H' }, 'plain')
    expect(told).not.toContain('scheduled')
    expect((await tenant.as('cal', 'GET', '/me/reminders')).json.items).toEqual([])
  })

  it('says a follow-up in its session when it comes due, and on the stream', async () => {
    const headers = { 'x-api-key': tenant.key, 'x-end-user': 'dan' }
    const stream = await openLive(parley.url, headers)
    const text = 'How did it go? ![x](https://evil.example/x.png)'
    const { session } = await turn('dan', 'schedule_followup', { text, due_at: 'PT1S' })
    const { data } = await stream.next(isEvent('followup'))
    stream.leave()
    expect(data).toMatchObject({ session_id: session, agent: 'desk' })
    expect(data.text).toContain('How did it go?')
    expect(data.text).not.toContain('![')
    const messages = (await tenant.as('dan', 'GET', `/me/sessions/${session}/messages`)).json
    expect(messages.at(-1)).toMatchObject({
      id: data.id,
      role: 'assistant',
      content: data.text,
      agent_name: 'desk',
      status: 'complete',
    })
    const [mine] = (await tenant.as('dan', 'GET', `/me/sessions/${session}/messages?limit=1`)).json
    expect(mine.id).toBe(data.id)
    model.script = () => ({ text: 'Good.' })
    await tenant.as('dan', 'POST', '/v1/chat', { message: 'Well', session_id: session })
    const prompt = JSON.stringify(model.calls.filter((call) => call.stream).at(-1)?.messages)
    expect(prompt).toContain('How did it go?')
    expect((await tenant.as('dan', 'GET', '/me/reminders')).json.items).toEqual([])
  })

  it('a follow-up waits while a person has the conversation', async () => {
    await seedAgent(tenant, 'front', { tools: ['schedule_reminder', 'handoff'] })
    const input = { text: 'How did it go?', due_at: 'PT2S' }
    const { session } = await turn('hal', 'schedule_followup', input, 'front')
    const message = 'Can I talk to a human?'
    const asked = await tenant.as('hal', 'POST', '/v1/chat', { message, session_id: session })
    expect(asked.json.finish_reason).toBe('handoff')
    const stream = await openLive(parley.url, { 'x-api-key': tenant.key, 'x-end-user': 'hal' })
    const told = () => stream.frames.filter(isEvent('followup')).map(({ data }) => data.text)
    await expectOk(tenant.as('hal', 'POST', '/me/reminders', { text: 'Later', due_at: 'PT3S' }))
    await stream.next(isEvent('reminder'))
    expect(told()).toEqual([])
    const desk = `/v1/manage/sessions/${session}`
    await expectOk(tenant.call('POST', `${desk}/reply`, { text: 'A person speaks.' }))
    await expectOk(tenant.call('POST', `${desk}/resume`))
    await expect.poll(() => told().length, LATE).toBe(3)
    stream.leave()
    expect(told()).toEqual([
      'A person speaks.',
      expect.stringMatching(/^I am back/),
      'How did it go?',
    ])
  })

  it('a follow-up goes with its session', async () => {
    const { session } = await turn('fay', 'schedule_followup', { text: 'Hm?', due_at: 'PT2S' })
    await expectOk(tenant.as('fay', 'DELETE', `/me/sessions/${session}`))
    const headers = { 'x-api-key': tenant.key, 'x-end-user': 'fay', 'last-event-id': '0' }
    const stream = await openLive(parley.url, headers)
    await expectOk(tenant.as('fay', 'POST', '/me/reminders', { text: 'Later', due_at: 'PT3S' }))
    await stream.next(isEvent('reminder'))
    stream.leave()
    expect(stream.frames.filter(isEvent('followup'))).toEqual([])
  })

  it('ends as failed where the tenant is suspended when it falls due', async () => {
    const own = await seedTenant(parley)
    const body = { text: 'Late', due_at: 'PT2S' }
    const { json: reminder } = await expectOk(own.as('gus', 'POST', '/me/reminders', body))
    await parley.admin('PATCH', `/v1/admin/tenants/${own.id}`, { status: 'suspended' })
    // Nobody of a suspended tenant may look; the object's own rows say when it was due.
    await waitFor(async () => {
      for (const id of await parley.worker.listDurableObjectIds('USER_SPACE')) {
        const storage = await parley.worker.getDurableObjectStorage('USER_SPACE', { id })
        const due = "SELECT id FROM reminders WHERE id = ? AND status != 'pending'"
        if ((await storage.exec(due, reminder.id)).length > 0) return true
      }
      return null
    })
    await parley.admin('PATCH', `/v1/admin/tenants/${own.id}`, { status: 'active' })
    const item = await waitFor(async () => {
      const { json, status } = await own.as('gus', 'GET', '/me/reminders')
      return status === 200 ? json.items[0] : null
    })
    expect(item).toMatchObject({ status: 'failed', delivered_at: null })
  })
})
