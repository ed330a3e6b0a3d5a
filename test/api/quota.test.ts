import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUOTA } from '../../src/config/limits'
import { type Parley, sharedParley, startParley } from '../support/harness'
import { startOpenAi } from '../support/openai-server'
import { seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'

const TURNS = 300
const AT_ONCE = 100
const USERS = 30

describe('the monthly ceiling', { timeout: 120_000 }, () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await sharedParley()
  })
  afterAll(() => parley.close())

  it('holds under 300 concurrent turns: none over, nothing lost', async () => {
    const tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    const probe = await tenant.as('probe', 'POST', '/v1/chat', {
      message: 'When are refunds paid?',
    })
    const perTurn = probe.json.usage.input_tokens + probe.json.usage.output_tokens
    const spent = (await tenant.call('GET', '/v1/tenant/quota')).json.used
    // Room for about a third of the turns by what they use; far less by what they reserve at once.
    const ceiling = spent + perTurn * 100
    await parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, {
      monthly_token_ceiling: ceiling,
    })

    const answers: { status: number; retryAfter: string | null; used: number }[] = []
    let next = 0
    const work = async () => {
      for (let n = next++; n < TURNS; n = next++) {
        const { status, headers, json } = await tenant.as(`user-${n % USERS}`, 'POST', '/v1/chat', {
          message: 'When are refunds paid?',
        })
        answers.push({
          status,
          retryAfter: headers.get('retry-after'),
          used: status === 200 ? json.usage.input_tokens + json.usage.output_tokens : 0,
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))

    const answered = answers.filter((answer) => answer.status === 200)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(answered.length + refused.length).toBe(TURNS)
    expect(answered.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    // Until the month ends, or until a turn that runs gives back what it does not use.
    for (const { retryAfter } of refused)
      expect(Number(retryAfter) > 60 || Number(retryAfter) === QUOTA.runningRetryS).toBe(true)
    const booked = await settledUse()
    expect(booked.used).toBeLessThanOrEqual(ceiling)
    // Every answered turn is booked: chat alone, whatever titles came on top.
    const used = answered.reduce((sum, answer) => sum + answer.used, 0)
    expect(booked.chat).toBe(perTurn + used)

    async function settledUse(): Promise<{ used: number; chat: number }> {
      return waitFor(async () => {
        const { json: quota } = await tenant.call('GET', '/v1/tenant/quota')
        const { json: usage } = await tenant.call('GET', '/v1/manage/usage?group=kind')
        const chat = usage?.rows?.find((row: { key: string }) => row.key === 'chat')
        return chat?.requests === answered.length + 1
          ? { used: quota.used, chat: chat.total_tokens }
          : null
      })
    }
  })
})

describe('what a running turn has reserved of the month', { timeout: 60_000 }, () => {
  it('is waited for some seconds, and what is used up until the month ends', async () => {
    const model = await startOpenAi()
    const parley = await startParley({
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: model.baseUrl,
      CHAT_MODEL: 'test-model',
    })
    try {
      // Room for one turn at a time.
      const tenant = await seedTenant(parley, { monthly_token_ceiling: 12_000 })
      await seedAgent(tenant, 'desk', { max_output_tokens: 8000 })
      const ask = (user: string) => tenant.as(user, 'POST', '/v1/chat', { message: 'Hi' })
      let letGo = () => {}
      const until = new Promise<void>((resolve) => {
        letGo = resolve
      })
      model.script = () => ({ text: 'Hello.', until })
      const first = ask('ada')
      await waitFor(async () => model.calls.length || null)
      const early = await ask('bob')
      expect([early.status, early.json]).toEqual([429, { detail: 'Too many requests' }])
      expect(early.headers.get('retry-after')).toBe(String(QUOTA.runningRetryS))
      letGo()
      expect((await first).status).toBe(200)
      expect((await ask('bob')).status).toBe(200)

      const { used } = (await tenant.call('GET', '/v1/tenant/quota')).json
      await parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { monthly_token_ceiling: used })
      const late = await ask('bob')
      expect([late.status, late.json]).toEqual([429, { detail: 'Monthly token quota exceeded' }])
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(QUOTA.runningRetryS)
    } finally {
      await parley.close()
      await model.close()
    }
  })
})
