import type { Alignment } from './align'
import type { ForceMark } from './force'
import { FORCE, type Lexicon, ORDINALS, SIDES } from './lexicon'
import type { Token } from './tokens'

const BOUNDS = FORCE.lower | FORCE.upper
const LIMITS =
  FORCE.condition |
  FORCE.exception |
  FORCE.before |
  FORCE.after |
  FORCE.restriction |
  FORCE.lower |
  FORCE.reported
/** A clause beside the one that is said says when that holds, where such a word stands near its beginning, or its end. */
const ORDER = FORCE.before | FORCE.after
const AT_CLAUSE = FORCE.condition | FORCE.exception | FORCE.reported | ORDER
const NEAR_START = 2
const NEAR_END = 3
/** How far a bound's figure is: "from the third day on". */
const BOUND_REACH = 3
/** Of a clause's content, or of what the claim says at all, how much makes it the clause that is said. */
const SAID = 0.4
/** Signs that make a word. */
const LEAST = { word: 1, sign: 2 }
/** A clause of small words alone may stand between two ("…, but only if …"). */
const BESIDE = 2

/**
 * Whether a claim says a sentence of its evidence without what that holds for alone: "guests see a channel" of "… only if they
 * were added to it", "delivery is free" of "… from $50", "if it rains, …". A limit of the claim's own may say the same in
 * other words.
 */
export function dropsLimit(
  said: readonly ForceMark[],
  there: readonly ForceMark[],
  { at }: Alignment,
  tokens: readonly Token[],
  evidence: readonly Token[],
  lexicon: Lexicon | null,
): boolean {
  // What is free is often so up to a bound; of anything else the bound tells how much.
  const bounds = said.some(({ bits }) => (bits & FORCE.free) !== 0) ? LIMITS | FORCE.upper : LIMITS
  const isLimit = ({ bits }: ForceMark) => (bits & bounds) !== 0
  const limits = there.filter(isLimit)
  if (limits.length === 0 || lexicon === null) return false
  const laid = new Set(at)
  const keys = new Set(tokens.map(({ key }) => key))
  const clauses = saidClauses(at, evidence)
  const own = said.filter((mark) => isLimit(mark) && (at[mark.at] ?? -1) < 0).length
  const dropped = limits.filter((mark) => {
    const token = evidence[mark.at]
    if (token === undefined || laid.has(mark.at) || keys.has(token.key)) return false
    if (!bindsHere(mark, evidence, lexicon)) return false
    const range = clauseAround(mark.at, evidence)
    const isHere = clauses.has(token.clause) || isBehindSaid(mark, range, laid, evidence)
    if (!isHere && !isBeside(mark, range, clauses, evidence)) return false
    return saysMore(mark, range, { laid, keys, evidence, lexicon, isHere })
  })
  return dropped.length > own
}

/** "It switches off when …": however long the condition is, what stands in front of it is said under it. */
function isBehindSaid(
  { at, bits }: ForceMark,
  { from }: Range,
  laid: ReadonlySet<number>,
  evidence: readonly Token[],
): boolean {
  if ((bits & AT_CLAUSE) === 0) return false
  let before = at - 1
  while (before >= from && evidence[before]?.light === true) before--
  return before >= from && laid.has(before)
}

/** A bound is one of a figure or an ordinal, and "without" followed by a figure tells how much. */
function bindsHere({ at, length, bits }: ForceMark, evidence: readonly Token[], lexicon: Lexicon) {
  const isNumber = (k: number) =>
    evidence[k]?.clause === evidence[at]?.clause && evidence[k]?.figure != null
  const isOrdinal = (k: number) =>
    evidence[k]?.kind === 'word' &&
    lexicon
      .rivalAt([evidence[k]?.word ?? ''], 0)
      ?.value.some((side) => Math.floor(side / SIDES) === ORDINALS) === true
  const behind = Array.from({ length: BOUND_REACH }, (_, k) => at + length + k)
  const before = Array.from({ length: BOUND_REACH }, (_, k) => at - 1 - k)
  if ((bits & LIMITS & ~BOUNDS) === 0)
    return behind.some((k) => isNumber(k) || isOrdinal(k)) || before.some(isNumber)
  if ((bits & LIMITS) === FORCE.restriction)
    return !isNumber(at + length) && evidence[at + length]?.clause === evidence[at]?.clause
  return true
}

/** The clauses that a claim says: much of them, or much of it, is there. */
function saidClauses(at: readonly number[], evidence: readonly Token[]): Set<number> {
  const all = new Map<number, number>()
  const hit = new Map<number, number>()
  const add = (counts: Map<number, number>, { light, clause }: Token) => {
    if (!light) counts.set(clause, (counts.get(clause) ?? 0) + 1)
  }
  for (const token of evidence) add(all, token)
  let count = 0
  for (const place of new Set(at)) {
    const token = evidence[place]
    if (token === undefined) continue
    add(hit, token)
    if (!token.light) count++
  }
  const isSaid = ([clause, laid]: [number, number]) =>
    laid >= (all.get(clause) ?? 0) * SAID || laid >= count * SAID
  return new Set([...hit].filter(isSaid).map(([clause]) => clause))
}

interface Range {
  from: number
  to: number
}

function clauseAround(at: number, evidence: readonly Token[]): Range {
  const clause = evidence[at]?.clause
  let from = at
  let to = at + 1
  while (evidence[from - 1]?.clause === clause && from > 0) from--
  while (evidence[to]?.clause === clause && to < evidence.length) to++
  return { from, to }
}

function isBeside(
  { at, length, bits }: ForceMark,
  { from, to }: Range,
  clauses: ReadonlySet<number>,
  evidence: readonly Token[],
): boolean {
  if ((bits & AT_CLAUSE) === 0) return false
  const isStart = at - from < ((bits & ORDER) === 0 ? NEAR_START : 1)
  const isEnd = to - at - length < NEAR_END
  const clause = evidence[at]?.clause ?? -1
  const has = (wanted: number) => {
    const step = Math.sign(wanted - clause)
    if (!clauses.has(wanted)) return false
    // Nothing but small words between the two.
    return !evidence.some(
      (token) =>
        !token.light && (token.clause - clause) * step > 0 && (wanted - token.clause) * step > 0,
    )
  }
  const steps = Array.from({ length: BESIDE }, (_, k) => k + 1)
  return (
    (isStart && steps.some((k) => has(clause - k))) ||
    ((isStart || isEnd) && steps.some((k) => has(clause + k)))
  )
}

/** Whether content that the claim has nowhere stands with the word, and no "and" parts the two from what is said. */
function saysMore(
  { at, length }: ForceMark,
  { from, to }: Range,
  {
    laid,
    keys,
    evidence,
    lexicon,
    isHere,
  }: {
    laid: ReadonlySet<number>
    keys: ReadonlySet<string>
    evidence: readonly Token[]
    lexicon: Lexicon
    isHere: boolean
  },
): boolean {
  // A clause beside is of the condition alone, though its subject is said too ("if the cake has fruit, the cake …").
  const isSaid = (k: number) => isHere && evidence[k]?.light === false && laid.has(k)
  let start = at
  let end = at + length
  while (start > from && !isSaid(start - 1)) start--
  while (end < to && !isSaid(end)) end++
  const isJoint = (k: number) => lexicon.joins.has(evidence[k]?.word ?? '')
  for (let k = start; k < at; k++) if (start > from && isJoint(k)) return false
  const gone = evidence.slice(start, end).filter((token) => !token.light && !keys.has(token.key))
  return gone.length >= (gone[0]?.kind === 'sign' ? LEAST.sign : LEAST.word)
}
