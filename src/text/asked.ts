import type { AskedKind } from '../language/pack'
import type { LatinMode } from './latin-language'

/** A word of a question that names something. */
export interface AskedTerm {
  /** Folded, as the user wrote it. */
  text: string
  /** The term itself and what is the same word: a typo's correction, another form. */
  words: readonly string[]
  /** Words that it is made of, as far as the texts have them. */
  parts: readonly string[]
  /** What means the same, and what visitors say for it: tokens of its own language; see `Thesaurus`. */
  synonyms: readonly string[]
  kin: readonly string[]
  /** How much of the question it is. */
  weight: number
  /** A name, a product, an identifier: when it is nowhere, the question is about something else. */
  name: boolean
  /** An everyday word of its language, which other texts hold too. */
  common: boolean
  /** An everyday verb. */
  verb: boolean
  unspaced: boolean
  /** Of the message before, not of this one. */
  leaned?: true
}

/** A part of a message that asks for one thing. */
export interface AskedClause {
  text: string
  /** A question mark stands behind it. */
  marked: boolean
  /** What the next clause of its sentence speaks of. */
  isTopic?: boolean
  /** Of the language pack that it was read by. */
  code: string
  terms: readonly AskedTerm[]
  /** What the same message tells before it asks ("the bot is silent, what now?"), where the clause leans on that. */
  told?: string
  kinds: ReadonlySet<AskedKind>
  /** How an instruction begins in its language. */
  purposes: readonly string[]
  /** How its Latin words are stemmed: a typo is one of its own language. */
  mode: LatinMode
}

export const LIGHT = 0.2

export const FIGURE = 0.8

/** What a synonym counts, and another form of the word. */
export const SAME_MEANING = 0.8

export const SAME_WORD = 0.95

/** Terms from here on name something. */
export const CONTENT = 1

export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

export const namesSomething = ({ weight, leaned }: AskedTerm): boolean =>
  !leaned && weight >= CONTENT
