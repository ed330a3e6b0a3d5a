import type { MarkedToken, Token } from '../../text/markdown'
import { endsInFigure, raiseFigures } from './raise-figures'

/** Stands for a line break that is meant, which no other reader of white space takes for a wrapped line. */
export const HARD_BREAK = '\u2028'

/** Marks that close no emphasis because a Chinese or Japanese sign stands where the rules want a space. */
const LEFT_MARKS = /\*\*|~~/g
const CODE_TAG = /^<\/?code\b/i
const CODE_END = /^<\/code\b/i
/** Around what stands above the line, and what says how a word is read. */
const RAISED_TAG = /^<\/?sup\b/i
const READING_TAG = /^<\/?r[tp]\b/i
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
  const parts: string[] = []
  let isRaised = false
  let isReading = false
  for (const token of tokens as readonly MarkedToken[]) {
    const tag = token.type === 'html' ? token.raw : ''
    const opens = !tag.startsWith('</')
    if (RAISED_TAG.test(tag)) isRaised = opens && endsInFigure(parts.at(-1) ?? '')
    if (READING_TAG.test(tag)) isReading = opens
    if (isReading) continue
    const words = isPaired && CODE_TAG.test(tag) ? '`' : wordsOfOne(token)
    if (words !== '') parts.push(isRaised ? raiseFigures(words) : words)
  }
  return parts.join('')
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
