import { beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../../src/config/names'
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

const REFUNDS = 'Refunds are paid within 14 days of the return.'
const PARCELS = 'A parcel to the warehouse weighs at most 20 kg.'
const QUESTION =
  'When are refunds paid? How heavy may a parcel be? And who won the war of the roses?'
const PARTS = [
  'When are refunds paid?',
  'How heavy may a parcel be?',
  'Who won the war of the roses?',
]

/** A text, a question about it and one that it does not answer; how that is said. */
const IN_WORDS: Record<Language, { text: string; parts: [string, string]; notFound: string }> = {
  en: {
    text: REFUNDS,
    parts: ['When are refunds paid?', 'Who won the war of the roses?'],
    notFound: 'Not found in the sources',
  },
  zh: {
    text: '退款将在14天内支付。',
    parts: ['退款将在什么时候支付？', '谁赢得了玫瑰战争？'],
    notFound: '资料中未找到',
  },
  'zh-TW': {
    text: '退款將在14天內支付。',
    parts: ['退款將在什麼時候支付？', '誰贏得了玫瑰戰爭？'],
    notFound: '資料中未找到',
  },
  es: {
    text: 'Los reembolsos se pagan en un plazo de 14 días.',
    parts: ['¿Cuándo se pagan los reembolsos?', '¿Quién ganó la guerra de las rosas?'],
    notFound: 'No se ha encontrado en las fuentes',
  },
  ru: {
    text: 'Возврат денег выплачивается в течение 14 дней.',
    parts: ['Когда выплачивается возврат денег?', 'Кто победил в войне роз?'],
    notFound: 'Не найдено в источниках',
  },
  fr: {
    text: 'Les remboursements sont versés sous 14 jours.',
    parts: ['Quand les remboursements sont-ils versés ?', 'Qui a gagné la guerre des roses ?'],
    notFound: 'Introuvable dans les sources',
  },
  ar: {
    text: 'تدفع المبالغ المستردة خلال 14 يوما.',
    parts: ['متى تدفع المبالغ المستردة؟', 'من فاز في حرب الورود؟'],
    notFound: 'غير موجود في المصادر',
  },
}

async function seedDesk(parley: Parley, fields: Record<string, unknown> = {}) {
  const tenant = await seedTenant(parley)
  await seedBase(tenant, 'guide', { Refunds: REFUNDS, Parcels: PARCELS })
  const desk = { knowledge_bases: ['guide'], grounding_required: true, ...fields }
  await seedAgent(tenant, 'desk', { ...desk, deep_research: true })
  await seedAgent(tenant, 'quick', desk)
  return tenant
}
const stream = async (who: SeededTenant, message = QUESTION, agent = 'desk') =>
  parseSse((await who.as('a', 'POST', '/v1/chat/stream', { message, agent })).text)
const stagesOf = (frames: Awaited<ReturnType<typeof stream>>) =>
  frames.filter(({ event, data }) => event === 'status' && data.stage === 'research')

/** Every sentence of the reply that a source lists stands in it, with the source's mark. */
function expectPlaced({ reply, sources }: { reply: string; sources: never[] }) {
  for (const source of sources as { n: number; quotes: { sentences: Span[] }[] }[]) {
    for (const { start, end } of source.quotes.flatMap(({ sentences }) => sentences))
      expect(reply.slice(start, end)).toContain(`[${source.n}]`)
  }
}
interface Span {
  start: number
  end: number
}

describe('deep research without a model', () => {
  let tenant: SeededTenant
  beforeAll(async () => {
    tenant = await seedDesk(await sharedParley())
  })

  it('is one report with proven sentences and what was not found, part by part before it', async () => {
    const frames = await stream(tenant)
    const told = stagesOf(frames).map(({ data }) => [data.n, data.of])
    expect(told).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    const done = frames.at(-1)?.data
    expect(done.finish_reason).toBe('stop')
    expect(done.reply).toContain('within 14 days of the return. [1]')
    expect(done.reply).toMatch(/at most 20 kg\. \[\d\]/u)
    expect(done.reply).toMatch(/\*\*Not found in the sources\*\*\n\n- .*war of the roses/u)
    const said = frames.filter(({ event }) => event === 'token').map(({ data }) => data.text)
    expect(said.join('')).toBe(done.reply)
    expect(done.sources.length).toBeGreaterThan(0)
    expectPlaced(done)
    const again = await tenant.as('a', 'GET', `/v1/chat/stream/${done.message_id}`)
    expect(parseSse(again.text).at(-1)?.data.reply).toBe(done.reply)
  })

  it('of a small question is a turn like any other', async () => {
    const frames = await stream(tenant, 'When are refunds paid?')
    expect(stagesOf(frames)).toEqual([])
    expect(frames.at(-1)?.data.reply).toBe('Refunds are paid within 14 days of the return. [1]')
  })

  it('finds nothing where nothing is', async () => {
    const frames = await stream(tenant, 'Who won the war of the roses? And where is Atlantis?')
    expect(frames.at(-1)?.data).toMatchObject({ finish_reason: 'no_match', sources: [] })
  })

  it('is metered as research, in privacy mode too', async () => {
    const private_ = await seedDesk(await sharedParley())
    await expectOk(private_.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    expect((await stream(private_)).at(-1)?.data.finish_reason).toBe('stop')
    const rows = await waitFor(async () => {
      const { json } = await private_.call('GET', '/v1/manage/usage?group=kind')
      const kinds = json.rows.map(({ key }: { key: string }) => key)
      return kinds.includes('research') ? kinds : null
    })
    expect(rows).not.toContain('chat')
  })
})

describe('deep research with a model', () => {
  withModel()

  const isAsking = ({ messages }: ChatCall) =>
    /large question is looked up|other\s+wording/u.test(messages[0]?.content)
  const asked = () => model.calls.filter(isAsking)
  const answers = () => model.calls.filter(({ stream }) => stream)
  /** What it answers to the part that a call is about. */
  const answerTo = ({ messages }: ChatCall): ModelAct => {
    const { content } = messages.at(-1) ?? {}
    const part = JSON.stringify(content)
    const n = (text: string) =>
      /\[(\d+)\]/u.exec(part.slice(0, part.indexOf(text)).split('<<DATA').at(-1) ?? '')?.[1]
    return part.includes('How heavy')
      ? { text: `A parcel to the warehouse weighs at most 20 kg [${n(PARCELS)}].` }
      : { text: `Refunds are paid within 14 days of the return [${n(REFUNDS)}].` }
  }
  const plans = (act: ModelAct) => {
    model.script = (call) => {
      if (isAsking(call)) return /looked up/u.test(call.messages[0]?.content) ? act : { text: '' }
      return call.stream ? answerTo(call) : { text: 'A title' }
    }
  }

  it('asks for the parts, answers each from its own passages, and books all of it as research', async () => {
    const tenant = await seedDesk(parley)
    plans({ text: JSON.stringify(PARTS) })
    const { data } = (await stream(tenant)).at(-1) ?? {}
    expect(data.finish_reason).toBe('stop')
    expect(data.reply).toContain(`**${PARTS[0]}**\n\nRefunds are paid within 14 days`)
    expect(data.reply).toContain(`**${PARTS[1]}**\n\nA parcel to the warehouse weighs`)
    expect(data.reply).toContain(`- ${PARTS[2]}`)
    expectPlaced(data)
    expect(answers()).toHaveLength(2)
    const row = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/usage?group=kind')
      return json.rows.find((one: { key: string }) => one.key === 'research') ?? null
    })
    expect(row.requests).toBe(1 + asked().length)
  })

  it.each([
    ['broken JSON', { text: '["When' }],
    ['an error', { status: 500 }],
    [
      'ten parts',
      { text: JSON.stringify(Array.from({ length: 10 }, (_, n) => `${PARTS[0]} ${n}`)) },
    ],
  ])('is at most four parts when it says %s', async (_name, act) => {
    const tenant = await seedDesk(parley)
    plans(act)
    const frames = await stream(tenant)
    expect(stagesOf(frames).length).toBeLessThanOrEqual(4)
    expect(frames.at(-1)).toMatchObject({ event: 'done', data: { finish_reason: 'stop' } })
  })

  it('costs nothing for an agent without the switch, and for a small question', async () => {
    const tenant = await seedDesk(parley)
    plans({ text: JSON.stringify(PARTS) })
    await stream(tenant, QUESTION, 'quick')
    await stream(tenant, 'When are refunds paid?')
    expect(asked()).toEqual([])
  })

  it('stops where the user stops it, and keeps what was said', async () => {
    const tenant = await seedDesk(parley)
    const { promise, resolve } = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    model.script = (call) => {
      if (isAsking(call)) return { text: JSON.stringify(PARTS) }
      if (!call.stream) return { text: 'A title' }
      const act = answerTo(call)
      if (!act.text?.startsWith('A parcel')) return act
      reached.resolve()
      return { ...act, until: promise }
    }
    const body = { message: QUESTION, agent: 'desk' }
    const answer = tenant.as('a', 'POST', '/v1/chat', body)
    await reached.promise
    const { space_id } = (await tenant.as('a', 'GET', '/me')).json
    const [session] = (await tenant.as('a', 'GET', `/me/spaces/${space_id}/sessions`)).json.items
    await expectOk(tenant.as('a', 'POST', '/v1/chat/stop', { session_id: session.id }))
    resolve()
    const { json } = await answer
    expect(json.finish_reason).toBe('stopped')
    expect(json.reply).toContain('Refunds are paid')
    expect(json.reply).not.toContain('A parcel')
  })

  it.each([
    [
      'is planned',
      (call: ChatCall) => isAsking(call) && /looked up/u.test(call.messages[0]?.content),
    ],
    [
      'looks for other words',
      (call: ChatCall) => isAsking(call) && !/looked up/u.test(call.messages[0]?.content),
    ],
    ['says its first words', (call: ChatCall) => call.stream === true],
  ])('stops at once while it %s, and what was asked is booked', async (_name, isPhase) => {
    const tenant = await seedDesk(parley)
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    model.script = (call) => {
      const until = isPhase(call) ? { until: held.promise } : {}
      if (isPhase(call)) reached.resolve()
      if (isAsking(call)) return { text: JSON.stringify(PARTS), ...until }
      return call.stream ? { ...answerTo(call), ...until } : { text: 'A title' }
    }
    const answer = tenant.as('a', 'POST', '/v1/chat', { message: QUESTION, agent: 'desk' })
    await reached.promise
    const { space_id } = (await tenant.as('a', 'GET', '/me')).json
    const [session] = (await tenant.as('a', 'GET', `/me/spaces/${space_id}/sessions`)).json.items
    await expectOk(tenant.as('a', 'POST', '/v1/chat/stop', { session_id: session.id }))
    expect((await answer).json).toMatchObject({ finish_reason: 'stopped', reply: '', sources: [] })
    held.resolve()
    const used = async () => {
      const { json } = await tenant.call('GET', '/v1/manage/usage?group=kind')
      return json.rows.find((one: { key: string }) => one.key === 'research') ?? null
    }
    expect((await waitFor(used)).total_tokens).toBeGreaterThan(0)
    plans({ text: JSON.stringify(PARTS) })
    const body = { message: QUESTION, agent: 'desk', session_id: session.id }
    expect((await tenant.as('a', 'POST', '/v1/chat', body)).json.finish_reason).toBe('stop')
  })

  it.each(Object.entries(IN_WORDS))(
    'speaks of itself in %s',
    async (lang, { text, parts, notFound }) => {
      const tenant = await seedTenant(parley)
      await seedBase(tenant, 'guide', { Guide: text })
      const desk = { knowledge_bases: ['guide'], grounding_required: true, deep_research: true }
      await seedAgent(tenant, 'desk', desk)
      model.script = (call) => {
        if (isAsking(call))
          return /looked up/u.test(call.messages[0]?.content) ? { text: JSON.stringify(parts) } : {}
        return { text: call.stream ? `${text.slice(0, -1)} [1]${text.at(-1)}` : 'A title' }
      }
      const frames = await stream(tenant, parts.join(' '))
      expect(stagesOf(frames).map(({ data }) => data.question)).toEqual(parts)
      const { reply } = frames.at(-1)?.data ?? {}
      expect(reply).toContain(`**${parts[0]}**\n\n${text.slice(0, -1)}`)
      expect(reply.endsWith(`\n\n**${notFound}**\n\n- ${parts[1]}`), reply).toBe(true)
      const others = Object.entries(IN_WORDS).filter(([other]) => other !== lang)
      for (const [, { notFound: word }] of others) expect(reply).not.toContain(`**${word}**`)
    },
  )

  it('ends as cut where a further part does not fit under the ceiling', async () => {
    const tenant = await seedDesk(parley, { max_output_tokens: 2048 })
    plans({ text: JSON.stringify(PARTS) })
    // The first ceiling that lets the turn in leaves no room for a second part.
    for (let ceiling = 3_000; ; ceiling += 500) {
      await parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, {
        monthly_token_ceiling: ceiling,
      })
      const frames = await stream(tenant)
      const { event, data } = frames.at(-1) ?? {}
      if (event !== 'done') continue
      expect(data.finish_reason).toBe('length')
      expect(data.reply).toContain('Refunds are paid')
      break
    }
  })
})
