import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/config/names'
import { type Parley, sharedParley } from '../support/harness'
import type { ChatCall, ModelAct } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

const FEES = {
  Parcels: 'The fee for a parcel is five euros.',
  Letters: 'The fee for a letter is one euro.',
  Lockers: 'The fee for a locker is nine euros.',
  Opening: 'The counter opens at nine in the morning.',
}
const WHICH = 'Which of these do you mean?'

async function seedDesk(parley: Parley, fields: Record<string, unknown> = {}) {
  const tenant = await seedTenant(parley)
  await seedBase(tenant, 'fees', FEES)
  const desk = { knowledge_bases: ['fees'], grounding_required: true, ...fields }
  await seedAgent(tenant, 'desk', { ...desk, ambiguity_check: true })
  await seedAgent(tenant, 'plain', desk)
  return tenant
}
const sayTo =
  (tenant: SeededTenant) =>
  async (message: string, session_id?: string, agent = 'desk', headers = {}) =>
    (await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message, agent, session_id }, headers)))
      .json
// biome-ignore lint/suspicious/noExplicitAny: a response of the API.
const labelsOf = (json: any): string[] =>
  json.clarify.options.map(({ label }: { label: string }) => label)

describe('a message that may mean several things, without a model', () => {
  let parley: Parley
  let tenant: SeededTenant
  let say: ReturnType<typeof sayTo>
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedDesk(parley, { model: 'offline' })
    say = sayTo(tenant)
  })
  afterAll(() => parley.close())

  it('is asked back with what the sources have, and the pick is answered at once', async () => {
    const asked = await say('fee')
    expect(asked).toMatchObject({ reply: WHICH, finish_reason: 'clarify', sources: [] })
    expect(asked.clarify.question).toBe(WHICH)
    expect(labelsOf(asked).sort()).toEqual(['Letters', 'Lockers', 'Parcels'])
    const picked = await say('Lockers', asked.session_id)
    expect(picked.finish_reason).toBe('stop')
    expect(picked.reply).toContain('nine euros')
    expect(picked.reply).not.toContain('five')
    expect(picked).not.toHaveProperty('clarify')
  })

  it('is not asked back twice running, and may be again later', async () => {
    const { session_id } = await say('fee')
    const second = await say('fee', session_id)
    expect(second.finish_reason).toBe('stop')
    expect((await say('fee', session_id)).finish_reason).toBe('clarify')
  })

  it('asks nothing of whoever says more, of an agent without the switch, and after thanks', async () => {
    for (const [message, agent] of [
      ['What is the fee for a parcel?', 'desk'],
      ['How much is the fee?', 'desk'],
      ['When does the counter open?', 'desk'],
      ['Thank you!', 'desk'],
      ['counter', 'desk'],
      ['fee', 'plain'],
    ] as const)
      expect((await say(message, undefined, agent)).finish_reason, message).not.toBe('clarify')
  })

  it('does not hold back what is said next', async () => {
    const { session_id } = await say('fee')
    const next = await say('When does the counter open?', session_id)
    expect([next.finish_reason, next.reply]).toEqual(['stop', expect.stringContaining('nine in')])
  })

  it.each(LANGUAGES)('asks in %s', async (lang) => {
    const asked = await say('fee', undefined, 'desk', { 'accept-language': lang })
    expect(asked.finish_reason).toBe('clarify')
    expect(asked.clarify.question).toBe(asked.reply)
    expect(asked.reply === WHICH).toBe(lang === 'en')
  })

  it('comes as a frame, as a data part to useChat, and as lines where only text is seen', async () => {
    const { text } = await tenant.as('ann', 'POST', '/v1/chat/stream', {
      message: 'fee',
      agent: 'desk',
    })
    const frames = parseSse(text)
    expect(frames.filter(({ event }) => event === 'clarify')).toHaveLength(1)
    expect(frames.at(-1)?.event).toBe('done')
    const ui = await tenant.as('ann', 'POST', '/v1/chat/ui', {
      id: 'which',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'fee' }] }],
      agent: 'desk',
    })
    expect(ui.text).toContain('"type":"data-clarify"')
    const { json } = await expectOk(
      tenant.call('POST', '/v1/chat/completions', {
        model: 'desk',
        user: 'ann',
        messages: [{ role: 'user', content: 'fee' }],
      }),
    )
    const [question, ...options] = json.choices[0].message.content.split(/\n+/u)
    expect([question, options.sort()]).toEqual([WHICH, ['- Letters', '- Lockers', '- Parcels']])
  })
})

describe('a message that may mean several things, with a model', () => {
  let tenant: SeededTenant
  let say: ReturnType<typeof sayTo>
  withModel()
  beforeAll(async () => {
    tenant = await seedDesk(parley)
    say = sayTo(tenant)
  }, 60_000)

  const isChoosing = (call: ChatCall) => /has to be asked back/u.test(call.messages[0]?.content)
  const choosing = () => model.calls.filter(isChoosing)
  const chooses = (act: ModelAct) => {
    model.script = (call) => {
      if (isChoosing(call)) return act
      return call.stream ? { text: 'The fee for a parcel is five euros [1].' } : { text: 'A title' }
    }
  }

  it('is asked back with what the model holds possible of the same places', async () => {
    chooses({ text: '[1, 3]' })
    const asked = await say('fee')
    expect(asked.finish_reason).toBe('clarify')
    expect(labelsOf(asked)).toHaveLength(2)
    const [call, ...others] = choosing()
    expect(others).toEqual([])
    expect(call).toMatchObject({ temperature: 0, max_tokens: 40 })
    expect(call?.messages.at(-1)?.content).toContain('<<DATA')
    expect(model.calls.filter(({ stream }) => stream)).toEqual([])
    const row = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/usage?group=kind')
      return json.rows.find((one: { key: string }) => one.key === 'chat') ?? null
    })
    expect(row.total_tokens).toBeGreaterThan(0)
  })

  it('is answered with the place that was picked', async () => {
    chooses({ text: '[1,2,3]' })
    const { session_id } = await say('fee')
    await say('Parcels', session_id)
    const answer = model.calls.find(({ stream }) => stream)
    const told = JSON.stringify(answer?.messages.at(-1)?.content)
    expect(told).toContain('fee (Parcels)')
    expect(told).toContain('five euros')
    expect(told).not.toContain('nine euros')
    expect(choosing()).toHaveLength(1)
  })

  it.each([
    ['one of them', { text: '[2]' }, 'stop'],
    ['none of them', { text: '[]' }, 'stop'],
    ['numbers that are none', { text: '[7, 8]' }, 'stop'],
    ['prose', { text: 'It means the parcels.' }, 'clarify'],
    ['nothing', { text: '' }, 'clarify'],
    ['an error', { status: 500 }, 'clarify'],
  ] as [string, ModelAct, string][])(
    'goes on by the rule where the model says %s',
    async (_name, act, reason) => {
      chooses(act)
      expect((await say('fee')).finish_reason).toBe(reason)
    },
  )

  it('costs a whole question, and an agent without the switch, no call', async () => {
    chooses({ text: '[1,2]' })
    await say('What is the fee for a parcel?')
    await say('fee', undefined, 'plain')
    expect(choosing()).toEqual([])
  })

  it('goes by the rule where the turn itself takes what is left of the quota', async () => {
    const poor = await seedDesk(parley)
    chooses({ text: '[1]' })
    await poor.call('PATCH', '/v1/agents/desk', { max_output_tokens: 16 })
    // The first ceiling that lets the turn in leaves less than such a call reserves.
    for (let ceiling = 1_000; ; ceiling += 100) {
      await parley.admin('PATCH', `/v1/admin/tenants/${poor.id}`, {
        monthly_token_ceiling: ceiling,
      })
      const { status, json } = await poor.as('ann', 'POST', '/v1/chat', {
        message: 'fee',
        agent: 'desk',
      })
      if (status === 429) continue
      expect([status, json.finish_reason]).toEqual([200, 'clarify'])
      break
    }
    expect(choosing()).toEqual([])
  })
})
