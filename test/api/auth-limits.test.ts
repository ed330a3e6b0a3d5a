import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley, WIDE_RATES } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const PASSWORD = 'correct horse battery'

/** Rate limits of sign-in with the product's own numbers; the tenant's and the operator's calls stay wide. */
describe('limits of sign-in', () => {
  let parley: Parley

  beforeAll(async () => {
    const own = ['LOGIN', 'FORGOT', 'RESEND', 'REGISTER', 'SMTP_TEST', 'ONE_TIME_TOKENS']
    const vars = { ...WIDE_RATES, ...Object.fromEntries(own.map((name) => [`LIMITS_${name}`, ''])) }
    parley = await startParley(vars)
  })
  afterAll(() => parley.close())

  const post = (name: string, tenant: SeededTenant, email: string, fields = {}) =>
    parley.call('POST', `/auth/${name}`, { body: { tenant_id: tenant.id, email, ...fields } })
  async function statuses(count: number, call: () => Promise<Answer>): Promise<number[]> {
    const all: number[] = []
    for (let n = 0; n < count; n++) all.push((await call()).status)
    return all
  }

  it('an address may be tried ten times in a quarter of an hour, with an account or without', async () => {
    const [tenant, other] = [await seedTenant(parley), await seedTenant(parley)]
    await expectOk(post('register', tenant, 'ada@people.example', { password: PASSWORD }))
    for (const email of ['ada@people.example', 'nobody@people.example']) {
      const tries = await statuses(10, () =>
        post('login', tenant, email, { password: 'wrong one' }),
      )
      expect(new Set(tries)).toEqual(new Set([401]))
      const late = await post('login', tenant, email.toUpperCase(), { password: PASSWORD })
      expect([late.status, late.json]).toEqual([429, { detail: 'Too many requests' }])
      const wait = Number(late.headers.get('retry-after'))
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(900)
    }
    expect((await post('login', other, 'ada@people.example', { password: 'x' })).status).toBe(401)
    expect((await post('login', tenant, 'bob@people.example', { password: 'x' })).status).toBe(401)
  })

  it('an address gets three mails of a kind in an hour, and five registrations', async () => {
    const tenant = await seedTenant(parley)
    for (const name of ['forgot-password', 'resend-verification']) {
      const email = 'eve@people.example'
      expect(await statuses(4, () => post(name, tenant, email))).toEqual([200, 200, 200, 429])
    }
    const again = () => post('register', tenant, 'kim@people.example', { password: PASSWORD })
    expect(await statuses(6, again)).toEqual([200, 409, 409, 409, 409, 429])
  })

  it.each([
    [
      'IPv6 addresses of one network',
      (n: number) => `2001:db8:1:2::${n.toString(16)}:1`,
      '2001:db8:1:3::1',
    ],
    [
      'one IPv4 address, however it is written to us',
      () => '::ffff:198.51.100.7',
      '::ffff:198.51.100.8',
    ],
  ])('%s are one place', async (_, from, elsewhere) => {
    const guess = (address: string) =>
      parley.call('GET', `/auth/verify?token=${'A'.repeat(43)}`, {
        headers: { 'CF-Connecting-IP': address },
      })
    let n = 0
    expect((await statuses(21, () => guess(from(n++)))).at(-1)).toBe(429)
    expect((await guess(elsewhere)).status).toBe(400)
  })

  it('tokens are tried twenty times in an hour from one place, mail settings five times by a tenant', async () => {
    const guess = () => parley.call('GET', `/auth/verify?token=${'A'.repeat(43)}`)
    const guesses = await statuses(21, guess)
    expect(guesses.slice(0, 20).every((status) => status === 400)).toBe(true)
    expect(guesses[20]).toBe(429)
    const tenant = await seedTenant(parley)
    const test = () => tenant.call('POST', '/v1/tenant/settings/smtp/test?to=a@b.example')
    expect(await statuses(6, test)).toEqual([409, 409, 409, 409, 409, 429])
  })
})
