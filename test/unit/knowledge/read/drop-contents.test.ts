import { describe, expect, it, vi } from 'vitest'
import { dropContents } from '../../../../src/knowledge/read/drop-contents'
import type { Block, ParsedDocument } from '../../../../src/knowledge/types'
import { readBlocks } from '../../../support/read-blocks'

const QUESTIONS = ['Where do I find it?', 'What does it cost?', 'Who made it?', 'Is it safe?']

/** A document of blocks, each on a page of its own. */
function write(...given: [Block['kind'], string][]): ParsedDocument {
  const blocks: Block[] = []
  let text = ''
  for (const [kind, words] of given) {
    text += text === '' ? '' : '\n\n'
    const place = { start: text.length, end: text.length + words.length }
    blocks.push(kind === 'heading' ? { kind, level: 2, ...place } : { kind, ...place })
    text += words
  }
  return { title: null, text, blocks, pageStarts: blocks.map(({ start }) => start) }
}

const sections = QUESTIONS.flatMap((question): [Block['kind'], string][] => [
  ['heading', question],
  ['paragraph', `About “${question}” there is a lot to say.`],
])

const partsOf = ({ text, blocks }: ParsedDocument) =>
  blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('a table of contents', () => {
  it.each([
    ['list', QUESTIONS.map((one) => `- ${one}`).join('\n')],
    ['list', QUESTIONS.map((one, at) => `${at + 1}. ${one}`).join('\n')],
    ['paragraph', QUESTIONS.map((one, at) => `1.${at} ${one} . . . . . ${at + 7}`).join('\n')],
    ['paragraph', QUESTIONS.join(' ')],
    ['table', QUESTIONS.map((one, at) => `A${at}. ${one}`).join('\n')],
  ] as const)('is no part of the text, as %s', (kind, contents) => {
    const dropped = dropContents(write(['heading', 'Guide'], [kind, contents], ...sections))
    expect(partsOf(dropped)).toEqual([['heading', 'Guide'], ...sections])
    expect(dropped.text).toBe(write(['heading', 'Guide'], ...sections).text)
    // The page of what is gone begins where the next one does.
    const { pageStarts } = write(['heading', 'Guide'], ...sections)
    expect(dropped.pageStarts).toEqual([0, pageStarts?.[1], ...(pageStarts ?? []).slice(1)])
  })

  it('is none with an entry in each block either, and what stands around it is left', () => {
    const entries = QUESTIONS.map((one): [Block['kind'], string] => ['paragraph', one])
    const before: [Block['kind'], string] = ['paragraph', 'Contents']
    const dropped = dropContents(write(before, ...entries, ...sections))
    expect(partsOf(dropped)).toEqual([before, ...sections])
    const broken = write(...entries.slice(0, 2), before, ...entries.slice(2), ...sections)
    expect(dropContents(broken)).toBe(broken)
  })

  it.each([
    [
      'of fewer entries',
      QUESTIONS.slice(1)
        .map((one) => `- ${one}`)
        .join('\n'),
    ],
    ['that says more', QUESTIONS.map((one) => `- ${one} Ask us.`).join('\n')],
    ['of other things', '- Tea\n- Coffee\n- Milk\n- Juice'],
    ['that names a heading among others', `- ${QUESTIONS[0]}\n- Tea\n- Coffee\n- Milk\n- Juice`],
  ])('is no list %s', (_name, list) => {
    const doc = write(['heading', 'Guide'], ['list', list], ...sections)
    expect(dropContents(doc)).toBe(doc)
  })

  it('is left where it is code, and in a document of few headings', () => {
    const code = write(['code', QUESTIONS.join('\n')], ...sections)
    expect(dropContents(code)).toBe(code)
    const few = write(['list', '- Tea\n- Tea\n- Tea\n- Tea'], ['heading', 'Tea'])
    expect(dropContents(few)).toBe(few)
  })

  it('is dropped by the readers', async () => {
    const body = QUESTIONS.map((one) => `<h2>${one}</h2><p>It is told here.</p>`).join('')
    const links = QUESTIONS.map((one) => `<li><a href="#a">${one}</a></li>`).join('')
    const blocks = await readBlocks(`<h1>Guide</h1><ul>${links}</ul>${body}`, 'html')
    expect(blocks.slice(0, 3)).toEqual([
      'h1: Guide',
      'h2: Where do I find it?',
      'paragraph: It is told here.',
    ])
    expect(blocks).toHaveLength(9)
  })

  it.each([
    ['one endless heading', ['a '.repeat(400_000)]],
    ['thousands of long ones', Array.from({ length: 500 }, (_, n) => `${n} ${'a b '.repeat(400)}`)],
  ])('is looked for with the memory that it takes: %s', (_, headings) => {
    const doc = write(...headings.map((words): [Block['kind'], string] => ['heading', words]))
    const kept = vi.spyOn(Map.prototype, 'set')
    dropContents(doc)
    const { length } = kept.mock.calls
    kept.mockRestore()
    expect(length).toBeLessThan(110_000)
  })
})
