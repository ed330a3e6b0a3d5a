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
