import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD as RULES } from '../../src/config/limits'
import { type Answer, type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@people.example'

describe('many who sign in at once', () => {
  let parley: Parley
  let tenant: SeededTenant
  let userId: string
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    const body = { tenant_id: tenant.id, email: EMAIL, password: PASSWORD }
    userId = (await expectOk(parley.call('POST', '/auth/register', { body }))).json.user_id
  })
  afterAll(() => parley.close())

  const logIn = () =>
    parley.call('POST', '/auth/login', {
      body: { tenant_id: tenant.id, email: EMAIL, password: PASSWORD },
    })
  const register = (n: number) =>
    parley.call('POST', '/auth/register', {
      body: { tenant_id: tenant.id, email: `bob-${n}@people.example`, password: PASSWORD },
    })
  const setPassword = () =>
    tenant.call('POST', `/v1/manage/users/${userId}/password`, { new_password: PASSWORD })

  const judge = (answers: Answer[], accepted: number) => {
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([accepted, 429]))
    for (const { headers, json } of answers.filter(({ status }) => status === 429)) {
      expect([headers.get('retry-after'), json]).toEqual([
        String(RULES.retryAfterS),
        { detail: 'Too many requests' },
      ])
    }
    const served = answers.filter(({ status }) => status === accepted).length
    expect(served).toBeGreaterThanOrEqual(RULES.hashesAtOnce)
  }

  it('of forty, some are served and the others told at arrival to come again', async () => {
    judge(await Promise.all(Array.from({ length: 40 }, logIn)), 200)
    expect((await logIn()).status).toBe(200)
  })

  it('registering and setting a password wait in the same line', async () => {
    judge(await Promise.all(Array.from({ length: 12 }, (_, n) => register(n))), 200)
    judge(await Promise.all(Array.from({ length: 12 }, setPassword)), 204)
    const mixed = await Promise.all([
      ...Array.from({ length: RULES.hashesAtOnce }, logIn),
      ...Array.from({ length: RULES.hashesAtOnce }, (_, n) => register(100 + n)),
      ...Array.from({ length: RULES.hashesAtOnce }, setPassword),
    ])
    expect(mixed.map(({ status }) => status)).toContain(429)
  })

  it('another route is answered between two of them', async () => {
    const order: string[] = []
    const logins = Array.from({ length: RULES.hashesAtOnce }, () =>
      logIn().then(({ status }) => order.push(`login ${status}`)),
    )
    await Promise.race(logins)
    const health = parley.call('GET', '/health').then(() => order.push('health'))
    await Promise.all([...logins, health])
    expect(order.filter((what) => what === 'login 200')).toHaveLength(RULES.hashesAtOnce)
    expect(order.at(-1)).toBe('login 200')
  })
})
