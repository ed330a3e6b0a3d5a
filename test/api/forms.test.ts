import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { type ModelAct, type OpenAiServer, startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { startTelegram, type TelegramServer } from '../support/telegram-server'

const QUESTION = 'Please book a table for me.'
const FIELDS = [
  { label: 'Name', type: 'text' },
  { label: 'Guests', type: 'number' },
  { label: 'Place', type: 'select', options: ['Inside', 'Garden'] },
]
const FORM = { title: 'Your table', fields: FIELDS }
const SHOWN = {
  title: 'Your table',
  fields: [
    { name: 'field_1', label: 'Name', type: 'text', required: true },
    { name: 'field_2', label: 'Guests', type: 'number', required: true },
    {
      name: 'field_3',
      label: 'Place',
      type: 'select',
      required: true,
      options: [
        { label: 'Inside', value: 'Inside' },
        { label: 'Garden', value: 'Garden' },
      ],
    },
  ],
}
const LINES = 'Name: Ann\nGuests: 4\nPlace: Garden'
const DONE = 'A table for 4 is noted for Ann.'
let chats = 7_100_000

describe('an agent that asks with forms', () => {
  let parley: Parley
  let model: OpenAiServer
  let telegram: TelegramServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    telegram = await startTelegram()
    parley = await startParley({
      ...model.vars,
      TELEGRAM_URL: telegram.url,
      EGRESS_ALLOW: telegram.pair,
    })
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Tables: 'A table may be booked for up to twelve guests.' })
    await seedAgent(tenant, 'host', { ask_forms: true, tools: [] })
    await seedAgent(tenant, 'named', { tools: ['ask_form'] })
    await seedAgent(tenant, 'plain', { tools: [] })
    await seedAgent(tenant, 'strict', {
      ask_forms: true,
      tools: [],
      knowledge_bases: ['guide'],
      grounding_required: true,
    })
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await Promise.all([model.close(), telegram.close()])
  })

  const calls = () => model.calls.filter(({ stream }) => stream)
  /** The model asks with a form where a message is the question, and says it is done otherwise. */
  const asks = (act: ModelAct) => {
    model.script = ({ stream, messages }) => {
      if (!stream) return { text: 'A title' }
      const last = JSON.stringify(messages.at(-1)?.content)
      return last.includes(QUESTION) ? act : { text: DONE }
    }
  }
  const form = (args: unknown, text = 'I need a few things.'): ModelAct => ({
    text,
    toolCalls: [{ name: 'ask_form', arguments: JSON.stringify(args) }],
  })
  beforeEach(() => {
    asks(form(FORM))
    model.calls.length = 0
  })
  const say = async (message: string, session_id?: string, agent = 'host', user = 'ann') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent, session_id }))).json
  const toldLast = () => JSON.stringify(calls().at(-1)?.messages.at(-1)?.content)

  it('shows the form, with no second call of the model, and goes on with what was filled in', async () => {
    const asked = await say(QUESTION)
    expect(asked).toMatchObject({ reply: 'I need a few things.', finish_reason: 'form' })
    expect(asked.form).toEqual(SHOWN)
    expect(calls()).toHaveLength(1)
    const done = await say(LINES, asked.session_id)
    expect(done).toMatchObject({ reply: DONE, finish_reason: 'stop' })
    expect(done).not.toHaveProperty('form')
    expect(toldLast()).toContain('Name: Ann\\nGuests: 4\\nPlace: Garden')
  })

  it('is the tool ask_form for an agent that lists it, and nothing for another', async () => {
    expect((await say(QUESTION, undefined, 'named')).finish_reason).toBe('form')
    model.calls.length = 0
    const refused = await say(QUESTION, undefined, 'plain')
    expect(refused).not.toHaveProperty('form')
    expect(refused.finish_reason).not.toBe('form')
    expect(JSON.stringify(calls()[0]?.tools ?? [])).not.toContain('ask_form')
  })

  it('checks the values without the model and asks for what is wrong', async () => {
    const { session_id } = await say(QUESTION)
    model.calls.length = 0
    const again = await say('Name: Ann\nGuests: some\nPlace: Roof', session_id)
    expect(again).toMatchObject({ reply: 'Please check: Guests, Place', finish_reason: 'form' })
    expect(again.form).toEqual({ ...SHOWN, fields: SHOWN.fields.slice(1) })
    expect(calls()).toEqual([])
    expect((await say('Guests: 4\nPlace: Garden', session_id)).reply).toBe(DONE)
    expect(toldLast()).toContain('Name: Ann\\nGuests: 4\\nPlace: Garden')
  })

  it('asks again as safely as it asked, whatever its labels are', async () => {
    const label = 'Guests ![x](//evil.example/a.png)'
    const fields = [FIELDS[0], { label, type: 'number', required: true }]
    asks(form({ title: 'x', fields }))
    const asked = await say(QUESTION)
    console.log(JSON.stringify(asked))
    const again = await say(`Name: Ann\n${label}: some`, asked.session_id)
    expect(again.finish_reason).toBe('form')
    expect(again.reply).toBe('Please check: Guests x')
  })

  it('that nobody fills in does not hold back what is said next', async () => {
    const { session_id } = await say(QUESTION)
    for (const message of ['Is there a garden?', LINES]) {
      const next = await say(message, session_id)
      expect(next).toMatchObject({ reply: DONE, finish_reason: 'stop' })
    }
  })

  it('is its user’s: another one’s lines answer nothing, another one’s session is not found', async () => {
    const { session_id } = await say(QUESTION)
    const foreign = { message: LINES, agent: 'host', session_id }
    expect((await tenant.as('eve', 'POST', '/v1/chat', foreign)).status).toBe(404)
    const other = await seedTenant(parley)
    await seedAgent(other, 'host', { ask_forms: true })
    expect((await other.as('ann', 'POST', '/v1/chat', foreign)).status).toBe(404)
    expect((await say('Guests: many', undefined, 'host', 'eve')).reply).toBe(DONE)
  })

  it('comes in privacy mode as ever, and is stored with its reply', async () => {
    const sealed = await seedTenant(parley)
    await seedAgent(sealed, 'host', { ask_forms: true })
    await expectOk(sealed.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const body = { message: QUESTION, agent: 'host' }
    const { json } = await expectOk(sealed.as('ann', 'POST', '/v1/chat', body))
    expect(json.form).toEqual(SHOWN)
    const path = `/me/sessions/${json.session_id}/messages`
    const { json: messages } = await expectOk(sealed.as('ann', 'GET', path))
    expect(JSON.stringify(messages)).not.toContain('"pending"')
    const next = { message: LINES, agent: 'host', session_id: json.session_id }
    expect((await expectOk(sealed.as('ann', 'POST', '/v1/chat', next))).json.reply).toBe(DONE)
  })

  const MISBEHAVED: [string, ModelAct][] = [
    ['broken JSON', { toolCalls: [{ name: 'ask_form', arguments: '{"title": "x", "fie' }] }],
    ['no fields', form({ title: 'x', fields: [] }, '')],
    ['a list', form([1, 2], '')],
    ['a password', form({ title: 'x', fields: [{ label: 'Password', type: 'text' }] }, '')],
    ['a card', form({ title: 'x', fields: [{ label: 'Card number', type: 'number' }] }, '')],
  ]
  it.each(MISBEHAVED)(
    'tells a model that asks for %s what is wrong, a bounded number of times',
    async (_name, act) => {
      asks(act)
      model.script = ({ stream, messages }) => {
        if (!stream) return { text: 'A title' }
        return messages.at(-1)?.role === 'tool' && calls().length > 2 ? { text: DONE } : act
      }
      const { reply, finish_reason, form: shown } = await say(QUESTION)
      expect([reply, finish_reason, shown]).toEqual([DONE, 'stop', undefined])
      expect(JSON.stringify(calls().at(-1)?.messages)).toMatch(/Invalid arguments/)

      model.calls.length = 0
      model.script = ({ stream }) => (stream ? act : { text: 'A title' })
      expect((await say(QUESTION)).form).toBeUndefined()
      expect(calls().length).toBeLessThanOrEqual(10)
    },
  )

  it('shows eight of forty fields', async () => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ label: `Field ${n}`, type: 'text' }))
    asks(form({ title: 'All', fields }))
    expect((await say(QUESTION)).form.fields).toHaveLength(8)
  })

  it('says what the form is for where nothing else of the answer stands', async () => {
    asks(form(FORM, 'Bananas grow on the moon of Jupiter.'))
    const question = 'For how many guests may a table be booked?'
    model.script = ({ stream, messages }) => {
      if (!stream) return { text: 'A title' }
      const last = JSON.stringify(messages.at(-1)?.content)
      if (last.includes('Guests: 4')) return { text: 'Name: Ann, guests: 4, place: Garden.' }
      return form(FORM, 'Bananas grow on the moon of Jupiter.')
    }
    const asked = await say(question, undefined, 'strict')
    expect(asked).toMatchObject({ reply: 'Your table', finish_reason: 'form', form: SHOWN })
    // What was filled in counts as evidence.
    const done = await say(LINES, asked.session_id, 'strict')
    expect(done.finish_reason).toBe('stop')
    expect(done.reply).toContain('4')
  })

  it('comes as a frame, as a data part to useChat, and again to who resumes', async () => {
    const body = { message: QUESTION, agent: 'host' }
    const { text } = await tenant.as('ann', 'POST', '/v1/chat/stream', body)
    const frames = parseSse(text)
    const shown = frames.filter(({ event }) => event === 'form')
    expect(shown.map(({ data }) => data)).toEqual([SHOWN])
    const names = frames.map(({ event }) => event)
    expect(names.indexOf('form')).toBeGreaterThan(names.lastIndexOf('token'))
    expect(names.at(-1)).toBe('done')
    const ui = await tenant.as('ann', 'POST', '/v1/chat/ui', {
      id: 'a-form',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
      agent: 'host',
    })
    expect(ui.text).toContain('"type":"data-form"')
    const session = frames.find(({ event }) => event === 'session')?.data
    const { message_id } = (session ?? {}) as { message_id?: string }
    const resumed = await tenant.as('ann', 'GET', `/v1/chat/stream/${message_id}`)
    expect(parseSse(resumed.text).filter(({ event }) => event === 'form')).toHaveLength(1)
  })

  it('is asked for line by line where only text is seen', async () => {
    let session_id: string | undefined
    const complete = async (content: string) => {
      const { json } = await expectOk(
        tenant.call('POST', '/v1/chat/completions', {
          model: 'host',
          user: 'ann',
          messages: [{ role: 'user', content }],
          ...(session_id ? { metadata: { session_id } } : {}),
        }),
      )
      session_id = json.metadata.session_id
      return json.choices[0].message.content
    }
    expect(await complete(QUESTION)).toBe('I need a few things.\n\nYour table\n\nName?')
    expect(await complete('Ann')).toBe('Guests?')
    expect(await complete('4 people')).toBe('Place?\n\n- Inside\n- Garden')
    expect(await complete('garden')).toBe(DONE)
    expect(toldLast()).toContain('Name: Ann\\nGuests: 4\\nPlace: Garden')
  })

  it('is asked for one by one in a messaging app', async () => {
    const bot = telegram.addBot()
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
    const { json } = await expectOk(tenant.as('tom', 'POST', '/me/chatapp/bind-code?agent=host'))
    const chat = ++chats
    await telegram.say(bot, chat, { text: `/start ${json.code}` })
    const told = async (text: string, count: number) => {
      await telegram.say(bot, chat, { text })
      return waitFor(async () => {
        const sent = telegram.sentTo(chat)
        return sent.length >= count ? sent.at(-1) : null
      })
    }
    expect(await told(QUESTION, 2)).toContain('Name?')
    expect(await told('Tom', 3)).toContain('Guests?')
    expect(await told('4', 4)).toContain('Place?')
    expect(await told('Garden', 5)).toContain('A table for 4')
    expect(toldLast()).toContain('Name: Tom\\nGuests: 4\\nPlace: Garden')
    // Nothing hears here.
    await telegram.say(bot, chat, { voice: { file_id: 'v', duration: 2 } })
    expect(telegram.sentTo(chat).at(-1)).toContain('I can read text and pictures')
  })

  it('costs nothing but its definition, and a form that is open passes an empty quota', async () => {
    const poor = await seedTenant(parley)
    await seedAgent(poor, 'host', { ask_forms: true })
    const body = { message: QUESTION, agent: 'host' }
    const { json } = await expectOk(poor.as('ann', 'POST', '/v1/chat', body))
    await parley.admin('PATCH', `/v1/admin/tenants/${poor.id}`, { monthly_token_ceiling: 1 })
    const next = { message: LINES, agent: 'host', session_id: json.session_id }
    expect((await poor.as('ann', 'POST', '/v1/chat', next)).status).toBe(429)
    await parley.admin('PATCH', `/v1/admin/tenants/${poor.id}`, { monthly_token_ceiling: null })
    expect((await expectOk(poor.as('ann', 'POST', '/v1/chat', next))).json.reply).toBe(DONE)
  })
})
