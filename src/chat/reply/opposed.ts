import { oppositesOf } from '../../language/opposites'
import type { Lexicon } from './lexicon'

interface Opposed {
  keys: readonly string[]
  sides: readonly number[]
}

/** What the lists have by a word that it begins with, the longest first. */
type Index = ReadonlyMap<string, readonly Opposed[]>

const indexes = new Map<string, Index>()

/**
 * Every word and phrase of the lists that begins at a place, the longest first: "foreigner" holds "foreign", and either may
 * stand against another word. None as long as the lists are not loaded.
 */
export function opposedAt(
  keys: readonly string[],
  at: number,
  lexicon: Lexicon,
): readonly Opposed[] {
  const known = indexOf(lexicon)?.get(keys[at] ?? '') ?? []
  return known.filter((one) => one.keys.every((key, i) => keys[at + i] === key))
}

function indexOf({ code, unspaced }: Lexicon): Index | null {
  const known = indexes.get(code)
  if (known !== undefined) return known
  const opposites = oppositesOf(code)
  if (opposites === null) return null
  const index = new Map<string, Opposed[]>()
  for (const [text, own] of opposites) {
    const keys = unspaced ? [...text] : text.includes(' ') ? text.split(' ') : [text]
    const first = keys[0] ?? ''
    const others = index.get(first)
    if (others === undefined) index.set(first, [{ keys, sides: own }])
    else {
      others.push({ keys, sides: own })
      others.sort((a, b) => b.keys.length - a.keys.length)
    }
  }
  indexes.set(code, index)
  return index
}
