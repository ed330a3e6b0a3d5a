import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import { type Killable, startKillable } from '../support/killable'
import { isEvent, openLive } from '../support/live-stream'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import {
  addSpaceOf,
  fillSpace,
  homeOf,
  joinContents,
  readSpace,
  settleTitles,
} from '../support/space-content'
import type { SseFrame } from '../support/sse-reader'

const BUSY = { detail: 'Space is being merged' }

describe('merging spaces', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable({ STREAM_PING_S: '1', LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'other')
  }, 90_000)
  afterAll(() => server.dispose())

  const merge = (user: string, source: string, target: unknown) =>
    tenant.as(user, 'POST', `/me/spaces/${source}/merge`, { target_space_id: target })
  const say = async (user: string, message: string, fields: object = {}, headers = {}) =>
    (
      await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields }, headers),
      )
    ).json

  it('refuses what cannot be merged', async () => {
    const home = await homeOf(tenant, 'ann')
    const other = await addSpaceOf(tenant, 'ann', 'desk')
    const foreign = await homeOf(tenant, 'bea')
    const absent = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect((await merge('ann', other, other)).json.detail[0]).toMatchObject({
      type: 'value_error',
      loc: ['body', 'target_space_id'],
    })
    expect((await merge('ann', other, other)).status).toBe(422)
    expect((await merge('ann', other, 'nothing')).status).toBe(422)
    expect((await merge('ann', other, undefined)).json.detail[0].type).toBe('missing')
    for (const [source, target] of [
      [other, foreign],
      [other, absent],
      [foreign, home],
      [absent, home],
    ] as const) {
      const answer = await merge('ann', source, target)
      expect([answer.status, answer.json]).toEqual([404, { detail: 'Space not found' }])
    }
    const ofDefault = await merge('ann', home, other)
    expect([ofDefault.status, ofDefault.json]).toEqual([
      409,
      { detail: 'The default space cannot be deleted' },
    ])
    expect((await tenant.as('ann', 'GET', '/me/spaces')).json).toHaveLength(2)
  })

  it.each([10, 500, 5000])(
    '%i messages go over whole, and their ids go on working',
    async (size) => {
      const user = `size-${size}`
      const home = await homeOf(tenant, user)
      const other = await addSpaceOf(tenant, user, 'desk')
      await say(user, 'What was here before?')
      const ids = await fillSpace(tenant, user, other, size, { agent: 'desk' })
      await settleTitles(tenant, user, ids, other)
      const [mine, theirs] = [
        await readSpace(tenant, user, home),
        await readSpace(tenant, user, other),
      ]
      expect(Object.values(theirs.messages).flat()).toHaveLength(size)
      expect((await merge(user, other, home)).status).toBe(204)
      const { remembered: _now, ...after } = await readSpace(tenant, user, home)
      const { remembered: _then, ...before } = joinContents(mine, theirs)
      expect(after).toEqual(before)
      expect((await tenant.as(user, 'GET', `/me/spaces/${other}/sessions`)).status).toBe(404)
      expect((await tenant.as(user, 'GET', '/me/spaces')).json).toHaveLength(1)
      const answer = await say(user, 'And now?', { session_id: ids[0] })
      expect(answer.session_id).toBe(ids[0])
      const { json } = await tenant.as(user, 'GET', `/me/sessions/${ids[0]}/messages?limit=500`)
      expect(json).toHaveLength(Math.min(50, size) + 2)
    },
  )

  it('takes everything along: pictures, documents, reminders, memories, titles, marks, agents', async () => {
    const user = 'carl'
    const home = await homeOf(tenant, user)
    const other = await addSpaceOf(tenant, user, 'desk')
    await expectOk(tenant.as(user, 'POST', `/me/spaces/${other}/agents`, { name: 'other' }))
    const third = await addSpaceOf(tenant, user, 'desk')
    const there = { 'x-space-id': other }
    const ask = (path: string, body?: unknown, method = 'POST', headers = {}) =>
      expectOk(tenant.as(user, method, path, body, headers))

    const first = await say(user, 'My name is Carl. I live in Oslo.', { images: [PIXEL] }, there)
    await say(user, 'I like tea.', { agent: 'other' }, there)
    const alias = { id: 'browser-chat', message: undefined }
    const viaAlias = (space: string, text: string) =>
      tenant.as(
        user,
        'POST',
        '/v1/chat/stream?protocol=ui-message',
        { ...alias, messages: [{ role: 'user', parts: [{ type: 'text', text }] }], agent: 'desk' },
        { 'x-space-id': space },
      )
    await expectOk(viaAlias(other, 'Said under a name of the browser.'))
    const repeat = { ...there, 'idempotency-key': 'once' }
    const once = await say(user, 'Only once, please.', {}, repeat)
    await ask(`/me/messages/${first.message_id}/feedback`, { value: 'up', comment: 'Very kind.' })
    await ask(`/me/sessions/${first.session_id}`, { title: 'My own title' }, 'PATCH')
    await ask(`/me/sessions/${first.session_id}/read`)
    const messages = (await ask(`/me/sessions/${first.session_id}/messages`, undefined, 'GET')).json
    const branch = await ask(`/me/sessions/${first.session_id}/messages/${messages[0].id}/branch`)
    expect(branch.json.prefill).toContain('My name is Carl.')
    const document = (
      await ask(`/me/spaces/${other}/documents`, {
        title: 'Boiler',
        text: 'The boiler of the cottage is serviced by Kowalczyk every October.',
      })
    ).json.id
    await waitFor(async () => {
      const { json } = await ask(`/me/spaces/${other}/documents`, undefined, 'GET')
      return json.items[0].status === 'ready' ? true : null
    })
    const remind = (due_at: string) => ask('/me/reminders', { text: due_at, due_at }, 'POST', there)
    const later = (await remind('PT2H')).json.id
    const cancelled = (await remind('PT3H')).json.id
    await ask(`/me/reminders/${cancelled}/cancel`)
    const unheard = (await remind('PT0S')).json.id
    await waitFor(async () => {
      const { json } = await ask('/me/reminders', undefined, 'GET', there)
      return json.items[0].status === 'sent' ? true : null
    })
    await say(user, 'My name is Carl. I live in Lima.', {}, { 'x-space-id': third })
    await say(user, 'I have a dog.', {}, { 'x-space-id': third })
    const remembered = async (space: string) =>
      (await ask('/me/remembered', undefined, 'GET', { 'x-space-id': space })).json
    await waitFor(async () => {
      const [ofOther, ofThird] = [await remembered(other), await remembered(third)]
      return ofOther.length === 2 && ofThird[0]?.points.length === 3 ? true : null
    })
    const ids = [first.session_id, once.session_id, branch.json.id]
    await settleTitles(tenant, user, ids, other)

    const [mine, theirs] = [
      await readSpace(tenant, user, third),
      await readSpace(tenant, user, other),
    ]
    expect(Object.keys(theirs.attachments).length).toBeGreaterThan(0)
    expect((await merge(user, other, third)).status).toBe(204)
    const { remembered: known, ...after } = await readSpace(tenant, user, third)
    const { remembered: _then, ...before } = joinContents(mine, theirs)
    expect(after).toEqual(before)
    // The same said twice counts once, and of two homes the newer one stands.
    const points = known.flatMap(({ points: own }) => own as string[])
    expect(points.toSorted()).toEqual(
      ['I have a dog.', 'I like tea.', 'I live in Lima.', 'My name is Carl.'].toSorted(),
    )
    expect(known.map(({ agent_name: name }) => name)).toEqual(['desk', 'other'])

    const here = { 'x-space-id': third }
    const found = await say(user, 'Who services the boiler of the cottage?', {}, here)
    expect(found.reply).toContain('Kowalczyk')
    expect(found.sources[0].document_id).toBe(document)
    const hits = (await ask(`/me/spaces/${third}/sessions/search?q=only+once`, undefined, 'GET'))
      .json
    expect(hits.map(({ session_id: id }: { session_id: string }) => id)).toContain(once.session_id)
    const again = await say(user, 'Only once, please.', {}, { ...here, 'idempotency-key': 'once' })
    expect(again.message_id).toBe(once.message_id)
    await say(user, 'This agent came along.', { agent: 'other' }, here)
    await expectOk(viaAlias(third, 'The name of the browser still leads here.'))
    const named = (await readSpace(tenant, user, third)).messages
    const aliased = Object.values(named).find((list) =>
      list.some(({ content }) => content === 'Said under a name of the browser.'),
    )
    expect(aliased).toHaveLength(4)
    const live = await openLive(server.parley.url, {
      'x-api-key': tenant.key,
      'x-end-user': user,
      ...here,
    })
    expect((await live.next(isEvent('reminder'))).data.id).toBe(unheard)
    live.leave()
    await ask(`/me/reminders/${later}/cancel`)
    await ask(`/me/messages/${first.message_id}/feedback`, { value: null })

    // On into the default space: ids of the first space lead there too.
    expect((await merge(user, third, home)).status).toBe(204)
    const { json } = await ask(`/me/sessions/${first.session_id}/messages`, undefined, 'GET')
    expect(json[0].attachments).toHaveLength(1)
    expect((await ask('/me/spaces', undefined, 'GET')).json).toHaveLength(1)
  })

  it('refuses more documents than a space may hold, and loses nothing', async () => {
    const user = 'dora'
    const home = await homeOf(tenant, user)
    const other = await addSpaceOf(tenant, user, 'desk')
    const text = Array.from(
      { length: 1200 },
      (_, n) => `# Part ${n}\n\n${`Sentence ${n} of a long book. `.repeat(9)}`,
    ).join('\n\n')
    for (const space of [home, other]) {
      const path = `/me/spaces/${space}/documents`
      const form = new FormData()
      form.set('file', new Blob([text]), 'book.md')
      await expectOk(tenant.as(user, 'POST', path, form))
      await waitFor(async () => {
        const { json } = await tenant.as(user, 'GET', path)
        return json.items[0].status === 'ready' ? true : null
      })
    }
    const refused = await merge(user, other, home)
    expect([refused.status, refused.json.code]).toEqual([409, 'merge_too_large'])
    const before = await readSpace(tenant, user, other)
    expect(before.documents).toHaveLength(1)
    const document = String(before.documents[0]?.id)
    await expectOk(tenant.as(user, 'DELETE', `/me/spaces/${other}/documents/${document}`))
    expect((await merge(user, other, home)).status).toBe(204)
  })

  it('answers chat and every change meanwhile with 409, and goes on after', async () => {
    const user = 'emil'
    const home = await homeOf(tenant, user)
    const other = await addSpaceOf(tenant, user, 'desk')
    const ids = await fillSpace(tenant, user, other, 10_000, { agent: 'desk' })
    await settleTitles(tenant, user, ids.slice(0, 1), other)
    const session = ids[0] ?? ''
    const merging = merge(user, other, home).then(({ status }) => status)
    let isOver = false
    void merging.finally(() => {
      isOver = true
    })
    const answers: [string, number, unknown][] = []
    const note = async (what: string, answer: ReturnType<typeof tenant.as>) => {
      const { status, json } = await answer
      answers.push([what, status, json])
    }
    const there = { 'x-space-id': other }
    const calls: Record<string, (n: number) => ReturnType<typeof tenant.as>> = {
      chat: (n) =>
        tenant.as(user, 'POST', '/v1/chat', { message: `Meanwhile ${n}`, session_id: session }),
      'read mark': () => tenant.as(user, 'POST', `/me/sessions/${session}/read`),
      list: () => tenant.as(user, 'GET', `/me/sessions/${session}/messages?limit=1`),
      'new session': () => tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' }, there),
      rename: () => tenant.as(user, 'PATCH', `/me/spaces/${other}`, { name: 'Mine' }),
      delete: () => tenant.as(user, 'DELETE', `/me/spaces/${other}`),
      again: () => merge(user, other, home),
      back: () => merge(user, home, other),
      'at home': () => tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' }),
    }
    // It is under way: a deletion that comes before it would be no less right.
    await waitFor(async () => {
      const { status } = await tenant.as(user, 'POST', `/me/sessions/${session}/read`)
      return status === 409 || isOver ? true : null
    })
    await Promise.all(
      Object.entries(calls).map(async ([what, call]) => {
        for (let n = 0; !isOver; n++) await note(what, call(n))
      }),
    )
    expect(await merging).toBe(204)
    const others = (what: string, expected: readonly number[]) =>
      answers.filter(([name, status]) => name === what && !expected.includes(status))
    const statuses = (what: string) =>
      new Set(answers.filter(([name]) => name === what).map(([, status]) => status))
    for (const [what, status, json] of answers)
      if (status === 409 && what !== 'back') expect([what, json]).toEqual([what, BUSY])
    // By its id the session is found before and after; by the space's own name it is gone after.
    for (const what of ['chat', 'read mark']) {
      expect(statuses(what)).toContain(409)
      expect(others(what, [200, 409])).toEqual([])
    }
    for (const what of ['new session', 'rename', 'delete', 'again']) {
      expect(statuses(what)).toContain(409)
      expect(others(what, [404, 409])).toEqual([])
    }
    expect(statuses('list')).toEqual(new Set([200]))
    expect(statuses('at home')).toEqual(new Set([200]))
    const kept = await say(user, 'Now it works.', { session_id: session })
    expect(kept.session_id).toBe(session)
    const path = `/me/sessions/${session}/messages?limit=500`
    const { json } = await tenant.as(user, 'GET', path)
    const said = answers.filter(([what, status]) => what === 'chat' && status === 200).length
    expect(json).toHaveLength(50 + 2 * said + 2)
  })

  it('tells reminders that fall due meanwhile, here or there, and loses none', async () => {
    const user = 'fina'
    const home = await homeOf(tenant, user)
    const other = await addSpaceOf(tenant, user, 'desk')
    await fillSpace(tenant, user, other, 2000, { agent: 'desk' })
    const headers = (space: string) => ({
      'x-api-key': tenant.key,
      'x-end-user': user,
      'x-space-id': space,
    })
    const start = Date.now() + 2500
    const wanted = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const due_at = new Date(start + n * 25).toISOString()
        const body = { text: `number ${n}`, due_at }
        const answer = tenant.as(user, 'POST', '/me/reminders', body, { 'x-space-id': other })
        return (await expectOk(answer)).json.id as string
      }),
    )
    const streams = [
      await openLive(server.parley.url, headers(other)),
      await openLive(server.parley.url, headers(home)),
    ]
    await streams[0]?.next(isEvent('reminder'))
    expect((await merge(user, other, home)).status).toBe(204)
    const told = () => streams.flatMap(({ frames }) => frames.filter(isEvent('reminder')))
    // What an ended stream was told less than a ping before is told again.
    const ids = () => [...new Set(told().map(({ data }) => data.id))]
    await waitFor(async () => (ids().length >= wanted.length ? true : null))
    expect(ids().toSorted()).toEqual(wanted.toSorted())
    const twice = streams.map(({ frames }) =>
      frames.filter(isEvent('reminder')).map(({ data }) => data.id),
    )
    for (const one of twice) expect(one).toHaveLength(new Set(one).size)
    const [before, after] = streams.map(({ frames }) => frames.filter(isEvent('reminder')).length)
    expect(before).toBeGreaterThan(0)
    expect(after).toBeGreaterThan(0)
    await streams[0]?.ended()
    streams[1]?.leave()
    const { json } = await tenant.as(user, 'GET', '/me/reminders?limit=100')
    expect(json.items.map(({ status }: { status: string }) => status)).toEqual(
      Array(wanted.length).fill('sent'),
    )
  })

  it('reads a document on that was being read when its space went', async () => {
    const user = 'gina'
    const home = await homeOf(tenant, user)
    const other = await addSpaceOf(tenant, user, 'desk')
    const text = Array.from(
      { length: 900 },
      (_, n) => `# Part ${n}\n\n${`Sentence ${n} of a long book. `.repeat(9)}`,
    ).join('\n\n')
    const form = new FormData()
    form.set('file', new Blob([text]), 'book.md')
    const made = await expectOk(tenant.as(user, 'POST', `/me/spaces/${other}/documents`, form))
    await waitFor(async () => {
      const { json } = await tenant.as(user, 'GET', `/me/spaces/${other}/documents`)
      return json.items[0].status === 'queued' ? null : true
    })
    expect((await merge(user, other, home)).status).toBe(204)
    const read = await waitFor(async () => {
      const { json } = await tenant.as(user, 'GET', `/me/spaces/${home}/documents`)
      return json.items[0].status === 'ready' ? json.items[0] : null
    })
    expect(read).toMatchObject({ id: made.json.id, attempts: 1, chunk_count: 900 })
  })

  it.each([0, 10, 20, 30, 40, 50, 60, 75, 90, 110, 140, 200])(
    'killed %i ms after the request: all of it went over, or none of it',
    async (delayMs) => {
      const user = `kill-${delayMs}`
      const home = await homeOf(tenant, user)
      const other = await addSpaceOf(tenant, user, 'desk')
      const there = { 'x-space-id': other }
      const [session] = await fillSpace(tenant, user, other, 500, {
        agent: 'desk',
        images: [PIXEL],
      })
      await say(user, 'My name is Ada.', { session_id: session })
      const reminder = { text: 'Later', due_at: 'PT1H' }
      await expectOk(tenant.as(user, 'POST', '/me/reminders', reminder, there))
      const note = { title: 'Boiler', text: 'The boiler is serviced by Kowalczyk.' }
      await expectOk(tenant.as(user, 'POST', `/me/spaces/${other}/documents`, note))
      await waitFor(async () => {
        const { documents, remembered, sessions } = await readSpace(tenant, user, other)
        const isDone = documents[0]?.status === 'ready' && remembered.length === 1
        return isDone && sessions.every(({ title }) => title !== null) ? true : null
      })
      const [mine, theirs] = [
        await readSpace(tenant, user, home),
        await readSpace(tenant, user, other),
      ]
      const whole = { ...joinContents(mine, theirs), remembered: theirs.remembered }
      const answer = merge(user, other, home).then(
        ({ status }) => status,
        () => null,
      )
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      const status = await answer
      await server.start()
      await waitFor(async () => {
        const { status: changed } = await tenant.as(user, 'POST', `/me/sessions/${session}/read`)
        return changed === 200 ? true : null
      })
      const spaces = (await expectOk(tenant.as(user, 'GET', '/me/spaces'))).json
      const read = ({ sessions, ...rest }: typeof whole) => ({
        ...rest,
        sessions: sessions.map(({ read_count: _r, unread_count: _u, ...stays }) => stays),
      })
      if (spaces.length === 2) {
        expect(status).not.toBe(204)
        expect(read(await readSpace(tenant, user, other))).toEqual(read(theirs))
        expect(read(await readSpace(tenant, user, home))).toEqual(read(mine))
        expect((await merge(user, other, home)).status).toBe(204)
      }
      expect(read(await readSpace(tenant, user, home))).toEqual(read(whole))
      const answered = await say(user, 'Who services the boiler?')
      expect(answered.reply).toContain('Kowalczyk')
    },
  )

  it('leaves no word of it on disk', async () => {
    await server.kill()
    const stored = server.stored()
    expect(stored.includes('space_merges')).toBe(true)
    for (const word of ['Kowalczyk', 'Meanwhile', 'Very kind', 'My own title'])
      expect(stored.includes(word)).toBe(false)
    await server.start()
  })
})

describe('merging a space whose streams are open', { timeout: 120_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    // No stream of these tests lives for a ping.
    parley = await startParley({ STREAM_PING_S: '300', LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(() => parley.close())

  it('a reminder that nobody is known to have heard is told again there, an acknowledged one is not', async () => {
    const user = 'hana'
    const [home, other] = [await homeOf(tenant, user), await addSpaceOf(tenant, user, 'desk')]
    const there = { 'x-space-id': other }
    const listen = (space: string, more: Record<string, string> = {}) =>
      openLive(parley.url, {
        'x-api-key': tenant.key,
        'x-end-user': user,
        'x-space-id': space,
        ...more,
      })
    const remind = async (text: string) => {
      const body = { text, due_at: 'PT1S' }
      await expectOk(tenant.as(user, 'POST', '/me/reminders', body, there))
    }
    const saying = (text: string) => (frame: SseFrame) =>
      frame.event === 'reminder' && frame.data.text === text
    const first = await listen(other)
    await remind('acknowledged')
    const { id } = await first.next(saying('acknowledged'))
    first.leave()
    const second = await listen(other, { 'last-event-id': String(id) })
    await remind('only told')
    await second.next(saying('only told'))
    const body = { target_space_id: home }
    await expectOk(tenant.as(user, 'POST', `/me/spaces/${other}/merge`, body))
    await second.ended()
    const third = await listen(home)
    await third.next(saying('only told'))
    expect(third.frames.filter(saying('acknowledged'))).toEqual([])
    third.leave()
  })
})
