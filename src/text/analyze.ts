import { foldText } from './fold'
import { detectLatinMode, type LatinMode } from './latin-language'
import { once } from './once'
import { stemWord } from './stem'

/** Scripts written without spaces, indexed by characters and pairs (Hangul too: its particles stick to the word). */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々〆〇'
const WORD = `[[\\p{L}\\p{M}]--[${UNSPACED}]]`
const RUNS = new RegExp(`([${UNSPACED}]+)|(${WORD}+|\\p{N}+(?:[.,]\\p{N}+)*${WORD}*)`, 'gv')
/** The same of text that has neither accents nor other scripts: an eighth of the time. */
const ASCII_RUNS = /[a-z]+|[0-9]+(?:[.,][0-9]+)*[a-z]*/gi
const ASCII = /^[ -~\s]*$/
const GRAM = 4

const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** One word of a text, or one run of unspaced script, folded. */
export interface Run {
  text: string
  unspaced: boolean
}

/** Cuts a text into words and unspaced runs. A number keeps its decimals: 1,000.5 is one word. */
export function splitRuns(text: string): Run[] {
  return runsOf(foldText(text))
}

/** `splitRuns` of a text that is folded already. */
export function runsOf(folded: string): Run[] {
  if (ASCII.test(folded)) {
    return (folded.match(ASCII_RUNS) ?? []).map((text) => ({ text, unspaced: false }))
  }
  const runs: Run[] = []
  for (const match of folded.matchAll(RUNS)) {
    if (match[1] !== undefined) runs.push({ text: match[1], unspaced: true })
    else if (match[2] !== undefined) runs.push({ text: match[2], unspaced: false })
  }
  return runs
}

/** Begins where a run of letters does, so that a long one without a join is read once. */
const COMPOUND = /(?<!\p{L})\p{L}+(?:[-‐.]\p{L}+)+/gu

/** "Wi-Fi", "Node.js" and "e-mail" as others write them: in one word, folded. */
export function compounds(text: string): string[] {
  return (text.match(COMPOUND) ?? []).map((word) => foldText(word).replaceAll(/[-‐.]/gu, ''))
}

/** Their tokens in the word index. */
export const compoundTokens = (text: string, mode: LatinMode): string[] =>
  compounds(text).map((word) => wordToken(word, mode))

/** The mode for a text's Latin words; see `detectLatinMode`. */
export function detectMode(text: string): LatinMode {
  return detectLatinMode(foldText(text))
}

/**
 * A text's tokens in the word index, in order: stems of words, and of runs of unspaced script the characters and
 * overlapping pairs.
 */
export function wordTokens(text: string, mode: LatinMode = detectMode(text)): string[] {
  return runTokens(splitRuns(text), mode)
}

/** As `wordTokens`, of a text that is cut already. */
export function runTokens(runs: readonly Run[], mode: LatinMode): string[] {
  const tokens: string[] = []
  for (const run of runs) {
    if (run.unspaced) tokens.push(...pairTokens(run.text))
    else tokens.push(wordToken(run.text, mode))
  }
  return tokens
}

/** A word's token in the word index: its stem. */
export function wordToken(word: string, mode: LatinMode): string {
  return safe(stemWord(word, mode))
}

/** Tokens of a run of unspaced script in the word index: its characters, each with the pair that it begins. */
export function pairTokens(run: string): string[] {
  const characters = [...run]
  const tokens: string[] = []
  for (let i = 0; i < characters.length; i++) {
    const here = characters[i] ?? ''
    tokens.push(here)
    if (i + 1 < characters.length) tokens.push(here + (characters[i + 1] ?? ''))
  }
  return tokens
}

/** Tokens of a run of unspaced script in the letter index: `_word` for each word that the platform's segmenter finds. */
export function segmentTokens(run: string): string[] {
  const tokens: string[] = []
  for (const part of segmenter().segment(run)) tokens.push(`_${part.segment}`)
  return tokens
}

/** Tokens of any other word in the letter index: the 4-grams of `_word_`. */
export function gramTokens(word: string): string[] {
  const padded = [...`_${safe(word)}_`]
  if (padded.length <= GRAM) return [padded.join('')]
  const tokens: string[] = []
  for (let i = 0; i + GRAM <= padded.length; i++) tokens.push(padded.slice(i, i + GRAM).join(''))
  return tokens
}

/** The index's tokenizer keeps letters, digits, marks and `_` only. */
function safe(word: string): string {
  return word.includes('.') || word.includes(',') ? word.replace(/[.,]/g, '_') : word
}
