import { describe, expect, it } from 'vitest'
import { growsLinearly } from '../../../../support/grows'
import { readPage, shownAtLast } from '../../../../support/shown-markdown'

/** Sources of the formulas of a text, however it comes in. */
const formulas = (text: string): string[] => {
  const found = readPage(text, false).match(/(?<=<math>)[\s\S]*?(?=<\/math>)/g)
  return found ?? []
}

describe('formulas', () => {
  it.each([
    ['The area is $$a = \\pi r^2$$.', ['a = \\pi r^2']],
    ['So \\[y\\] and \\[ x_1 + x_{2} \\] hold.', ['y', 'x_1 + x_{2}']],
    ['$$\nE = mc^2\n$$\nis known.', ['E = mc^2\n']],
    ['Then\n\n$$ \n\\frac{a}{b}\n= c\n$$', ['\\frac{a}{b}\n= c\n']],
    ['\\[\nx\n- 1\n= y\n\\]', ['x\n- 1\n= y\n']],
    ['Euler: \\(e^{i\\pi}\\) and \\[\nx = 1\n\\]', ['e^{i\\pi}', 'x = 1\n']],
  ])('%j', (text, expected) => {
    expect(formulas(text)).toEqual(expected)
  })

  it.each([
    'See \\[1\\] and \\[2\\], not [a].',
    '$$a = 2 [b]$ 1$',
    'Dear \\[your name\\], \\[sic\\]',
    'Prices: $5, $$ or $$$; Luigi ($$), Nobu ($$$$).',
    'A $$ place\nand a $$ other, x = 1',
    'Mid-range: $$\n\nx = 1 $$',
    'Open: \\[x = 1',
    `\\[${'x = '.repeat(200)}\\]`,
    'Ends in \\',
    'Ends in $$',
  ])('leaves %j as it is', (text) => {
    expect(formulas(text)).toEqual([])
    expect(shownAtLast(text)).toBe(text.replaceAll(/\\(?=[[\]])/g, '').replaceAll(/\s/g, ''))
  })
  it.each(['\\(', '\\[', '$$ '])(
    'are looked for nearby, not for each %s of 40,000',
    async (opening) => {
      expect(await growsLinearly(40_000, (size) => readPage(opening.repeat(size), false))).toBe(
        true,
      )
    },
  )
})
