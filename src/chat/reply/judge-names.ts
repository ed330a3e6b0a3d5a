import { isCommonWord } from '../../language/prior'
import type { Alignment } from './align'
import { type ClaimFacts, type Ground, isDenied, runAround } from './ground'
import { isCaseForm, isOpposite } from './held-tokens'
import type { Lexicon } from './lexicon'
import { segmentsOf } from './segments'
import { slotOf } from './slot'
import { isKatakana, type Token } from './tokens'

/** Tokens of a name that stands in another's place. */
const LONGEST_NAME = 4

/** Names and terms are in the evidence: one that is not falls, and so does one in another's place. */
export function judgeNames(
  claim: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  held: readonly number[],
  weights: readonly number[],
): 'stands' | 'falls' | 'open' {
  const { tokens, lexicon } = claim
  const wide = tokens.some((token) => token.kind === 'sign')
  if (wide) {
    const result = judgeSigns(claim, ground, alignment, held)
    if (result !== 'stands') return result
  }
  let open = false
  for (const [i, token] of tokens.entries()) {
    // At the start of a sentence every word has a capital; inside one, only names have, or every noun.
    if (token.kind !== 'word' || token.light || (weights[i] ?? 0) === 0) continue
    const slot = (held[i] ?? 0) >= 1 ? null : slotOf(i, i + 1, tokens, alignment, ground.tokens)
    if ((held[i] ?? 0) >= 1) {
      if (displaces(i, tokens, alignment, ground, lexicon)) open = true
      continue
    }
    if (ground.tokens.some(({ word }) => isOpposite(word, token.word))) {
      // "Leave that was not used" is "unused leave".
      if (!isDenied(claim)) return 'falls'
      open = true
    }
    if ((held[i] ?? 0) > 0) {
      // What only begins like a name may be another: "Mannheim" beside "Manning".
      if (token.capital && lexicon?.capitals === true && !isCaseForm(token, ground, lexicon))
        open = true
      continue
    }
    const rare = wide || !isCommonWord(token.key)
    // Among the letters of another script a Latin word with a capital is a name.
    const isForeign = lexicon?.latin === false && /^\p{Script=Latin}/u.test(token.word)
    const named = token.capital && (lexicon?.capitals === true || isForeign)
    const replaced = slot?.tight === true && slot.tokens.some((one) => isName(one, lexicon))
    const alike =
      token.capital && slot?.tight === true && slot.tokens.some((one) => one.capital && !one.light)
    if (claim.asked.has(token.key) && isDenied(claim)) open = true
    else if (named || (rare && wide)) return 'falls'
    // Where every noun has a capital, one that stands in no other's place may be a word for what is said there.
    else if (rare && token.capital && (lexicon === null || slot?.tight === true)) return 'falls'
    else if (rare || replaced || alike) open = true
  }
  return open ? 'open' : 'stands'
}

/** Whether a claim names what another row or list of the passage is of: "the Team plan" on the row of the Basic one. */
export function isOfAnother(
  { tokens }: ClaimFacts,
  ground: Ground,
  held: readonly number[],
): boolean {
  if (ground.isOfOther(tokens)) return true
  const own = new Set(ground.tokens.map(({ key }) => key))
  const isOther = (i: number) => {
    const { light, key = '' } = tokens[i] ?? {}
    return (held[i] ?? 0) < 0.5 && light === false && !own.has(key) && ground.isOther(key)
  }
  return tokens.some(
    (token, i) => isOther(i) && (token.kind !== 'sign' || isOther(i + 1) || isOther(i - 1)),
  )
}

const isName = (token: Token, lexicon: Lexicon | null) =>
  token.kind === 'word' &&
  !token.light &&
  ((lexicon?.capitals === true && token.capital) || !isCommonWord(token.key))

/** A name of the evidence in a place where the evidence has another one: "Alice pays Bob" turned round. */
function displaces(
  i: number,
  tokens: readonly Token[],
  alignment: Alignment,
  ground: Ground,
  lexicon: Lexicon | null,
): boolean {
  const token = tokens[i]
  if (token === undefined || !isName(token, lexicon)) return false
  const { from, to } = runAround(i, tokens, alignment)
  if (to - from > LONGEST_NAME) return false
  const at = alignment.at[from] ?? -1
  const left = from === 0 ? -1 : (alignment.at[from - 1] ?? -1)
  const right = to >= tokens.length ? ground.tokens.length : (alignment.at[to] ?? -1)
  const isBeside = (from > 0 && left >= 0) || (to < tokens.length && right >= 0)
  if (!isBeside || (from > 0 && left < 0) || right < 0) return false
  if (at < 0 || (at > left && at < right) || right <= left || right - left > LONGEST_NAME + 1)
    return false
  return ground.tokens.slice(left + 1, right).some((one) => isName(one, lexicon))
}

const LEAST_RUN = 2

const LEAST_KATAKANA = 3

/** Signs of an unspaced script that the evidence has not: everyday words, or a name. */
function judgeSigns(
  claim: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  held: readonly number[],
): 'stands' | 'falls' | 'open' {
  const { tokens, lexicon } = claim
  const names = judgeKatakana(claim, ground, alignment)
  if (names === 'falls') return 'falls'
  let open = names === 'open'
  for (let i = 0; i < tokens.length; ) {
    let end = i
    while (end < tokens.length && tokens[end]?.kind === 'sign' && (held[end] ?? 0) < 1) end++
    const isUnit =
      tokens[i - 1]?.figure?.unit != null &&
      lexicon?.units.has(wordsOf(tokens.slice(i, end))) === true
    if (end - i >= LEAST_RUN && !isUnit) {
      const text = wordsOf(tokens.slice(i, end))
      const slot = slotOf(i, end, tokens, alignment, ground.tokens)
      const novel = rareSigns(text, lexicon, isPlain)
      const unlisted = rareSigns(text, lexicon, isListed)
      // A row has its words in any order: none stands in another's place.
      const isRow = ground.cells.length > 1
      const instead =
        slot?.tight === true && !isRow
          ? rareSigns(wordsOf(slot.tokens), lexicon, isListed) >= LEAST_RUN
          : null
      const says = tokens.slice(i, end).some(({ light }) => !light)
      // What the passage says of something else is no other word for this.
      const isBeside = says && ground.isSaid(tokens.slice(i, end))
      const asked = tokens.slice(i, end).every((token) => claim.asked.has(token.key))
      if (novel >= LEAST_RUN && asked && isDenied(claim)) open = true
      else if (instead === true && novel === LEAST_RUN && !isBeside && isAlike(text, slot))
        open = true
      else if (novel > LEAST_RUN || (instead === true && (novel > 0 || isBeside))) return 'falls'
      else if (unlisted >= LEAST_RUN || (instead === true && (says || unlisted > 0))) open = true
    }
    i = Math.max(end, i + 1)
  }
  return open ? 'open' : 'stands'
}

/**
 * What is spelt in katakana is a name or a loanword, and stands in the evidence as one: its signs here and there do not make
 * it. In the place of another it is wrong.
 */
function judgeKatakana(
  { tokens, lexicon }: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
): 'stands' | 'falls' | 'open' {
  const spelt = wordsOf([...ground.tokens, ...ground.context])
  let open = false
  for (let i = 0; i < tokens.length; ) {
    let end = i
    while (end < tokens.length && isKatakana(tokens[end])) end++
    const name = wordsOf(tokens.slice(i, end)).replace(/ー$/u, '')
    const isSpelt = (part: string) => spelt.includes(part)
    const isJoined = Array.from(name, (_, at) => at).some(
      (at) => at >= 2 && isSpelt(name.slice(0, at)) && isSpelt(name.slice(at)),
    )
    // A figure's unit was judged with the figure ("20パーセント", "25平方メートル").
    const isUnit = [1, 3].some(
      (before) =>
        tokens[i - before]?.figure != null &&
        lexicon?.units.has(wordsOf(tokens.slice(i - before + 1, end))) === true,
    )
    if (
      !isUnit &&
      name.length >= LEAST_KATAKANA &&
      !isSpelt(name) &&
      !isJoined &&
      !segmentsOf(name).every(isSpelt)
    ) {
      const slot = slotOf(i, end, tokens, alignment, ground.tokens)
      if (slot?.tight === true && slot.tokens.some((one) => !one.light)) return 'falls'
      open = true
    }
    i = Math.max(end, i + 1)
  }
  return open ? 'open' : 'stands'
}

/** "喝水" for "饮水": what shares a sign with what it stands for may be another word for it. */
const isAlike = (text: string, slot: { tokens: readonly Token[] } | null): boolean =>
  slot?.tokens.some(({ word, light }) => !light && text.includes(word)) === true

const wordsOf = (tokens: readonly Token[]) => tokens.map((token) => token.word).join('')

type Known = (word: string, lexicon: Lexicon | null) => boolean

/** How many signs of a text belong to no everyday word: single signs in a row spell a foreign name. */
function rareSigns(text: string, lexicon: Lexicon | null, isKnown: Known): number {
  let rare = 0
  let singles = 0
  for (const segment of segmentsOf(text)) {
    const { length } = [...segment]
    if (length === 1 && !isSmall(segment, lexicon)) {
      singles++
      continue
    }
    if (singles >= LEAST_RUN) rare += singles
    singles = 0
    if (!isKnown(segment, lexicon)) rare += length
  }
  return rare + (singles >= LEAST_RUN ? singles : 0)
}

const isSmall: Known = (word, lexicon) =>
  lexicon?.functionWords.has(word) === true ||
  lexicon?.leadsIn(word) === true ||
  /^\p{Script=Hiragana}+$/u.test(word)

const isListed: Known = (word, lexicon) => isSmall(word, lexicon) || isCommonWord(word)

/** No name, though no list of words has it: what has a force ("最多"), one of a unit ("一天"), or made of listed words ("也可以"). */
const isPlain: Known = (word, lexicon) =>
  isListed(word, lexicon) ||
  lexicon?.forceAt([...word], 0)?.length === word.length ||
  (word.startsWith('一') && lexicon?.units.has(word.slice(1)) === true) ||
  (word.length > LEAST_RUN &&
    [1, 2].some((cut) => isCommonWord(word.slice(0, cut)) && isCommonWord(word.slice(cut))))
