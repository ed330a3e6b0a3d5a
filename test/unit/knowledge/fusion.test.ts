import { describe, expect, it } from 'vitest'
import { BestScored, fuse, fusionWeights, rerank, sortScored } from '../../../src/knowledge/fusion'

describe('fuse', () => {
  it('adds lists up, each divided by its top score', () => {
    const a = [
      { row: 1, score: 10 },
      { row: 2, score: 5 },
    ]
    const b = [{ row: 2, score: 0.2 }]
    expect(
      fuse([
        { items: a, weight: 0.5 },
        { items: b, weight: 0.5 },
      ]),
    ).toEqual([
      { row: 2, score: 0.75 },
      { row: 1, score: 0.5 },
    ])
  })

  it('leaves out lists without an opinion, and keeps the lower row on a tie', () => {
    const tied = [
      { row: 9, score: 1 },
      { row: 3, score: 1 },
    ]
    const ranked = fuse([
      { items: tied, weight: 1 },
      { items: [{ row: 5, score: 0 }], weight: 1 },
      { items: [{ row: 6, score: 1 }], weight: 0 },
    ])
    expect(ranked.map((one) => one.row)).toEqual([3, 9])
  })
})

describe('rerank', () => {
  it('stays between 0 and 1 and lets the best sentence break near ties', () => {
    expect(rerank(1, 1, 1)).toBeCloseTo(1)
    expect(rerank(0, 0, 0)).toBe(0)
    expect(rerank(0.8, 0.9, 0)).toBeGreaterThan(rerank(0.85, 0.2, 0))
  })

  it('weights of the lists add up to one', () => {
    for (const found of [null, 0, 3, 20]) {
      const { words, letters, vector } = fusionWeights(found)
      expect(words + letters + vector).toBeCloseTo(1)
    }
  })

  it('gives meaning more weight the less of the words was found, and none without vectors', () => {
    const shares = [20, 4, 1, 0].map((found) => fusionWeights(found).vector)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect(shares[0]).toBe(0)
    expect(shares.at(-1)).toBeGreaterThan(0.8)
    expect(shares.at(-1)).toBeLessThan(1)
    expect(fusionWeights(null).vector).toBe(0)
  })
})

describe('the best of many', () => {
  it('are those that sorting all would put first, in that order, ties by row', () => {
    // Few different scores, so that many are the same; rows in no order.
    const all = Array.from({ length: 500 }, (_, i) => ({
      row: (i * 367) % 500,
      score: ((i * 7919) % 23) / 23,
    }))
    for (const limit of [1, 7, 100, 500, 600]) {
      const best = new BestScored(limit)
      for (const { row, score } of all) best.add(row, score)
      expect(best.list()).toEqual(sortScored([...all]).slice(0, limit))
    }
  })
})
