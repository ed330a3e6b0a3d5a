import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/config/limits'
import { endOfDay } from '../../src/reminders/zone-time'
import { type Answer, type Parley, sharedParley } from '../support/harness'
import { type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { zoneAtNoon } from '../support/zone-at-noon'

const MOST_TURNS = 20

describe('tokens that one user may use in a day', () => {
  let parley: Parley
  let tenant: SeededTenant
  /** When the tenant's day ends. */
  let midnight: number
  beforeAll(async () => {
    parley = await sharedParley()
  })

  const seed = async (desk: Record<string, unknown> = {}) => {
    tenant = await seedTenant(parley)
    const timezone = zoneAtNoon()
    midnight = endOfDay(Date.now(), timezone)
    await tenant.call('PATCH', '/v1/tenant/settings', { profile: { timezone } })
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], ...desk })
    await seedAgent(tenant, 'other', { knowledge_bases: ['guide'] })
  }
  const ask = (user: string, agent = 'desk') =>
    tenant.as(user, 'POST', '/v1/chat', { message: 'When are refunds paid?', agent })

  /** Asks until it is refused. @returns the tokens that its answers used, and the refusal. */
  async function useUp(user: string) {
    let used = 0
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const answer = await ask(user)
      if (answer.status !== 200) return { used, refused: answer }
      used += answer.json.usage.input_tokens + answer.json.usage.output_tokens
    }
    throw new Error('Never refused')
  }

  function expectEndOfDay({ headers }: Answer): void {
    const end = Date.now() + Number(headers.get('retry-after')) * 1000
    expect(Math.abs(end - midnight)).toBeLessThan(HOUR_MS / 2)
  }

  it('are an agent’s to limit: then 429 with the time of the day’s end, for that user and agent alone', async () => {
    await seed({ daily_tokens_per_user: 1000 })
    const { used, refused } = await useUp('a')
    expect(used).toBeGreaterThan(0)
    expect([refused.status, refused.json]).toEqual([
      429,
      { detail: 'Daily token quota of the user exceeded', code: 'user_quota' },
    ])
    expectEndOfDay(refused)
    expect((await ask('b')).status).toBe(200)
    expect((await ask('a', 'other')).status).toBe(200)
  })

  it('are a tenant’s to limit, over all its agents, in its own zone', async () => {
    await seed({ daily_tokens_per_user: 1_000_000 })
    const { json } = await tenant.call('PATCH', '/v1/tenant/settings', {
      daily_tokens_per_user: 1000,
    })
    expect(json.daily_tokens_per_user).toBe(1000)
    const { refused } = await useUp('a')
    expect(refused.json.code).toBe('user_quota')
    expectEndOfDay(refused)
    expect((await ask('a', 'other')).status).toBe(429)
    await tenant.call('PATCH', '/v1/tenant/settings', { daily_tokens_per_user: null })
    expect((await ask('a', 'other')).status).toBe(200)
  })

  it('are a stream’s too, and refused before it begins', async () => {
    await seed({ daily_tokens_per_user: 1000 })
    await useUp('a')
    const { status, json } = await tenant.as('a', 'POST', '/v1/chat/stream', {
      message: 'When?',
      agent: 'desk',
    })
    expect([status, json.code]).toEqual([429, 'user_quota'])
  })

  it('end with the ceiling: one that is raised or taken away lets the user in again', async () => {
    await seed({ daily_tokens_per_user: 1000 })
    await useUp('a')
    await tenant.call('PATCH', '/v1/agents/desk', { daily_tokens_per_user: null })
    expect((await ask('a')).status).toBe(200)
  })

  it.each([0, 999, -1, 1.5, 'many', 1e12])('are no ceiling of %s', async (value) => {
    await seed()
    for (const [method, path] of [
      ['PATCH', '/v1/agents/desk'],
      ['PATCH', '/v1/tenant/settings'],
    ] as const) {
      const { status, json } = await tenant.call(method, path, { daily_tokens_per_user: value })
      expect([status, json.detail[0].loc]).toEqual([422, ['body', 'daily_tokens_per_user']])
    }
  })
})
