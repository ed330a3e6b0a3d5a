import { describe, expect, it } from 'vitest'
import { BeyondPlatform } from '../../../src/config/platform-limits'
import { guardD1 } from '../../../src/db/guard-d1'

/** A session that takes everything, as the local one does. */
const open = () =>
  guardD1({
    prepare: () => ({ bind: (...values: unknown[]) => values.length }),
  } as unknown as D1DatabaseSession)

describe('the database', () => {
  it('is asked with at most a hundred parameters', () => {
    const values = Array.from({ length: 100 }, () => 1)
    expect(
      open()
        .prepare('x')
        .bind(...values),
    ).toBe(100)
    expect(() =>
      open()
        .prepare('x')
        .bind(...values, 1),
    ).toThrow(BeyondPlatform)
  })

  it('is asked with statements of at most 100 KB', () => {
    expect(() => open().prepare('é'.repeat(50_000))).not.toThrow()
    expect(() => open().prepare(`${'é'.repeat(50_000)}x`)).toThrow(BeyondPlatform)
  })

  it('gets rows of at most 2 MB, counted in bytes', () => {
    expect(() => open().prepare('x').bind('é'.repeat(1_000_000))).not.toThrow()
    expect(() => open().prepare('x').bind('é'.repeat(1_000_000), 'x')).toThrow(BeyondPlatform)
    expect(() => open().prepare('x').bind(new Uint8Array(2_000_000))).not.toThrow()
    expect(() => open().prepare('x').bind(new Uint8Array(2_000_001))).toThrow(BeyondPlatform)
  })
})
