import type { MarkedToken, Token } from '../../text/markdown'

/** Stands for a line break that is meant, which no other reader of white space takes for a wrapped line. */
export const HARD_BREAK = '\u2028'

/** Marks that close no emphasis because a Chinese or Japanese sign stands where the rules want a space. */
const LEFT_MARKS = /\*\*|~~/g
const CODE_TAG = /^<\/?code\b/i
const CODE_END = /^<\/code\b/i
/** Code in brackets: a link of a code's documentation, whose target no file names. */
const CODE_LINK = /!?\[(`[^`[\]]+`)\](?:\[[^[\]]*\])?/g

/**
 * The words of running text: links and images become their text, emphasis and tags go. Code stays as it is, between single
 * backticks, by which an answer knows it for code.
 */
export const inlineText = (tokens: readonly Token[]): string =>
  wordsOf(tokens).replace(CODE_LINK, '$1')

function wordsOf(tokens: readonly Token[]): string {
  const count = (tag: RegExp) =>
    tokens.filter(({ type, raw }) => type === 'html' && tag.test(raw)).length
  const isPaired = count(CODE_TAG) === 2 * count(CODE_END)
  return (tokens as readonly MarkedToken[])
    .map((token) =>
      isPaired && token.type === 'html' && CODE_TAG.test(token.raw) ? '`' : wordsOfOne(token),
    )
    .join('')
}

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
