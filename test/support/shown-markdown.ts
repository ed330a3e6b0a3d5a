import { definitionsOf, readBlocks } from '../../src/web/kit/markdown/blocks'
import { type Item, wordsOf } from '../../src/web/kit/markdown/parts'

const START = { base: 0, last: 2 }

export const partsOf = (text: string, open: boolean): Item[] =>
  readBlocks(text, definitionsOf(text), START, open).map(({ part }) => part)

const html = (item: Item): string => {
  if (typeof item === 'string') return item
  const { tag, value, parts } = item
  if (tag === 'cite') return `[${value}]`
  if (tag === 'check') return value ? '[x]' : '[ ]'
  if (tag === 'br' || tag === 'hr') return `<${tag}>`
  const inner = parts.map(html).join('')
  if (tag === 'pre') return `<pre><code${value ? ` ${value}` : ''}>${inner}</code></pre>`
  return `<${tag}${value === undefined ? '' : ` ${value}`}>${inner}</${tag}>`
}

/** What the page shows of a text, its elements written as tags. @param open while it is still coming */
export const readPage = (text: string, open: boolean): string =>
  partsOf(text, open).map(html).join('')

/** The letters and signs that are read on the page, without blanks. */
export const shownAtLast = (text: string, open = false): string =>
  partsOf(text, open).map(wordsOf).join('').replaceAll(/\s/g, '')
