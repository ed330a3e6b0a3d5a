import { once } from '../../text/once'
import { type Alignment, align, indexKeys } from './align'
import { turnsCases } from './cases'
import { judgeCauses, turnsSteps } from './causes'
import { isMarkedNo, judgeCells } from './cells'
import { sameUnit } from './figures'
import { compareForce, readForce, takesDenied, turnsRound } from './force'
import {
  type ClaimFacts,
  FALLS,
  type Ground,
  isDenied,
  type Reason,
  STANDS,
  type Verdict,
  weightOf,
} from './ground'
import { holding, isOpposite } from './held-tokens'
import { judgeClauses } from './judge-clauses'
import { holdMeasures, judgeFigures } from './judge-figures'
import { isOfAnother, judgeNames } from './judge-names'
import type { Lexicon } from './lexicon'
import { dropsLimit } from './limits'
import { judgeOrder } from './order'
import { holdMeant, weighSaying } from './other-words'
import { cutsPhrase, movesSubject } from './phrases-cut'
import { judgeReplaced } from './replaced'
import { judgeRivals, opposes } from './rivals'
import { dropsFigure, skipsSubject } from './skips'
import type { Token } from './tokens'

/** Of a few words two may be there by chance. */
const SHORT = 5

const FALLS_SHORT = 0.6

/** What is of a list says so in its lead-in's words: with any others it may be of another one. */
const LIST = { short: 0.7, long: 0.5 }

/** The rules of the check, in their order: figures, names, force, content. */
export function judge(claim: ClaimFacts, ground: Ground): Verdict {
  const { tokens } = claim
  const weights = tokens.map((token) => weightOf(token, claim.lexicon))
  const known = new Set(ground.context.map((token) => token.key))
  const alignment = align(tokens, ground.tokens, indexKeys(ground.tokens))
  const said = readForce(tokens, claim.lexicon)
  const there = readForce(ground.tokens, claim.lexicon)
  const dropsLimitation = () =>
    ground.cells.length < 2 &&
    dropsLimit(said, there, alignment, tokens, ground.tokens, claim.lexicon)
  const isRecast = () => turnsCases(tokens, ground.tokens, alignment, claim.lexicon)
  if (isVerbatim(tokens, alignment, ground, weights, claim.lexicon)) {
    const isOther = ({ word }: Token, i: number) => {
      const there = ground.tokens[alignment.at[i] ?? -1]
      return there !== undefined && there.word !== word
    }
    if (tokens.some(isOther) && isRecast()) return verdict('open', 'order', 1)
    return dropsLimitation() ? verdict('open', 'limit', 1) : verdict('stands', 'none', 1)
  }
  const held = tokens.map((token, i) => holding(token, i, alignment, ground, known, claim.lexicon))
  holdMeasures(tokens, ground, held, claim.lexicon)
  const share = shareOf(weights, held)

  const inCells = ground.cells.length > 1 ? judgeCells(tokens, ground.cells, claim.lexicon) : null
  const laid =
    inCells === null || inCells === 'open' ? judgeFigures(claim, ground, alignment, held) : inCells
  // A row has its figures in any order: where each is some column's, what stands around it tells nothing.
  const figures = inCells === 'open' && laid === 'falls' ? 'open' : laid
  if (figures === 'falls') return verdict('falls', 'figure', share)
  if (!claim.sameLanguage) return verdict('open', 'language', share)
  const names = judgeNames(claim, ground, alignment, held, weights)
  if (names === 'falls') return verdict('falls', 'name', share)
  const meant = holdMeant(tokens, ground, held, claim.lexicon)
  const saying = weighSaying(weights, said, there)
  const isShort = saying.filter((weight) => weight > 0).length < SHORT
  const isHeld = ground.isList
    ? share >= (isShort ? LIST.short : LIST.long)
    : shareOf(saying, meant) >= (isShort ? FALLS_SHORT : FALLS)
  if (!isHeld) return verdict('falls', 'content', share)
  if (isOfAnother(claim, ground, held)) return verdict('falls', 'name', share)
  const clauses = judgeClauses(claim, ground, alignment, saying, meant)
  if (clauses === 'falls') return verdict('falls', 'content', share)
  // "Days that were not used" are "unused days", whatever else was used.
  const isTurned = () =>
    tokens.some(({ word, light }, i) => {
      const laid = ground.tokens[alignment.at[i] ?? -1]
      return (
        !light &&
        ground.tokens.some((there) => there.clause !== laid?.clause && isOpposite(there.word, word))
      )
    })
  const isOpposed = once(() => opposes(tokens, ground.tokens, alignment, claim.lexicon))
  // A sign that says no is no word that denies.
  const isNo = isMarkedNo(tokens, ground.cells)
  const force =
    isNo && isDenied(claim)
      ? 'stands'
      : compareForce(said, there, alignment, tokens, ground.tokens, isOpposed)
  const isListedDenied = () =>
    ground.cells.length < 2 && takesDenied(said, there, alignment, tokens, ground.tokens)
  const order = judgeOrder(tokens, ground.tokens, alignment, claim.lexicon)
  // "B costs less than A" is "A costs more than B".
  const isExchanged = order !== 'stands' && isOpposed()
  if (force === 'falls' && !isTurned() && !isExchanged) return verdict('falls', 'force', share)
  const causes = judgeCauses(tokens, ground.tokens, alignment, claim.lexicon)
  if (causes === 'falls' || turnsSteps(tokens, ground.tokens, alignment, claim.lexicon))
    return verdict('falls', 'order', share)
  if (order === 'falls' && !isExchanged) return verdict('falls', 'order', share)
  const rivals = judgeRivals(tokens, ground.tokens, alignment, claim.lexicon)
  // "B is smaller than A" is "A is larger than B": what changed places may say the same by the opposite word.
  const isRound =
    rivals === 'falls' && turnsRound(said, there, alignment, tokens, ground.tokens, isOpposed)
  if (rivals === 'falls' && order === 'stands' && !isRound) return verdict('falls', 'rival', share)
  const replaced = judgeReplaced(
    tokens,
    { tokens: ground.tokens, known, isRow: ground.cells.length > 1, isSaid: ground.isSaid },
    alignment,
    weights,
    claim.lexicon,
  )
  if (replaced === 'falls' && order === 'stands') return verdict('falls', 'replaced', share)
  if (rivals !== 'stands') return verdict('open', 'rival', share)
  if (figures === 'open') return verdict('open', 'figure', share)
  if (names === 'open') return verdict('open', 'name', share)
  if (force !== 'stands' || (isNo && !isDenied(claim)) || isListedDenied())
    return verdict('open', 'force', share)
  if (order !== 'stands' || causes === 'open') return verdict('open', 'order', share)
  if (isRecast()) return verdict('open', 'order', share)
  if (dropsLimitation()) return verdict('open', 'limit', share)
  if (ground.cells.length < 2 && skipsSubject(tokens, ground.tokens, alignment, claim.lexicon))
    return verdict('open', 'order', share)
  const isSentence = ground.cells.length < 2 && !ground.isLed
  if (isSentence && movesSubject(tokens, ground.tokens, alignment, claim.lexicon))
    return verdict('open', 'order', share)
  if (
    isSentence &&
    (cutsPhrase(tokens, ground.tokens, alignment, claim.lexicon) ||
      dropsFigure(tokens, ground.tokens, alignment))
  )
    return verdict('open', 'limit', share)
  if (clauses === 'open') return verdict('open', 'content', share)
  // A row has its words in any order.
  if (replaced === 'open' && ground.cells.length < 2) return verdict('open', 'replaced', share)
  return share >= STANDS ? verdict('stands', 'none', share) : verdict('open', 'content', share)
}

const verdict = (outcome: Verdict['outcome'], reason: Reason, share: number): Verdict => ({
  outcome,
  reason,
  share,
})

/** Word for word a whole sentence: nothing can have changed. Words that only lead in are passed over. */
function isVerbatim(
  tokens: readonly Token[],
  { at }: Alignment,
  ground: Ground,
  weights: readonly number[],
  lexicon: Lexicon | null,
): boolean {
  const first = weights.findIndex((weight, i) => weight > 0 || (at[i] ?? -1) >= 0)
  if (first < 0 || turnsAtStart(tokens, first, lexicon)) return false
  const start = at[first] ?? -1
  if (start < 0) return false
  const rest = tokens.length - first
  const isSame = (token: Token, i: number) => {
    const there = ground.tokens[start + i]?.figure ?? null
    return (
      at[first + i] === start + i &&
      (token.figure === null || there === null || sameUnit(token.figure.unit, there.unit))
    )
  }
  if (!tokens.slice(first).every(isSame)) return false
  const before = ground.tokens[start - 1]
  const after = ground.tokens[start + rest]
  const clause = (token: Token | undefined) => token?.clause ?? -1
  return (
    clause(before) !== clause(ground.tokens[start]) &&
    clause(after) !== clause(ground.tokens[start + rest - 1]) &&
    rest > 2
  )
}

/** "Until then, …" for "Since then, …": a small word before what is laid over the evidence may be what changed. */
function turnsAtStart(tokens: readonly Token[], first: number, lexicon: Lexicon | null): boolean {
  if (first === 0 || lexicon === null) return false
  const words = tokens.map(({ word }) => word)
  return words
    .slice(0, first)
    .some(
      (_, at) =>
        (lexicon.forceAt(words, at)?.value ?? 0) !== 0 || lexicon.rivalAt(words, at) !== null,
    )
}

function shareOf(weights: readonly number[], held: readonly number[]): number {
  let all = 0
  let found = 0
  for (const [i, weight] of weights.entries()) {
    all += weight
    found += weight * (held[i] ?? 0)
  }
  return all === 0 ? 0 : found / all
}
