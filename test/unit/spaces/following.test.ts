import { describe, expect, it } from 'vitest'
import { Following } from '../../../durable-objects/user-space/turns/following'
import { MINUTE_MS } from '../../../src/config/limits'

describe('a job that follows a session', () => {
  it('is awaited until it is done, and a minute at most', () => {
    const following = new Following()
    following.begin('a', 1000)
    following.begin('b', 1000)
    expect(following.isAwaited('a', 2000)).toBe(true)
    following.end('a')
    expect(following.isAwaited('a', 2000)).toBe(false)
    expect(following.isAwaited('b', 1000 + MINUTE_MS - 1)).toBe(true)
    expect(following.isAwaited('b', 1000 + MINUTE_MS)).toBe(false)
  })

  it('that a later turn leaves is awaited from then on', () => {
    const following = new Following()
    following.begin('a', 0)
    following.begin('a', 30_000)
    following.begin('b', MINUTE_MS)
    expect(following.isAwaited('a', MINUTE_MS)).toBe(true)
  })
})
