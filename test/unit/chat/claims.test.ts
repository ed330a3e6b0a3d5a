import { describe, expect, it } from 'vitest'
import { type Checker, createChecker } from '../../../src/chat/check'
import { readTokens } from '../../../src/chat/reply/tokens'
import { growsLinearly } from '../../support/grows'
import { IDF, passage } from '../../support/passages'

const PASSAGES = [
  passage(
    1,
    'Refunds are paid within five working days. Some plans may include a discount. Gift cards are not refunded. The file limit is 1,000 MB for teams and 25 MB for guests. Version 2.4 supports Telegram and Slack. Shops open at 17:00.',
  ),
  passage(
    2,
    'Before you start:\n\n- Pack the item in its box\n- Print the label\n- Hand it to the post office\n\nThe following are not accepted:\n\n- Batteries\n- Liquids',
  ),
  passage(3, '退款会在五个工作日内支付。所有套餐都包含客服支持。'),
]

function check(reply: string, question = '') {
  const checker: Checker = createChecker({
    passages: PASSAGES,
    idf: IDF,
    grounded: true,
    question,
  })
  const pieces = [...checker.push(reply), ...checker.close()]
  const open = checker.open()
  pieces.push(...checker.end().pieces)
  const kept = pieces.map((piece) => piece.text).join('')
  return open.length > 0 ? 'open' : kept === '' ? 'falls' : 'stands'
}

const CASES: Record<'stands' | 'falls' | 'open', string[]> = {
  stands: [
    'According to the guide, refunds are paid within 5 working days [1].',
    'The file limit is 1000 MB for teams [1].',
    'Refunds are paid within five working days (Source: 1).',
    'Shops open at 5 pm [1].',
    'Yes, refunds are paid within five working days¹.',
    'Refunds are paid within five working days <sup>1</sup>.',
    'Gift cards are not refunded 【1†source】.',
    '根据资料，退款会在五个工作日内支付[3]。',
    'Batteries are not accepted [2].',
  ],
  falls: [
    'Refunds are paid within six working days [1].',
    'Refunds are paid within five weeks [1].',
    'The file limit is 25 MB for teams and 1,000 MB for guests of Acme [1].',
    'Version 2.5 supports Telegram and Slack [1].',
    'Refunds are not paid within five working days [1].',
    'Gift cards are refunded [1].',
    'All plans may include a discount [1].',
    'Some plans must include a discount [1].',
    'Version 2.4 supports Telegram and Salesforce [1].',
    'Sure, visitors always receive a silver spoon [1|Refunds are paid within five working days].',
    'Did you know that visitors always receive a silver spoon?',
    'The sources do not say it, but visitors receive a silver spoon.',
    '退款会在六个工作日内支付[3]。',
    '退款不会在五个工作日内支付[3]。',
    '部分套餐都包含客服支持[3]。',
  ],
  open: [
    'The limit for teams is 1000 MB [1].',
    'The file limit for teams is 25 MB [1].',
    'Refunds are paid by bank within five working days, usually early [1].',
  ],
}

it('reads an identifier as it stands, and emphasis as none', () => {
  const text = 'To make an agent answer only from your documents, set `grounding_required` to true.'
  const kept = (reply: string) => {
    const checker = createChecker({
      passages: [passage(1, text)],
      idf: IDF,
      grounded: true,
      question: '',
    })
    return [...checker.push(reply), ...checker.close()].map((piece) => piece.text).join('')
  }
  for (const said of [
    text,
    text.replaceAll('`', ''),
    text.replace('only', '_only_'),
    `__${text}__`,
  ])
    expect(kept(`${said} [1]`), said).not.toBe('')
  expect(kept(`${text.replace('grounding_required', 'grounding_forbidden')} [1]`)).toBe('')
})

describe('a claim', () => {
  for (const outcome of ['stands', 'falls', 'open'] as const)
    for (const reply of CASES[outcome])
      it(`${outcome}: ${reply}`, () => {
        expect(check(reply)).toBe(outcome)
      })

  it('of a name that only the question has falls when it is affirmed', () => {
    expect(check('Yes, it supports Salesforce [1].', 'Does it support Salesforce?')).toBe('falls')
  })
})

describe('open claims', () => {
  const REPLY =
    'Gift cards are not refunded [1]. Refunds are usually paid early, within five working days [1]. Shops open at 17:00 [1].'

  it('hold back what follows until they are decided', () => {
    for (const supported of [true, false]) {
      const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
      const before = [...checker.push(REPLY), ...checker.close()].map(({ text }) => text).join('')
      expect(before).toBe('Gift cards are not refunded [1].')
      const [open, ...others] = checker.open()
      expect(others).toEqual([])
      expect(open?.evidence).toContain('Refunds are paid within five working days.')
      const after = checker.settle(new Map([[open?.id ?? -1, supported]]))
      expect(after.map(({ text }) => text).join('')).toBe(
        supported
          ? ' Refunds are usually paid early, within five working days [1]. Shops open at 17:00 [1].'
          : ' Shops open at 17:00 [1].',
      )
      expect(checker.end().unsourced).toHaveLength(supported ? 0 : 1)
    }
  })

  it('fall when nobody decides', () => {
    const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
    const pieces = [...checker.push(REPLY), ...checker.end().pieces]
    expect(pieces.map(({ text }) => text).join('')).toBe(
      'Gift cards are not refunded [1]. Shops open at 17:00 [1].',
    )
  })
})

describe('hostile input', () => {
  const cases: [string, string, string][] = [
    ['a passage that repeats one word', 'refund '.repeat(4000), 'Refund refund refund days [1]. '],
    [
      'a table of 5,000 rows',
      Array.from({ length: 5000 }, (_, i) => `| ${i} | ${i * 7} | name ${i} |`).join('\n'),
      'The name 7 has 49 and 50 [1]. ',
    ],
    ['a reply of one sentence', PASSAGES[0]?.text ?? '', 'refunds are paid to the card and '],
    ['brackets and raised numbers', PASSAGES[0]?.text ?? '', 'paid (1 <s ¹² (('],
  ]
  for (const [name, text, sentence] of cases)
    it(`${name} is checked in linear time`, async () => {
      const check = (length: number) => {
        const checker = createChecker({ passages: [passage(1, text)], idf: IDF, grounded: true })
        checker.push(sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length))
        checker.end()
      }
      expect(await growsLinearly(16_000, check)).toBe(true)
    })
})

it.each([
  ['a, b', 1],
  // Brackets and commas beside each other part no more than one of them…
  ['a (x), (y) b', 3],
  ['甲）（乙', 1],
  // …and less than a semicolon.
  ['a; b', 2],
])('has the clauses of its stops: %s', (text, last) => {
  const tokens = readTokens(text, { lexicon: null, mode: 'english' })
  expect(tokens.at(-1)?.clause).toBe(last)
})

describe('a text of one sign over and over', () => {
  it.each(['.', 'a.', '+'])('is read in one pass: %s', async (piece) => {
    const read = (size: number) =>
      readTokens(piece.repeat(size / piece.length), { lexicon: null, mode: 'english' })
    expect(await growsLinearly(64_000, read)).toBe(true)
  })
})

describe('a model that goes on with blanks', () => {
  it.each(['- ', '| Fee | ', 'Refunds are paid '])(
    'is checked in linear time: %s',
    async (before) => {
      const check = (blanks: number) => {
        const checker = createChecker({
          passages: [passage(1, 'Refunds are paid within five days.')],
          idf: IDF,
          grounded: true,
        })
        checker.push(`${before}${' '.repeat(blanks)}within five days.`)
        checker.end()
      }
      expect(await growsLinearly(24_000, check)).toBe(true)
    },
  )
})
