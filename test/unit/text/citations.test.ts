import { describe, expect, it } from 'vitest'
import { citationRules, formatCitation, readMark } from '../../../src/text/citations'
import { foldText } from '../../../src/text/fold-text'

const TEXTS: Record<number, string> = {
  1: 'Half-open intervals [0, 1) appear in chapter [3]. He said "stop" and left.\nThe next line | with a bar.',
  2: '营业时间为每天 9 点到 18 点。',
}
const folded = (n: number) => {
  const text = TEXTS[n]
  return text === undefined ? undefined : foldText(text)
}
const read = (text: string, at = 0, final = true) => readMark(text, at, final, folded)
/** The references as `n`, `n:found` or `n:wrong`, and what is left of the text behind the mark. */
function summary(text: string) {
  const mark = read(text)
  if (mark === 'none' || mark === 'more') return mark
  const references = mark.references.map(({ n, quoted, span }) => {
    if (!quoted) return String(n)
    return `${n}:${span === null ? 'wrong' : TEXTS[n]?.slice(span.start, span.end)}`
  })
  return [...references, `>${text.slice(mark.end)}`]
}

describe('reading a citation mark', () => {
  it.each([
    ['[1] rest', ['1', '> rest']],
    ['[1, 2]', ['1', '2', '>']],
    ['[1-3]x', ['1', '2', '3', '>x']],
    ['【2】', ['2', '>']],
    ['［２］', ['2', '>']],
    ['[^1]', ['1', '>']],
    ['[source 2]', ['2', '>']],
    ['【1†source】.', ['1', '>.']],
    ['[1](https://evil.example/x) rest', ['1', '> rest']],
    ['[cite: 1, 2]', ['1', '2', '>']],
    ['[citation:2]', ['2', '>']],
    ['[参考资料 2]', ['2', '>']],
    ['[1] (see below)', ['1', '> (see below)']],
  ])('%s without a quote', (text, expected) => {
    expect(summary(text)).toEqual(expected)
  })

  it.each([
    ['[1|Half-open intervals] rest', ['1:Half-open intervals', '> rest']],
    ['[1|"half-open  INTERVALS"]', ['1:Half-open intervals', '>']],
    ['[1 | “Half-open intervals”].', ['1:Half-open intervals', '>.']],
    ['[1: "Half-open intervals"]', ['1:Half-open intervals', '>']],
    ['[1: Half-open intervals] rest', ['1:Half-open intervals', '> rest']],
    ['[2:营业时间为每天9点]', ['2:营业时间为每天 9 点', '>']],
    ['[1\\|Half-open intervals]', ['1:Half-open intervals', '>']],
    ['[1|Half‑open intervals]', ['1:Half-open intervals', '>']],
    ['【2｜营业时间为每天9点】', ['2:营业时间为每天 9 点', '>']],
    ['[2|每天 ９ 点到 １８ 点。]', ['2:每天 9 点到 18 点。', '>']],
    [
      '[1|intervals [0, 1) appear in chapter [3]] rest',
      ['1:intervals [0, 1) appear in chapter [3]', '> rest'],
    ],
    ['[1|"appear in chapter [3]"]', ['1:appear in chapter [3]', '>']],
    ['[1|He said "stop" and left.]', ['1:He said "stop" and left.', '>']],
    ['[1|"He said "stop" and left."]', ['1:He said "stop" and left.', '>']],
    ['[1|"He said \\"stop\\" and left."]', ['1:He said "stop" and left.', '>']],
    ['[1|and left. The next line | with]', ['1:and left.\nThe next line | with', '>']],
    ['[1|…intervals [0, 1) appear…]', ['1:intervals [0, 1) appear', '>']],
    ['[1|Half-open intervals.]', ['1:Half-open intervals', '>']],
    ['[1|Half-open intervals](https://evil.example)!', ['1:Half-open intervals', '>!']],
    [
      '[1|"Half-open intervals"; 2|"营业时间为每天"]',
      ['1:Half-open intervals', '2:营业时间为每天', '>'],
    ],
  ])('%s with a right quote', (text, expected) => {
    expect(summary(text)).toEqual(expected)
  })

  it.each([
    ['[1|Half-closed intervals] rest', ['1:wrong', '> rest']],
    ['[2|Half-open intervals]', ['2:wrong', '>']],
    ['[9|anything at all]', ['9:wrong', '>']],
    ['[n|quote] rest', ['NaN:wrong', '> rest']],
    ['[1|made up [x] words] rest', ['1:wrong', '> rest']],
    ['[1|"made up] words"] rest', ['1:wrong', '> rest']],
    ['[1|no]', ['1:wrong', '>']],
    ['[1|f]', ['1:wrong', '>']],
    ['[1|open int]', ['1:open int', '>']],
    ['[1|made up and never closed\nnext line', ['1', '>\nnext line']],
    ['[1|made up [2|营业时间为每天]', ['1', '>[2|营业时间为每天]']],
  ])('%s with a wrong one', (text, expected) => {
    expect(summary(text)).toEqual(expected)
  })

  it.each([
    '[0]',
    '[2024]',
    '[1,000]',
    '[a]',
    '[ ]',
    '[x] task',
    '[1st]',
    '[1.5]',
    '[1 of 3]',
    '[10:30]',
    '[n]',
    '[10-500]',
    'no mark',
  ])('%s is none', (text) => {
    expect(read(text)).toBe('none')
  })

  it('is none behind a backslash or as an image', () => {
    expect(read('![1](https://x.example/y.png)', 1)).toBe('none')
  })

  it('waits for what may still come, and only then', () => {
    for (const text of [
      '[',
      '[1',
      '[1|',
      '[1|Half-open inter',
      '[1|made up',
      '[1, ',
      '[1]',
      '[sour',
      '[1|chapter [3]',
    ])
      expect(read(text, 0, false), text).toBe('more')
    for (const text of ['[a b', '[see x', '[1st', '[1|made up] '])
      expect(read(text, 0, false), text).not.toBe('more')
  })

  it.each([
    ['Five days (see [1]).', 10, '.'],
    ['Cinq jours (voir source 1).', 11, '.'],
    ['五天（详见[2]）。', 2, '。'],
    ['Five {1}.', 5, '.'],
    ['Five <cite>[1]</cite>.', 5, '.'],
  ])('reads another hand’s: %s', (text, at, rest) => {
    const mark = read(text, at)
    expect(typeof mark === 'object' && text.slice(mark.end)).toBe(rest)
    for (let end = at + 1; end < text.length - rest.length; end++)
      expect(read(text.slice(0, end), at, false), text.slice(0, end)).toBe('more')
  })

  it('does not hold back a stream for ever', () => {
    expect(read(`[1|${'never closed '.repeat(200)}`, 0, false)).not.toBe('more')
  })

  it('takes what it writes', () => {
    expect(summary(formatCitation(1, 'chapter [3]. He said "stop"'))).toEqual([
      '1:chapter [3]. He said "stop"',
      '>',
    ])
  })
})

describe('the rules for the model', () => {
  it('are short and show the form', () => {
    for (const grounded of [true, false]) {
      expect(citationRules(grounded)).toContain('[n|quote]')
      expect(citationRules(grounded).length).toBeLessThan(1100)
    }
  })

  it('say what falls: the sentence where sources are required, else the mark', () => {
    expect(citationRules(true)).toContain('Such a sentence without a true quote is removed')
    expect(citationRules(false)).toContain('A mark without a true quote is removed')
  })

  it.each([
    ['{"a": 1, "b": [7, 8]}', 14],
    ['x = [7]', 4],
    ['sort([9])', 5],
    ['{"a": [[7], [8]]}', 12],
    ['the years [1998, 2004]', 10],
    ['the years [7, 120]', 10],
  ])('leaves data alone: %s', (text, at) => {
    expect(read(text.replace(/\d{4}/gu, '999'), at)).toBe('none')
  })

  it('leaves a list of numbers alone where there are no sources', () => {
    const text = 'Sorted it is [1, 2, 3].'
    expect(readMark(text, 13, true, () => undefined)).toBe('none')
    expect(read(text, 13)).toMatchObject({ end: 22 })
    expect(readMark('It is so [9].', 9, true, () => undefined)).toMatchObject({ end: 12 })
  })
})
