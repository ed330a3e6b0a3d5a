import type { Block, ParsedDocument } from '../types'

const TEXT = new Set<Block['kind']>(['paragraph', 'list', 'table'])
/** So many entries are a table of contents, if they are so much of a block's lines. */
const LEAST_ENTRIES = 4
const MOST_LINES = 0.8
/** Characters of a line that may be nothing but entries. */
const LONGEST = 4000
/** Words of headings that are looked for: each takes some hundred bytes. */
const MOST_WORDS = 100_000
const BEGINNING = 80

/**
 * Takes out tables of contents: lines that only say the document's own headings again, in one block or in a block each. Search
 * would find each heading twice, once with nothing below it.
 */
export function dropContents(doc: ParsedDocument): ParsedDocument {
  const isEntry = entriesOf(doc)
  if (isEntry === null) return doc
  const dropped = new Set<Block>()
  let run: Block[] = []
  let entriesOfRun = 0
  for (const block of doc.blocks) {
    const { entries, others, most } = TEXT.has(block.kind) ? countEntries(block) : NO_ENTRIES
    if (others <= most && entries >= LEAST_ENTRIES) dropped.add(block)
    if (entries === 0 || others > 0) {
      run = []
      entriesOfRun = 0
      continue
    }
    run.push(block)
    entriesOfRun += entries
    if (entriesOfRun >= LEAST_ENTRIES) for (const one of run) dropped.add(one)
  }
  return dropped.size === 0 ? doc : withoutBlocks(doc, dropped)

  /** @returns `most` lines of the block may be others. */
  function countEntries({ start, end }: Block): typeof NO_ENTRIES {
    const lines = doc.text.slice(start, end).split('\n')
    const most = lines.length - Math.ceil(MOST_LINES * lines.length)
    let entries = 0
    let others = 0
    for (const line of lines) {
      const count = isEntry?.(line) ?? 0
      entries += count
      if (count === 0 && ++others > most) break
    }
    return { entries, others, most }
  }
}

const NO_ENTRIES = { entries: 0, others: 0, most: 0 }

/** Headings by their words, one after the other. */
type Words = Map<string, Words> & { ends?: true }

/** Tells how many headings a line says again and nothing else; null for a document of few headings. */
function entriesOf({ text, blocks }: ParsedDocument): ((line: string) => number) | null {
  const headings: Words = new Map()
  let different = 0
  let left = MOST_WORDS
  for (const { kind, start, end } of blocks) {
    if (kind !== 'heading' || end - start > LONGEST) continue
    const words = wordsOf(text.slice(start, end))
    left -= words.length
    if (left < 0) break
    let last = headings
    for (const word of words) last = next(last, word)
    if (last === headings || last.ends) continue
    last.ends = true
    different++
  }
  if (different < LEAST_ENTRIES) return null
  return (line) => {
    // Most lines begin like no heading, which is cheap to see.
    const [first = ''] = wordsOf(line.slice(0, BEGINNING))
    const words = line.length > LONGEST || !headings.has(first) ? [] : wordsOf(line)
    let count = 0
    for (let at = 0; at < words.length; count++) {
      const end = endOf(headings, words, at)
      if (end === at) return 0
      at = end
    }
    return count
  }
}

function next(words: Words, word: string): Words {
  const known = words.get(word) ?? new Map()
  words.set(word, known)
  return known
}

/** Where the longest heading ends that begins there. */
function endOf(headings: Words, words: readonly string[], from: number): number {
  let end = from
  let last: Words | undefined = headings
  for (let at = from; at < words.length; at++) {
    last = last.get(words[at] ?? '')
    if (last === undefined) break
    if (last.ends) end = at + 1
  }
  return end
}

/** Without bullet and number before, and page behind. */
const wordsOf = (line: string): string[] =>
  line
    .toLowerCase()
    .replace(/^[\s\p{P}\p{S}]*(?:\p{L}?\d+(?:\.\d+)*[.):]*\s)?/u, '')
    .replace(/[\s.·…]+\d+\s*$/u, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

function withoutBlocks({ title, text, blocks, pageStarts }: ParsedDocument, out: Set<Block>) {
  const parts: string[] = []
  const kept: Block[] = []
  /** Where a kept block stood, and stands. */
  const moved: { from: number; to: number }[] = []
  let [length, last] = [0, 0]
  for (const block of blocks) {
    if (!out.has(block)) {
      const between = length === 0 ? '' : (text.slice(last, block.start).match(/\s+$/u)?.[0] ?? '')
      const start = length + between.length
      parts.push(between, text.slice(block.start, block.end))
      length = start + block.end - block.start
      kept.push({ ...block, start, end: length })
      moved.push({ from: block.start, to: start })
    }
    last = block.end
  }
  let at = 0
  // Pages follow each other as blocks do, so one pass over both is enough.
  const place = (page: number) => {
    while ((moved[at]?.from ?? page) < page) at++
    return moved[at]?.to ?? length
  }
  return { title, text: parts.join(''), blocks: kept, pageStarts: pageStarts?.map(place) ?? null }
}
