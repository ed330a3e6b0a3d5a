import { describe, expect, it } from 'vitest'
import { idfOf, mergeIdf, weightShare } from '../../../src/text/term-weights'

describe('idf tables', () => {
  it('give the rest to what they do not list, whatever its name', () => {
    expect(idfOf({ common: { the: 0.2 }, rest: 4 }, 'the')).toBe(0.2)
    expect(idfOf({ common: { the: 0.2 }, rest: 4 }, 'constructor')).toBe(4)
  })

  it('merge to the mean', () => {
    const merged = mergeIdf([
      { common: { a: 1, b: 2 }, rest: 4 },
      { common: { a: 3 }, rest: 6 },
    ])
    expect(merged).toEqual({ common: { a: 2, b: 4 }, rest: 5 })
    expect(mergeIdf([])).toEqual({ common: {}, rest: 1 })
  })
})

describe('the share of what is wanted', () => {
  it('weighs what is found against what is wanted', () => {
    expect(weightShare(['a', 'b'], new Set(['a']), (token) => (token === 'a' ? 3 : 1))).toBe(0.75)
    expect(weightShare([], new Set(['a']), () => 1)).toBe(0)
  })
})
