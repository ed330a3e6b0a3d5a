import { foldText } from './fold'
import { once } from './once'

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const WORD_SIGN = /[\p{L}\p{M}\p{N}]/u
/** What Arabic writes in one word with the next: and, so, by, like, to, the. */
const PROCLITICS = /^[وف]?(?:ال|بال|كال|لل|[بكل])?$/u
/** They are shorter than what is looked at before a word. */
const NEAR = 8

const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }))

/**
 * Whether a text holds a word (or some in a row), as its script tells words apart: by signs that belong to none, in Arabic
 * also behind the small words that are written with it, in Chinese and Japanese where the text's own words do not cut
 * through it. Case and accents do not count. Pure.
 */
export function holdsWord(text: string, word: string): boolean {
  const [where, what] = [foldText(text), foldText(word).trim()]
  if (what === '') return false
  for (let at = where.indexOf(what); at !== -1; at = where.indexOf(what, at + 1))
    if (isWhole(where, at, at + what.length)) return true
  return false
}

function isWhole(text: string, start: number, end: number): boolean {
  if (UNSPACED.test(text.slice(start, end))) return !isCut(text, start, end)
  if (WORD_SIGN.test(text.charAt(end))) return false
  const before =
    /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, start - NEAR), start))?.[0] ?? ''
  return before === '' || PROCLITICS.test(before)
}

/** "会员" is a word of "会员卡" and none of "委员会员工". */
function isCut(text: string, start: number, end: number): boolean {
  const bounds = new Set([text.length])
  for (const { index } of segmenter().segment(text)) bounds.add(index)
  if (bounds.has(start) && bounds.has(end)) return false
  return [...bounds].some((bound) => bound > start && bound < end)
}
