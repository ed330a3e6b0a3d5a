import type { Alignment } from './align'
import { type Lexicon, ORDINALS, SIDES } from './lexicon'
import { slotOf } from './slot'
import type { Token } from './tokens'

/** Every language has words for so many ranks; behind them some have "the last". */
const MOST = 4

/** "First", "third": the ranks that a text has in words, and where. */
export function ranksIn(
  tokens: readonly Token[],
  lexicon: Lexicon | null,
): { at: number; rank: number }[] {
  if (lexicon === null) return []
  const words = tokens.map(({ word }) => word)
  return words.flatMap((_, at) =>
    (lexicon.rivalAt(words, at)?.value ?? []).flatMap((side) => {
      const rank = side - ORDINALS * SIDES + 1
      return rank > 0 && rank <= MOST ? [{ at, rank }] : []
    }),
  )
}

/** "From the fourth day on" of "from day 3 on": the rank stands in the place of another number. */
export function changesRank(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): boolean {
  const said = ranksIn(tokens, lexicon).filter(({ at }) => (alignment.at[at] ?? -1) < 0)
  if (said.length === 0) return false
  const known = new Set(ranksIn(evidence, lexicon).map(({ rank }) => rank))
  return said.some(({ at, rank }) => {
    const slot = slotOf(at, at + 1, tokens, alignment, evidence)
    const figures = slot?.tokens.flatMap(({ figure }) => figure ?? []) ?? []
    return (
      !known.has(rank) &&
      slot?.tight === true &&
      slot.closed &&
      figures.length === 1 &&
      figures[0]?.value !== rank
    )
  })
}
