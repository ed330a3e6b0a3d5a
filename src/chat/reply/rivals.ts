import { UNIT_NAMES } from '../../language/pack'
import type { Alignment } from './align'
import { unitKind } from './figures'
import { readForce } from './force'
import { FORCE, JOINTS, type Lexicon, SIDES } from './lexicon'
import { opposedAt } from './opposed'
import { slotOf } from './slot'
import type { Token } from './tokens'

/** "You can pay by card and by invoice" is "by card or by invoice"; where nothing is allowed, denied or conditional it is not. */
const EASY = FORCE.negation | FORCE.permission | FORCE.possibility | FORCE.condition

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
  const doubled = judgeDoubled(tokens, evidence, said, there)
  if (doubled === 'falls') return 'falls'
  const { at, run } = alignment
  // "After the first more than after the second" of "after the second more than after the first".
  const exchanged = said.filter(
    (mark) =>
      groupOf(mark.sides[0]) !== JOINTS &&
      there.some((one) => isRival(mark, one) && standsFor(mark, one, tokens, evidence)) &&
      !there.some((one) => isSame(mark, one) && standsFor(mark, one, tokens, evidence)),
  )
  if (exchanged.some((mark) => exchanged.some((one) => isRival(mark, one)))) return 'falls'
  const taken = new Set(at)
  let open = doubled === 'open'
  const eases = (text: readonly Token[], { at }: RivalMark) =>
    readForce(text, lexicon).some(
      (one) => (one.bits & EASY) !== 0 && text[one.at]?.clause === text[at]?.clause,
    )
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
      const rival = inside.find((one) => isRival(mark, one))
      if (rival !== undefined) {
        const isEasy = isJoint && (eases(tokens, mark) || eases(evidence, rival))
        if (!isLaid && !isEasy) return 'falls'
        open = true
        continue
      }
    }
    if (isLaid || isJoint || there.some((one) => isSame(mark, one))) continue
    open ||= there.some((one) => isRival(mark, one) && !taken.has(one.at))
  }
  return open ? 'open' : 'stands'
}

/**
 * Whether a claim has a word that excludes one of its evidence, wherever the two stand: with a negation more it may say the
 * same ("not accepted", "refused"). A word that denies by itself ("without") is no such word.
 */
export function opposes(
  tokens: readonly Token[],
  evidence: readonly Token[],
  { at }: Alignment,
  lexicon: Lexicon | null,
): boolean {
  if (lexicon === null) return false
  const taken = new Set(at)
  const marksOf = (text: readonly Token[]) => {
    const words = text.map(({ word }) => word)
    return readRivals(text, lexicon).filter(
      (mark) =>
        groupOf(mark.sides[0]) !== JOINTS &&
        ((lexicon.forceAt(words, mark.at)?.value ?? 0) & FORCE.negation) === 0,
    )
  }
  const there = marksOf(evidence)
  return marksOf(tokens).some(
    (mark) =>
      (at[mark.at] ?? -1) < 0 && there.some((one) => !taken.has(one.at) && isRival(mark, one)),
  )
}

/**
 * "From south to south" for "from north to south": a side said more often than in the evidence, where its rival is said less
 * often. It falls where the one stands between the same words as the other, else it is open.
 */
function judgeDoubled(
  tokens: readonly Token[],
  evidence: readonly Token[],
  said: readonly RivalMark[],
  there: readonly RivalMark[],
): 'stands' | 'falls' | 'open' {
  // A side that the evidence has nowhere may say the same the other way round ("larger", "smaller").
  const more = surplus(said, said, there).filter((mark) => there.some((one) => isSame(one, mark)))
  if (more.length === 0) return 'stands'
  const rivals = there.filter((mark) => more.some((one) => isRival(one, mark)))
  const less = surplus(rivals, there, said)
  if (!more.some((mark) => less.some((one) => isRival(mark, one)))) return 'stands'
  const swapped = more.some((mark) =>
    less.some((one) => isRival(mark, one) && standsFor(mark, one, tokens, evidence)),
  )
  return swapped ? 'falls' : 'open'
}

/** Those of a text's marks of whose side it has more than the other; "and" and "or" are told apart by their place alone. */
function surplus(
  marks: readonly RivalMark[],
  own: readonly RivalMark[],
  others: readonly RivalMark[],
): RivalMark[] {
  const count = (list: readonly RivalMark[], mark: RivalMark) =>
    list.filter((one) => isSame(one, mark)).length
  // A text may repeat one word, whose sides are one object.
  const known = new Map<readonly number[], boolean>()
  return marks.filter((mark) => {
    let isMore = known.get(mark.sides)
    if (isMore === undefined) {
      isMore = groupOf(mark.sides[0]) !== JOINTS && count(own, mark) > count(others, mark)
      known.set(mark.sides, isMore)
    }
    return isMore
  })
}

/** Tokens at either side that two places must share: one sign of an unspaced script is there by chance. */
const SHARED = { word: 1, sign: 2 }

/** Whether a mark of the claim and one of the evidence have the same words at both sides, or end there. */
function standsFor(
  mark: RivalMark,
  other: RivalMark,
  tokens: readonly Token[],
  evidence: readonly Token[],
): boolean {
  const size = SHARED[tokens[mark.at]?.kind === 'sign' ? 'sign' : 'word']
  const isShared = (at: number, place: number, step: number) => {
    for (let k = 0; k < size; k++) {
      const [one, two] = [tokens[at + k * step]?.key, evidence[place + k * step]?.key]
      if (one !== two) return false
      if (one === undefined) return true
    }
    return true
  }
  return (
    isShared(mark.at - 1, other.at - 1, -1) &&
    isShared(mark.at + mark.length, other.at + other.length, 1)
  )
}

function readRivals(tokens: readonly Token[], lexicon: Lexicon): RivalMark[] {
  const words = tokens.map((token) => token.word)
  const keys = tokens.map((token) => token.key)
  const marks: RivalMark[] = []
  for (let at = 0; at < words.length; ) {
    const found = lexicon.rivalAt(words, at)
    if (found !== null && !saysFree(words, at, lexicon))
      marks.push({ at, length: found.length, sides: found.value })
    at += found?.length ?? 1
  }
  // By themselves: a phrase of the one ("less than") hides no word of the other ("less").
  for (let at = 0; at < keys.length; ) {
    const found = opposedAt(keys, at, lexicon)
    // A figure's unit is judged with it: "14 days" are "two weeks".
    const isUnit = tokens[at - 1]?.figure?.unit != null && lexicon.units.has(words[at] ?? '')
    for (const { keys: phrase, sides } of isUnit ? [] : found)
      marks.push({ at, length: phrase.length, sides })
    at += found[0]?.keys.length ?? 1
  }
  if (!lexicon.unspaced) marks.push(...readUnits(tokens, lexicon))
  return marks
}

/** Signs before a word that a phrase may begin with. */
const BEFORE = 2

/** "不收费" has the word that 免费 excludes, and says the same. */
const saysFree = (words: readonly string[], at: number, { forceAt, unspaced }: Lexicon): boolean =>
  unspaced &&
  Array.from({ length: BEFORE }, (_, k) => k + 1).some((k) => {
    const found = at >= k ? forceAt(words, at - k) : null
    return found !== null && found.length > k && (found.value & FORCE.free) !== 0
  })

/** "In seconds" for "in milliseconds": a unit without a figure, which would be judged with it. */
function readUnits(tokens: readonly Token[], { units }: Lexicon): RivalMark[] {
  return tokens.flatMap(({ word }, at): RivalMark[] => {
    const unit = units.get(word)
    const kind = unit === undefined || isSymbol(word) ? null : unitKind(unit)
    if (unit === undefined || kind === null || tokens[at - 1]?.figure != null) return []
    return [
      {
        at,
        length: 1,
        sides: [(UNIT_NAMES as readonly string[]).indexOf(unit) - (kind + 1) * SIDES],
      },
    ]
  })
}

/** "H" and "m" are letters as often. */
const isSymbol = (word: string) => word.length < 3

const groupOf = (side: number | undefined) => Math.floor((side ?? 0) / SIDES)

const isSame = (one: RivalMark, other: RivalMark) =>
  one.sides.some((side) => other.sides.includes(side))

const isRival = (one: RivalMark, other: RivalMark) =>
  !isSame(one, other) &&
  one.sides.some((side) => other.sides.some((there) => groupOf(side) === groupOf(there)))
