const EXTENSION = /\.[a-z0-9]{1,5}$/iu
/** Words of a name; numbers and short codes tell nothing and would weigh as much as a title's words. */
const WORD = /\p{L}{2,}/gu
const MAX_WORDS = 12

/** A document's title as it is searched: with the words of its file's name or path that the title lacks. */
export function searchTitle(title: string, name: string): string {
  const known = title.toLowerCase()
  const words = name.replace(EXTENSION, '').match(WORD) ?? []
  const added = [...new Set(words)].filter((word) => !known.includes(word.toLowerCase()))
  return [title, ...added.slice(0, MAX_WORDS)].join(' ')
}
