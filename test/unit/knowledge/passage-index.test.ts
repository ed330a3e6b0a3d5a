import { describe, expect, it } from 'vitest'
import {
  countCommon,
  decodePassages,
  encodePassages,
  idfOfPassages,
  indexPassage,
  rankPassages,
} from '../../../src/knowledge/passage-index'

const TEXTS = [
  ['Refunds', 'Refunds are paid within five working days to the account that paid.'],
  ['Shipping', 'Shipping is free above 50 euros. Parcels leave the warehouse in the morning.'],
  ['Garden', 'The tulips flower in April and the roses in June. Water them every evening.'],
  ['Rezepte', 'Der Kuchen wird bei 180 Grad eine Stunde gebacken.'],
  ['退款', '退款将在五个工作日内到账。运费由买家承担。'],
  ['Возврат', 'Возврат денег занимает пять рабочих дней.'],
] as const
const indexed = TEXTS.map(([title, text]) => indexPassage(title, { text, heading: null }))
const passages = indexed.map(({ passage }) => passage)

describe('rankPassages', () => {
  it.each([
    ['How long until refunds are paid?', 0],
    ['Is shipping free?', 1],
    ['When do roses flower?', 2],
    ['Wie lange wird der Kuchen gebacken?', 3],
    ['退款需要多久到账？', 4],
    ['Сколько дней занимает возврат?', 5],
  ])('finds what answers: %s', (query, at) => {
    const [best] = rankPassages(passages, query)
    expect(best?.at).toBe(at)
    expect(best?.coverage).toBeGreaterThan(0.3)
    expect(best?.score).toBeLessThanOrEqual(1)
  })

  it('finds nothing for words that nobody wrote, and in nothing', () => {
    expect(rankPassages(passages, 'xylophone')).toEqual([])
    expect(rankPassages([], 'refunds')).toEqual([])
  })
})

describe('encodePassages', () => {
  it('is read back to the same', () => {
    expect(decodePassages(encodePassages(passages))).toEqual(passages)
  })

  it('holds no word of the text', () => {
    const text = new TextDecoder('latin1').decode(encodePassages(passages))
    expect(text).not.toMatch(/refund|tulip/i)
  })

  it('refuses other bytes', () => {
    expect(() => decodePassages(new Uint8Array([255, 1, 2, 3]))).toThrow(RangeError)
  })
})

describe('idfOfPassages', () => {
  it('weighs what is in many passages less', () => {
    const idf = idfOfPassages(6, [countCommon(indexed.map(({ tokens }) => tokens))])
    const [the = 0, tulip = 0] = [idf.common.the, idf.common.tulip]
    expect(the).toBeGreaterThan(0)
    expect(the).toBeLessThan(tulip)
    expect(tulip).toBeLessThanOrEqual(idf.rest)
  })
})
