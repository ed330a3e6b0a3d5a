import { describe, expect, it } from 'vitest'
import { readStyled } from '../../../src/channels/styled-text'
import { ReplyScanner } from '../../../src/chat/reply-scanner'
import { readMd } from '../../../src/knowledge/read/read-md'
import { readMarkdown } from '../../../src/text/markdown'
import { sentences } from '../../../src/text/sentences'
import { plainText } from '../../../src/web/kit/markdown/plain-text'
import { HOSTILE_REPLIES } from '../../support/hostile-replies'
import { sanitize, shown, whole } from '../../support/sanitizer-fuzz'

/** Letters and figures, in their order: what a reader may not lose of a text that stays as it is. */
const wordsOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

const scan = (reply: string, length: number): string => {
  const scanner = new ReplyScanner(() => undefined)
  const tokens = []
  for (let at = 0; at < reply.length; at += length)
    tokens.push(...scanner.push(reply.slice(at, at + length)))
  tokens.push(...scanner.end())
  return tokens
    .map((token) => {
      if (token.type === 'mark') return token.references.map(({ n }) => n).join('')
      return token.type === 'end' ? '' : token.text
    })
    .join('')
}

/** The one table of hostile strings: what a reader of Markdown has, it reads with every one of them. */
describe.each(Object.entries(HOSTILE_REPLIES))('%s', (_, hostile) => {
  it('is cut into units without losing a word, however it comes in', () => {
    expect(wordsOf(scan(hostile, hostile.length))).toBe(wordsOf(hostile))
    expect(scan(hostile, 7)).toBe(scan(hostile, hostile.length))
  })

  it('shows nothing forbidden once it is sanitised, and depends on no cut', () => {
    expect(shown(whole(hostile))).toEqual([])
    expect(sanitize(hostile, () => 7)).toBe(whole(hostile))
  })

  it('is read as a document, for a messenger, as sentences and aloud', () => {
    const { blocks, text } = readMd(hostile)
    for (const { start, end } of blocks) expect(text.slice(start, end).trim()).not.toBe('')
    for (const { style } of readStyled(hostile, readMarkdown))
      expect(style.href ?? 'https:').toMatch(/^(?:https?|mailto):/)
    expect(sentences(hostile).every(({ start, end }) => start < end)).toBe(true)
    expect(plainText(hostile)).not.toMatch(/^\s*[-*+] \S/m)
  })
})
