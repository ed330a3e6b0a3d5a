/** A bookmark as the parser reports it. */
export interface PdfBookmark {
  title: string
  items: readonly PdfBookmark[]
}

/** How deep the bookmark of a heading stands, from 1; null for text that is none's. */
export type FindDepth = (text: string) => number | null

const MAX_TITLE = 250
/** A part's number, with what a part is called: "2.1", "Chapter 3.", "第 4 章". */
const NUMBER =
  /^(?:\p{L}+\s)?(?:[A-Z]|\d{1,3}|[IVX]{1,5})(?:\.\d+)*[.:)]?\s+|^第\s?\S{1,3}\s?[章节節部]\s*/u
/** Marks of a sentence, of which no heading is the end. */
const ENDS_TEXT = /[.,;。，；]$/u

/** Bookmarks name the headings of a document, also those that are set no larger than the text. */
export function findDepths(bookmarks: readonly PdfBookmark[]): FindDepth {
  const depths = new Map<string, number>()
  let level = [...bookmarks]
  for (let depth = 1; level.length > 0; depth++) {
    for (const { title } of level) {
      if (title.length > MAX_TITLE) continue
      for (const key of [makeKey(title), makeKey(title.replace(NUMBER, ''))])
        if (key.length > 1 && !depths.has(key)) depths.set(key, depth)
    }
    level = level.flatMap(({ items }) => items)
  }
  return (text) => {
    if (text.length > MAX_TITLE || depths.size === 0 || ENDS_TEXT.test(text)) return null
    return depths.get(makeKey(text)) ?? depths.get(makeKey(text.replace(NUMBER, ''))) ?? null
  }
}

const makeKey = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
