import { describe, expect, it } from 'vitest'
import { Looping } from '../../../src/chat/reply/looping'

const BEGIN = 'Here is what there is to say of it. '
const UNIT = 'Refunds take five days. '

/** What is left of a text that comes in pieces, once it is noticed that it goes round. */
function keep(text: string, size = 23): string | null {
  const looping = new Looping()
  for (let i = 0; i < text.length; i += size) {
    const kept = looping.push(text.slice(i, i + size))
    if (kept !== null) return text.slice(0, kept)
  }
  return null
}

describe('a text that goes round in circles', () => {
  it.each([
    ['a sentence', UNIT],
    ['an item', '- Refunds take five days.\n'],
    ['a paragraph of three sentences', `${UNIT}They go to the card. Gift cards stay.\n\n`],
    ['a Chinese sentence', '退款需要五个工作日才能到账，请耐心等待。'],
  ])('keeps one of %s that comes again and again', (_name, unit) => {
    expect(keep(BEGIN + unit.repeat(200))).toBe(BEGIN + unit)
    expect(keep(unit.repeat(200))).toBe(unit)
  })

  it('keeps what was said before a word that comes without end', () => {
    expect(keep(BEGIN + 'the '.repeat(1200))).toBe(BEGIN.trimEnd())
  })

  it('notices it soon', () => {
    expect(keep(BEGIN + UNIT.repeat(150))).not.toBeNull()
  })

  it.each([
    ['three hundred words of the same', UNIT.repeat(75)],
    ['a word five hundred times, as one may ask for', 'hello '.repeat(500)],
    ['a rule', '-'.repeat(9000)],
    ['rows of a table without words', '| 0 | 0 | 0 | 0 |\n'.repeat(400)],
    [
      'items that differ',
      Array.from({ length: 400 }, (_, n) => `- Item ${n} is ready.\n`).join(''),
    ],
  ])('lets %s be', (_name, text) => {
    expect(keep(text)).toBeNull()
  })
})
