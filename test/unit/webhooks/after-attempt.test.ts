import { describe, expect, it } from 'vitest'
import { afterAttempt, judgeStatus } from '../../../src/webhooks/after-attempt'

const NOW = 1_000_000
const RETRY_S = [5, 60]
const failed = { status: 500, error: 'status' } as const
const run = (
  attempts: number,
  attempt: Parameters<typeof afterAttempt>[2],
  failingSince: number | null = null,
  firstAttemptAt = NOW,
  random = 0,
) =>
  afterAttempt(
    { attempts, firstAttemptAt, lastAttemptAt: NOW - 1 },
    { failingSince },
    attempt,
    NOW,
    RETRY_S,
    random,
  )

describe('afterAttempt', () => {
  it('ends with the first answer of success, and forgets earlier failures', () => {
    expect(run(3, { status: 204, error: null }, 5)).toEqual({
      delivery: { status: 'delivered', nextAttemptAt: null, responseStatus: 204, error: null },
      failingSince: null,
      disable: null,
    })
  })

  it('waits as the list says, and fails after its end', () => {
    expect(run(1, failed).delivery).toMatchObject({ status: 'pending', nextAttemptAt: NOW + 5000 })
    expect(run(2, failed).delivery).toMatchObject({
      status: 'pending',
      nextAttemptAt: NOW + 60_000,
    })
    expect(run(3, failed).delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
  })

  it('shortens a pause by up to a fifth', () => {
    expect(run(2, failed, null, NOW, 1).delivery.nextAttemptAt).toBe(NOW + 48_000)
  })

  it('keeps the first failure', () => {
    expect(run(1, failed).failingSince).toBe(NOW - 1)
    expect(run(1, failed, 7).failingSince).toBe(7)
  })

  it('switches off what took nothing during a whole delivery, and only that', () => {
    expect(run(3, failed, 100, 200).disable).toBe('failing')
    expect(run(3, failed, 300, 200).disable).toBeNull()
    expect(run(2, failed, 100, 200).disable).toBeNull()
  })

  it('takes 410 at its word', () => {
    expect(run(1, { status: 410, error: 'status' })).toMatchObject({
      delivery: { status: 'failed', nextAttemptAt: null },
      disable: 'gone',
    })
  })

  it('tries again after an answer that never came', () => {
    const after = run(1, { status: null, error: 'timeout' })
    expect(after.delivery).toMatchObject({ status: 'pending', error: 'timeout' })
  })
})

describe('judgeStatus', () => {
  it.each([
    [200, null],
    [299, null],
    [300, 'redirect'],
    [308, 'redirect'],
    [399, 'redirect'],
    [400, 'status'],
    [503, 'status'],
  ])('%i is %s', (status, error) => {
    expect(judgeStatus(status)).toEqual({ status, error })
  })
})
