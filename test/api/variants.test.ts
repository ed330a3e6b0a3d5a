import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PIXEL } from '../support/image-bytes'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

interface Said {
  id: string
  role: string
  content: string
  variants: string[]
  active: string
}

describe('what was said, said in another way', () => {
  let tenant: SeededTenant
  let answers = 0

  withModel()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  }, 60_000)
  beforeEach(() => {
    answers = 0
    model.script = ({ stream }) => ({ text: stream ? `Answer ${++answers}.` : 'A title' })
  })

  const chat = (body: object, user = 'ann') =>
    tenant.as(user, 'POST', '/v1/chat', { agent: 'desk', ...body })
  const say = async (message: string, session_id?: string) =>
    (await expectOk(chat({ message, session_id }))).json
  const list = async (session: string): Promise<Said[]> =>
    (await expectOk(tenant.as('ann', 'GET', `/me/sessions/${session}/messages`))).json
  const words = async (session: string) => (await list(session)).map(({ content }) => content)
  const choose = (session: string, mid: string, active: string) =>
    tenant.as('ann', 'PATCH', `/me/sessions/${session}/messages/${mid}`, { active })
  const sessionOf = async (session: string) => {
    const { json: me } = await expectOk(tenant.as('ann', 'GET', '/me'))
    const { json } = await expectOk(tenant.as('ann', 'GET', `/me/spaces/${me.space_id}/sessions`))
    return json.items.find(({ id }: { id: string }) => id === session)
  }
  /** What the model was told of the talk, without its orders. */
  const told = () =>
    (model.calls.filter(({ stream }) => stream).at(-1)?.messages ?? [])
      .filter(({ role }) => role !== 'system')
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))

  it('an answer is made anew from the same question: both stay, one is shown', async () => {
    const first = await say('What is new?')
    const { session_id } = first
    const again = (await expectOk(chat({ session_id, replaces: first.message_id }))).json
    expect(again.reply).toBe('Answer 2.')
    expect(told().join()).toContain('What is new?')
    expect(told().join()).not.toContain('Answer 1.')
    const variants = [first.message_id, again.message_id]
    expect(await list(session_id)).toMatchObject([
      { content: 'What is new?', variants: [expect.any(String)] },
      { id: again.message_id, content: 'Answer 2.', variants, active: again.message_id },
    ])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 2 })

    const { json } = await expectOk(choose(session_id, again.message_id, first.message_id))
    expect(json).toMatchObject({ id: first.message_id, variants, active: first.message_id })
    expect(await words(session_id)).toEqual(['What is new?', 'Answer 1.'])
    await say('Go on.', session_id)
    expect(told().join()).toContain('Answer 1.')
    expect(told().join()).not.toContain('Answer 2.')
  })

  it('an own message is asked in other words: what came after it leaves, and comes back with it', async () => {
    const { session_id } = await say('First question')
    await say('Second question', session_id)
    await say('Third question', session_id)
    const [, , second] = await list(session_id)
    const replaces = second?.id ?? ''
    await expectOk(chat({ session_id, replaces, message: 'Second, in other words' }))
    expect(told().join()).toContain('First question')
    expect(told().join()).not.toMatch(/Second question|Third question|Answer 2/u)
    const now = await list(session_id)
    expect(now.map(({ content }) => content)).toEqual([
      'First question',
      'Answer 1.',
      'Second, in other words',
      'Answer 4.',
    ])
    expect(now[2]?.variants).toEqual([replaces, now[2]?.id])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 4 })

    await expectOk(choose(session_id, now[2]?.id ?? '', replaces))
    expect(await words(session_id)).toEqual([
      'First question',
      'Answer 1.',
      'Second question',
      'Answer 2.',
      'Third question',
      'Answer 3.',
    ])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 6 })
    const { json: me } = await expectOk(tenant.as('ann', 'GET', '/me'))
    const search = `/me/spaces/${me.space_id}/sessions/search?q=`
    expect((await tenant.as('ann', 'GET', `${search}other%20words`)).json).toEqual([])
  })

  it('a message is deleted with its other variants, and a variant with what followed it alone', async () => {
    const { session_id } = await say('One')
    await say('Two', session_id)
    const [, , two] = await list(session_id)
    const other = (await expectOk(chat({ session_id, replaces: two?.id, message: 'Two again' })))
      .json
    await expectOk(chat({ session_id, replaces: other.message_id }))
    const path = `/me/sessions/${session_id}/messages`
    await expectOk(tenant.as('ann', 'DELETE', `${path}/${two?.id}`))
    const [one, , again, last] = await list(session_id)
    expect([again?.content, again?.variants]).toEqual(['Two again', [again?.id]])
    expect(last?.variants).toHaveLength(2)
    await expectOk(tenant.as('ann', 'DELETE', `${path}/${last?.id}`))
    expect(await words(session_id)).toEqual(['One', 'Answer 1.', 'Two again'])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 3 })
    const gone = await choose(session_id, again?.id ?? '', other.message_id)
    expect(gone.status).toBe(404)
    const branch = await tenant.as('ann', 'POST', `${path}/${one?.id}/branch`)
    expect(branch.json).toMatchObject({ prefill: 'One', message_count: 0 })
  })

  it('a failed attempt leaves the answer that was there', async () => {
    const first = await say('Does it hold?')
    const { session_id } = first
    model.script = () => ({ status: 500 })
    const failed = await chat({ session_id, replaces: first.message_id })
    expect(failed.status).toBe(502)
    expect(await list(session_id)).toMatchObject([
      { content: 'Does it hold?' },
      { id: first.message_id, variants: [first.message_id] },
    ])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 2 })
  })

  it('pictures are asked about again, and stay with an edited message', async () => {
    const { json } = await expectOk(chat({ message: 'What is this?', images: [PIXEL] }))
    const { session_id } = json
    const [asked] = await list(session_id)
    await expectOk(chat({ session_id, replaces: json.message_id }))
    expect(told().join()).toContain('image')
    await expectOk(chat({ session_id, replaces: asked?.id, message: 'And what is that?' }))
    const { json: now } = await expectOk(
      tenant.as('ann', 'GET', `/me/sessions/${session_id}/messages`),
    )
    expect(now[0].attachments).toHaveLength(1)
  })

  it('useChat makes an answer anew by its id, and the last one without', async () => {
    const send = (trigger: string, messageId?: string) =>
      tenant.as('ann', 'POST', '/v1/chat/ui', {
        id: 'my-chat',
        trigger,
        messageId,
        agent: 'desk',
        messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi there' }] }],
      })
    const startOf = (text: string) =>
      parseSse(text).map(({ data }) => data as { type: string; messageId: string })[0]
    const start = startOf((await expectOk(send('submit-message'))).text)
    await expectOk(send('regenerate-message', start?.messageId))
    await expectOk(send('regenerate-message'))
    const { json: me } = await expectOk(tenant.as('ann', 'GET', '/me'))
    const { json } = await expectOk(tenant.as('ann', 'GET', `/me/spaces/${me.space_id}/sessions`))
    const said = await list(json.items[0].id)
    expect(said.map(({ variants }) => variants.length)).toEqual([1, 3])
  })

  it('what cannot be replaced is refused in clear words', async () => {
    const first = await say('A question')
    const { session_id } = first
    const [asked] = await list(session_id)
    const nobody = '01976d2c-0000-7000-8000-000000000000'
    const refusals: [object, number, string][] = [
      [{ replaces: first.message_id }, 422, 'session_id'],
      [{ session_id, replaces: first.message_id, message: 'Other words' }, 422, 'message'],
      [{ session_id, replaces: asked?.id, message: ' ' }, 422, 'message'],
      [{ session_id, replaces: 'mine' }, 422, 'replaces'],
      [{ session_id, replaces: nobody }, 404, 'Message'],
      [{ session_id }, 422, 'message'],
    ]
    for (const [body, status, word] of refusals) {
      const { status: got, text } = await chat(body)
      expect([got, text], JSON.stringify(body)).toEqual([status, expect.stringContaining(word)])
    }
    const path = `/me/sessions/${session_id}/messages/${asked?.id}`
    for (const body of [{}, { content: 'A', active: asked?.id }, { active: 'x' }])
      expect((await tenant.as('ann', 'PATCH', path, body)).status).toBe(422)
    expect((await choose(session_id, asked?.id ?? '', first.message_id)).status).toBe(404)
    expect((await chat({ session_id, replaces: first.message_id }, 'bob')).status).toBe(404)
    expect(await words(session_id)).toEqual(['A question', 'Answer 1.'])
  })

  it('nothing is chosen while an answer is on its way', async () => {
    const first = await say('A question')
    const { session_id } = first
    let go = () => {}
    const until = new Promise<void>((resolve) => {
      go = resolve
    })
    model.script = () => ({ text: 'Slowly.', until })
    const running = chat({ session_id, replaces: first.message_id })
    const busy = await waitFor(async () => {
      const answer = await choose(session_id, first.message_id, first.message_id)
      return answer.status === 409 ? answer : null
    })
    expect(busy.json.code).toBe('turn_running')
    go()
    await expectOk(running)
  })

  it('a question that is deleted before it is answered is not counted', async () => {
    const first = await say('A question')
    const { session_id } = first
    const path = `/me/sessions/${session_id}/messages`
    let go = () => {}
    const until = new Promise<void>((resolve) => {
      go = resolve
    })
    model.script = () => ({ text: 'Slowly.', until })
    const [asked] = await list(session_id)
    const running = chat({ session_id, replaces: asked?.id, message: 'In other words' })
    const again = await waitFor(
      async () =>
        (await list(session_id)).find(({ content }) => content === 'In other words') ?? null,
    )
    await expectOk(tenant.as('ann', 'DELETE', `${path}/${again.id}`))
    go()
    await expectOk(running)
    expect(await words(session_id)).toEqual(['Slowly.'])
    expect(await sessionOf(session_id)).toMatchObject({ message_count: 1, unread_count: 1 })
  })

  it('what a message taught is forgotten when it is asked in other words', async () => {
    const remembered = async () => {
      const { json: me } = await expectOk(tenant.as('eva', 'GET', '/me'))
      return (await tenant.call('GET', `/v1/manage/spaces/${me.space_id}/memories`)).text
    }
    model.script = ({ stream }) => ({
      text: stream
        ? 'Good.'
        : JSON.stringify({ memories: [{ content: 'I live in Braga.' }], profile: null }),
    })
    const { json } = await expectOk(chat({ message: 'I live in Braga.' }, 'eva'))
    const { session_id } = json
    await waitFor(async () => ((await remembered()).includes('Braga') ? true : null))
    model.script = ({ stream }) => ({
      text: stream ? 'Good.' : JSON.stringify({ memories: [], profile: null }),
    })
    const said = await expectOk(tenant.as('eva', 'GET', `/me/sessions/${session_id}/messages`))
    const replaces = said.json[0].id
    await expectOk(chat({ session_id, replaces, message: 'What is the time?' }, 'eva'))
    await waitFor(async () => ((await remembered()).includes('Braga') ? null : true))
  })

  it('reasons of a thumb down reach the review', async () => {
    const { message_id } = await say('Is that so?')
    const rate = (body: object) =>
      tenant.as('ann', 'POST', `/v1/messages/${message_id}/feedback`, { value: 'down', ...body })
    expect((await rate({ reasons: ['rude'] })).status).toBe(422)
    expect((await rate({ reasons: ['wrong', 'other', 'unclear', 'outdated'] })).status).toBe(422)
    await expectOk(rate({ reasons: ['outdated', 'outdated', 'wrong'] }))
    const review = await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', '/v1/manage/reviews'))
      const [found] = json
      return found ?? null
    })
    expect(review.feedback_reasons).toEqual(['outdated', 'wrong'])
  })
})
