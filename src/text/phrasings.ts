/** Another way to ask what stands under a heading: written by the author, searched with the section, never shown. */
export interface Phrasing {
  /** Where its heading begins in the passage's text. */
  at: number
  text: string
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
