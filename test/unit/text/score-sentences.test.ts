import { describe, expect, it } from 'vitest'
import {
  analyzeSentences,
  idfOf,
  mergeIdf,
  scoreSentences,
  weightShare,
} from '../../../src/text/score-sentences'
import { IDF } from '../../support/passages'

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

describe('scoring sentences', () => {
  it('weighs what is found against what is wanted', () => {
    expect(weightShare(['a', 'b'], new Set(['a']), (token) => (token === 'a' ? 3 : 1))).toBe(0.75)
    expect(weightShare([], new Set(['a']), () => 1)).toBe(0)
  })

  it.each([
    [
      'When does the museum open?',
      'The museum opens at ten. The café serves cake. The museum shop is closed.',
      0,
    ],
    [
      'Who may borrow the bicycles?',
      'Bicycles cost five euros. Members may borrow bicycles. Members pay nothing.',
      1,
    ],
    ['图书馆几点开门？', '食堂六点关门。图书馆九点开门。操场全天开放。', 1],
    ['Сколько стоит ремонт?', 'Мы чиним часы. Цены разные. Ремонт стоит сто рублей.', 2],
  ])('%s', (question, text, best) => {
    const candidates = analyzeSentences(text)
    const scores = scoreSentences(question, candidates, IDF)
    expect(scores.indexOf(Math.max(...scores))).toBe(best)
    for (const score of scores) expect(score).toBeGreaterThanOrEqual(0)
    for (const score of scores) expect(score).toBeLessThanOrEqual(1)
  })
})
