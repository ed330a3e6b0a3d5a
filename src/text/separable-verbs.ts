import { foldText } from './fold'

/** A verb whose particle stands at the end of its sentence, and the words that it is written as elsewhere. */
export interface SplitVerb {
  verb: string
  particle: string
  joined: readonly string[]
}

/** A verb stands so early in a question, behind what asks. */
const LATEST = 3

/**
 * "Wie lade ich eine Datei hoch" says "hochladen": null where no particle ends the text, or none of the first words may be
 * its verb.
 */
export function splitVerb(
  text: string,
  particles: ReadonlySet<string>,
  isVerb: (word: string) => boolean,
): SplitVerb | null {
  if (particles.size === 0) return null
  const words = foldText(text).match(/\p{L}+/gu) ?? []
  const particle = words.at(-1)
  if (particle === undefined || !particles.has(particle)) return null
  const verb = words.slice(0, Math.min(LATEST, words.length - 1)).find(isVerb)
  if (verb === undefined) return null
  return { verb, particle, joined: ['', 'ge', 'zu'].map((infix) => particle + infix + verb) }
}
