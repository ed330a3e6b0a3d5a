import { once } from '../../text/once'
import type { Alignment } from './align'
import { contradictsUnit, type Figure, isMonth, sameFigure, sameUnit, unitKind } from './figures'
import { type ClaimFacts, type Ground, isDenied, runAround } from './ground'
import type { Lexicon } from './lexicon'
import { onesIn } from './measures'
import { judgeRanks, ranksIn } from './ranks'
import { type Slot, slotOf } from './slot'
import type { Token } from './tokens'

/** A run of this many equal tokens is no coincidence, wherever it stands. */
const LONG_RUN = 5

/** Every figure of the claim is in the evidence, in its place; another figure in that place contradicts it. */
export function judgeFigures(
  claim: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  held: readonly number[],
): 'stands' | 'falls' | 'open' {
  const { tokens, lexicon } = claim
  const ones = once(() => (lexicon === null ? [] : onesIn(ground.tokens, lexicon)))
  // "Once a day" says as much as "every 24 hours".
  const isOne = (figure: Figure) =>
    figure.unit !== null && ones().some((one) => sameFigure(figure, one.figure))
  const ranks = once(() => new Set(ranksIn(ground.tokens, lexicon).map(({ rank }) => rank)))
  // "The 3rd day" is "the third day".
  const isRank = ({ value }: Figure) => value !== null && ranks().has(value)
  const worked = workedOut(ground.tokens)
  const rank = judgeRanks(tokens, ground.tokens, alignment, lexicon)
  if (rank === 'falls') return 'falls'
  let open = rank === 'open'
  for (const [i, token] of tokens.entries()) {
    const { figure } = token
    if (figure === null) continue
    if (isSameDate(i, tokens, ground.tokens)) continue
    const at = alignment.at[i] ?? -1
    if (isOfNext(i, claim, alignment, ground)) return 'falls'
    const { from, to } = runAround(i, tokens, alignment)
    const slot = slotOf(from, to, tokens, alignment, ground.tokens)
    const isBehind = () => isBehindOther(i, slot, claim, ground)
    const isIn =
      at >= 0 && slot !== null && at >= slot.start && at < slot.start + slot.tokens.length
    if (
      at >= 0 &&
      (slot === null || isIn || to - from > LONG_RUN) &&
      isAnchored(i, tokens, alignment)
    ) {
      const there = ground.tokens[at]?.figure
      if (there && contradictsUnit(figure, there)) return 'falls'
      if (there && addsHalf(figure, there)) open = true
      if (saysOfOther(i, ground.tokens[at], claim, ground)) return 'falls'
      if (slot?.closed !== true && isContested(i, { from, to }, claim, ground)) open = true
      if (countsOther(i, at, tokens, alignment, ground, held) || isBehind()) open = true
      continue
    }
    const equal = ground.tokens.filter((one) => one.figure && sameFigure(figure, one.figure))
    if (
      equal.length === 0 &&
      (isOnOtherClock(token, ground) || isOne(figure) || isRank(figure) || worked(figure))
    ) {
      open = true
      continue
    }
    const figures =
      slot?.tokens.flatMap((one, k) => (one.figure === null ? [] : [{ one, k }])) ?? []
    // A day of a month stands in no other number's place.
    const isDay = besideMonth(i, tokens).length > 0
    const rivals = figures.flatMap(({ one, k }) =>
      isDay || besideMonth((slot?.start ?? 0) + k, ground.tokens).length === 0 ? [one] : [],
    )
    if (slot?.tight && rivals.length < figures.length) open = true
    if (rivals.some((one) => one.figure !== null && sameFigure(figure, one.figure))) {
      if (isBehind()) open = true
      continue
    }
    if (slot?.tight && rivals.length > 0) {
      const isFromAfar =
        at >= 0 &&
        rivals.some((one) => one.figure !== null && isOfKind(figure, one.figure)) &&
        !sharesClause(i, ground.tokens[at], tokens, alignment, ground, { from, to })
      const isFalse = slot.closed || at < 0 || isFromAfar
      if (equal.some((one) => isOwnClause(i, one, rivals, tokens, alignment, ground))) {
        open = true
        continue
      }
      if (isFalse && !keepsOrder(tokens, alignment, ground.tokens)) return 'falls'
      open = true
      continue
    }
    if (equal.length > 0) {
      if (!equal.some((one) => sharesClause(i, one, tokens, alignment, ground))) open = true
      continue
    }
    if (ground.context.some((one) => one.figure && sameFigure(figure, one.figure))) continue
    // "Half the price" of "half price" is in its words.
    const isSaid =
      /^\p{L}/u.test(token.word) &&
      !isMonth(figure) &&
      ground.tokens.some(({ word }) => word === token.word)
    if (isSaid) {
      open = true
      continue
    }
    if (ground.tokens.some((one) => one.figure && contradictsUnit(figure, one.figure)))
      return 'falls'
    if (claim.asked.has(token.key) && isDenied(claim)) open = true
    else if (figure.value === null || figure.value !== ground.items) {
      const elsewhere = ground.passage().some((one) => one.figure && sameFigure(figure, one.figure))
      if (!elsewhere || rivals.length > 0) return 'falls'
      open = true
    }
  }
  return open ? 'open' : 'stands'
}

/** Signs of the longest unit of an unspaced script. */
const LONGEST_UNIT = 6

/** What a figure says in another unit or writing than the evidence is there, and so is its unit: "14 days" of "two weeks". */
export function holdMeasures(
  tokens: readonly Token[],
  ground: Ground,
  held: number[],
  lexicon: Lexicon | null,
): void {
  const isThere = (figure: Figure) =>
    ground.tokens.some((one) => one.figure !== null && sameFigure(figure, one.figure))
  const isOf = ({ unit, text }: Figure) =>
    ground.tokens.some(({ figure }) => figure?.unit === unit && figure.text === text)
  const onesOf = (text: readonly Token[]) => (lexicon === null ? [] : onesIn(text, lexicon))
  for (const { at, length, figure } of onesOf(tokens))
    if (isThere(figure)) held.fill(1, at, at + length)
  const ones = once(() => onesOf(ground.tokens))
  const worked = workedOut(ground.tokens)
  for (const [i, { figure }] of tokens.entries()) {
    if (figure === null) continue
    // In the same digits it is held, and its unit is there only where it is said ("25 km", but "25" alone).
    if ((held[i] ?? 0) >= 1) {
      if (!isOf(figure)) continue
    } else if (
      !isThere(figure) &&
      !ones().some((one) => sameFigure(figure, one.figure)) &&
      !worked(figure)
    )
      continue
    held[i] = 1
    const behind = tokens.slice(i + 1, i + 1 + LONGEST_UNIT)
    const isSign = behind[0]?.kind === 'sign'
    const length = isSign ? LONGEST_UNIT : 2
    for (let count = Math.min(length, behind.length); count > 0; count--) {
      const unit = behind.slice(0, count).map(({ word }) => word)
      if (lexicon?.units.get(unit.join(isSign ? '' : ' ')) !== figure.unit || figure.unit === null)
        continue
      held.fill(1, i + 1, i + 1 + count)
      break
    }
  }
}

/** How far two figures are apart that are one statement. */
const OF_REACH = 8

/** Whether a figure can be worked out: "5 %" of "5 of 100 patients", "half a point" of "from 8.1 to 7.6 %". */
function workedOut(evidence: readonly Token[]): (figure: Figure) => boolean {
  const all = once(() => {
    const found = { percent: new Set<number>(), point: new Set<number>() }
    for (const [i, { figure }] of evidence.entries()) {
      if (figure?.value == null) continue
      for (const { figure: other } of evidence.slice(i + 1, i + 1 + OF_REACH)) {
        if (other?.value == null) continue
        const [less, more] = [figure.value, other.value].sort((a, b) => a - b) as [number, number]
        if (other.unit === 'percent') found.point.add(rounded(more - less))
        else if (less > 0 && figure.unit !== 'percent')
          found.percent.add(rounded((100 * less) / more))
      }
    }
    return found
  })
  return ({ unit, value }) =>
    value !== null && (unit === 'percent' || unit === 'point') && all()[unit].has(rounded(value))
}

const rounded = (value: number) => Number(value.toFixed(2))

const NOON = 12
/** A figure that is written as an hour of the whole day. */
const HOUR = /^\d{1,2}[:.]00$/u

/** "18:00" or "6 pm" beside "six in the evening": which half of the day is meant, somebody who reads must say. */
function isOnOtherClock({ word, figure }: Token, ground: Ground): boolean {
  const hour = figure?.value ?? 0
  const isClock = HOUR.test(word) || Number(word) + NOON === hour
  if (!isClock || hour <= NOON || hour >= 2 * NOON) return false
  return ground.tokens.some(
    (one) => one.figure?.value === hour - NOON && !HOUR.test(one.word) && one.word !== word,
  )
}

/** "9 in the evening" of "9": the other half of the day may be meant. */
const addsHalf = (claim: Figure, evidence: Figure): boolean =>
  claim.value !== null &&
  claim.also?.value === claim.value + NOON &&
  evidence.value === claim.value &&
  evidence.also?.value !== claim.also.value

/**
 * "Adults pay 8 and students 5" of "8 for adults and 5 for students": all figures in their order, and all else that is laid over
 * the evidence too.
 */
function keepsOrder(
  tokens: readonly Token[],
  { at }: Alignment,
  evidence: readonly Token[],
): boolean {
  const figuresOf = (text: readonly Token[]) =>
    text.flatMap(({ figure }) => (figure === null ? [] : [figure]))
  const [own, there] = [figuresOf(tokens), figuresOf(evidence)]
  if (own.length < 2 || own.length !== there.length) return false
  const isSame = own.every((figure, i) => {
    const other = there[i]
    return other !== undefined && sameFigure(figure, other)
  })
  const places = at.filter((place, i) => place >= 0 && tokens[i]?.light === false)
  const words = places.filter((place) => evidence[place]?.figure === null)
  return isSame && words.every((place, i) => i === 0 || place > (words[i - 1] ?? 0))
}

/**
 * "A mower costs 11 euros" of "a drill costs 6 euros, a mower 11": the clause of the figure names what the claim names, and
 * that of the other one something that the claim does not.
 */
function isOwnClause(
  i: number,
  there: Token,
  rivals: readonly Token[],
  tokens: readonly Token[],
  { at }: Alignment,
  ground: Ground,
): boolean {
  const keys = new Set(tokens.map(({ key }) => key))
  const isUnit = new Set(
    ground.tokens
      .filter((_, k) => ground.tokens[k - 1]?.figure?.unit != null)
      .map(({ key }) => key),
  )
  const names = (clause: number) =>
    ground.tokens.filter((one) => one.clause === clause && isSaying(one) && !isUnit.has(one.key))
  const own = names(there.clause)
  const isNamed = tokens.some(
    (token, k) =>
      token.clause === tokens[i]?.clause &&
      ground.tokens[at[k] ?? -1]?.clause === there.clause &&
      own.some(({ key }) => key === token.key),
  )
  return (
    isNamed &&
    own.every(({ key }) => keys.has(key)) &&
    rivals.every(
      ({ clause }) => clause !== there.clause && names(clause).some(({ key }) => !keys.has(key)),
    )
  )
}

/** Whether a figure stands in a date of the evidence, beside the same month, in whatever order the two are written. */
function isSameDate(i: number, tokens: readonly Token[], evidence: readonly Token[]): boolean {
  const own = tokens[i]?.figure
  if (!own) return false
  const partners = besideMonth(i, tokens)
  if (partners.length < (isMonth(own) ? 2 : 1)) return false
  return evidence.some(({ figure }, at) => {
    if (figure === null || !sameFigure(own, figure)) return false
    const there = besideMonth(at, evidence)
    return partners.every((partner) => there.some((one) => sameFigure(partner, one)))
  })
}

const DATE_REACH = 2

/** The figures that make a date with one: day and year of a month, the month of either. */
function besideMonth(at: number, tokens: readonly Token[]): Figure[] {
  const own = tokens[at]?.figure
  if (!own) return []
  return tokens
    .slice(Math.max(0, at - DATE_REACH), at + DATE_REACH + 1)
    .flatMap(({ figure }) =>
      figure !== null && figure !== own && isMonth(figure) !== isMonth(own) ? [figure] : [],
    )
}

/** Whether the figure is of other things than in the evidence: "500 words" beside "500 signs". */
function countsOther(
  i: number,
  at: number,
  tokens: readonly Token[],
  alignment: Alignment,
  ground: Ground,
  held: readonly number[],
): boolean {
  const isCounter = (token: Token | undefined) => token?.kind === 'sign' && !token.light
  const isUnit = tokens[i + 1]?.kind === 'sign' && tokens[i]?.figure?.unit != null
  if ((isCounter(tokens[i + 1]) || isUnit) && isCounter(ground.tokens[at + 1]))
    return alignment.at[i + 1] !== at + 1 && tokens[i + 1]?.key !== ground.tokens[at + 1]?.key
  const isCounted = (token: Token | undefined) => token?.kind === 'word' && !token.light
  const counted = tokens[i + 1]
  const there = ground.tokens[at + 1]
  if (!isCounted(counted) || (held[i + 1] ?? 0) > 0) return false
  // "25 shells" of "€25".
  const isBare = tokens[i]?.figure?.unit === null && ground.tokens[at]?.figure?.unit != null
  return isBare || (isCounted(there) && !tokens.some((token) => token.key === there?.key))
}

/**
 * "A test costs 25" of "a test costs 12, an urgent test costs 25": another clause says all that the claim says, and nothing
 * else, of another figure, and the figure's own clause says more.
 */
function saysOfOther(
  i: number,
  there: Token | undefined,
  { tokens }: ClaimFacts,
  ground: Ground,
): boolean {
  const own = tokens[i]
  if (!own?.figure || !there?.figure) return false
  const contentOf = (text: readonly Token[], clause: number) =>
    new Set(text.flatMap((one) => (one.clause === clause && isSaying(one) ? [one.key] : [])))
  const said = contentOf(tokens, own.clause)
  const mine = contentOf(ground.tokens, there.clause)
  if (said.size === 0 || [...mine].every((key) => said.has(key))) return false
  return ground.tokens.some(({ figure, clause }) => {
    if (figure === null || clause === there.clause || own.figure === null) return false
    if (!isOfKind(own.figure, figure) || sameFigure(own.figure, figure)) return false
    const theirs = contentOf(ground.tokens, clause)
    return theirs.size === said.size && [...theirs].every((key) => said.has(key))
  })
}

const isSaying = ({ light, kind }: Token) => !light && kind !== 'figure'

/** Whether a figure has a rival of its kind in the evidence, and nothing but its unit beside it to tell them apart. */
function isContested(
  i: number,
  { from, to }: { from: number; to: number },
  { tokens, lexicon }: ClaimFacts,
  ground: Ground,
): boolean {
  const own = tokens[i]?.figure
  const isTold = tokens
    .slice(from, to)
    .some(
      ({ light, kind, word }) => !light && kind !== 'figure' && lexicon?.units.has(word) !== true,
    )
  return (
    !isTold &&
    ground.tokens.some(
      ({ figure }) => figure && own && figure.text !== own.text && figure.unit === own.unit,
    )
  )
}

/**
 * "£60 for students" of "£60 for adults and £30 for students": behind the figure stands what is of the next one of its kind,
 * and what the figure is of is left out.
 */
function isOfNext(
  i: number,
  { tokens, lexicon }: ClaimFacts,
  alignment: Alignment,
  ground: Ground,
): boolean {
  const own = tokens[i]
  const at = alignment.at[i] ?? -1
  if (!own?.figure || at < 0 || lexicon?.unspaced !== false) return false
  const isSmall = ({ light, word }: Token) => light || lexicon.units.has(word)
  const next = tokens.findIndex((one, k) => k > i && !isSmall(one))
  const place = alignment.at[next] ?? -1
  if (place <= at || tokens[next]?.clause !== own.clause) return false
  const laid = new Set(alignment.at)
  const between = ground.tokens.slice(at + 1, place)
  const other = between.findLastIndex((one) => !isSmall(one))
  const figure = between[other]?.figure
  if (figure == null || !isOfMeasure(own.figure, figure) || laid.has(at + 1 + other)) return false
  const left = between.findIndex(
    (one, k) => isSaying(one) && !isSmall(one) && !laid.has(at + 1 + k),
  )
  // "60 instead of 80 for students" goes on in the same statement. Arabic writes "and" at the figure.
  const isParted =
    lexicon.code === 'ar' ||
    between
      .slice(left, other + 1)
      .some(({ word, clause }) => lexicon.joins.has(word) || clause !== between[left]?.clause)
  return left >= 0 && left < other && isParted
}

/**
 * "Opens at five" of "opens at nine and closes at five": before the figure another is, behind the same small word, and what the
 * figure is of is left out.
 */
function isBehindOther(
  i: number,
  slot: Slot | null,
  { tokens, lexicon }: ClaimFacts,
  ground: Ground,
): boolean {
  const own = tokens[i]?.figure
  if (slot === null || !own) return false
  const isOwn = ({ figure }: Token) => figure !== null && sameFigure(own, figure)
  const at = slot.tokens.findIndex(isOwn)
  const found = slot.tokens.findIndex(
    (one) => one.figure !== null && !isOwn(one) && isOfMeasure(own, one.figure),
  )
  // "One year" is a figure beside another one.
  const ones = lexicon === null ? [] : onesIn(slot.tokens.slice(0, Math.max(0, at)), lexicon)
  const other = found >= 0 ? found : (ones.find((one) => isOfMeasure(own, one.figure))?.at ?? -1)
  if (other < 0 || ground.tokens[slot.start + other - 1]?.key !== tokens[i - 1]?.key) return false
  const isLeft = ({ key, word, light, kind }: Token) =>
    !light &&
    kind !== 'figure' &&
    lexicon?.units.has(word) !== true &&
    !tokens.some((token) => token.key === key)
  // Behind the other figure stands first what it counts.
  return slot.tokens.slice(other + 2, at).some(isLeft)
}

/** "24 hours" and "seven days" are of one kind, too. */
function isOfMeasure(one: Figure, other: Figure): boolean {
  const kind = one.unit === null ? null : unitKind(one.unit)
  return (
    isOfKind(one, other) || (kind !== null && other.unit !== null && unitKind(other.unit) === kind)
  )
}

/** Whether the run of equal tokens that a figure is in holds a word of content beside it. */
function isAnchored(i: number, tokens: readonly Token[], { at, run }: Alignment): boolean {
  const beside = (k: number) =>
    (at[k] ?? -1) >= 0 &&
    (run[k] ?? 0) > 1 &&
    Math.abs((at[k] ?? 0) - (at[i] ?? 0)) === Math.abs(k - i)
  let near = 0
  for (let k = i - 3; k <= i + 3; k++)
    if (k !== i && beside(k)) near += tokens[k]?.light === false ? 2 : 1
  return near >= 2
}

/** Figures of which one can stand for the other: two months, two numbers of one unit or of none. */
const isOfKind = (one: Figure, other: Figure): boolean =>
  isMonth(one) === isMonth(other) && sameUnit(one.unit, other.unit)

/**
 * Figure and what it belongs to: some content of the claim's clause, beside what is laid over the evidence together with the
 * figure, is in the clause of the evidence's figure.
 */
function sharesClause(
  i: number,
  there: Token | undefined,
  tokens: readonly Token[],
  { at }: Alignment,
  ground: Ground,
  { from, to } = { from: i, to: i + 1 },
): boolean {
  return tokens.some((token, k) => {
    const place = ground.tokens[at[k] ?? -1]
    return (
      (k < from || k >= to) &&
      !token.light &&
      token.kind !== 'figure' &&
      token.clause === tokens[i]?.clause &&
      place !== undefined &&
      place.clause === there?.clause
    )
  })
}
