import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../../../src/knowledge/chunk-document'
import { weigh } from '../../../src/knowledge/text-weight'
import type { Chunk, ParsedDocument } from '../../../src/knowledge/types'
import { readWell } from '../../support/read-blocks'

const sentence = (n: number) =>
  `Sentence number ${n} says something about parcels, labels and shops. `
const sentences = (count: number) =>
  Array.from({ length: count }, (_, i) => sentence(i))
    .join('')
    .trim()
const read = (source: string) => readWell(source, 'md')

/** What holds for every document: exact offsets, reading order, no overlap, nothing lost but white space, bounded weight. */
function check(document: ParsedDocument, max = 2000): Chunk[] {
  const chunks = chunkDocument(document)
  let reached = 0
  for (const [i, chunk] of chunks.entries()) {
    expect(chunk.n).toBe(i)
    expect(document.text.slice(chunk.start, chunk.end)).toBe(chunk.text)
    expect(document.text.slice(reached, chunk.start).trim()).toBe('')
    expect(chunk.text).toBe(chunk.text.trim())
    expect(weigh(chunk.text)).toBeLessThanOrEqual(max)
    expect(chunk.text.isWellFormed()).toBe(true)
    reached = chunk.end
  }
  expect(document.text.slice(reached).trim()).toBe('')
  return chunks
}

describe('chunkDocument', () => {
  it('looks at each block of a long list a few times, however many passages come of it', () => {
    const LINES = 4000
    const line = `${sentence(1).trim()}\n`
    let looks = 0
    const blocks = Array.from({ length: LINES }, (_, n) => ({
      start: n * line.length,
      end: (n + 1) * line.length - 1,
      get kind() {
        looks++
        return 'paragraph' as const
      },
    }))
    const document = { title: null, text: line.repeat(LINES).trim(), blocks, pageStarts: null }
    expect(chunkDocument(document).length).toBeGreaterThan(100)
    expect(looks).toBeLessThan(LINES * 10)
  })

  it('leaves a passage up to 2,000 letters or 1,000 Chinese characters whole', async () => {
    const latin = sentences(40).slice(0, 1999)
    expect(check(await read(latin))).toMatchObject([{ n: 0, heading: null, page: null, start: 0 }])
    const chinese = '包裹可以在送达后三十天内退回。'.repeat(70).slice(0, 1000)
    expect(check(await read(chinese))).toHaveLength(1)
  })

  it('cuts a longer passage into even pieces between sentences', async () => {
    const chunks = check(await read(sentences(60)))
    const weights = chunks.map(({ text }) => text.length)
    expect(chunks.length).toBe(4)
    expect(Math.max(...weights) / Math.min(...weights)).toBeLessThan(1.3)
    for (const { text } of chunks) expect(text).toMatch(/^Sentence .*shops\.$/s)
    const chinese = check(await read('包裹可以在送达后三十天内退回。'.repeat(150)))
    for (const { text } of chinese) expect(text).toMatch(/。$/)
    expect(chinese[0]?.text.length).toBeLessThan(700)
  })

  it('follows headings and names the path to each chunk', async () => {
    const chunks = check(
      await read(
        `# Guide\n\n${sentences(8)}\n\n## Returns\n\n${sentences(9)}\n\n### Fees\n\n${sentences(10)}\n\n## Shops\n\n${sentences(40)}`,
      ),
    )
    expect(chunks.map(({ heading }) => heading)).toEqual([
      'Guide',
      'Guide › Returns',
      'Guide › Returns › Fees',
      'Guide › Shops',
      'Guide › Shops',
      'Guide › Shops',
    ])
    expect(chunks[1]?.text).toMatch(/^Returns\n\nSentence number 0/)
  })

  it('joins headings without text to what follows, and light neighbours under one parent', async () => {
    const faq = Array.from({ length: 40 }, (_, i) => `## Question ${i}\n\n${sentence(i)}`).join(
      '\n\n',
    )
    const chunks = check(await read(`# Book\n\n# Chapter\n\n${faq}`))
    expect(chunks[0]?.text).toMatch(/^Book\n\nChapter\n\nQuestion 0/)
    for (const { heading } of chunks) expect(heading).toBe('Chapter')
    for (const { text } of chunks) expect(text.match(/Question/g)?.length).toBeGreaterThan(1)
    expect(chunks.length).toBeGreaterThan(3)
  })

  it('keeps a section of some weight by itself, so that it can be found and cited', async () => {
    const faq = Array.from({ length: 6 }, (_, i) => `## Question ${i}\n\n${sentences(5)}`).join(
      '\n\n',
    )
    expect(check(await read(faq)).map(({ heading }) => heading)).toEqual(
      Array.from({ length: 6 }, (_, i) => `Question ${i}`),
    )
  })

  it('never ends a chunk with a heading', async () => {
    const source = Array.from(
      { length: 40 },
      (_, i) => `## H${i}\n\n${sentences(1 + (i % 7) * 3)}`,
    ).join('\n\n')
    for (const { text } of check(await read(source))) expect(text).not.toMatch(/\nH\d+$/)
  })

  it('does not cut table rows, list items or lines of code', async () => {
    const rows = Array.from(
      { length: 90 },
      (_, i) => `| article ${i} | a longer description of article ${i} | ${i} EUR |`,
    )
    const table = check(await read(`| Article | Text | Price |\n|--|--|--|\n${rows.join('\n')}`))
    expect(table.length).toBeGreaterThan(2)
    for (const { text } of table.slice(1)) expect(text).toMatch(/^Article: article \d+ \| .* EUR$/s)
    const items = Array.from({ length: 90 }, (_, i) => `- item ${i} is here. It has two sentences.`)
    for (const { text } of check(await read(items.join('\n'))))
      expect(text).toMatch(/^- item .* sentences\.$/s)
  })

  it('cuts what has no sentences between words, and what has no words between characters', async () => {
    for (const { text } of check(await read('word '.repeat(3000))))
      expect(text).toMatch(/^word.*word$/s)
    check(await read('x'.repeat(9000)))
    check(await read('😀'.repeat(4000)))
    check(await read(`a ${'長'.repeat(3000)} b`))
  })

  it('keeps a heavy section below the limit and cuts a heavy list of sections anywhere', async () => {
    const source = Array.from(
      { length: 30 },
      (_, i) =>
        `${'#'.repeat(1 + (i % 6))} Heading ${i} ${'long '.repeat(30)}\n\n${sentences(i * 3)}`,
    )
    check(await read(source.join('\n\n')))
  })

  it('gives the page on which a chunk starts', () => {
    const text = `${sentences(20)}\n\n${sentences(20)}\n\n${sentences(20)}`
    const length = sentences(20).length
    const starts = [0, length + 2, length + 2, 2 * length + 4]
    const blocks = [starts[0], starts[1], starts[3]].map((start = 0) => ({
      kind: 'paragraph' as const,
      start,
      end: start + length,
    }))
    const chunks = check({ title: null, text, blocks, pageStarts: starts })
    // The second page is empty, so the third starts at the same place.
    for (const { page, start } of chunks) {
      expect(page).toBe(start < length ? 1 : start < 2 * length + 4 ? 3 : 4)
    }
    expect(new Set(chunks.map(({ page }) => page))).toEqual(new Set([1, 3, 4]))
  })

  it('takes a text without blocks for one paragraph, and no text for no chunk', () => {
    expect(check({ title: null, text: 'Bare.', blocks: [], pageStarts: null })).toHaveLength(1)
    expect(check({ title: null, text: '', blocks: [], pageStarts: null })).toEqual([])
  })

  it('keeps of an endless heading what its chunks show, and not all of it for each', async () => {
    const title = 'Ab '.repeat(100_000)
    const parts = Array.from({ length: 1000 }, (_, n) => `## Part ${n}\n\n${sentences(20)}\n\n`)
    const doc = await read(`# ${title}\n\n${parts.join('')}`)
    const before = process.memoryUsage().heapUsed
    const chunks = chunkDocument(doc)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
    expect(chunks.length).toBeGreaterThan(500)
    for (const { heading } of chunks) expect(heading).toMatch(/^….{300}$/)
  })
})
