import { Lexer } from 'marked'
import { describe, expect, it } from 'vitest'
import { cleanLines, cleanText, joinSoftBreaks } from '../../../../src/knowledge/read/clean-text'
import { readMarkdown } from '../../../../src/text/markdown'

/** As it is defined, each rule over the whole text: what is skipped or done at once must come to the same. */
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f\\uff01-\\uff60'
const BREAK = new RegExp(`(?<=[${CJK}])[ \\t]*\\n[ \\t\\n]*(?=[${CJK}])`, 'gu')
const plainly = {
  cleanText: (text: string) =>
    cleanText(text)
      .replace(/(?<=\p{M}{8})\p{M}/gu, '')
      .toWellFormed()
      .normalize('NFC'),
  cleanLines: (text: string) =>
    plainly
      .cleanText(text)
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n[ \n]*/g, '\n')
      .trim(),
  joinSoftBreaks: (text: string) =>
    text.replace(/\r\n?/g, '\n').replace(BREAK, '').replace(/\s+/g, ' ').trim(),
}

const SIGNS = [
  ...[
    'a',
    'Zé',
    'e\u0301',
    '\u0301',
    'ž',
    '\u02bc',
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '\u2000',
  ],
  ...[
    '\u2001',
    '\u2002',
    '’',
    '…',
    '\u200b',
    '\u212b',
    '中',
    '文字',
    'か\u3099',
    '。',
    'й',
    'عَ',
    '\ud83d\ude00',
  ],
  ...['\ud800', '\u0301\u0302\u0303', 'ﬁ', '!', ')', ']', ':', 'x:/y', 'ww.', '1.'],
]
const READ = [
  '*b*',
  '_i_',
  '`c`',
  '[l](x)',
  'http://x.y',
  'www.x.y',
  'm@x.y',
  '&amp;',
  '\\*',
  '<b>',
  '~~s~~',
  '  \n',
]

/** Numbers from 0 on below `below`, always the same. */
function* numbers(below: number): Generator<number, never> {
  for (let state = 7; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    yield (state >>> 8) % below
  }
}

function randomTexts(signs: readonly string[], count: number): string[] {
  const next = numbers(signs.length)
  return Array.from({ length: count }, (_, n) =>
    Array.from({ length: (n % 30) + 1 }, () => signs[next.next().value]).join(''),
  )
}

/** First and last of each range of signs that nobody sees. */
const UNSEEN = [
  ...[0x00, 0x08, 0x0e, 0x1f, 0x7f, 0x84, 0x86, 0x9f, 0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c],
  ...[0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180f, 0x200b, 0x200b, 0x200e, 0x200f],
  ...[0x202a, 0x202e, 0x2060, 0x206f, 0x3164, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xfeff],
  ...[0xffa0, 0xffa0, 0xfff0, 0xfffb, 0xfffe, 0xffff, 0xe0000, 0xe0fff],
]
/** What joins goes where there is nothing to join. */
const JOINERS = [0x200c, 0x200d]

describe('a text that is cleaned', () => {
  it('loses each sign that nobody sees, though it be the only one, and no other', () => {
    const gone: number[] = []
    for (let code = 0; code <= 0xe1000; code += code === 0x1ffff ? 0xbffff : 1)
      if (!JOINERS.includes(code) && cleanText(`a${String.fromCodePoint(code)}b`) === 'ab')
        gone.push(code)
    const ends = gone.flatMap((code, i) => [
      ...(gone[i - 1] === code - 1 ? [] : [code]),
      ...(gone[i + 1] === code + 1 ? [] : [code]),
    ])
    expect(ends).toEqual(UNSEEN)
  })

  it.each(['cleanText', 'cleanLines', 'joinSoftBreaks'] as const)(
    'comes to what %s says of each rule',
    (name) => {
      const ours = { cleanText, cleanLines, joinSoftBreaks }[name]
      for (const text of randomTexts(SIGNS, 4000)) expect(ours(text)).toBe(plainly[name](text))
    },
  )
})

describe('running text without a sign that means something', () => {
  it('is what the whole reader makes of it', () => {
    const { inline } = readMarkdown('')
    const read = (text: string) => new Lexer({ gfm: true }).inlineTokens(text)
    const textOf = (tokens: { type: string; raw: string }[]) =>
      tokens.map(({ type, raw }) => (type === 'text' ? raw : `{${type}}`)).join('')
    let told = 0
    for (const text of randomTexts([...SIGNS, ...READ], 6000)) {
      const tokens = inline(text)
      expect(textOf(tokens)).toBe(textOf(read(text)))
      if (tokens.length > 1) told++
    }
    expect(told).toBeGreaterThan(1000)
  })
})
