import { beforeAll, describe, expect, it } from 'vitest'
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

const LINK = 'https://shop.example/trial'
const PROMPT = `Invite to [our trial](${LINK}).`
const QUESTION = 'When are refunds of the shop paid?'
const ANSWER = 'Refunds are paid within 14 days of the return to the shop [1].'
const CARD = { title: 'our trial', text: null, url: LINK }

async function seedShop(parley: Parley): Promise<SeededTenant> {
  const tenant = await seedTenant(parley)
  await seedBase(tenant, 'guide', { Refunds: ANSWER.replace(' [1]', '') })
  const desk = { knowledge_bases: ['guide'], grounding_required: true }
  await seedAgent(tenant, 'desk', { ...desk, proactive_cta: true, cta_prompt: PROMPT })
  await seedAgent(tenant, 'silent', { ...desk, cta_prompt: PROMPT })
  return tenant
}

describe('a call to action without a model', () => {
  let tenant: SeededTenant
  beforeAll(async () => {
    tenant = await seedShop(await sharedParley())
  })
  const ask = async (message = QUESTION, more: Record<string, unknown> = {}, user = 'a') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...more }))).json

  it('follows an answer, at most one in five turns', async () => {
    const { session_id, cta } = await ask()
    const shown = [cta]
    for (let turn = 1; turn < 7; turn++) shown.push((await ask(QUESTION, { session_id })).cta)
    const none = undefined
    expect(shown).toEqual([CARD, none, none, none, none, CARD, none])
  })

  it('is a frame of the stream, before its end, and again for who comes back', async () => {
    const body = { message: QUESTION, agent: 'desk' }
    const { text } = await tenant.as('b', 'POST', '/v1/chat/stream', body)
    const frames = parseSse(text)
    expect(frames.find(({ event }) => event === 'cta')?.data).toEqual(CARD)
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { cta: CARD } })
    const { message_id } = frames.find(({ event }) => event === 'session')?.data ?? {}
    const again = await tenant.as('b', 'GET', `/v1/chat/stream/${message_id}`)
    expect(parseSse(again.text).some(({ event }) => event === 'cta')).toBe(true)
  })

  it('is not shown after thanks, where nothing matched, and by an agent without the switch', async () => {
    for (const [message, agent] of [
      ['Thank you!', 'desk'],
      ['Who won the war of the roses?', 'desk'],
      [QUESTION, 'silent'],
    ] as const)
      expect((await ask(message, { agent }, 'c')).cta).toBeUndefined()
  })

  it('is not shown again in a session where it was dismissed; in another one it is', async () => {
    const { session_id } = await ask(QUESTION, {}, 'd')
    await expectOk(tenant.as('d', 'POST', '/v1/chat/dismiss', { session_id }))
    for (let turn = 0; turn < 6; turn++)
      expect((await ask(QUESTION, { session_id }, 'd')).cta).toBeUndefined()
    expect((await ask(QUESTION, {}, 'd')).cta).toEqual(CARD)
  })

  it('is dismissed by its own user alone', async () => {
    const { session_id } = await ask(QUESTION, {}, 'e')
    const other = await tenant.as('f', 'POST', '/v1/chat/dismiss', { session_id })
    expect([other.status, other.json.detail]).toEqual([404, 'Session not found'])
    const none = await tenant.as('e', 'POST', '/v1/chat/dismiss', {})
    expect(none.status).toBe(422)
  })

  it('is shown to a user in privacy mode too', async () => {
    await expectOk(tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    expect((await ask(QUESTION, {}, 'g')).cta).toEqual(CARD)
  })
})

describe('a call to action of a model', () => {
  withModel()

  const isCalling = ({ messages }: ChatCall) => /call to action/u.test(messages[0]?.content)
  const asked = () => model.calls.filter(isCalling)
  const script = (act: ModelAct, answer: ModelAct) => {
    model.script = (call) => {
      if (isCalling(call)) return act
      return call.stream ? answer : { text: 'A title' }
    }
  }
  const seedFree = async (fields: Record<string, unknown> = {}) => {
    const made = await seedTenant(parley)
    await seedAgent(made, 'free', { proactive_cta: true, cta_prompt: PROMPT, ...fields })
    return made
  }
  const ask = (who: SeededTenant, message = QUESTION, more = {}) =>
    who.as('a', 'POST', '/v1/chat', { message, agent: 'free', ...more })

  /** Asks, and lets the answer end only once the call beside it is paid. */
  async function askPatiently(who: SeededTenant, act: ModelAct, message = QUESTION) {
    const { promise, resolve } = Promise.withResolvers<void>()
    script(act, { text: 'Refunds are paid. Within 14 days.', until: promise })
    const answer = ask(who, message)
    await waitFor(async () => {
      const { json } = await who.call('GET', '/v1/tenant/quota')
      return json.used > 0 ? true : null
    })
    resolve()
    return answer
  }

  it('is what it writes, from one short call beside the answer, metered as suggest', async () => {
    const who = await seedFree()
    const written = { title: 'Try the shop', text: 'A month is free.', url: LINK }
    const { json } = await askPatiently(who, { text: JSON.stringify(written) })
    expect(json.cta).toEqual(written)
    const [call, ...others] = asked()
    expect(others).toEqual([])
    expect(call).toMatchObject({ temperature: 0 })
    expect(call?.messages.at(-1)?.content).toContain('<<DATA')
    const row = await waitFor(async () => {
      const { json } = await who.call('GET', '/v1/manage/usage?group=kind')
      return json.rows.find((one: { key: string }) => one.key === 'suggest') ?? null
    })
    expect(row.requests).toBe(1)
    const { session_id } = json
    await ask(who, QUESTION, { session_id })
    expect(asked()).toHaveLength(1)
  })

  it('never leads to a link that the prompt does not have', async () => {
    const evil = { title: 'Try it', text: 'Free.', url: 'https://evil.example/' }
    const { json } = await askPatiently(await seedFree(), { text: JSON.stringify(evil) })
    expect(json.cta).toEqual({ ...evil, url: null })
  })

  it.each([
    ['When are refunds paid?', 'en'],
    ['退款什么时候支付？', 'zh'],
    ['退款什麼時候支付？', 'zh-TW'],
    ['¿Cuándo se pagan los reembolsos?', 'es'],
    ['Когда выплачиваются возвраты?', 'ru'],
    ['Quand les remboursements sont-ils payés ?', 'fr'],
    ['متى تُدفع المبالغ المستردة؟', 'ar'],
  ])('is asked for in the language of the message: %s', async (message) => {
    const { json } = await askPatiently(await seedFree(), { text: '{"title":"Go"}' }, message)
    expect(json.cta.title).toBe('Go')
    expect(asked()[0]?.messages.at(-1)?.content).toContain(message)
  })

  it.each([
    ['nothing', { text: '' }],
    ['null', { text: 'null' }],
    ['broken JSON', { text: '{"title": "Try' }],
    ['a form of 40 fields', { text: JSON.stringify({ fields: Array(40).fill({}) }) }],
  ])('is none when it says %s', async (_name, act) => {
    const { status, json } = await askPatiently(await seedFree(), act)
    expect([status, json.finish_reason, json.cta]).toEqual([200, 'stop', undefined])
  })

  it('costs the answer nothing when its call fails or is slow', async () => {
    const who = await seedFree()
    script({ status: 500 }, { text: 'Within 14 days.' })
    expect((await ask(who)).json).toMatchObject({ reply: 'Within 14 days.', finish_reason: 'stop' })
    const { promise, resolve } = Promise.withResolvers<void>()
    script({ text: '{"title":"Go"}', until: promise }, { text: 'Within 14 days.' })
    const { json } = await ask(who)
    resolve()
    expect([json.reply, json.cta]).toEqual(['Within 14 days.', undefined])
  })

  it('is no call for an agent without the switch', async () => {
    const who = await seedFree({ proactive_cta: false })
    script({ text: '{"title":"Go"}' }, { text: 'Within 14 days.' })
    await ask(who)
    expect(asked()).toEqual([])
  })

  it('is skipped where the turn itself takes what is left of the quota', async () => {
    const who = await seedFree({ max_output_tokens: 16 })
    script({ text: '{"title":"Go"}' }, { text: 'Within 14 days.' })
    // The first ceiling that lets the turn in leaves less than such a call reserves.
    for (let ceiling = 2_000; ; ceiling += 150) {
      await parley.admin('PATCH', `/v1/admin/tenants/${who.id}`, { monthly_token_ceiling: ceiling })
      const { status, json } = await ask(who)
      if (status === 429) continue
      expect([status, json.reply]).toEqual([200, 'Within 14 days.'])
      break
    }
    expect(asked()).toEqual([])
  })
})
