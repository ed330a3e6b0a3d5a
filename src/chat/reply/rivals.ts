import type { Alignment } from './align'
import { readForce } from './force'
import { JOINTS, type Lexicon, SIDES } from './lexicon'
import { slotOf } from './slot'
import type { Token } from './tokens'

/** A word of which only one can stand in a place ("first", "last"), and the sides that it takes. */
interface RivalMark {
  at: number
  length: number
  sides: readonly number[]
}

/**
 * Whether a claim has one of two rivals in the place of the other: "the last" for "the first", "north" for "south", "smaller"
 * for "larger", euros for dollars. It falls; where the two are not in the same place, or "and" stands for "or" of what may or
 * must be, it is open.
 */
export function judgeRivals(
  tokens: readonly Token[],
  evidence: readonly Token[],
  alignment: Alignment,
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' {
  if (lexicon === null) return 'stands'
  const said = readRivals(tokens, lexicon)
  if (said.length === 0) return 'stands'
  const there = readRivals(evidence, lexicon)
  if (there.length === 0) return 'stands'
  const { at, run } = alignment
  const taken = new Set(at)
  let open = false
  // "You can pay by card and by invoice" is "by card or by invoice"; where nothing is allowed or denied it is not.
  const isPlain =
    readForce(tokens, lexicon).length === 0 && readForce(evidence, lexicon).length === 0
  for (const mark of said) {
    const place = at[mark.at] ?? -1
    const isLaid = Array.from({ length: mark.length }, (_, k) => k).every(
      (k) => place >= 0 && at[mark.at + k] === place + k,
    )
    const isJoint = groupOf(mark.sides[0]) === JOINTS
    if (isLaid && !isJoint && (run[mark.at] ?? 0) > mark.length) continue
    const slot = slotOf(mark.at, mark.at + mark.length, tokens, alignment, evidence)
    if (slot?.tight === true) {
      const end = slot.start + slot.tokens.length
      const inside = there.filter((one) => one.at < end && one.at + one.length > slot.start)
      if (inside.some((one) => isSame(mark, one))) continue
      if (inside.some((one) => isRival(mark, one))) {
        if (!isLaid && (!isJoint || isPlain)) return 'falls'
        open = true
        continue
      }
    }
    if (isLaid || isJoint || there.some((one) => isSame(mark, one))) continue
    open ||= there.some((one) => isRival(mark, one) && !taken.has(one.at))
  }
  return open ? 'open' : 'stands'
}

function readRivals(tokens: readonly Token[], lexicon: Lexicon): RivalMark[] {
  const words = tokens.map((token) => token.word)
  const marks: RivalMark[] = []
  for (let at = 0; at < words.length; ) {
    const found = lexicon.rivalAt(words, at)
    if (found !== null) marks.push({ at, length: found.length, sides: found.value })
    at += found?.length ?? 1
  }
  return marks
}

const groupOf = (side: number | undefined) => Math.floor((side ?? 0) / SIDES)

const isSame = (one: RivalMark, other: RivalMark) =>
  one.sides.some((side) => other.sides.includes(side))

const isRival = (one: RivalMark, other: RivalMark) =>
  !isSame(one, other) &&
  one.sides.some((side) => other.sides.some((there) => groupOf(side) === groupOf(there)))
