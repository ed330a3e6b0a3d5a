import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AgentName } from '../../../../../src/web/chat/net/agent-name'
import { Visitor } from '../../../../../src/web/chat/net/visitor'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const DAY = 86_400_000
const HOUR = 3_600_000

describe('a token that a site hands out', () => {
  beforeEach(() => {
    const stored = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ['right', 0],
    ['ten minutes ahead', 10 * 60_000],
    ['three days ahead', 3 * DAY],
    ['three days behind', -3 * DAY],
  ])('holds for its hour by a browser’s clock that is %s', (_name, off) => {
    const claims = { sub: 'ann', src: 'proxy', iat: NOW / 1000, exp: (NOW + HOUR) / 1000 }
    const token = `e30.${btoa(JSON.stringify(claims))}.signature`
    vi.useFakeTimers({ toFake: ['Date'], now: NOW + off })
    const visitor = new Visitor('tenant', new AgentName('desk'))
    visitor.keep(token)
    expect(visitor.current(NOW + off)).toBe(token)
    expect(visitor.current(NOW + off + HOUR)).toBeNull()
  })
})
