import { beforeAll, describe, expect, it } from 'vitest'
import type { ModelAct } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

const GUIDE = { Refunds: 'Refunds are paid within 14 days of the return.' }
const QUESTION = 'When are refunds paid?'
const NO_MATCH = 'Nothing of that is in the guide.'
const RIGHT = 'Refunds are paid within 14 days of the return [1].'
const WRONG = 'Refunds are paid within 90 days of the return [1].'
const WORSE = 'Refunds are paid in gold coins at midnight [1].'

describe('a reply of which nothing is proven', () => {
  let tenant: SeededTenant

  withModel()
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    const fields = {
      knowledge_bases: ['guide'],
      grounding_required: true,
      no_match_reply: NO_MATCH,
    }
    await seedAgent(tenant, 'desk', fields)
    await seedAgent(tenant, 'free', { ...fields, grounding_required: false })
    await tenant.call('POST', '/v1/skills/clock', { tools: ['current_time'] })
    await seedAgent(tenant, 'clocked', { ...fields, skills: ['clock'] })
  })
  const turns = () => model.calls.filter((call) => call.stream)

  async function ask(
    acts: (string | ModelAct)[],
    agent = 'desk',
    who = tenant,
    message = QUESTION,
  ) {
    model.script = (call, n) => {
      if (!call.stream) return { text: '{"supported":[]}' }
      const act = acts[n] ?? 'Never asked for.'
      return typeof act === 'string' ? { text: act } : act
    }
    const { text } = await who.as('a', 'POST', '/v1/chat/stream', { message, agent })
    const frames = parseSse(text)
    const shown = frames.flatMap(({ event, data }) => (event === 'token' ? [data.text] : []))
    const last = frames.at(-1)
    expect(last?.event).toBe('done')
    expect(last?.data.reply).toBe(shown.join(''))
    return { reply: shown.join(''), finish: last?.data.finish_reason, data: last?.data, text }
  }

  it('is written once more, with the reason, and nothing of the first is shown', async () => {
    const { reply, finish, data, text } = await ask([WRONG, RIGHT])
    expect([reply, finish]).toEqual([RIGHT, 'stop'])
    expect(data.sources).toHaveLength(1)
    expect(text).not.toContain('90 days')
    expect(turns()).toHaveLength(2)
    const [said, reason] = turns()[1]?.messages.slice(-2) ?? []
    expect(said).toMatchObject({ role: 'assistant', content: WRONG })
    expect(reason.role).toBe('user')
    expect(reason.content).toContain('within 90 days')
    expect(reason.content).toContain('exact quote')
    // Both calls are booked.
    expect(data.usage).toMatchObject({ input_tokens: 200, output_tokens: 40 })
  })

  it('that falls again is the reply for no match, after one attempt', async () => {
    const { reply, finish, data } = await ask([WRONG, WORSE])
    expect([reply, finish, data.sources]).toEqual([NO_MATCH, 'no_match', []])
    expect(turns()).toHaveLength(2)
  })

  it.each<[string, ModelAct]>([
    ['says nothing', { text: '' }],
    ['fails', { status: 400 }],
  ])('is the reply for no match when the second attempt %s', async (_name, act) => {
    const { reply, finish } = await ask([WRONG, act])
    expect([reply, finish]).toEqual([NO_MATCH, 'no_match'])
  })

  it.each([
    ['an agent without tools: the model is not even called', 'desk', 0],
    ['an agent whose skill brings one: called, and nothing unproven is shown', 'clocked', 2],
  ])('is the reply for no match where nothing was found, of %s', async (_name, agent, calls) => {
    const { reply, finish } = await ask(
      ['Orion is in Taurus tonight [1].'],
      agent,
      tenant,
      'Which planets are seen tonight?',
    )
    expect([reply, finish, turns().length]).toEqual([NO_MATCH, 'no_match', calls])
  })

  it('in part is shown as it is: there is no second attempt', async () => {
    const { reply } = await ask([`${RIGHT} ${WORSE}`])
    expect(reply).toBe(RIGHT)
    expect(turns()).toHaveLength(1)
  })

  it('is shown as it is where no proof is wanted', async () => {
    const { reply } = await ask([WORSE], 'free')
    expect(reply).toContain('gold coins')
    expect(turns()).toHaveLength(1)
  })

  it('goes to a review once, without what the model thought', async () => {
    const fresh = await seedTenant(parley)
    await seedBase(fresh, 'guide', GUIDE)
    await seedAgent(fresh, 'desk', { knowledge_bases: ['guide'], grounding_required: true })
    const wrong = `<think>They want the term.</think>${WRONG}`
    await ask([wrong, `${WRONG} ${WORSE}`], 'desk', fresh)
    const review = await waitFor(async () => {
      const { json } = await fresh.call('GET', '/v1/manage/reviews?status=pending')
      return json[0] ?? null
    })
    expect(review.unsourced).toEqual([
      'Refunds are paid within 90 days of the return.',
      'Refunds are paid in gold coins at midnight.',
    ])
  })

  it('is not written again when the month has no room for it', async () => {
    const poor = await seedTenant(parley)
    await seedBase(poor, 'guide', GUIDE)
    await seedAgent(poor, 'desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      no_match_reply: NO_MATCH,
    })
    // The smallest ceiling that admits the turn: what it leaves is less than a second call.
    for (let ceiling = 500; ; ceiling += 250) {
      await parley.admin('PATCH', `/v1/admin/tenants/${poor.id}`, {
        monthly_token_ceiling: ceiling,
      })
      model.script = (_call, n) => ({ text: n === 0 ? WRONG : RIGHT })
      const body = { message: QUESTION, agent: 'desk' }
      const { status, json } = await poor.as('a', 'POST', '/v1/chat', body)
      if (status === 429) continue
      expect([status, json.reply]).toEqual([200, NO_MATCH])
      break
    }
    expect(turns()).toHaveLength(1)
  })
})
