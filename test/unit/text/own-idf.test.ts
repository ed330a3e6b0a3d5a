import { describe, expect, it } from 'vitest'
import { ownIdf } from '../../../src/text/own-idf'

/** Of 1,000 passages: 700 in English, 100 in Spanish, 100 in Russian, 100 in either script of Chinese. */
const idf = {
  common: { the: 0.4, 的: 2.3, 请: 3, 請: 3, el: 2.4, по: 2.5, parley: 0.1, queue: 5 },
  rest: 6.5,
}

describe('the weights of a base in several languages', () => {
  it.each([
    ['es', 4.1],
    ['ru', 4],
    ['zh', 3.5],
    ['zh-TW', 3.5],
  ])('are those of its passages in the question’s language: %s', (code, rest) => {
    const own = ownIdf(code, idf)
    expect(own.rest).toBeCloseTo(rest)
    expect(own.common.parley).toBe(0)
  })

  it('are left as they are where most of it is in that language, or nothing is', () => {
    expect(ownIdf('en', idf)).toBe(idf)
    expect(ownIdf('ar', idf)).toBe(idf)
    expect(ownIdf('fr', idf)).toBe(idf)
  })

  it('are worked out once for a table, whose words may be many', () => {
    expect(ownIdf('ru', idf)).toBe(ownIdf('ru', idf))
    expect(ownIdf('ru', { ...idf })).not.toBe(ownIdf('ru', idf))
  })
})
