import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../../../src/knowledge/chunk-document'
import { readGate } from '../../../src/knowledge/gate'
import { preparePassage } from '../../../src/knowledge/prepare-passage'
import type { SearchResult } from '../../../src/knowledge/types'
import { extractAnswer } from '../../../src/models/offline/extract-answer'
import { alikeness } from '../../../src/text/alike-questions'
import { PassageReading } from '../../../src/text/passage-reading'
import { readPhrasings, writePhrasings } from '../../../src/text/phrasings'
import { IDF, passage } from '../../support/passages'
import { readRefusal, readWell } from '../../support/read-blocks'

const FAQ = `# Terms

## When is the money paid back?

<!-- asked:
  how long until I see my cash again

refund time
-->

Refunds reach you within five working days.

## Who pays for parcels that go back?

You pay nothing: the label is free of charge.
`
const [CHUNK] = chunkDocument(await readWell(FAQ, 'md'))
const PHRASINGS = CHUNK?.phrasings ?? ''
const TEXT = CHUNK?.text ?? ''
const found = (hit: ReturnType<typeof passage>): SearchResult => ({
  hits: [hit],
  idf: { ...IDF, rest: 6 },
  coverage: 1,
  cosine: null,
  embedder: null,
})

describe('other ways to ask that an author writes below a heading', () => {
  it('belong to the heading and never to the text', () => {
    expect(TEXT).not.toMatch(/cash|refund time|asked/u)
    const at = TEXT.indexOf('When is')
    expect(readPhrasings(PHRASINGS)).toEqual([
      { at, text: 'how long until I see my cash again' },
      { at, text: 'refund time' },
    ])
    expect(writePhrasings(readPhrasings(PHRASINGS))).toBe(PHRASINGS)
    expect(writePhrasings([])).toBeNull()
    expect(readPhrasings(null)).toEqual([])
  })

  it('are read in a page as in Markdown, and break no paragraph', async () => {
    const page =
      '<h2>When is the money paid back?</h2><!-- asked:\nrefund time --><p>Refunds reach<!-- x --> you.</p>'
    const { text, blocks } = await readWell(page, 'html')
    expect(text).toBe('When is the money paid back?\n\nRefunds reach you.')
    expect(blocks[0]).toMatchObject({ kind: 'heading', phrasings: ['refund time'] })
  })

  it('go with the piece of a long section that holds the heading', async () => {
    const body = 'Refunds reach you within five working days. '.repeat(100)
    const source = `## Money\n\n<!-- asked:\ncash\n-->\n\n${body}`
    const [first, ...others] = chunkDocument(await readWell(source, 'md'))
    expect(readPhrasings(first?.phrasings)).toEqual([{ at: 0, text: 'cash' }])
    expect(others.length).toBeGreaterThan(0)
    for (const { phrasings } of others) expect(phrasings).toBeNull()
  })

  it('are nobody’s without a heading, and another comment is none', async () => {
    for (const source of ['<!-- asked: cash -->\n\nText.', '# A\n\n<!-- cash -->\n\nText.']) {
      const [only] = chunkDocument(await readWell(source, 'md'))
      expect(only?.phrasings).toBeNull()
      expect(only?.text).not.toContain('cash')
    }
  })

  it('are refused when they are too many or too long', async () => {
    const asked = (lines: string[]) => `# A\n\n<!-- asked:\n${lines.join('\n')}\n-->\n\nText.`
    await readWell(asked(Array.from({ length: 40 }, (_, n) => `cash ${n}`)), 'md')
    for (const lines of [Array.from({ length: 41 }, (_, n) => `cash ${n}`), ['x'.repeat(201)]])
      expect(await readRefusal(asked(lines), 'md')).toContain('40 other ways to ask')
  })

  it('are indexed with the passage', () => {
    const { words, sketch } = preparePassage('Terms', {
      heading: null,
      text: TEXT,
      phrasings: PHRASINGS,
    })
    expect(words.body.split(' ')).toContain('cash')
    expect(sketch.length).toBeGreaterThan(
      preparePassage('Terms', { heading: null, text: TEXT }).sketch.length,
    )
  })

  it('are questions of the passage, and no words of its text', () => {
    const reading = new PassageReading(passage(1, TEXT, { phrasings: PHRASINGS }))
    expect(reading.questions.some((question) => question.has('cash'))).toBe(true)
    expect(reading.body.has('cash')).toBe(false)
    expect(reading.tokens.has('cash')).toBe(true)
    // No window spans the last sentence and a phrasing.
    expect(reading.windows.some((one) => one.has('free') && one.has('cash'))).toBe(false)
  })

  it('open the gate, and what stands under their heading answers', () => {
    const question = 'how long until i see my cash again?'
    const bare = passage(1, TEXT)
    const asked = passage(1, TEXT, { phrasings: PHRASINGS })
    expect(readGate(question, found(bare)).open).toBe(false)
    expect(readGate(question, found(asked)).open).toBe(true)
    expect(extractAnswer(question, [asked], IDF, 'en')).toMatch(/^Refunds reach you within five/u)
    expect(extractAnswer('Who pays for parcels?', [asked], IDF, 'en')).toMatch(/^You pay nothing/u)
  })

  it.each([
    ['When is the money paid back? And by which way?'],
    [
      'A line that nobody would take for a heading, since it says what it says and goes on for long',
    ],
  ])('belong to a heading of any form: %s', async (heading) => {
    const source = `## Hall\n\nThe hall is open.\n\n## ${heading}\n\n<!-- asked:\nwhen do i see my cash again\n-->\n\nRefunds reach you within five working days.`
    const [chunk] = chunkDocument(await readWell(source, 'md'))
    const asked = passage(1, chunk?.text ?? '', { phrasings: chunk?.phrasings ?? null })
    expect(extractAnswer('When do I see my cash again?', [asked], IDF, 'en')).toMatch(
      /^Refunds reach you/u,
    )
  })

  it('answer a message of small words alone that is one of them, word for word', async () => {
    const source =
      '# First\n\n## What is Parley?\n\n<!-- asked:\nso what is this\n-->\n\nParley is a platform.'
    const [chunk] = chunkDocument(await readWell(source, 'md'))
    const asked = passage(1, chunk?.text ?? '', { phrasings: chunk?.phrasings ?? null })
    expect(readGate('So what is this?', found(asked)).open).toBe(true)
    expect(extractAnswer('So what is this?', [asked], IDF, 'en')).toMatch(/^Parley is a platform/u)
    expect(readGate('So what is that?', found(asked)).open).toBe(false)
    expect(extractAnswer('So what is that?', [asked], IDF, 'en')).toBeNull()
  })

  it('answer small words behind what their asker tells, and words that are nearly they', async () => {
    const source =
      '# First\n\n## What is Parley?\n\n<!-- asked:\nwhat is all this\nwhat is the soul\n-->\n\nParley is a platform.'
    const [chunk] = chunkDocument(await readWell(source, 'md'))
    const asked = passage(1, chunk?.text ?? '', { phrasings: chunk?.phrasings ?? null })
    for (const message of [
      'so what is all this',
      'We are a school, what is all this?',
      'we run a school and i wanted to know what is all this',
    ]) {
      expect(readGate(message, found(asked)).open, message).toBe(true)
      expect(extractAnswer(message, [asked], IDF, 'en')).toMatch(/^Parley is a platform/u)
    }
    // A way to ask that names something is not asked without its name.
    expect(readGate('what is the', found(asked)).open).toBe(false)
    expect(readGate('who are they all', found(asked)).open).toBe(false)
  })

  it('answer in the asker’s language, whatever is said more alike in another', () => {
    const of = (n: number, text: string, asked: string) =>
      passage(n, text, { phrasings: writePhrasings([{ at: 0, text: asked }]) })
    const both = [
      of(
        1,
        'SDK\n\nParley no tiene un SDK propio, pero sirve la biblioteca de OpenAI.',
        'openai python sdk',
      ),
      of(
        2,
        'SDK\n\nParley has no SDK of its own, but the library of OpenAI serves.',
        'does the openai library for python work as an sdk',
      ),
    ]
    expect(extractAnswer('Does it work with the openai python sdk?', both, IDF, 'en')).toMatch(
      /^Parley has no SDK/u,
    )
  })

  it('say what stands below the question that is said most alike, whatever else names the thing', () => {
    const of = (n: number, text: string, asked: string, more = {}) =>
      passage(n, text, { phrasings: writePhrasings([{ at: 0, text: asked }]), ...more })
    const both = [
      of(1, 'Hosting\n\nIt costs 12 dollars a month.', 'how much does hosting cost', { score: 1 }),
      of(2, 'Price\n\nFree of charge, open source.', 'how much does it cost', { score: 0.3 }),
    ]
    expect(extractAnswer('How much does it cost?', both, IDF, 'en')).toMatch(/^Free of charge/u)
  })

  it('open it for nothing that only looks like one of their small words', () => {
    const text = 'Plazos\n\nEl dinero llega en cinco días hábiles.'
    const phrasings = writePhrasings([{ at: 0, text: 'pero cómo sé cuándo llega mi dinero' }])
    const hit = passage(1, text, { phrasings })
    expect(readGate('¿Por qué no come mi perro?', found(hit)).open).toBe(false)
    expect(readGate('¿Pero cómo sé cuándo llega mi dinero?', found(hit)).open).toBe(true)
  })
})

describe('alikeness', () => {
  it('looks for the words of the shorter question alone, whichever comes first', () => {
    let looks = 0
    class Counted extends Set<string> {
      override has(word: string): boolean {
        looks++
        return super.has(word)
      }
    }
    const message = new Counted(Array.from({ length: 5000 }, (_, n) => `word${n}`))
    const way = new Counted(['word1', 'word2', 'other'])
    const alike = alikeness(message, way)
    expect(alike).toBe(alikeness(way, message))
    expect(alike).toBeCloseTo(2 / 5001)
    expect(looks).toBe(2 * way.size)
  })
})
