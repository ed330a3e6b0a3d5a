/** What a reply is made of, as the page shows it: a text, or an element by its tag. */
export interface Part {
  tag: string
  /** An address, the number of a citation or a list's first item, a language; of a task, whether it is done. */
  value?: string | number | boolean
  parts: Item[]
}

export type Item = string | Part

export const wordsOf = (item: Item): string =>
  typeof item === 'string' ? item : item.parts.map(wordsOf).join('')
