import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../src/config/limits'
import { ApiError } from '../../../src/errors'
import { inHashLine } from '../../../src/users/hash-line'

const base = { waitUntil: () => {} }
const settle = (pending: Promise<unknown>[]) => Promise.allSettled(pending)
const reasonOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? result.reason : null

describe('the line of those who hash', () => {
  it('refuses the fifth at arrival, and lets others in once there is room', async () => {
    const done: number[] = []
    const enter = (n: number) => inHashLine(base, (turn) => turn(() => done.push(n)))
    const all = Array.from({ length: 12 }, (_, n) => enter(n))
    const results = await settle(all)
    const { hashesAtOnce } = PASSWORD
    expect(results.slice(0, hashesAtOnce).map(({ status }) => status)).toEqual(
      Array(hashesAtOnce).fill('fulfilled'),
    )
    for (const result of results.slice(hashesAtOnce)) {
      expect(reasonOf(result)).toBeInstanceOf(ApiError)
      expect(reasonOf(result)).toMatchObject({
        code: 'rate_limited',
        headers: { 'Retry-After': String(PASSWORD.retryAfterS) },
      })
    }
    expect(done).toEqual([0, 1, 2, 3])
    await enter(12)
    expect(done.at(-1)).toBe(12)
  })

  it('gives the event loop its turn before each hash', async () => {
    const order: string[] = []
    const hash = (n: number) =>
      inHashLine(base, (turn) =>
        turn(() => {
          order.push(`hash ${n}`)
          setImmediate(() => order.push(`other work after ${n}`))
        }),
      )
    await Promise.all([hash(1), hash(2), hash(3)])
    expect(order).toEqual([
      'hash 1',
      'other work after 1',
      'hash 2',
      'other work after 2',
      'hash 3',
    ])
  })

  it('does not wait for one who looks something up first', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const order: string[] = []
    const slow = inHashLine(base, async (turn) => {
      await promise
      await turn(() => order.push('slow'))
    })
    await inHashLine(base, (turn) => turn(() => order.push('quick')))
    resolve()
    await slow
    expect(order).toEqual(['quick', 'slow'])
  })

  it('gives the place back after a failure, and keeps the call alive whose caller left', async () => {
    const kept: Promise<unknown>[] = []
    const alive = { waitUntil: (work: Promise<unknown>) => void kept.push(work) }
    for (let n = 0; n < 6; n++) {
      await expect(
        inHashLine(alive, async () => {
          throw new Error('no such account')
        }),
      ).rejects.toThrow('no such account')
    }
    expect(await settle(kept)).toHaveLength(6)
    expect(kept).toHaveLength(6)
  })
})
