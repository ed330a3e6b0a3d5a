import { foldText } from './fold'

/** Another way to ask what stands under a heading: written by the author, searched with the section, never shown. */
export interface Phrasing {
  /** Where its heading begins in the passage's text. */
  at: number
  text: string
}

/** Two questions that are so alike, and name the same things, are one. */
export const SAME_QUESTION = 0.6

/** How alike two questions are said: of all words of both, the share that both have, 0 to 1 (Jaccard). */
export function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const token of one) if (other.has(token)) shared++
  return shared === 0 ? 0 : shared / (one.size + other.size - shared)
}

/** Whether a message is one of them, word for word: small words alone ("what's all this") are asked so, too. */
export function isPhrasing(message: string, { text }: Phrasing): boolean {
  const plain = plainOf(message)
  return plain !== '' && plain === plainOf(text)
}

const plainOf = (text: string): string =>
  foldText(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** One in each line behind its place, as they are stored with a passage; null for none. */
export const writePhrasings = (phrasings: readonly Phrasing[]): string | null =>
  phrasings.map(({ at, text }) => `${at}\t${text}`).join('\n') || null

/** The inverse of `writePhrasings`. */
export function readPhrasings(stored: string | null | undefined): Phrasing[] {
  return (stored?.split('\n') ?? []).map((line) => {
    const [at = '', text = ''] = line.split('\t')
    return { at: Number(at), text }
  })
}
