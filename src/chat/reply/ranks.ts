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

/**
 * "From the fourth day on" of "from day 3 on" falls: the rank stands in the place of another number. "Every second Thursday" of
 * "every Thursday" is open; what comes first may be said of any list.
 */
export function judgeRanks(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  const said = ranksIn(tokens, lexicon).filter(({ at }) => (alignment.at[at] ?? -1) < 0)
  if (said.length === 0) return 'stands'
  const known = new Set(ranksIn(evidence, lexicon).map(({ rank }) => rank))
  const added = said.filter(
    ({ rank }) => !known.has(rank) && !evidence.some(({ figure }) => figure?.value === rank),
  )
  const isChanged = added.some(({ at }) => {
    const slot = slotOf(at, at + 1, tokens, alignment, evidence)
    const figures = slot?.tokens.filter(({ figure }) => figure !== null) ?? []
    return slot?.tight === true && slot.closed && figures.length === 1
  })
  if (isChanged) return 'falls'
  return added.some(({ rank }) => rank > 1) ? 'open' : 'stands'
}
