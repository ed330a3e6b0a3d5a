import { loadPriorLists } from '../lazy'
import { slotsOf } from './bloom'
import { loadOnce } from './load-once'

const REMEMBERED = 20_000

const lists = loadOnce(loadPriorLists)
/** A byte a character: reading one costs no more than in an array, and nothing is to be copied. */
let bytes: string | null = null
const known = new Map<string, boolean>()

/** To be awaited before a question or a reply is read; `loadThesaurus` and `loadOpposites` do. */
export const loadCommonWords = lists.load

/**
 * Whether a stem is among the everyday words of any language served: what is not is a name, a term or a rare word. A
 * Bloom filter of the 6,000 most frequent words of nine languages: about one rare word in sixty passes for a common one.
 * Before the table is loaded no word is.
 */
export function isCommonWord(stem: string): boolean {
  let common = known.get(stem)
  if (common === undefined) {
    const table = lists.get()?.TABLE
    if (table === undefined) return false
    common = isInTable(table, stem)
    if (known.size >= REMEMBERED) known.clear()
    known.set(stem, common)
  }
  return common
}

function isInTable(table: { hashes: number; bits: string }, stem: string): boolean {
  bytes ??= atob(table.bits)
  for (const slot of slotsOf(stem, bytes.length * 8, table.hashes))
    if ((bytes.charCodeAt(slot >> 3) & (1 << (slot & 7))) === 0) return false
  return true
}
