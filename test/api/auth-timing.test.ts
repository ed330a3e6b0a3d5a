import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const PAIRS = 100
const EMAIL = 'ada@people.example'

describe('what an answer costs does not tell whether the address has an account', () => {
  let parley: Parley
  let tenant: SeededTenant

  beforeAll(async () => {
    parley = await startParley({}, { patientQueues: true })
    tenant = await seedTenant(parley)
    const body = { tenant_id: tenant.id, email: EMAIL, password: 'correct horse battery' }
    await expectOk(parley.call('POST', '/auth/register', { body }))
  })
  afterAll(() => parley.close())

  /**
   * Of interleaved pairs the quarter that a busy machine held up least; which one comes first changes from pair to pair.
   */
  async function compare(path: string, fields: object): Promise<number> {
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
    const call = async (kind: 'known' | 'unknown', email: string) => {
      const body = { tenant_id: tenant.id, email, ...fields }
      const start = performance.now()
      await parley.call('POST', path, { body })
      times[kind].push(performance.now() - start)
    }
    for (let pair = 0; pair < PAIRS; pair++) {
      const both = [
        () => call('known', EMAIL),
        () => call('unknown', `nobody${pair}@people.example`),
      ]
      for (const one of pair % 2 === 0 ? both : both.toReversed()) await one()
    }
    return lowerQuartile(times.known) / lowerQuartile(times.unknown)
  }

  it.each([
    ['/auth/login', { password: 'wrong password' }],
    ['/auth/forgot-password', {}],
    ['/auth/resend-verification', {}],
  ])(
    '%s',
    async (path, fields) => {
      const ratio = await compare(path, fields)
      expect(ratio).toBeGreaterThan(0.9)
      expect(ratio).toBeLessThan(1.1)
    },
    120_000,
  )
})

function lowerQuartile(values: number[]): number {
  return values.toSorted((a, b) => a - b)[PAIRS / 4] ?? 0
}
