import { type FoldedText, foldText } from './fold-text'

/** A part of a passage's text, in the passage's own offsets. */
export interface Span {
  start: number
  end: number
}

const OPENING = /^(?:\s|["'“”„‚‘’«»‹›「『《]|\\"|\.{3}|…)+/u
const CLOSING = /(?:\s|["'“”‘’«»‹›」』》]|\\"|\.{3}|…)+$/u
const END_PUNCTUATION = /[\s.,;:!?。，；：！？、]+$/u
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORD = /[\p{L}\p{N}]/u
/** A quote this short must be whole words; a longer one cannot match by chance. */
const SHORT_QUOTE = 8
const MIN_LETTERS = 3
const MIN_WIDE_LETTERS = 2

/**
 * Finds a quote in a folded passage: as given, else without the quotation marks, ellipses or end punctuation around it.
 * Null when it is not there, or too short to mean anything.
 */
export function findQuote(passage: FoldedText, quote: string): Span | null {
  for (const variant of variantsOf(quote)) {
    const span = find(passage, foldText(variant).text.trim())
    if (span !== null) return span
  }
  return null
}

/** Whether the passage goes on like this: some longer quote that starts so could still be found. */
export function couldBeQuote(passage: FoldedText, start: string): boolean {
  return [start, start.replaceAll('\\"', '"').replace(OPENING, '')].some((variant) =>
    passage.text.includes(foldText(variant).text.trim()),
  )
}

function variantsOf(quote: string): Set<string> {
  const plain = quote.replaceAll('\\"', '"')
  const opened = plain.replace(OPENING, '')
  const bare = opened.replace(CLOSING, '')
  return new Set([
    quote,
    bare,
    plain.replace(CLOSING, ''),
    opened,
    bare.replace(END_PUNCTUATION, ''),
  ])
}

function find(passage: FoldedText, quote: string): Span | null {
  if (!isMeaningful(quote)) return null
  for (let at = passage.text.indexOf(quote); at >= 0; at = passage.text.indexOf(quote, at + 1)) {
    const end = at + quote.length
    if (quote.length >= SHORT_QUOTE || (isEdge(passage.text, at) && isEdge(passage.text, end)))
      return { start: passage.starts[at] ?? 0, end: passage.ends[end - 1] ?? 0 }
  }
  return null
}

/** Whether a word may begin or end between the characters around `at`. */
function isEdge(text: string, at: number): boolean {
  const before = text.charAt(at - 1)
  const after = text.charAt(at)
  return !WORD.test(before) || !WORD.test(after) || SPACELESS.test(before) || SPACELESS.test(after)
}

function isMeaningful(quote: string): boolean {
  const letters = quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters >= MIN_LETTERS || /\d/u.test(quote)) return true
  return letters >= MIN_WIDE_LETTERS && SPACELESS.test(quote)
}
