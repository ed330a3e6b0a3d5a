import { isCommonWord } from '../language/prior'
import { thesaurusOf } from '../language/thesaurus'
import { wordToken } from './analyze'
import { leanToTraditional } from './chinese-script'
import { foldText } from './fold'
import { isFunctionWord } from './latin-language'
import { type Reader, readerFor } from './question-reader'
import { slips } from './slips'
import { spellOut } from './spell-out'
import { isSlipOf, isTypoOf } from './typos'

/** A word beside signs of a script without spaces is one by itself. */
const LETTER = '[[\\p{L}\\p{M}]--[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}]]'
const WORD = new RegExp(
  `(?<!${LETTER}|[\\p{N}_.@\\/'’\\-])${LETTER}{4,}(?!${LETTER}|[\\p{N}_@\\/'’\\-])`,
  'gv',
)
/** Of a shorter word one letter in place of another makes another word. */
const SHORT = 6
/** Letters at its end in which a word differs from another form of it. */
const ENDING = 2
/** Words of a message that are looked up; a hostile one has many that nobody knows. */
const MOST = 4
/** …and words of it that are looked at. */
const MOST_READ = 100
const MOST_LETTERS = 30

interface Said {
  title: string
  heading: string | null
  phrasings?: string | null
  text: string
}

/**
 * A message with its slips of the pen mended: a word that neither its language nor the passages found know is the small word
 * of its language, or the word of the passages, or else a light one, that is a typo away. Search finds by letters what gate and answerer compare
 * word by word.
 * @param words of the passages, folded; asked for only where a word is not known
 * @param said all that the passages say; asked for only by a Chinese message
 */
export function mendTypos(
  message: string,
  words: () => Iterable<string>,
  reader: Reader = readerFor(message),
  said: () => string = () => '',
): string {
  const { code, mode } = reader
  let known: Map<string, number> | null = null
  let sought = 0
  let read = 0
  const text = mendSigns(spellOut(message, reader), said, reader)
  return text.replaceAll(WORD, (written, at: number) => {
    if (++read > MOST_READ || sought > MOST) return written
    const word = foldText(written)
    if (isNoWord(written, at, text) || word.length > MOST_LETTERS) return written
    if (isKnown(word, reader)) return written
    known ??= countWords(words())
    if (known.has(word) || ++sought > MOST) return written
    const small = [...reader.dropped].find((one) => isMeant(word, one))
    if (small !== undefined) return small
    let meant = written
    let most = 0
    for (const [one, count] of known)
      if (count > most && !isForm(word, one) && isMeant(word, one)) {
        meant = one
        most = count
      }
    if (most > 0) return meant
    // "Are dogs alowed": a word that hardly names anything, where no passage has one like it.
    const light = word.length < SHORT ? [] : [...reader.light]
    return (
      light.find((one) => isMeant(word, one)) ??
      slips()?.meantElsewhere(word, known, thesaurusOf(code), {
        stemOf: (one) => wordToken(one, mode),
        isMeant,
      }) ??
      written
    )
  })
}

/** All that a passage says, as it is written. */
export const saidIn = ({ title, heading, phrasings, text }: Said): string =>
  `${title} ${heading ?? ''} ${phrasings ?? ''} ${text}`

const mendSigns = (text: string, said: () => string, { code, dropped }: Reader): string =>
  (code.startsWith('zh') &&
    slips()?.mendSigns(text, said(), {
      lean: leanToTraditional,
      isSmall: (word) => dropped.has(word),
    })) ||
  text

/** Names of other things, and shorthand. */
const isNoWord = (written: string, at: number, message: string): boolean =>
  /\p{L}\p{Lu}/u.test(written) ||
  (/^\p{Lu}/u.test(written) &&
    written.length < SHORT &&
    /\p{Ll}\P{L}+$/u.test(message.slice(Math.max(0, at - MOST_LETTERS), at)))

/** Whether a language has a folded word. Stemming costs most, so it comes last. */
export function isKnown(word: string, { code, mode, dropped, light }: Reader): boolean {
  if (isFunctionWord(word) || dropped.has(word) || light.has(word) || isCommonWord(word))
    return true
  const stem = wordToken(word, mode)
  const { synonyms, kin, small } = thesaurusOf(code)
  return isCommonWord(stem) || small.has(word) || synonyms.has(stem) || kin.has(stem)
}

function countWords(words: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Another ending is another form of the word, which is told by its stem; what ends alike is no other form. */
function isForm(word: string, other: string): boolean {
  let at = 0
  while (at < word.length && word[at] === other[at]) at++
  const [rest, otherRest] = [word.slice(at), other.slice(at)]
  return Math.max(rest.length, otherRest.length) <= ENDING && rest.at(-1) !== otherRest.at(-1)
}

function isMeant(word: string, other: string): boolean {
  if (word[0] !== other[0] || Math.abs(word.length - other.length) > 1) return false
  if (other.length < SHORT - 1 && other.length <= word.length) return isSlipOf(word, other)
  if (!isTypoOf(word, other)) return false
  return word.length >= SHORT || other.length !== word.length || isSlipOf(word, other)
}
