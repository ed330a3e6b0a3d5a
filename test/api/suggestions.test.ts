import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import type { ChatCall, ModelAct } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

const GUIDE = {
  Refunds: 'Refunds are paid within 14 days of the return to the shop.',
  Parcels: 'A parcel to the shop weighs at most 20 kg.',
  'Gift cards': 'A gift card of the shop is valid for three years.',
  'Opening hours': 'The shop opens at nine in the morning.',
}
const QUESTION = 'When are refunds of the shop paid?'
const ANSWER = 'Refunds are paid within 14 days of the return to the shop [1].'
const KNOWN = [
  'How heavy may a parcel be?',
  'How long is a gift card valid?',
  'When does the shop open?',
]

const seedShop = async (parley: Parley, fields: Record<string, unknown> = {}) => {
  const made = await seedTenant(parley, fields)
  await seedBase(made, 'guide', GUIDE)
  const desk = { knowledge_bases: ['guide'], grounding_required: true }
  await seedAgent(made, 'desk', { ...desk, auto_suggest: true, suggest_prompt: 'Ask of the shop.' })
  await seedAgent(made, 'silent', desk)
  return made
}
const ask = (who: SeededTenant, agent = 'desk', message = QUESTION) =>
  who.as('a', 'POST', '/v1/chat', { message, agent })

describe('suggestions without a model', () => {
  let tenant: SeededTenant
  beforeAll(async () => {
    tenant = await seedShop(await sharedParley())
  })

  it('are headings beside what the answer cites, in the answer and in its stream', async () => {
    const { json } = await ask(tenant)
    expect(json.suggestions.length).toBeGreaterThan(0)
    expect(json.suggestions.length).toBeLessThanOrEqual(3)
    for (const one of json.suggestions) expect(Object.keys(GUIDE)).toContain(one)
    expect(json.suggestions).not.toContain('Refunds')
    const { text } = await tenant.as('a', 'POST', '/v1/chat/stream', {
      message: QUESTION,
      agent: 'desk',
    })
    const frames = parseSse(text)
    const names = frames.map(({ event }) => event)
    expect(names.indexOf('suggestions')).toBeGreaterThan(names.lastIndexOf('token'))
    expect(names.at(-1)).toBe('done')
    const [shown] = frames.filter(({ event }) => event === 'suggestions')
    expect(shown?.data).toEqual({ suggestions: json.suggestions, chips: [] })
  })

  it('come as a data part to useChat', async () => {
    const { text } = await tenant.as('a', 'POST', '/v1/chat/ui', {
      id: 'chat-1',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
      agent: 'desk',
    })
    expect(text).toContain('"type":"data-suggestions"')
  })

  it('are none where the agent does not make them, after thanks, and where nothing matched', async () => {
    for (const [agent, message] of [
      ['silent', QUESTION],
      ['desk', 'Thank you!'],
      ['desk', 'Who won the war of the roses?'],
    ] as const) {
      const { status, json } = await ask(tenant, agent, message)
      expect([status, json.suggestions]).toEqual([200, []])
    }
  })

  it('are answered when they are asked', async () => {
    const { json } = await ask(tenant)
    for (const one of json.suggestions) {
      const next = await ask(tenant, 'desk', one)
      expect(next.json.finish_reason, one).toBe('stop')
    }
  })
})

describe('suggestions of a model', () => {
  let tenant: SeededTenant

  withModel()
  beforeAll(async () => {
    tenant = await seedShop(parley)
  })

  const isSuggesting = (call: ChatCall) =>
    /what the user may ask next/u.test(call.messages[0]?.content)
  const asked = () => model.calls.filter(isSuggesting)
  const suggests = (act: ModelAct, answer: ModelAct) => {
    model.script = (call) => {
      if (isSuggesting(call)) return act
      return call.stream ? answer : { text: 'A title' }
    }
  }

  /** A tenant whose agent has no bases: what is proposed is shown as it is. */
  const seedFree = async () => {
    const made = await seedTenant(parley)
    await seedAgent(made, 'free', { auto_suggest: true, suggest_prompt: 'Ask of the shop.' })
    return made
  }

  /** Asks, and lets the answer end only once the call for suggestions is paid. */
  async function askPatiently(who: SeededTenant, act: ModelAct) {
    const { promise, resolve } = Promise.withResolvers<void>()
    suggests(act, { text: 'Refunds are paid. Within 14 days.', until: promise })
    const answer = ask(who, 'free')
    await waitFor(async () => {
      const { json } = await who.call('GET', '/v1/tenant/quota')
      return json.used > 0 ? true : null
    })
    resolve()
    return answer
  }

  it('are what it proposes, from one short call beside the answer, metered as such', async () => {
    const fresh = await seedFree()
    const { json } = await askPatiently(fresh, { text: JSON.stringify(KNOWN) })
    expect(json.suggestions).toEqual(KNOWN)
    const [call, ...others] = asked()
    expect(others).toEqual([])
    expect(call).toMatchObject({ temperature: 0, max_tokens: 200 })
    expect(call?.messages[0]?.content).toContain('Ask of the shop.')
    expect(call?.messages.at(-1)?.content).toContain('<<DATA')
    const row = await waitFor(async () => {
      const { json } = await fresh.call('GET', '/v1/manage/usage?group=kind')
      return json.rows.find((one: { key: string }) => one.key === 'suggest') ?? null
    })
    expect([row.requests, row.total_tokens]).toEqual([1, 120])
  })

  it('do not keep the answer waiting', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    suggests({ text: JSON.stringify(KNOWN), until: promise }, { text: ANSWER })
    const { json } = await ask(tenant)
    resolve()
    expect(json.reply).toBe(ANSWER)
    expect(json.suggestions).not.toContain(KNOWN[0])
  })

  const MISBEHAVED: [string, ModelAct, string[]][] = [
    ['nothing', { text: '' }, []],
    ['broken JSON', { text: '["How heavy' }, []],
    ['prose', { text: 'I would ask about the parcels.' }, []],
    ['a foreign link', { text: '["See https://evil.example/?", "Why?"]' }, ['Why?']],
    ['ten', { text: JSON.stringify([...'abcdefghij']) }, ['a', 'b', 'c']],
  ]
  it.each(MISBEHAVED)('are only what can be shown when it says %s', async (_name, act, shown) => {
    const { status, json } = await askPatiently(await seedFree(), act)
    expect([status, json.finish_reason, json.suggestions]).toEqual([200, 'stop', shown])
  })

  it('cost the answer nothing when their call fails', async () => {
    suggests({ status: 500 }, { text: ANSWER })
    const { status, json } = await ask(tenant)
    expect([status, json.reply, json.finish_reason]).toEqual([200, ANSWER, 'stop'])
  })

  it('are no call for an agent without them', async () => {
    suggests({ text: '[]' }, { text: ANSWER })
    await ask(tenant, 'silent')
    expect(asked()).toEqual([])
  })

  it('are skipped where the turn itself takes what is left of the quota', async () => {
    const fresh = await seedFree()
    suggests({ text: JSON.stringify(KNOWN) }, { text: 'Within 14 days.' })
    await fresh.call('PATCH', '/v1/agents/free', { max_output_tokens: 16 })
    // The first ceiling that lets the turn in leaves less than such a call reserves.
    for (let ceiling = 2_000; ; ceiling += 150) {
      await parley.admin('PATCH', `/v1/admin/tenants/${fresh.id}`, {
        monthly_token_ceiling: ceiling,
      })
      const { status, json } = await ask(fresh, 'free')
      if (status === 429) continue
      expect([status, json.reply]).toEqual([200, 'Within 14 days.'])
      break
    }
    expect(asked()).toEqual([])
  })
})
