import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/config/limits'
import { rankMemories, scoreMemory, similarityOf } from '../../../src/memory/rank-memories'
import type { MemoryKind } from '../../../src/memory/types'

const NOW = 1_790_000_000_000
const memory = (
  id: string,
  similarity: number,
  importance = 5,
  days = 0,
  kind: MemoryKind = 'fact',
) => ({ id, kind, importance, similarity, updatedAt: NOW - days * DAY_MS })

describe('scoreMemory', () => {
  it('lies between 0 and 1 and rises with similarity, importance and freshness', () => {
    const score = (...args: Parameters<typeof memory>) => scoreMemory(memory(...args), NOW)
    expect(score('a', 1, 10, 0)).toBeCloseTo(1)
    expect(score('a', 0.9)).toBeGreaterThan(score('a', 0.5))
    expect(score('a', 0.5, 9)).toBeGreaterThan(score('a', 0.5, 2))
    expect(score('a', 0.5, 5, 1)).toBeGreaterThan(score('a', 0.5, 5, 90))
  })

  it('lets events fade sooner than facts', () => {
    expect(scoreMemory(memory('a', 0.5, 5, 60, 'event'), NOW)).toBeLessThan(
      scoreMemory(memory('a', 0.5, 5, 60, 'fact'), NOW),
    )
  })

  it('does not reward a clock that runs ahead', () => {
    expect(scoreMemory(memory('a', 1, 10, -5), NOW)).toBeLessThanOrEqual(1)
  })
})

describe('rankMemories', () => {
  it('gives the best eight, best first', () => {
    const many = Array.from({ length: 30 }, (_, i) => memory(`m${i}`, i / 30))
    const best = rankMemories(many, NOW).map((one) => one.id)
    expect(best).toHaveLength(8)
    expect(best[0]).toBe('m29')
  })

  it('leaves out what has nothing to do with the question, but not what always matters', () => {
    const found = rankMemories(
      [memory('far', 0.05), memory('name', 0, 9), memory('near', 0.4)],
      NOW,
    )
    expect(found.map((one) => one.id).sort()).toEqual(['name', 'near'])
  })
})

describe('similarityOf', () => {
  it('takes the floor off a trained embedder’s cosines and none off the statistical one', () => {
    expect(similarityOf(0.3, true)).toBe(0)
    expect(similarityOf(0.3, false)).toBe(0.3)
    expect(similarityOf(1, true)).toBe(1)
    expect(similarityOf(-1, false)).toBe(0)
  })
})
