import { describe, expect, it } from 'vitest'
import {
  analyzeQuery,
  buildMatch,
  dropFrequent,
  dropFrequentKnown,
  inverseFrequency,
  termsAsked,
  termWeight,
} from '../../../src/knowledge/query-terms'

describe('analyzeQuery', () => {
  it('gives each word once, with its forms in every mode of the base', () => {
    const { words } = analyzeQuery('Running, running and again Zeitungen', ['english', 'german'])
    expect(words).toEqual([['run', 'running'], ['and'], ['again'], ['zeitungen', 'zeitung']])
  })

  it('asks for a number in the digits that its readers may have written it in', () => {
    const numbers = (text: string) =>
      analyzeQuery(text, ['english']).words.filter(([word]) => /^\p{Nd}/u.test(word ?? ''))
    expect(numbers('room 500')).toEqual([['500']])
    // The stemmer of Arabic reads its digits.
    expect(numbers('الغرفة ٥٠٠')).toEqual([['500', '۵۰۰']])
    expect(numbers('اتاق ۵۰۰')).toEqual([['۵۰۰', '500']])
    expect(numbers('اتاق 500')).toEqual([['500', '۵۰۰']])
    expect(numbers('कमरा ५००')).toEqual([['५००', '500']])
    expect(numbers('部屋 ５００')).toEqual([['500']])
  })

  it('makes phrases of neighbouring words, in one mode each, and none across unspaced runs', () => {
    expect(analyzeQuery('carbon emissions 排放 trade', ['english']).phrases).toEqual([
      ['carbon', 'emiss'],
    ])
    expect(analyzeQuery('碳排放', ['english'])).toMatchObject({ phrases: [], unspaced: true })
  })

  it('of nothing is nothing', () => {
    expect(analyzeQuery(' ?!', ['english'])).toEqual({
      words: [],
      phrases: [],
      letters: [],
      unspaced: false,
      small: new Set(),
      light: new Set(),
    })
    expect(buildMatch([])).toBe('')
  })
})

describe('termsAsked', () => {
  const askedOf = (text: string, known: readonly string[]) => {
    const question = analyzeQuery(text, ['english'])
    return termsAsked(question, question.words.flat(), { of: (token) => +known.includes(token) })
  }

  it('leaves out the small words of a question, and pairs that name nothing', () => {
    const known = ['connect', 'set', 'up', 'whatsapp']
    expect(askedOf('How do I connect WhatsApp?', known)).toMatchObject({
      words: [['connect'], ['whatsapp']],
      tokens: ['connect', 'whatsapp'],
      phrases: [
        ['i', 'connect'],
        ['connect', 'whatsapp'],
      ],
    })
    expect(askedOf('как подключить WhatsApp', ['подключ', 'whatsapp']).tokens).not.toContain('как')
  })

  it('keeps all where the base lacks a word that is named, and where nothing is named', () => {
    expect(askedOf('how do i conect whatsapp', ['whatsapp']).tokens).toHaveLength(5)
    expect(askedOf('what is this', []).tokens).toHaveLength(3)
  })
})

describe('buildMatch', () => {
  it('quotes every token and joins all with OR, so that nothing in it is an operator', () => {
    expect(buildMatch(['near', 'a"b', 'or'], [['one', 'two']])).toBe(
      '"near" OR "a""b" OR "or" OR "one two"',
    )
  })
})

describe('dropFrequent', () => {
  const frequencies = (passages: number, counts: Record<string, number>) => ({
    passages,
    of: (token: string) => counts[token] ?? 0,
  })

  it('drops terms in more than half of the passages, in a large base in more than a fifth', () => {
    const counts = { the: 600, often: 300, some: 50, rare: 1 }
    const tokens = Object.keys(counts)
    expect(dropFrequent(tokens, frequencies(1000, counts))).toEqual(['often', 'some', 'rare'])
    const large = { the: 6000, often: 3000, some: 500, rare: 1 }
    expect(dropFrequent(tokens, frequencies(10_000, large))).toEqual(['some', 'rare'])
  })

  it('drops nothing when fewer than two would stay', () => {
    const counts = { the: 900, of: 800, rare: 1 }
    expect(dropFrequent(['the', 'of', 'rare'], frequencies(1000, counts))).toHaveLength(3)
    expect(dropFrequent(['the'], frequencies(1000, counts))).toEqual(['the'])
  })

  it('drops nothing when only words stay that nobody wrote: in a base of two passages every word is frequent', () => {
    const known = frequencies(2, { visitor: 2, park: 2 })
    const tokens = ['where', 'do', 'visitor', 'park']
    expect(dropFrequentKnown(tokens, known)).toEqual(tokens)
    const rare = frequencies(4, { visitor: 4, park: 1 })
    expect(dropFrequentKnown(tokens, rare)).toEqual(['where', 'do', 'park'])
  })
})

describe('weights', () => {
  it('fall with frequency, stay positive, and end at three passages', () => {
    expect(inverseFrequency(1000, 1)).toBeGreaterThan(inverseFrequency(1000, 10))
    expect(inverseFrequency(1000, 1000)).toBeGreaterThan(0)
    expect(inverseFrequency(10, 20)).toBeGreaterThan(0)
    expect(termWeight(1000, 0)).toBe(termWeight(1000, 3))
    expect(termWeight(1000, 3)).toBeGreaterThan(termWeight(1000, 4))
  })
})
