import type { Alignment } from './align'
import type { Token } from './tokens'

/** A slot of more words, or signs, is no longer one thing for another. */
const WIDEST_SLOT = 6
const WIDEST_NAME = 12

export interface Slot {
  tokens: readonly Token[]
  start: number
  /** Hardly longer than the run: the one stands for the other. */
  tight: boolean
  /** Between two neighbours; else it reaches to an end of the evidence. */
  closed: boolean
}

/**
 * What the evidence has in the place of a run of the claim: its tokens between those of the claim's neighbours.
 */
export function slotOf(
  from: number,
  to: number,
  tokens: readonly Token[],
  { at, run }: Alignment,
  evidence: readonly Token[],
): Slot | null {
  const isAnchor = (k: number) =>
    (at[k] ?? -1) >= 0 && ((run[k] ?? 0) > 1 || tokens[k]?.light === false)
  let left = from - 1
  while (left >= 0 && !isAnchor(left)) left--
  let right = to
  while (right < tokens.length && !isAnchor(right)) right++
  const before = left < 0 ? -1 : (at[left] ?? -1)
  const after = right >= tokens.length ? evidence.length : (at[right] ?? 0)
  if (left < 0 && right >= tokens.length) return null
  const width = right - left - 1
  const length = after - before - 1
  if (length <= 0 || length > width + 6) return null
  return {
    tokens: evidence.slice(before + 1, after),
    start: before + 1,
    tight:
      length <= width + 3 && width <= (tokens[from]?.kind === 'sign' ? WIDEST_NAME : WIDEST_SLOT),
    closed: left >= 0 && right < tokens.length,
  }
}
