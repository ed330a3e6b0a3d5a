import type { Thesaurus } from '../language/thesaurus'

export { mendSigns } from './mend-signs'
export { readRussian } from './read-russian'

/** Letters in which another form of a word is longer or shorter. */
const ENDING = 3
/** Of a shorter stem one letter in place of another makes another word. */
const SHORT = 6

interface Words {
  stemOf(word: string): string
  /** Whether a word is another with a slip. */
  isMeant(word: string, other: string): boolean
}

/** The word of the language, or of another form than the passages have, that is meant where none of the passages' is. */
export function meantElsewhere(
  word: string,
  known: ReadonlyMap<string, number>,
  { synonyms, kin, small }: Thesaurus,
  { stemOf, isMeant }: Words,
): string | undefined {
  for (const one of slipsOf(word)) {
    const stem = stemOf(one)
    if (known.has(one) || small.has(one) || synonyms.has(stem) || kin.has(stem)) return one
  }
  const stem = stemOf(word)
  if (stem.length < SHORT) return undefined
  const near = [...known.keys()].filter(
    (one) => one[0] === word[0] && Math.abs(one.length - word.length) <= ENDING,
  )
  const stems = near.map(stemOf)
  if (stems.includes(stem)) return undefined
  const at = stems.findIndex((one) => isMeant(stem, one))
  if (at >= 0) return near[at]
  const ending = word.startsWith(stem) ? word.slice(stem.length) : ''
  for (const words of [synonyms, kin])
    for (const one of words.keys()) if (isMeant(stem, one)) return one + ending
  return [...small].find((one) => isMeant(word, one))
}

/** A word with two of its letters in each other's place, or one of a double letter left out. */
function* slipsOf(word: string): Generator<string> {
  for (let at = 1; at < word.length - 1; at++) {
    const [one, other] = [word.charAt(at), word.charAt(at + 1)]
    yield word.slice(0, at) + (one === other ? '' : other) + one + word.slice(at + 2)
  }
}
