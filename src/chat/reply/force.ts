import type { Alignment } from './align'
import { FORCE, type Lexicon } from './lexicon'
import type { Token } from './tokens'

/** A word or phrase that gives its clause its force, and where it stands. */
export interface ForceMark {
  at: number
  length: number
  bits: number
}

/** Negations, exceptions, bounds, quantities, permissions, conditions and times of a text. */
export function readForce(tokens: readonly Token[], lexicon: Lexicon | null): ForceMark[] {
  if (lexicon === null) return []
  const words = tokens.map((token) => (token.kind === 'figure' ? '' : token.word))
  const marks: ForceMark[] = []
  for (let at = 0; at < words.length; ) {
    const found = words[at] === '' ? null : lexicon.forceAt(words, at)
    if (found !== null && found.value !== 0)
      marks.push({ at, length: found.length, bits: found.value })
    at += found?.length ?? 1
  }
  return lexicon.code === 'fr' ? withRestrictions(marks, tokens) : marks
}

const NE = /^n(?:e$|'(?!importe))/u
const QUE = /^qu(?:e$|')/u

/** "N'utilisez que le chargeur": a French "ne" that nothing else denies with excepts what stands behind its "que". */
function withRestrictions(marks: ForceMark[], tokens: readonly Token[]): ForceMark[] {
  const words = new Map<number, { ne: number; que: number }>()
  for (const [at, { word, clause }] of tokens.entries()) {
    const own = words.get(clause)
    if (own === undefined && NE.test(word)) words.set(clause, { ne: at, que: -1 })
    else if (own?.que === -1 && QUE.test(word)) own.que = at
  }
  for (const { at, bits } of marks) {
    const own = words.get(tokens[at]?.clause ?? -1)
    if (own !== undefined && own.ne !== at && (bits & FORCE.negation) !== 0) own.que = -1
  }
  const found = [...words.values()].filter(({ que }) => que >= 0)
  const isNe = new Set(found.map(({ ne }) => ne))
  const only = FORCE.exception | FORCE.only
  return [
    ...marks.filter(({ at }) => !isNe.has(at)),
    ...found.map(({ que }) => ({ at: que, length: 1, bits: only })),
  ].sort((one, other) => one.at - other.at)
}

const QUANTITIES = FORCE.all | FORCE.most | FORCE.some | FORCE.none
/** What may be missing or be added only when somebody else says that it is the same. */
const SOFT = [
  FORCE.implicit,
  FORCE.exception,
  FORCE.permission,
  FORCE.obligation,
  FORCE.possibility,
  FORCE.condition,
  FORCE.before,
  FORCE.after,
  FORCE.planned,
  FORCE.ended,
  FORCE.beta,
  FORCE.most,
  FORCE.some,
  FORCE.all,
] as const
/** What makes a clause and its denial say the same. */
const TURNING = FORCE.condition | FORCE.exception
const ORDER = FORCE.before | FORCE.after
/** "Not before six" is "from six on". */
const UNTIL = FORCE.before | FORCE.upper
const SINCE = FORCE.after | FORCE.lower
const isOnly = ({ bits }: ForceMark) =>
  (bits & (FORCE.exception | FORCE.implicit)) === FORCE.exception
/** Of a clause's content, how much the claim must hold for the clause to be one that it rests on. */
const TOUCHED = 0.4
/** Of what the claim holds at all, how much of it in one clause makes it rest on that. */
const MOST = 0.5
/** An article may stand between a word and its neighbour. */
const NEIGHBOUR = 1

/**
 * Whether a claim says it with the force of its evidence. The opposite falls: a negation more or less, *some* for *all*,
 * *may* for *must*, *at least* for *at most*, *before* for *after*. Anything else that differs is open.
 */
export function compareForce(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  alignment: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
  isOpposed: () => boolean,
): 'stands' | 'falls' | 'open' {
  const touched = touchedClauses(alignment, ground, evidence)
  // A clause of small words alone has no content to rest on: "(or not)" is the evidence's where the claim goes on with it.
  const hasContent = new Set(ground.flatMap(({ light, clause }) => (light ? [] : [clause])))
  const isLaid = (mark: ForceMark) =>
    !hasContent.has(ground[mark.at]?.clause ?? -1) &&
    claim.some(
      ({ at, length }) =>
        length === mark.length &&
        alignment.at[at] === mark.at &&
        (alignment.run[at] ?? 0) > 2 * length,
    )
  const there = evidence.filter(
    (mark) => touched.has(ground[mark.at]?.clause ?? -1) || isLaid(mark),
  )
  const { added, dropped } = difference(claim, there, alignment, tokens, ground)
  const { at } = alignment
  const isMoved = movesForce(claim, evidence, alignment, tokens, ground)
  const isExcepted = exceptsOther(claim, evidence, alignment, tokens, ground)
  if (added.length === 0 && dropped.length === 0 && !isExcepted) return isMoved ? 'open' : 'stands'
  const more = (bit: number) => added.filter((mark) => (mark.bits & bit) !== 0).length
  const less = (bit: number) => dropped.filter((mark) => (mark.bits & bit) !== 0).length
  const [denies, gone] = [denialsOf(added, tokens), denialsOf(dropped, ground)]
  if (isExcepted) {
    const turns = denies + more(FORCE.implicit) - gone - less(FORCE.implicit)
    return turns % 2 === 0 && !isOpposed() ? 'falls' : 'open'
  }
  if (denies !== gone) {
    const turns = denies + more(FORCE.implicit) - gone - less(FORCE.implicit)
    // "Only if it is paid" is "not unless", and "needs a key" is "not without".
    const turning = TURNING | FORCE.restriction
    const isEven = turns % 2 === 0 && (has(added, turning) || has(dropped, turning))
    // "Cannot, only archive" is "can only archive", and "only now, not later" is "only now".
    const isSplit = turns === 1 && has(claim, TURNING | FORCE.obligation) && there.some(isOnly)
    // What is denied there the claim does not say.
    const isLeft = dropped.every(
      (mark) => !isDenial(mark) || !isLaidBehind(mark, alignment, ground),
    )
    const moves = (one: number, other: number) => has(added, one) && has(dropped, other)
    const stands = (one: number, other: number) =>
      claim.some(
        (mark) =>
          (mark.bits & one) !== 0 &&
          there.some((mine) => (mine.bits & other) !== 0 && isBeside(mark, mine, alignment)),
      )
    const isOrdered =
      moves(UNTIL, SINCE) || moves(SINCE, UNTIL) || stands(UNTIL, SINCE) || stands(SINCE, UNTIL)
    // "Is not affected" of "continues to be paid": what the one denies the other does not speak of. "Not worn" of "never been
    // worn": it is denied there too, however little else of its clause the claim says.
    const denied = evidence
      .filter(isDenial)
      .map((mark) => contentBehind(mark, ground))
      .filter((k) => k >= 0)
    const isAside = added.every(
      (mark) =>
        !isDenial(mark) ||
        isUnheld(mark, tokens, (k) => (at[k] ?? -1) >= 0) ||
        denied.includes(at[contentBehind(mark, tokens)] ?? Number.NaN),
    )
    // "Only the Aurora is not" of "all except the Aurora are".
    const isRound =
      turns % 2 !== 0 &&
      ((has(added, FORCE.only) && dropped.some(isExcept)) ||
        (added.some(isExcept) && has(dropped, FORCE.only)))
    const mayBeSame =
      turns === 0 || isRound || isEven || isSplit || isOrdered || (isAside && isLeft) || isOpposed()
    return mayBeSame ? 'open' : 'falls'
  }
  if (changesQuantity(added, dropped)) return 'falls'
  if (added.some(isExact) && less(FORCE.about) > 0) return 'falls'
  if (more(FORCE.all) > 0 && hasShare(ground, touched) && !hasShare(tokens)) return 'falls'
  // "If" for "unless", which holds a negation.
  const isUnless = ({ bits }: ForceMark) =>
    (bits & FORCE.implicit) !== 0 && (bits & FORCE.exception) !== 0
  if (more(FORCE.condition) > 0 && dropped.some(isUnless) && more(FORCE.implicit) === 0)
    return 'falls'
  const turnsBound =
    (more(FORCE.upper) > 0 && less(FORCE.lower) > 0) ||
    (more(FORCE.lower) > 0 && less(FORCE.upper) > 0)
  // "At least two days ahead" is "up to two days before".
  const isCounted = [claim, there].every((marks) => marks.some(({ bits }) => (bits & ORDER) !== 0))
  if (turnsBound) return isCounted ? 'open' : 'falls'
  // Of something else "before" may be "after": "register before" of "is collected after registration".
  const turnsTime = (bit: number, other: number) =>
    added.some(
      (mark) =>
        (mark.bits & bit) !== 0 &&
        dropped.some((one) => (one.bits & other) !== 0 && isBeside(mark, one, alignment)),
    )
  if (turnsTime(FORCE.before, FORCE.after) || turnsTime(FORCE.after, FORCE.before)) return 'falls'
  // "You must be a member to vote" is "only members may vote".
  if (more(FORCE.obligation) > 0 && less(FORCE.permission | FORCE.possibility) > 0)
    return dropped.some(isOnly) ? 'open' : 'falls'
  if (more(FORCE.upper) > 0 || more(FORCE.lower) > 0) return 'open'
  return isMoved || SOFT.some((bit) => more(bit) !== less(bit)) ? 'open' : 'stands'
}

const isExact = ({ bits }: ForceMark) => (bits & FORCE.upper) !== 0 && (bits & FORCE.lower) !== 0

const isExcept = (mark: ForceMark) => isOnly(mark) && (mark.bits & FORCE.only) === 0

/**
 * "Only on Wednesdays" of "except on Wednesdays", or the other way round: of the same word, one says that it is so there and
 * the other that it is not.
 */
function exceptsOther(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  { at }: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
): boolean {
  const isOnlyOne = ({ bits }: ForceMark) => (bits & FORCE.only) !== 0
  const beside = (
    marks: readonly ForceMark[],
    isOne: (mark: ForceMark) => boolean,
    text: readonly Token[],
  ) =>
    marks
      .filter(isOne)
      .flatMap(({ at: from, length }) =>
        Array.from({ length: length + 2 * ONLY_REACH }, (_, k) => from - ONLY_REACH + k).filter(
          (k) => text[k]?.light === false,
        ),
      )
  const isTurned = (one: (mark: ForceMark) => boolean, other: (mark: ForceMark) => boolean) => {
    const there = new Set(beside(evidence, other, ground))
    return there.size > 0 && beside(claim, one, tokens).some((k) => there.has(at[k] ?? -1))
  }
  return isTurned(isOnlyOne, isExcept) || isTurned(isExcept, isOnlyOne)
}

/** What changes a sentence with the clause that it stands in. */
const CLAUSAL = [FORCE.negation, FORCE.condition]
/** Words between an "only" and what it is of: an article, an adjective. */
const ONLY_REACH = 2

/**
 * "One may not read but borrow" of "one may read but not borrow", "if it is closed, the fee is due" of "if the fee is due, it is
 * closed": the claim denies, or makes a condition of, what its evidence does not, and says what that denies. "Use only the
 * pool" of "only members use" is of another word.
 */
function movesForce(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  alignment: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
): boolean {
  const { at } = alignment
  const isClauseMoved = CLAUSAL.some((bit) => {
    const [said, there] = [boundBy(bit, claim, tokens), boundBy(bit, evidence, ground)]
    const isNew = said.places.some((k) => {
      const place = at[k] ?? -1
      return place >= 0 && !there.clauses.has(ground[place]?.clause ?? -1)
    })
    return (
      // "May read and borrow" of "may read, but may not borrow".
      (isNew || (said.places.length === 0 && bit === FORCE.negation)) &&
      there.places.some((place) => {
        const k = at.indexOf(place)
        return k >= 0 && !said.clauses.has(tokens[k]?.clause ?? -1)
      })
    )
  })
  if (isClauseMoved) return true
  const [only, other] = [claim, evidence].map((marks) => marks.find(isOnly))
  if (only === undefined || other === undefined) return false
  // "A has only B" of "only A has B": what the one is of stands before the other.
  const bound = boundOf(other, ground)
  const own = at.indexOf(bound)
  // "Members only" is "only members".
  const apart = (only.bits & FORCE.only) === 0 ? 0 : 1
  const isLeft =
    own >= 0 && own < only.at - apart && tokens[own]?.clause === tokens[only.at]?.clause
  const place = at[boundOf(only, tokens)] ?? -1
  if (isLeft && place >= 0 && place !== bound) return true
  if (isBeside(only, other, alignment)) return false
  // "Are only admitted on the first floor" is "are admitted only there": what it begins with is another thing.
  const begins = (mark: ForceMark, text: readonly Token[]) =>
    !text.some(({ light, clause }, k) => !light && k < mark.at && clause === text[mark.at]?.clause)
  if (begins(only, tokens) || !begins(other, ground)) return false
  return place >= 0 && own >= 0 && Math.abs(place - bound) > ONLY_REACH
}

/** What an "only" is of: the word behind it, or the one before, where it is a particle of kana. */
function boundOf(mark: ForceMark, text: readonly Token[]): number {
  if (/^\p{Script=Hiragana}/u.test(text[mark.at]?.word ?? ''))
    return text.findLastIndex(({ light }, k) => !light && k < mark.at)
  return boundBy(FORCE.exception, [mark], text).places[0] ?? -1
}

/** What words of a kind are of: the first word of content behind each, or the last before it, and their clauses. */
function boundBy(
  bit: number,
  marks: readonly ForceMark[],
  text: readonly Token[],
): { places: number[]; clauses: ReadonlySet<number> } {
  const isMark = new Set(
    marks.flatMap(({ at, length }) => Array.from({ length }, (_, k) => at + k)),
  )
  const own = marks.filter(({ bits }) => (bits & bit) !== 0)
  const clauses = new Set(own.map(({ at }) => text[at]?.clause ?? -1))
  // "None" denies by itself: in a table it is of no other word.
  const binding = own.filter(({ bits }) => (bits & FORCE.none) === 0)
  const places = binding.map(({ at }) => {
    const says = ({ light, clause }: Token, k: number) =>
      !light && !isMark.has(k) && clause === text[at]?.clause
    const behind = text.findIndex((token, k) => k > at && says(token, k))
    return behind >= 0 ? behind : text.findLastIndex((token, k) => k < at && says(token, k))
  })
  return { places, clauses }
}

/**
 * "Covers theft, fire and floods" of "covers theft and fire. It does not cover floods": a claim that denies nothing has a word that
 * stands nowhere but behind a denial, of a clause that it says little else of.
 */
export function takesDenied(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  { at }: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
): boolean {
  const denials = evidence.filter(isDenial)
  if (denials.length === 0 || claim.some(({ bits }) => (bits & DENYING) !== 0)) return false
  // Where each clause begins to deny.
  const from = new Map<number, number>()
  for (const mark of denials) {
    const clause = ground[mark.at]?.clause ?? -1
    if (!from.has(clause)) from.set(clause, mark.at)
  }
  const isDenied = ({ clause }: Token, k: number) => (from.get(clause) ?? k) < k
  const others = new Set(ground.flatMap((token, k) => (isDenied(token, k) ? [] : [token.key])))
  return tokens.some(({ light, kind, key }, i) => {
    const place = at[i] ?? -1
    const there = ground[place]
    return (
      there !== undefined &&
      !light &&
      kind === 'word' &&
      isDenied(there, place) &&
      !others.has(key) &&
      tokens.some(
        (one, k) =>
          !one.light && ground[at[k] ?? -1] && ground[at[k] ?? -1]?.clause !== there.clause,
      )
    )
  })
}

/**
 * Whether only one of the two makes an exception, or denies: what is "open except Mondays" is "closed on Mondays", and what is
 * "not accepted" is refused.
 */
export function turnsRound(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  alignment: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
  isOpposed: () => boolean,
): boolean {
  const touched = touchedClauses(alignment, ground, evidence)
  const there = evidence.filter((mark) => touched.has(ground[mark.at]?.clause ?? -1))
  const { added, dropped } = difference(claim, there, alignment, tokens, ground)
  const differs = (bit: number) => has(added, bit) !== has(dropped, bit)
  return differs(FORCE.exception) || (differs(FORCE.negation) && isOpposed())
}

/** Whether two words stand beside the same neighbour. */
function isBeside(mark: ForceMark, other: ForceMark, { at }: Alignment): boolean {
  const isOn = (k: number, place: number) =>
    (at[k] ?? -1) >= 0 && Math.abs((at[k] ?? 0) - place) <= NEIGHBOUR
  return isOn(mark.at - 1, other.at - 1) || isOn(mark.at + mark.length, other.at + other.length)
}

const has = (marks: readonly ForceMark[], bits: number): boolean =>
  marks.some((mark) => (mark.bits & bits) !== 0)

/** How often a text denies: "ne … pas" and "no account and no name" do so once, "not without" and 没有…不能 twice. */
function denialsOf(marks: readonly ForceMark[], text: readonly Token[]): number {
  const denials = marks.filter(({ bits }) => (bits & FORCE.negation) !== 0)
  const isAlone = ({ at, bits }: ForceMark) =>
    (bits & FORCE.restriction) !== 0 || text[at]?.kind === 'sign'
  const others = denials.filter((mark) => !isAlone(mark)).map(({ at }) => text[at]?.clause)
  return denials.filter(isAlone).length + new Set(others).size
}

const DENYING = FORCE.negation | FORCE.implicit | FORCE.exception

const isDenial = ({ bits }: ForceMark) => (bits & FORCE.negation) !== 0

/**
 * Whether a word denies of what the other text speaks of something of which it holds nothing. "It is not true that …" denies all
 * that follows.
 */
function isUnheld(mark: ForceMark, text: readonly Token[], isHeld: (k: number) => boolean) {
  const next = contentBehind(mark, text)
  const clause = text[mark.at]?.clause
  const held = text.flatMap((token, k) =>
    token.clause === clause && !token.light && isHeld(k) ? [k] : [],
  )
  return next >= 0 && held.length > 0 && held.every((k) => k < mark.at)
}

/** Whether the claim holds what a word of the evidence denies. */
function isLaidBehind({ at, length }: ForceMark, alignment: Alignment, ground: readonly Token[]) {
  const next = ground.findIndex(({ light }, k) => k >= at + length && !light)
  return next < 0 || alignment.at.includes(next)
}

/** Where the next word of content stands in the clause; -1 for nowhere. */
const contentBehind = ({ at, length }: ForceMark, text: readonly Token[]) =>
  text.findIndex(
    ({ light, clause }, k) => k >= at + length && !light && clause === text[at]?.clause,
  )

/** Whether a text, or the clauses of it, say how many of a hundred. */
const hasShare = (tokens: readonly Token[], clauses?: ReadonlySet<number>): boolean =>
  tokens.some(
    ({ figure, clause }) =>
      figure?.unit === 'percent' && figure.value !== 100 && clauses?.has(clause) !== false,
  )

/** A quantity of one class where the evidence has one of another. */
function changesQuantity(added: readonly ForceMark[], dropped: readonly ForceMark[]): boolean {
  const classes = (marks: readonly ForceMark[]) =>
    marks.map((mark) => mark.bits & QUANTITIES).filter((bits) => bits !== 0)
  const lost = classes(dropped)
  return (
    lost.length > 0 && classes(added).some((bits) => lost.every((other) => (bits & other) === 0))
  )
}

/** What only one of the two says: words that are laid over each other, or have the same class, cancel out. */
function difference(
  claim: readonly ForceMark[],
  evidence: readonly ForceMark[],
  { at }: Alignment,
  tokens: readonly Token[],
  ground: readonly Token[],
): { added: ForceMark[]; dropped: ForceMark[] } {
  const open = new Set(evidence)
  const take = (matches: (mark: ForceMark) => boolean) => {
    for (const mark of open) {
      if (!matches(mark)) continue
      open.delete(mark)
      return true
    }
    return false
  }
  // "At most" and "at least" share their first word: a phrase is the same when all of it is.
  const isSame = (mark: ForceMark, other: ForceMark, same: (k: number) => boolean) =>
    mark.length === other.length && Array.from({ length: mark.length }, (_, k) => k).every(same)
  let added = claim.filter(
    (mark) => !take((other) => isSame(mark, other, (k) => at[mark.at + k] === other.at + k)),
  )
  added = added.filter(
    (mark) =>
      !take((other) =>
        isSame(mark, other, (k) => tokens[mark.at + k]?.key === ground[other.at + k]?.key),
      ),
  )
  added = added.filter((mark) => !take((other) => mark.bits === other.bits))
  // "No charge" is "free".
  added = added.filter((mark) => !take((other) => (mark.bits & other.bits & FORCE.free) !== 0))
  return { added, dropped: [...open] }
}

/**
 * The clauses of the evidence that the claim rests on. What only denies ("…, but not on Sundays" cut behind its contrast) goes
 * with what stands before it.
 */
function touchedClauses(
  { at }: Alignment,
  ground: readonly Token[],
  marks: readonly ForceMark[],
): Set<number> {
  const all = new Map<number, number>()
  const hit = new Map<number, number>()
  const denying = new Set(
    marks.flatMap(({ at, length, bits }) =>
      (bits & FORCE.negation) === 0 ? [] : Array.from({ length }, (_, k) => at + k),
    ),
  )
  const add = (counts: Map<number, number>, clause: number) =>
    counts.set(clause, (counts.get(clause) ?? 0) + 1)
  const isContent = (k: number) => ground[k]?.light === false
  const says = new Set(
    ground.flatMap(({ clause }, k) => (isContent(k) && !denying.has(k) ? [clause] : [])),
  )
  for (const [k, { clause }] of ground.entries()) if (isContent(k)) add(all, clause)
  for (const place of new Set(at)) if (isContent(place)) add(hit, ground[place]?.clause ?? -1)
  const touched = new Set<number>()
  let laid = 0
  for (const count of hit.values()) laid += count
  for (const [clause, count] of hit) {
    const isMuch = count >= (all.get(clause) ?? 0) * TOUCHED || count >= laid * MOST
    if (isMuch && says.has(clause)) touched.add(clause)
  }
  for (const { at } of marks) {
    const clause = ground[at]?.clause ?? -1
    // A semicolon counts twice.
    const before = ground.some((token) => token.clause === clause - 1) ? clause - 1 : clause - 2
    if (!says.has(clause) && touched.has(before)) touched.add(clause)
  }
  return touched
}
