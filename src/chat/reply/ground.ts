import { isCommonWord } from '../../language/prior'
import type { Alignment } from './align'
import type { Cell } from './cells'
import { readForce } from './force'
import type { Lexicon } from './lexicon'
import type { Token } from './tokens'

/** Why a claim falls or stays open: the rule that said so. */
export type Reason =
  | 'figure'
  | 'name'
  | 'force'
  | 'limit'
  | 'content'
  | 'language'
  | 'order'
  | 'rival'
  | 'replaced'
  | 'none'

export interface Verdict {
  outcome: 'stands' | 'falls' | 'open'
  reason: Reason
  /** Share of the claim's content that the evidence holds, 0 to 1. */
  share: number
}

/** What a claim is held against: a sentence or two, with what always belongs to them. */
export interface Ground {
  tokens: readonly Token[]
  /** Heading, lead-in, header row: they prove words and figures, but have no place in the sentence. */
  context: readonly Token[]
  /** The whole passage, asked for rarely: a figure from there is open, not wrong. */
  passage: () => readonly Token[]
  /** Whether some place of the passage says this, word for word. */
  isSaid: (said: readonly Token[]) => boolean
  /** An item read together with its lead-in: which of the two is said first tells nothing. */
  isLed: boolean
  /** A list or a part of one: whose items they are, the lead-in's words alone tell. */
  isList: boolean
  /** Of a row that names its columns. */
  cells: readonly Cell[]
  /** Whether another row or list of the passage is of what a key names. */
  isOther: (key: string) => boolean
  /** Whether a claim is of another row or list of the passage, or says what another row says of what it names. */
  isOfOther: (claim: readonly Token[]) => boolean
  /** How many items the list has that it is: "three steps" is proven by three. */
  items: number | null
}

export interface ClaimFacts {
  tokens: readonly Token[]
  /** The claim's language is the evidence's. */
  sameLanguage: boolean
  lexicon: Lexicon | null
  /** Keys of the user's message. */
  asked: ReadonlySet<string>
}

/** Content that must be held for a claim to stand, and below which it falls. */
export const STANDS = 0.75

export const FALLS = 0.4

/** A rare word weighs more than an everyday one, a sign of an unspaced script less than a word. */
const WEIGHT = { rare: 2, common: 1, sign: 0.5, kana: 0.15 }

export function weightOf(token: Token, lexicon: Lexicon | null): number {
  if (token.kind === 'figure') return WEIGHT.rare
  if (token.light)
    return token.kind === 'sign' && /\p{Script=Hiragana}/u.test(token.word) ? WEIGHT.kana : 0
  if (token.kind === 'sign') return WEIGHT.sign
  if (lexicon?.leadsIn(token.word)) return 0
  return isCommonWord(token.key) ? WEIGHT.common : WEIGHT.rare
}

/** The run of tokens that are laid over the evidence together with this one. */
export function runAround(
  i: number,
  tokens: readonly Token[],
  { at }: Alignment,
): { from: number; to: number } {
  let from = i
  let to = i + 1
  if ((at[i] ?? -1) < 0) return { from, to }
  while (from > 0 && (at[from - 1] ?? -2) === (at[from] ?? -1) - 1) from--
  while (to < tokens.length && (at[to] ?? -2) === (at[to - 1] ?? -1) + 1) to++
  return { from, to }
}

/** Whether a claim says that something is not so. */
export function isDenied({ tokens, lexicon }: Pick<ClaimFacts, 'tokens' | 'lexicon'>): boolean {
  return readForce(tokens, lexicon).some(({ bits }) => (bits & 1) !== 0)
}
