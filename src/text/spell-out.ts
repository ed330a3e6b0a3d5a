import { foldText } from './fold'
import type { Reader } from './question-reader'

const WORD = /(?<![\p{L}\p{M}\p{N}_.@/'’-])[\p{L}\p{M}]{1,8}(?![\p{L}\p{M}\p{N}_@/'’-])/gu

/**
 * A text with what people write for a word in a chat or in their dialect as the lists have it: "q" is "que". Capitals are left,
 * since they name something. Pure.
 */
export function spellOut(text: string, { shorthand, unspaced }: Reader): string {
  if (shorthand.size === 0) return text
  if (unspaced)
    return [...shorthand].reduce((rest, [short, long]) => rest.replaceAll(short, long), text)
  return text.replaceAll(WORD, (word) => {
    const long = shorthand.get(foldText(word))
    return long === undefined || /\p{Lu}/u.test(word) ? word : long
  })
}
