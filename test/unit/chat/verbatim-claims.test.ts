import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'

const outcome = (passages: readonly string[], reply: string) => {
  const checker = createChecker({
    passages: passages.map((text, at) => passage(at + 1, text)),
    idf: IDF,
    grounded: true,
    question: '',
  })
  const pieces = [...checker.push(reply), ...checker.close()]
  const isOpen = checker.open().length > 0
  const [source] = checker.end().cited
  return {
    stands: !isOpen && pieces.some(({ text }) => /\p{L}/u.test(text)),
    isOpen,
    quote: source?.quote,
  }
}

/** What follows would make of a heading in the line the half of a sentence. */
const PETS = 'Travel documents for dogs. Dogs need a passport, unless they are younger than a week.'
const FERRY =
  'Dogs go free. Travel papers for dogs, if they are older than a year, are read at the gate.'
const ROAMING =
  'Роуминг отключают в приложении: «Услуги» → «Поездки», либо командой *110*5#. Это бесплатно.'

describe('a sentence as it stands in a passage', () => {
  it.each([
    ['a heading in the line', [FERRY, PETS], 'Travel documents for dogs.'],
    ['a mark of another passage', [FERRY, PETS], 'Travel documents for dogs [1].'],
    ['another case and other blanks', [FERRY, PETS], 'travel  documents for dogs!'],
    ['a code to dial', [ROAMING], ROAMING.slice(0, ROAMING.indexOf('Это'))],
    [
      'a code to dial, introduced',
      [ROAMING],
      `Согласно инструкции, ${ROAMING.slice(0, ROAMING.indexOf('Это')).toLowerCase()}`,
    ],
    [
      'one that begins with whose words it is',
      ['Según la empresa, los barcos salen gratis si el lago está en calma.'],
      'Según la empresa, los barcos salen gratis si el lago está en calma [1].',
    ],
    [
      'one that begins with "after", introduced',
      ['بعد أن يبدأ المطعم بالتحضير لا يُسترد ثمن الوجبة.'],
      'وفقًا للدليل، بعد أن يبدأ المطعم بالتحضير لا يُسترد ثمن الوجبة [1].',
    ],
  ])('stands: %s', (_, passages, reply) => {
    expect(outcome(passages, reply).stands).toBe(true)
  })

  it('rests on the passage that it is marked with, where several have it', () => {
    const places = [
      'Boats leave at nine from pier one. Bring a hat.',
      'Boats leave at nine from pier one.',
    ]
    const checker = createChecker({
      passages: places.map((text, at) => passage(at + 1, text)),
      idf: IDF,
      grounded: true,
    })
    checker.push('Boats leave at nine from pier one [2].')
    expect(checker.end().cited.map(({ passage: { n } }) => n)).toEqual([2])
  })

  it.each([
    [
      'an item without its lead-in',
      'Not allowed on board:\n\n- pets in a cage or a bag\n',
      'Pets in a cage or a bag are allowed.',
    ],
    ['another code to dial', ROAMING, 'Роуминг отключают командой *1105#.'],
    [
      'a row of a table said as a sentence',
      'Plan: Team | Price: €9\nPlan: Pro | Price: €29',
      'Plan Pro: price €9.',
    ],
  ])('proves nothing else: %s', (_, source, reply) => {
    expect(outcome([source], reply).stands).toBe(false)
  })
})

const PLANS =
  'The Team plan costs $8 for each member, billed monthly. The Business plan costs $14. Points expire after two years.'
const POINTS = '每消費30元累積1點，繳稅與悠遊卡加值不計點。點數有效期為2年，到期自動失效。'

describe('a sentence behind a label in bold', () => {
  it.each([
    [
      'of its own words',
      PLANS,
      '**Team plan:** The Team plan costs $8 for each member [1].',
      'stands',
    ],
    ['of its own words', POINTS, '- **不計點：** 繳稅與悠遊卡加值不計點 [1]。', 'stands'],
    ['of its own words', POINTS, '- **有效期：** 點數有效期為2年，到期會自動失效 [1]。', 'stands'],
    ['that nothing says', PLANS, '**Lounge vouchers:** Points expire after two years [1].', 'open'],
    [
      'of another thing',
      PLANS,
      '**Business plan:** costs $8 for each member, billed monthly [1].',
      'open',
    ],
    ['of another figure', PLANS, '**After 3 years:** Points expire [1].', 'falls'],
  ])('is judged with what the label says: %s', (_, source, reply, expected) => {
    const { stands, isOpen } = outcome([source], reply)
    expect(isOpen ? 'open' : stands ? 'stands' : 'falls').toBe(expected)
  })
})
