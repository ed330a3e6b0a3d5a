import { describe, expect, it } from 'vitest'
import { MarkdownFeed, restore } from '../../../../../src/web/kit/markdown/feed'
import { nextPiece } from '../../../../../src/web/kit/markdown/formulas'

/** What the parser is given of running text, however it is cut. */
function rewritten(text: string, size: number): string {
  const feed = new MarkdownFeed()
  let held = ''
  let out = ''
  const take = (more: string, final: boolean) => {
    let rest = held + more
    held = ''
    while (rest !== '') {
      const piece = nextPiece(rest, out.at(-1) ?? '', final)
      if (piece.kind === 'wait') {
        held = rest
        return
      }
      out += piece.kind === 'text' ? piece.text : piece.source
      rest = piece.rest
    }
  }
  for (let at = 0; at < text.length; at += size) take(feed.push(text.slice(at, at + size)), false)
  take(feed.end(), true)
  return restore(out)
}

describe('formulas', () => {
  it.each([
    ['The area is $$a = \\pi r^2$$.', 'The area is \\(a = \\pi r^2\\).'],
    ['So \\[y\\] and \\[ x_1 + x_{2} \\] hold.', 'So \\(y\\) and \\(x_1 + x_{2}\\) hold.'],
    ['$$\nE = mc^2\n$$\nis known.', '\\[\nE = mc^2\n\\]\nis known.'],
    ['Then\n\n$$ \n\\frac{a}{b}\n= c\n$$', 'Then\n\n\\[\n\\frac{a}{b}\n= c\n\\]'],
  ])('%j', (text, expected) => {
    for (const size of [1, 2, 3, 7, text.length]) expect(rewritten(text, size)).toBe(expected)
  })

  it.each([
    'See \\[1\\] and \\[2\\], not [3].',
    '$$a = 2 [1]$$',
    'Dear \\[your name\\], \\[sic\\]',
    '\\[\nx = 1\n\\]',
    'Prices: $5, $$ or $$$; Luigi ($$), Nobu ($$$$).',
    'A $$ place\nand a $$ other, x = 1',
    'Mid-range: $$\n\nx = 1 $$',
    'Open: \\[x = 1',
    `\\[${'x = '.repeat(200)}\\]`,
    'Ends in \\',
    'Ends in $$',
  ])('leaves %j as it is', (text) => {
    for (const size of [1, 2, 3, 7, text.length]) expect(rewritten(text, size)).toBe(text)
  })
})
