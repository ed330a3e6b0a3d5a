import { describe, expect, it } from 'vitest'
import { foldText } from '../../../src/text/fold-text'
import { findQuote } from '../../../src/text/quotes'

const fold = (text: string) => foldText(text).text
const found = (text: string, quote: string) => {
  const span = findQuote(foldText(text), quote)
  return span === null ? null : text.slice(span.start, span.end)
}

describe('folding', () => {
  it.each([
    ['ＡＢＣ　１２', 'abc 12'],
    ['Straße ﬁne', 'straße fine'],
    ['a \t\n b', 'a b'],
    ['“x” – y’s', '"x" - y\'s'],
    ['第 50 届', '第50届'],
    ['ca\u200bt', 'cat'],
    ['ΟΔΟΣ οδός', 'οδοσ οδόσ'],
    ['e\u0301', 'é'],
    ['\u1112\u1161\u11ab', '한'],
  ])('%j becomes %j', (text, expected) => {
    expect(fold(text)).toBe(expected)
  })

  it('keeps each character’s place in the source', () => {
    const source = 'Ａ  e\u0301 ﬁ字 x'
    const { text, starts, ends } = foldText(source)
    expect(text.length).toBe(starts.length)
    expect(text.length).toBe(ends.length)
    expect(source.slice(starts[text.indexOf('é')], ends[text.indexOf('é')])).toBe('e\u0301')
    expect(source.slice(starts[text.indexOf('i')], ends[text.indexOf('i')])).toBe('ﬁ')
  })
})

describe('finding a quote', () => {
  const text = 'The Fee is 4.50 €. Call “Ann” – now.\n第二條：每人 ５ 次。'
  it.each([
    ['the fee IS', 'The Fee is'],
    ['fee  is\n4.50', 'Fee is 4.50'],
    ['call "ann" - now', 'Call “Ann” – now'],
    ['每人5次', '每人 ５ 次'],
    ['"The Fee is"', 'The Fee is'],
    ['…fee is 4.50 €!', 'Fee is 4.50 €'],
    ['4.50', '4.50'],
    ['Ann', 'Ann'],
  ])('%j', (quote, expected) => {
    expect(found(text, quote)).toBe(expected)
  })

  it.each(['fee was', '4.60', 'e', 'is', 'nn', 'ow.', '每 次', '""', '', 'fee … now'])(
    'not %j',
    (quote) => {
      expect(found(text, quote)).toBeNull()
    },
  )

  it('wants whole words of a short quote only', () => {
    expect(found('partying all night', 'art')).toBeNull()
    expect(found('partying all night', 'artying all')).toBe('artying all')
    expect(found('costs 300 now', '30')).toBeNull()
  })
})
