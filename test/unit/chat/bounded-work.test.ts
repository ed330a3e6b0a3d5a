import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Passage } from '../../../src/knowledge/types'
import { IDF, passage } from '../../support/passages'

/**
 * Counted, not timed: characters folded, words stemmed, tokens read; words that a word is compared with, whether it is one of
 * theirs mistyped; looks of a clause into a sentence and of a term into one text; sentences that a clause weighs; words of passages that tell a language; tokens of evidence and characters of
 * claims that are judged.
 */
const work = vi.hoisted(() => ({
  folded: 0,
  stems: 0,
  tokens: 0,
  compared: 0,
  looks: 0,
  held: 0,
  weighed: 0,
  told: 0,
  judged: 0,
  claimed: 0,
}))
const NOTHING = { ...work }

vi.mock(import('../../../src/text/fold'), async (original) => {
  const real = await original()
  return {
    ...real,
    foldText: (text) => {
      work.folded += text.length
      return real.foldText(text)
    },
  }
})
vi.mock(import('../../../src/text/stem'), async (original) => {
  const real = await original()
  return {
    ...real,
    stemWord: (word, mode) => {
      work.stems++
      return real.stemWord(word, mode)
    },
  }
})
vi.mock(import('../../../src/chat/reply/tokens'), async (original) => {
  const real = await original()
  return {
    ...real,
    readTokens: (text, reading) => {
      const tokens = real.readTokens(text, reading)
      work.tokens += tokens.length
      return tokens
    },
  }
})
vi.mock(import('../../../src/text/typos'), async (original) => {
  const real = await original()
  return {
    ...real,
    isTypoOf: (word, other) => {
      work.compared++
      return real.isTypoOf(word, other)
    },
  }
})
vi.mock(import('../../../src/text/hold-term'), async (original) => {
  const real = await original()
  return {
    ...real,
    holder: (term, mode) => {
      const hold = real.holder(term, mode)
      return (tokens) => {
        work.looks++
        return hold(tokens)
      }
    },
    holds: (term, tokens, mode) => {
      work.held++
      return real.holds(term, tokens, mode)
    },
  }
})
vi.mock(import('../../../src/models/offline/answer-features'), async (original) => {
  const real = await original()
  return {
    ...real,
    featuresOf: (...given) => {
      work.weighed++
      return real.featuresOf(...given)
    },
  }
})
vi.mock(import('../../../src/chat/reply/lexicon'), async (original) => {
  const real = await original()
  return {
    ...real,
    latinLanguage: (words) => {
      work.told += words.length
      return real.latinLanguage(words)
    },
  }
})
vi.mock(import('../../../src/chat/reply/judge'), async (original) => {
  const real = await original()
  return {
    ...real,
    judge: (claim, ground) => {
      work.judged += ground.tokens.length
      return real.judge(claim, ground)
    },
  }
})
vi.mock(import('../../../src/chat/reply/claims'), async (original) => {
  const real = await original()
  return {
    ...real,
    readClaim: (text, ...others) => {
      work.claimed += text.length
      return real.readClaim(text, ...others)
    },
  }
})

// Other files of this process may have loaded these without what counts.
vi.resetModules()
const { createChecker } = await import('../../../src/chat/check')
const { readGate } = await import('../../../src/knowledge/gate')
const { extractAnswer } = await import('../../../src/models/offline/extract-answer')
const { readUnits } = await import('../../../src/models/offline/read-units')
const { PassageReadings, READ_CHARS } = await import('../../../src/text/passage-reading')

const fill = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length)
/** Six passages of a text, as a search gives them; more of it than is read. */
const passagesOf = (text: string): Passage[] =>
  [1, 2, 3, 4, 5, 6].map((n) => passage(n, fill(`${text} `, READ_CHARS * 2)))
const table = Array.from({ length: 5_000 }, (_, i) => `| ${i} | ${i * 7} | name ${i} |`).join('\n')
const different = Array.from({ length: 3_000 }, (_, i) => `wörd${i.toString(36)}x`).join(' ')
const REFUNDS = 'Refunds are paid within five working days. They go back to the card used. '
const MIXED =
  'The 返品 policy для заказов is 14 日 от получения, kein Umtausch, مرتجع within 30 Tage. '
const ARABIC =
  'يمكن إعادة المنتجات إلى Acme Widgets GmbH خلال 30 يومًا من الشراء عبر Parley API v2. '

interface Hostile {
  name: string
  question: string
  text: string
  reply: string
}
const HOSTILE: Hostile[] = [
  {
    name: 'a question of 16,000 characters',
    question: fill('How long do 30 refunds take for lamps? ', 16_000),
    text: REFUNDS,
    reply: 'Refunds are paid within five working days [1]. ',
  },
  {
    name: 'a question of 16,000 characters without a stop',
    question: fill(different, 16_000),
    text: REFUNDS,
    reply: 'Refunds are paid within 5 working days [1]. ',
  },
  {
    name: 'a table of 5,000 rows',
    question: 'What is the number of name 77?',
    text: table,
    reply: 'Name 77 has 539 [1]. ',
  },
  {
    name: 'a table that the reply never names',
    question: 'names?',
    text: table,
    reply: 'The name 77 has 539, not 84. ',
  },
  {
    name: 'one word repeated',
    question: 'refund refund?',
    text: 'refund',
    reply: 'Refund refund days [1]. ',
  },
  {
    name: 'nothing but different words',
    question: different.slice(0, 200),
    text: different,
    reply: 'Wördax is wördbx [1]. ',
  },
  { name: 'mixed scripts', question: MIXED, text: MIXED, reply: MIXED.replace('. ', ' [1]. ') },
  {
    name: 'right to left with Latin names',
    question: ARABIC,
    text: ARABIC,
    reply: ARABIC.replace('. ', ' [1]. '),
  },
  {
    name: 'blocks of code',
    question: 'How do I run it?',
    text: `${REFUNDS}\n\`\`\`\nnpm run dev\n\`\`\`\n`,
    reply: '```\nnpm run dev\n```\n\n',
  },
]
function gateAndCheck({ question, text, reply }: Hostile, said: number) {
  const passages = passagesOf(text)
  const readings = new PassageReadings()
  const found = { idf: IDF, coverage: 0, cosine: null, embedder: null }
  readGate(question, { ...found, hits: passages }, '', readings)
  const checker = createChecker({ passages, idf: IDF, grounded: true, question, readings })
  checker.push(fill(reply, said))
  checker.end()
  return { ...work }
}

describe('the work of gate and check', () => {
  beforeEach(() => {
    Object.assign(work, NOTHING)
  })

  const read = 6 * READ_CHARS

  it.each(HOSTILE)('is bounded by what is read and what is said: $name', (hostile) => {
    for (const said of [2_000, 16_000]) {
      Object.assign(work, NOTHING)
      const { folded, stems, tokens } = gateAndCheck(hostile, said)
      expect(folded).toBeLessThan(1.5 * (read + hostile.question.length) + 10 * said)
      expect(stems).toBeLessThan(read / 2 + said)
      expect(tokens).toBeLessThan(read / 2 + 2 * said)
    }
  })

  const ASKING: [string, string, string][] = [
    ['one sentence of many', fill('and what does an item cost, ', 16_000), REFUNDS],
    ['a hundred sentences', fill('How much is a lamp, what does item 5 cost? ', 16_000), REFUNDS],
    [
      'a hundred sentences that all differ',
      Array.from({ length: 300 }, (_, i) => `What is item ${i} and how long is name ${i}?`).join(
        ' ',
      ),
      table,
    ],
    ['a word for a question', different.replaceAll(' ', '? ').slice(0, 16_000), different],
    [
      'no blanks',
      fill('退货政策适用，运费是多少，', 16_000),
      fill('退货政策适用于所有订单', 4_000),
    ],
  ]

  it.each(ASKING)(
    'asks no more of the passages, however long the question: %s',
    (_, question, text) => {
      const passages = passagesOf(text)
      const found = { idf: IDF, coverage: 0, cosine: null, embedder: null }
      readGate(question, { ...found, hits: passages })
      const gate = { ...work }
      extractAnswer(question, passages, IDF, 'en')
      const pieces = passages.length * 40
      expect(gate.looks).toBeLessThan(pieces)
      expect(work.looks).toBeLessThan(200 * pieces)
      expect(gate.compared).toBeLessThan(16 * (read / 6))
      expect(work.folded - gate.folded).toBeLessThan(6 * read)
    },
  )

  const han = Array.from({ length: 16_000 }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * 7919) % 8_000)),
  ).join('')
  const cut = (every: number, mark: string) =>
    Array.from(
      { length: 16_000 / every },
      (_, i) => han.slice(i * every, (i + 1) * every) + mark,
    ).join('')
  const MANY: [string, string, string][] = [
    ['Chinese questions', cut(12, '？'), cut(12, '？')],
    ['short Chinese sentences', `${cut(12, '？')}${han.slice(0, 8)}？`, cut(4, '。')],
    ['a Chinese word repeated', fill('退款', 16_000), fill('退款。', 4_000)],
    ['a word repeated as a question', 'refund refund?', fill('Refund? ', 4_000)],
    ['rows of a table', fill('What is the number of name 77? ', 16_000), table],
  ]

  it.each(MANY)('weighs few sentences, or for few parts of a question: %s', (_, question, text) => {
    const passages = [0, 1, 2, 3, 4, 5].map((n) =>
      passage(n + 1, text.slice(n * 500).slice(0, 2_000)),
    )
    extractAnswer(question, passages, { ...IDF, rest: 2 }, 'en')
    expect(work.weighed).toBeGreaterThan(0)
    expect(work.weighed).toBeLessThan(3_000)
    expect(work.held).toBeLessThan(100_000)
  })

  it('reads questions in a row as one only up to a few', () => {
    const units = readUnits(passage(1, cut(12, '？').slice(0, 2_000)))
    const sizes = new Set(units.map((unit) => unit.questions[0]))
    const all = [...sizes].reduce((sum, tokens) => sum + (tokens?.size ?? 0), 0)
    expect(all).toBeLessThan(5 * units.reduce((sum, unit) => sum + unit.tokens.size, 0))
  })

  it.each([
    ['a mark behind each word', 'refund [1] refund [2] refund [3] refund [4] refund [5] '],
    ['a mark behind some words', 'refund refund refund refund [1] refund refund [2] '],
    ['another clause behind each mark', 'refunds take five days [1] and lamps go back [2] and '],
  ])('judges a claim of many marks as a whole: %s', (_, reply) => {
    const passages = passagesOf(REFUNDS)
    const checker = createChecker({ passages, idf: IDF, grounded: true })
    checker.push(fill(reply, 16_000))
    checker.end()
    expect(work.judged).toBeLessThan(read)
    expect(work.claimed).toBeLessThan(20 * 16_000)
  })

  it.each([
    ['a table', table],
    ['Arabic', ARABIC.replaceAll(/[A-Za-z]+/gu, '')],
  ])('asks once whether a passage tells a Latin language: %s', (_, text) => {
    const passages = passagesOf(text)
    const checker = createChecker({ passages, idf: IDF, grounded: true })
    checker.push(fill(`${text.slice(0, 60)} [1]. \n`, 16_000))
    checker.end()
    expect(work.told).toBeLessThan(16_000)
  })

  const words = different.replaceAll(' w', '. W')
  const SENTENCES: [string, string, string][] = [
    ['two Chinese signs each', cut(2, '。'), cut(12, '。')],
    [
      'Chinese figures',
      Array.from({ length: 4_000 }, (_, i) => `${i}元。`).join(''),
      cut(12, '。'),
    ],
    ['a word each', words, REFUNDS],
    ['a row each', fill('Name 77 has 84 of them. ', 16_000), table],
  ]

  it.each(SENTENCES)(
    'looks at no more than the first of thousands of sentences: %s',
    (_, reply, text) => {
      const passages = passagesOf(text).map((one) => ({ ...one, text: one.text.slice(0, 2_000) }))
      const told = (said: string) => {
        Object.assign(work, NOTHING)
        const checker = createChecker({ passages, idf: IDF, grounded: true })
        checker.push(said)
        checker.end()
        return { ...work }
      }
      const [long, longer] = [told(fill(reply, 12_000)), told(fill(reply, 16_000))]
      expect(longer.judged).toBeLessThan(20_000)
      expect(longer.claimed - long.claimed).toBeLessThan(1_000)
    },
  )

  it.each([
    ['that needs no source', { grounded: false }],
    ['of small talk', { grounded: true, exempt: true }],
  ])(
    'looks for the places of no more than the first of thousands of marks in a reply %s',
    (_, options) => {
      const checker = createChecker({
        passages: passagesOf('refunds take nine days and'),
        idf: IDF,
        ...options,
      })
      checker.push(fill('refunds take 9 days [1] ', 16_000))
      checker.end()
      expect(work.judged).toBeLessThan(20_000)
    },
  )

  it('lets nothing pass that it has not looked at', () => {
    const right = 'Refunds are paid within 5 working days.'
    const passages = [passage(1, REFUNDS)]
    const left = (reply: string) => {
      const checker = createChecker({ passages, idf: IDF, grounded: true })
      const pieces = checker.push(reply).concat(checker.end().pieces)
      return pieces.map(({ text }) => text).join('')
    }
    expect(left(right)).toContain('5 working days')
    expect(left(`${words}. ${right} Refunds take 9 days.`)).toBe('')
  })

  it('reads a passage once for both', () => {
    const text = fill(REFUNDS, 2_000)
    const passages = [passage(1, text)]
    const readings = new PassageReadings()
    const found = { idf: IDF, coverage: 0, cosine: null, embedder: null }
    readGate('How long do refunds take?', { ...found, hits: passages }, '', readings)
    const { folded } = work
    const checker = createChecker({ passages, idf: IDF, grounded: true, readings })
    for (let i = 0; i < 5; i++) checker.push('```\nRefunds are paid within days\n```\n\n')
    checker.end()
    expect(work.folded - folded).toBeLessThan(text.length)
  })

  it('reads tool results once a turn, and no more of them than a model is shown', () => {
    const orders = Array.from({ length: 5_000 }, (_, at) => ({ order_id: at, lamps: at * 3 }))
    const tokensFor = (claims: number) => {
      Object.assign(work, NOTHING)
      const checker = createChecker({ passages: [passage(1, REFUNDS)], idf: IDF, grounded: true })
      checker.addToolResult(JSON.stringify(orders))
      for (let at = 0; at < claims; at++) checker.push(`Order ${at} has ${at * 3} lamps. `)
      checker.end()
      return work.tokens
    }
    expect(tokensFor(20)).toBeLessThan(1.3 * tokensFor(1))
  })
})
