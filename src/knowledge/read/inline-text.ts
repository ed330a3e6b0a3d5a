import type { MarkedToken, Token } from '../../text/markdown'

/** Stands for a line break that is meant, which no other reader of white space takes for a wrapped line. */
export const HARD_BREAK = '\u2028'

/** Marks that close no emphasis because a Chinese or Japanese sign stands where the rules want a space. */
const LEFT_MARKS = /\*\*|~~/g
/** Code in brackets: a link of a code's documentation, whose target no file names. */
const CODE_LINK = /!?\[(`[^`[\]]+`)\](?:\[[^[\]]*\])?/g

/**
 * The words of running text: links and images become their text, emphasis and tags go. Code stays as it is, between single
 * backticks, by which an answer knows it for code.
 */
export const inlineText = (tokens: readonly Token[]): string =>
  wordsOf(tokens).replace(CODE_LINK, '$1')

const wordsOf = (tokens: readonly Token[]): string =>
  (tokens as readonly MarkedToken[]).map(wordsOfOne).join('')

function wordsOfOne(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return token.text.replace(LEFT_MARKS, '')
    case 'codespan':
      return token.text.trim() === '' ? token.raw : `\`${token.text.trim()}\``
    case 'br':
      return HARD_BREAK
    case 'html':
      return /^<br\b/i.test(token.text) ? ' ' : ''
    case 'escape':
    case 'image':
      return token.text
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return wordsOf(token.tokens)
    default:
      return token.raw
  }
}
