import { isCommonWord } from '../language/prior'
import { gramTokens, pairTokens, segmentTokens, splitRuns, wordToken } from '../text/analyze'
import type { LatinMode } from '../text/latin-language'
import { inAllDigits } from '../text/plain-digits'
import { readerFor } from '../text/question-reader'
import { findSplitVerb } from '../text/read-clause'
import { romanise } from '../text/transliterate'

/** A question prepared for both indexes. */
export interface QueryTerms {
  /** For the word index: one entry per distinct word or character (pair), with its forms in every mode of the base. */
  words: string[][]
  /** Pairs of adjacent words, outside unspaced scripts. */
  phrases: [string, string][]
  /** For the letter index: distinct tokens. */
  letters: string[]
  /** Whether most of `words` are characters and pairs of unspaced script. */
  unspaced: boolean
  /** Tokens of words that name nothing ("how do I"). */
  small: ReadonlySet<string>
  /** Those of everyday words that hardly name anything ("set up"). */
  light: ReadonlySet<string>
}

/** Document frequencies and the number of passages they were counted in. */
export interface Frequencies {
  passages: number
  of(token: string): number
}

/** Above this many passages frequent terms are dropped earlier, because they cost time and no longer help. */
const LARGE_BASE = 5000
const SMALL_BASE_CUT = 0.5
const LARGE_BASE_CUT = 0.2
const KEPT_TERMS = 2
const RAREST = 3
const LEAST_NAME = 3

/** Prepares a question for a base whose Latin-script passages were prepared in `modes`. */
export function analyzeQuery(text: string, modes: readonly LatinMode[]): QueryTerms {
  const words = new Map<string, string[]>()
  const letters = new Set<string>()
  const phrases = new Map<string, [string, string]>()
  let before: string[] | null = null
  let pairs = 0
  const small = new Set<string>()
  const light = new Set<string>()
  const reader = readerFor(text)
  const split = modes.includes('german') ? findSplitVerb(text) : null
  for (const run of splitRuns(text)) {
    if (run.unspaced) {
      for (const token of pairTokens(run.text)) {
        words.set(token, [token])
        pairs++
      }
      for (const token of segmentTokens(run.text)) letters.add(token)
      before = null
      continue
    }
    const forms = modes.map((mode) => wordToken(run.text, mode))
    // A name that stands in the base as it is written where it comes from, a verb in one word, a number in other digits.
    const other =
      run.text === split?.verb
        ? split.joined
        : [...nameIn(run.text, modes), ...inAllDigits(run.text, text)]
    const distinct = [
      ...new Set([
        ...forms,
        ...other.flatMap((word) => modes.map((mode) => wordToken(word, mode))),
      ]),
    ]
    for (const word of other) for (const token of gramTokens(word)) letters.add(token)
    words.set(distinct.join(' '), distinct)
    const said = reader.dropped.has(run.text) ? small : reader.light.has(run.text) ? light : null
    for (const form of forms) said?.add(form)
    for (const token of gramTokens(run.text)) letters.add(token)
    if (before) {
      for (const [i, form] of forms.entries()) {
        const last = before[i]
        if (last !== undefined) phrases.set(`${last} ${form}`, [last, form])
      }
    }
    before = forms
  }
  return {
    words: [...words.values()],
    phrases: [...phrases.values()],
    letters: [...letters],
    unspaced: pairs > words.size / 2,
    small,
    light,
  }
}

/**
 * What of a question passages are compared with: words that name something, and pairs that one of them is in. Small words
 * weigh little by themselves where all passages have them; in a base of several languages, or beside questions that authors
 * wrote down, "how do I" would outweigh the name behind it. Where the base lacks a named word, all help to find what is meant.
 * @param tokens of the question's words, without those that are too frequent
 */
export function termsAsked(
  { words, phrases, small, light }: QueryTerms,
  tokens: readonly string[],
  { of }: Pick<Frequencies, 'of'>,
): Pick<QueryTerms, 'words' | 'phrases'> & { tokens: readonly string[] } {
  const named = words.filter((forms) => !forms.some((form) => small.has(form)))
  const isAll = named.every((forms) => forms.some((form) => of(form) > 0))
  if (named.length === 0 || !isAll) return { words, tokens, phrases }
  const isName = (token: string) => !small.has(token) && !light.has(token)
  return {
    words: named,
    tokens: tokens.filter((token) => !small.has(token)),
    phrases: phrases.filter((pair) => pair.some(isName)),
  }
}

/** How a rare Cyrillic word is written in Latin letters. */
function nameIn(word: string, modes: readonly LatinMode[]): string[] {
  const latin = romanise(word)
  const [mode] = modes
  if (latin === null || mode === undefined || latin.length < LEAST_NAME) return []
  return isCommonWord(wordToken(word, mode)) ? [] : [latin]
}

/**
 * Robertson's idf, kept positive as in Lucene: ln(1 + (N − df + ½) / (df + ½)).
 */
export function inverseFrequency(passages: number, frequency: number): number {
  return Math.log(1 + (Math.max(passages - frequency, 0) + 0.5) / (frequency + 0.5))
}

/**
 * What a term of a question weighs when passages are compared with it: its idf, but a term nobody wrote counts no more
 * than one of three passages. Uncapped, a single unknown word outweighed everything that was found.
 */
export function termWeight(passages: number, frequency: number): number {
  return inverseFrequency(passages, Math.max(frequency, RAREST))
}

/** Drops terms that are in too many passages to tell them apart, unless fewer than two would stay. */
export function dropFrequent(tokens: readonly string[], frequencies: Frequencies): string[] {
  const { passages } = frequencies
  const most = passages * (passages > LARGE_BASE ? LARGE_BASE_CUT : SMALL_BASE_CUT)
  const kept = tokens.filter((token) => frequencies.of(token) <= most)
  return kept.length >= Math.min(KEPT_TERMS, tokens.length) ? kept : [...tokens]
}

/**
 * As `dropFrequent`, for frequencies that are known of every token: when nothing of what stays is written anywhere (a base of
 * few passages, where every word is in half of them), all tokens stay.
 */
export function dropFrequentKnown(
  tokens: readonly string[],
  frequencies: Frequencies,
): readonly string[] {
  const kept = dropFrequent(tokens, frequencies)
  return kept.some((token) => frequencies.of(token) > 0) ? kept : tokens
}

/** One FTS5 MATCH expression: every token quoted, joined with OR, phrases of two tokens after them. */
export function buildMatch(
  tokens: readonly string[],
  phrases: readonly (readonly [string, string])[] = [],
): string {
  const parts = tokens.map(quote)
  for (const [first, second] of phrases) parts.push(quote(`${first} ${second}`))
  return parts.join(' OR ')
}

function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}
