import { loadOppositeLists } from '../lazy'

/** Sides of one group are numbered from a multiple of this. */
export const OPPOSITE_SIDES = 64

/** Words and phrases by their stems, in unspaced scripts by their signs, and the sides that they take against others. */
export type Opposites = ReadonlyMap<string, readonly number[]>

const LOADED = Promise.resolve()

let lists: Readonly<Record<string, string>> | null = null
let loading: Promise<void> | null = null
const read = new Map<string, Opposites>()

/**
 * To be awaited before the sentences of a reply are checked: without it only the few rivals of the language packs are known.
 * Once an isolate; a failure is told to whoever waits, and the next one tries again.
 */
export function loadOpposites(): Promise<void> {
  if (lists !== null) return LOADED
  loading ??= loadOppositeLists()
    .then(({ OPPOSITES }) => {
      lists = OPPOSITES
    })
    .finally(() => {
      loading = null
    })
  return loading
}

/** The words of a language that exclude each other; null as long as none are loaded. */
export function oppositesOf(language: string): Opposites | null {
  if (lists === null) return null
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
    for (const [at, side] of text.split('/').entries()) {
      for (const word of side.split(',')) {
        const known = sides.get(word)
        if (known === undefined) sides.set(word, [group * OPPOSITE_SIDES + at])
        else known.push(group * OPPOSITE_SIDES + at)
      }
    }
  }
  return sides
}
