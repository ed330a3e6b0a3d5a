import { loadOppositeLists } from '../lazy'
import { loadOnce } from './load-once'
import { loadCommonWords } from './prior'

/** Sides of one group are numbered from a multiple of this. */
export const OPPOSITE_SIDES = 64
/** Groups of the lists are numbered behind those of the packs. */
const BEHIND_PACKS = 1_000

/** Words and phrases by their stems, in unspaced scripts by their signs, and the sides that they take against others. */
export type Opposites = ReadonlyMap<string, readonly number[]>

const late = loadOnce(loadOppositeLists)
const both = loadOnce(() => Promise.all([late.load(), loadCommonWords()]))
const read = new Map<string, Opposites>()

/**
 * To be awaited before the sentences of a reply are checked: without it only the few rivals of the language packs are known,
 * and no word is an everyday one. Once an isolate; a failure is told to whoever waits, and the next one tries again.
 */
export const loadOpposites = both.load

/** The words of a language that exclude each other; null as long as none are loaded. */
export function oppositesOf(language: string): Opposites | null {
  const lists = late.get()?.OPPOSITES
  if (lists === undefined) return null
  let opposites = read.get(language)
  if (opposites === undefined) {
    opposites = readSides(lists[language] ?? '')
    read.set(language, opposites)
  }
  return opposites
}

function readSides(line: string): Opposites {
  const sides = new Map<string, number[]>()
  for (const [group, text] of line.split(';').entries()) {
    for (const [at, words] of text.split('/').entries()) {
      const side = (BEHIND_PACKS + group) * OPPOSITE_SIDES + at
      for (const word of words.split(',')) {
        const known = sides.get(word)
        if (known === undefined) sides.set(word, [side])
        else known.push(side)
      }
    }
  }
  return sides
}
