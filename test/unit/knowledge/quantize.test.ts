import { describe, expect, it } from 'vitest'
import { cosineAt, normalize, quantize } from '../../../src/knowledge/quantize'

/** The same numbers every time. */
function pseudoRandom(seed: number, count: number): number[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32 - 0.5
  })
}

describe('quantize', () => {
  it('keeps cosines to within one percent', () => {
    for (let seed = 1; seed < 20; seed++) {
      const one = pseudoRandom(seed, 384)
      const other = pseudoRandom(seed, 384).map(
        (value, i) => value + (pseudoRandom(seed + 99, 384)[i] ?? 0),
      )
      const exact = normalize(one).reduce(
        (sum, value, i) => sum + value * (normalize(other)[i] ?? 0),
        0,
      )
      const { bytes, scale } = quantize(other)
      expect(bytes).toHaveLength(384)
      expect(cosineAt(normalize(one), new Int8Array(bytes.buffer), 0, scale)).toBeCloseTo(exact, 2)
    }
  })

  it('leaves a zero vector zero', () => {
    const { bytes, scale } = quantize([0, 0])
    expect(cosineAt(normalize([0, 0]), new Int8Array(bytes.buffer), 0, scale)).toBe(0)
  })
})
