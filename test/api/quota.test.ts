import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QUOTA } from '../../src/config/limits'
import { type Answer, type Parley, sharedParley, startParley } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
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

describe('what running turns have reserved', { timeout: 60_000 }, () => {
  let parley: Parley
  let model: OpenAiServer
  beforeAll(async () => {
    model = await startOpenAi()
    parley = await startParley({
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: model.baseUrl,
      CHAT_MODEL: 'test-model',
    })
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
  })

  /** A tenant whose model answers once it may. */
  async function seed(ceiling: number, fields: Record<string, unknown>) {
    const tenant = await seedTenant(parley, { monthly_token_ceiling: ceiling })
    await seedAgent(tenant, 'desk', fields)
    let letGo = () => {}
    const until = new Promise<void>((resolve) => {
      letGo = resolve
    })
    model.calls.length = 0
    model.script = () => ({ text: 'Hello.', until })
    const ask = (user: string) => tenant.as(user, 'POST', '/v1/chat', { message: 'Hi' })
    const running = (turns: number) => waitFor(async () => model.calls.length >= turns || null)
    return { tenant, ask, running, letGo: () => letGo() }
  }

  function expectFreeSoon({ status, json, headers }: Answer) {
    expect([status, json]).toEqual([429, { detail: 'Too many requests' }])
    expect(headers.get('retry-after')).toBe(String(QUOTA.runningRetryS))
  }

  it('of the month is waited for some seconds, and what is used up until the month ends', async () => {
    // Room for one turn at a time.
    const { tenant, ask, running, letGo } = await seed(12_000, { max_output_tokens: 8000 })
    const first = ask('ada')
    await running(1)
    expectFreeSoon(await ask('bob'))
    letGo()
    expect((await first).status).toBe(200)
    expect((await ask('bob')).status).toBe(200)

    const { used } = (await tenant.call('GET', '/v1/tenant/quota')).json
    await parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { monthly_token_ceiling: used })
    const late = await ask('bob')
    expect([late.status, late.json]).toEqual([429, { detail: 'Monthly token quota exceeded' }])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(QUOTA.runningRetryS)
  })

  it('of a user’s day likewise', async () => {
    const { ask, running, letGo } = await seed(1_000_000, { daily_tokens_per_user: 1000 })
    // The oldest one does not count.
    const first = [ask('ada'), ask('ada')]
    await running(2)
    expectFreeSoon(await ask('ada'))
    letGo()
    for (const { status } of await Promise.all(first)) expect(status).toBe(200)
    expect((await ask('ada')).status).toBe(200)
  })
})
