import { beforeAll, describe, expect, it } from 'vitest'
import { sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { parseSse } from '../support/sse-reader'

describe('menu_anchors', () => {
  let tenant: SeededTenant
  beforeAll(async () => {
    tenant = await seedTenant(await sharedParley())
    await seedBase(tenant, 'guide', {
      Refunds: 'Refunds are paid within five working days.',
      Parcels: 'A parcel weighs at most 20 kg.',
      退款: '退款在十四天内支付。',
    })
    const skills = {
      refund: { menu_label: 'Start a refund', menu_prompt: 'I want my money back.' },
      fund: { menu_label: 'Funds' },
      plain: {},
    }
    const anchors = { refund: 'money back, refunds，退款', fund: 'fund', plain: null }
    for (const [name, fields] of Object.entries(skills)) {
      const menu_anchors = anchors[name as keyof typeof anchors]
      await expectOk(tenant.call('POST', `/v1/skills/${name}`, { ...fields, menu_anchors }))
    }
    const desk = { knowledge_bases: ['guide'], grounding_required: true }
    await seedAgent(tenant, 'desk', { ...desk, skills: Object.keys(skills) })
    await seedAgent(tenant, 'bare', desk)
  })

  const REFUND = { label: 'Start a refund', value: 'I want my money back.' }
  const ask = (message: string, agent = 'desk') =>
    tenant.as('a', 'POST', '/v1/chat', { message, agent })

  it('let the chip of a skill follow an answer with one of its words, in any script', async () => {
    for (const message of ['When are refunds paid?', '退款什么时候支付？']) {
      const { json } = await ask(message)
      expect([json.finish_reason, json.chips], message).toEqual(['stop', [REFUND]])
    }
  })

  it('come in a frame of the stream before its end, and as a data part', async () => {
    const body = { message: 'When are refunds paid?', agent: 'desk' }
    const { text } = await tenant.as('a', 'POST', '/v1/chat/stream', body)
    const shown = parseSse(text).find(({ event }) => event === 'suggestions')
    expect(shown?.data).toEqual({ suggestions: [], chips: [REFUND] })
    const ui = await tenant.as('a', 'POST', '/v1/chat/stream?protocol=ui-message', {
      id: 'chat-1',
      trigger: 'submit-message',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: body.message }] }],
      agent: 'desk',
    })
    expect(ui.text).toContain('"type":"data-suggestions"')
  })

  it('show nothing without their word, where nothing matched, and for an agent without the skill', async () => {
    for (const [message, agent] of [
      ['How heavy may a parcel be?', 'desk'],
      ['Who won the war of the roses?', 'desk'],
      ['When are refunds paid?', 'bare'],
    ] as const) {
      const { status, json } = await ask(message, agent)
      expect([status, json.chips], message).toEqual([200, undefined])
    }
  })
})
