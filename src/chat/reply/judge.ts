import { isCommonWord } from '../../language/prior'
import { type Alignment, align, indexKeys } from './align'
import { type Cell, judgeCells } from './cells'
import { contradictsUnit, type Figure, isMonth, sameFigure, sameUnit } from './figures'
import { compareForce, readForce } from './force'
import type { Lexicon } from './lexicon'
import { judgeOrder } from './order'
import { judgeReplaced } from './replaced'
import { judgeRivals } from './rivals'
import { segmentsOf } from './segments'
import { slotOf } from './slot'
import type { Token } from './tokens'

/** Why a claim falls or stays open: the rule that said so. */
export type Reason =
  | 'figure'
  | 'name'
  | 'force'
  | 'content'
  | 'language'
  | 'order'
  | 'rival'
  | 'replaced'
  | 'none'

export interface Verdict {
  outcome: 'stands' | 'falls' | 'open'
  reason: Reason
  /** Share of the claim's content that the evidence holds, 0 to 1. */
  share: number
}

/** What a claim is held against: a sentence or two, with what always belongs to them. */
export interface Ground {
  tokens: readonly Token[]
  /** Heading, lead-in, header row: they prove words and figures, but have no place in the sentence. */
  context: readonly Token[]
  /** The whole passage, asked for rarely: a figure from there is open, not wrong. */
  passage: () => readonly Token[]
  /** Whether some place of the passage says this, word for word. */
  isSaid: (said: readonly Token[]) => boolean
  /** Of a row that names its columns. */
  cells: readonly Cell[]
  /** Whether another row or list of the passage is of what a key names. */
  isOther: (key: string) => boolean
  /** Whether a claim is of another row or list of the passage, or says what another row says of what it names. */
  isOfOther: (claim: readonly Token[]) => boolean
  /** How many items the list has that it is: "three steps" is proven by three. */
  items: number | null
}

export interface ClaimFacts {
  tokens: readonly Token[]
  /** The claim's language is the evidence's. */
  sameLanguage: boolean
  lexicon: Lexicon | null
  /** Keys of the user's message. */
  asked: ReadonlySet<string>
}

/** Content that must be held for a claim to stand, and below which it falls. */
const STANDS = 0.75
const FALLS = 0.5
/** Of a few words two may be there by chance. */
const SHORT = 5
const FALLS_SHORT = 0.7
/** Tokens of a name that stands in another's place. */
const LONGEST_NAME = 4
/** A rare word weighs more than an everyday one, a sign of an unspaced script less than a word. */
const WEIGHT = { rare: 2, common: 1, sign: 0.5, kana: 0.15 }
const NEAR_PREFIX = 4
/** A language whose short words take long endings ("plan", "planında"). */
const AGGLUTINATES = 'tr'
/** Prefixes that make a word its opposite, in the languages that have such. */
const TURNS = new Set(
  'un in im il ir dis non a anti des dés mal miss не без бес вне анти'.split(' '),
)
/** Of a clause's content, how much must be held; a clause of fewer words is judged with its sentence. */
const CLAUSE_HELD = 0.4
const CLAUSE_WEIGHT = 4
const CLAUSE_WORDS = 3
const WORDS_HELD = 0.3
/** The first sign of what joins a clause in Chinese, beside the word for "and". */
const JOINTS = new Set('并並且而'.split(''))
/** A run of this many equal tokens is no coincidence, wherever it stands. */
const LONG_RUN = 5

/** The rules of the check, in their order: figures, names, force, content. */
export function judge(claim: ClaimFacts, ground: Ground): Verdict {
  const { tokens } = claim
  const weights = tokens.map((token) => weightOf(token, claim.lexicon))
  const known = new Set(ground.context.map((token) => token.key))
  const alignment = align(tokens, ground.tokens, indexKeys(ground.tokens))
  if (isVerbatim(tokens, alignment, ground, weights)) return verdict('stands', 'none', 1)
  const held = tokens.map((token, i) =>
    holding(token, i, alignment, ground, known, claim.lexicon?.code === AGGLUTINATES),
  )
  const share = shareOf(weights, held)

  const inCells = ground.cells.length > 1 ? judgeCells(tokens, ground.cells) : null
  const figures =
    inCells === null || inCells === 'open' ? judgeFigures(claim, ground, alignment, held) : inCells
  if (figures === 'falls') return verdict('falls', 'figure', share)
  if (!claim.sameLanguage) return verdict('open', 'language', share)
  const names = judgeNames(claim, ground, alignment, held, weights)
  if (names === 'falls') return verdict('falls', 'name', share)
  if (share < (weights.filter((weight) => weight > 0).length < SHORT ? FALLS_SHORT : FALLS))
    return verdict('falls', 'content', share)
  if (isOfAnother(claim, ground, held)) return verdict('falls', 'name', share)
  const clauses = judgeClauses(claim, ground, alignment, weights, held)
  if (clauses === 'falls') return verdict('falls', 'content', share)
  const force = compareForce(
    readForce(tokens, claim.lexicon),
    readForce(ground.tokens, claim.lexicon),
    alignment,
    tokens,
    ground.tokens,
  )
  if (force === 'falls') return verdict('falls', 'force', share)
  const order = judgeOrder(tokens, ground.tokens, alignment, claim.lexicon)
  if (order === 'falls') return verdict('falls', 'order', share)
  const rivals = judgeRivals(tokens, ground.tokens, alignment, claim.lexicon)
  // "B is smaller than A" is "A is larger than B": what changed places may say the same by the opposite word.
  if (rivals === 'falls' && order === 'stands') return verdict('falls', 'rival', share)
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
  if (force === 'open') return verdict('open', 'force', share)
  if (order === 'open') return verdict('open', 'order', share)
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
): boolean {
  const first = weights.findIndex((weight, i) => weight > 0 || (at[i] ?? -1) >= 0)
  if (first < 0) return false
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

export function weightOf(token: Token, lexicon: Lexicon | null): number {
  if (token.kind === 'figure') return WEIGHT.rare
  if (token.light)
    return token.kind === 'sign' && /\p{Script=Hiragana}/u.test(token.word) ? WEIGHT.kana : 0
  if (token.kind === 'sign') return WEIGHT.sign
  if (lexicon?.leadsIn(token.word)) return 0
  return isCommonWord(token.key) ? WEIGHT.common : WEIGHT.rare
}

/** How much of a token the evidence holds: 1 in its place, less where only a near form or a lone sign is there. */
function holding(
  token: Token,
  i: number,
  { at, run }: Alignment,
  ground: Ground,
  known: ReadonlySet<string>,
  agglutinates: boolean,
): number {
  if ((at[i] ?? -1) >= 0) return token.kind === 'sign' && (run[i] ?? 0) < 2 ? 0.5 : 1
  if (known.has(token.key)) return 1
  if (token.kind === 'word' && !token.light && isNear(token, ground, agglutinates)) return 0.8
  return 0
}

/** Another form of a word that the evidence has: an inflection, a part of a compound. */
function isNear(token: Token, ground: Ground, agglutinates: boolean): boolean {
  const least = Math.max(NEAR_PREFIX, Math.ceil(token.key.length * 0.6))
  if (token.key.length < NEAR_PREFIX) return false
  const start = token.key.slice(0, least)
  const isForm = ({ key, word, kind }: Token) =>
    kind === 'word' &&
    !isOpposite(word, token.word) &&
    (key.startsWith(start) ||
      (key.length >= 5 && token.key.includes(key)) ||
      (agglutinates && token.key.startsWith(key) && key.length >= NEAR_PREFIX) ||
      (token.key.length >= 5 && key.includes(token.key)))
  return ground.tokens.some(isForm) || ground.context.some(isForm)
}

/** "Unable" beside "able": one is the other behind a prefix that turns it round. */
export function isOpposite(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return (
    short.length >= NEAR_PREFIX &&
    long.endsWith(short) &&
    TURNS.has(long.slice(0, long.length - short.length))
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

/** Every figure of the claim is in the evidence, in its place; another figure in that place contradicts it. */
function judgeFigures(
  claim: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  held: readonly number[],
): 'stands' | 'falls' | 'open' {
  const { tokens } = claim
  let open = false
  for (const [i, token] of tokens.entries()) {
    const { figure } = token
    if (figure === null) continue
    if (isSameDate(i, tokens, ground.tokens)) continue
    const at = alignment.at[i] ?? -1
    const { from, to } = runAround(i, tokens, alignment)
    const slot = slotOf(from, to, tokens, alignment, ground.tokens)
    const isIn =
      at >= 0 && slot !== null && at >= slot.start && at < slot.start + slot.tokens.length
    if (
      at >= 0 &&
      (slot === null || isIn || to - from > LONG_RUN) &&
      isAnchored(i, tokens, alignment)
    ) {
      const there = ground.tokens[at]?.figure
      if (there && contradictsUnit(figure, there)) return 'falls'
      if (slot?.closed !== true && isContested(i, { from, to }, claim, ground)) open = true
      if (countsOther(i, at, tokens, ground, held)) open = true
      continue
    }
    const equal = ground.tokens.filter((one) => one.figure && sameFigure(figure, one.figure))
    const rivals = slot?.tokens.filter((one) => one.figure !== null) ?? []
    const inPlace = rivals.some((one) => one.figure && sameFigure(figure, one.figure))
    if (inPlace) continue
    if (slot?.tight && rivals.length > 0) {
      if (slot.closed || at < 0) return 'falls'
      open = true
      continue
    }
    if (equal.length > 0) {
      if (!equal.some((one) => sharesClause(i, one, tokens, alignment, ground))) open = true
      continue
    }
    if (ground.context.some((one) => one.figure && sameFigure(figure, one.figure))) continue
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
  ground: Ground,
  held: readonly number[],
): boolean {
  const isCounted = (token: Token | undefined) => token?.kind === 'word' && !token.light
  const counted = tokens[i + 1]
  const there = ground.tokens[at + 1]
  return (
    isCounted(counted) &&
    isCounted(there) &&
    (held[i + 1] ?? 0) === 0 &&
    !tokens.some((token) => token.key === there?.key)
  )
}

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

/** The run of tokens that are laid over the evidence together with this one. */
function runAround(
  i: number,
  tokens: readonly Token[],
  { at }: Alignment,
): { from: number; to: number } {
  let from = i
  let to = i + 1
  if ((at[i] ?? -1) < 0) return { from, to }
  while (from > 0 && (at[from - 1] ?? -2) === (at[from] ?? -1) - 1) from--
  while (to < tokens.length && (at[to] ?? -2) === (at[to - 1] ?? -1) + 1) to++
  return { from, to }
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

/** Figure and what it belongs to: some content of the claim's clause is in the clause of the evidence's figure. */
function sharesClause(
  i: number,
  there: Token,
  tokens: readonly Token[],
  { at }: Alignment,
  ground: Ground,
): boolean {
  return tokens.some((token, k) => {
    const place = ground.tokens[at[k] ?? -1]
    return (
      k !== i &&
      !token.light &&
      token.kind !== 'figure' &&
      token.clause === tokens[i]?.clause &&
      place !== undefined &&
      place.clause === there.clause
    )
  })
}

/** Whether a claim says that something is not so. */
export function isDenied({ tokens, lexicon }: Pick<ClaimFacts, 'tokens' | 'lexicon'>): boolean {
  return readForce(tokens, lexicon).some(({ bits }) => (bits & 1) !== 0)
}

/** Names and terms are in the evidence: one that is not falls, and so does one in another's place. */
function judgeNames(
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
    if (ground.tokens.some(({ word }) => isOpposite(word, token.word))) return 'falls'
    if ((held[i] ?? 0) > 0) continue
    const rare = wide || !isCommonWord(token.key)
    // Among the letters of another script a Latin word with a capital is a name.
    const isForeign = lexicon?.latin === false && /^\p{Script=Latin}/u.test(token.word)
    const named = token.capital && (lexicon?.capitals === true || isForeign)
    const replaced = slot?.tight === true && slot.tokens.some((one) => isName(one, lexicon))
    const alike =
      token.capital && slot?.tight === true && slot.tokens.some((one) => one.capital && !one.light)
    if (claim.asked.has(token.key) && isDenied(claim)) open = true
    else if (named || (rare && (wide || token.capital))) return 'falls'
    else if (rare || replaced || alike) open = true
  }
  return open ? 'open' : 'stands'
}

/** Whether a claim names what another row or list of the passage is of: "the Team plan" on the row of the Basic one. */
function isOfAnother({ tokens }: ClaimFacts, ground: Ground, held: readonly number[]): boolean {
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

/** A clause of its own that the evidence does not speak of is not carried by the others. */
function judgeClauses(
  { tokens, lexicon }: ClaimFacts,
  ground: Ground,
  alignment: Alignment,
  weights: readonly number[],
  held: readonly number[],
): 'stands' | 'falls' | 'open' {
  const alone = clausesOf(tokens, alignment, lexicon).filter((clause) =>
    isAlone(clause, tokens, weights, held),
  )
  if (alone.length === 0) return 'stands'
  const elsewhere = new Set(ground.passage().map(({ key }) => key))
  const isElsewhere = alone.every((clause) => {
    const all = sum(clause.map((i) => weights[i] ?? 0))
    const found = clause.filter((i) => elsewhere.has(tokens[i]?.key ?? ''))
    return sum(found.map((i) => weights[i] ?? 0)) >= all * STANDS
  })
  return isElsewhere ? 'open' : 'falls'
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** The claim's tokens by clause; what an "and" joins to it that the evidence does not join there is one of its own. */
function clausesOf(
  tokens: readonly Token[],
  { run }: Alignment,
  lexicon: Lexicon | null,
): number[][] {
  const clauses: number[][] = []
  let last: number | null = null
  for (const [i, token] of tokens.entries()) {
    const isJoint =
      (lexicon?.joins.has(token.word) === true || JOINTS.has(token.word)) && (run[i] ?? 0) < 2
    if (token.clause !== last || isJoint) clauses.push([])
    clauses.at(-1)?.push(i)
    last = token.clause
  }
  return clauses
}

/** Whether hardly anything of a clause is held, or nothing of one that says little more than a subject and what it does. */
function isAlone(
  clause: readonly number[],
  tokens: readonly Token[],
  weights: readonly number[],
  held: readonly number[],
): boolean {
  const all = sum(clause.map((i) => weights[i] ?? 0))
  const found = sum(clause.map((i) => (weights[i] ?? 0) * (held[i] ?? 0)))
  const words = clause.filter((i) => (weights[i] ?? 0) > 0 && tokens[i]?.kind === 'word')
  return (
    (all >= CLAUSE_WEIGHT && found < all * CLAUSE_HELD) ||
    (words.length >= CLAUSE_WORDS && found < all * WORDS_HELD)
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
    if (end - i >= LEAST_RUN) {
      const text = wordsOf(tokens.slice(i, end))
      const slot = slotOf(i, end, tokens, alignment, ground.tokens)
      const novel = rareSigns(text, lexicon)
      // A row has its words in any order: none stands in another's place.
      const isRow = ground.cells.length > 1
      const instead =
        slot?.tight === true && !isRow
          ? rareSigns(wordsOf(slot.tokens), lexicon) >= LEAST_RUN
          : null
      const says = tokens.slice(i, end).some(({ light }) => !light)
      const asked = tokens.slice(i, end).every((token) => claim.asked.has(token.key))
      if (novel >= LEAST_RUN && asked && isDenied(claim)) open = true
      else if (novel > LEAST_RUN || (instead === true && says)) return 'falls'
      else if (novel === LEAST_RUN) open = true
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
  { tokens }: ClaimFacts,
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
    if (
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

const isKatakana = (token: Token | undefined) =>
  token !== undefined && /^[\p{Script=Katakana}ー]$/u.test(token.word)

const wordsOf = (tokens: readonly Token[]) => tokens.map((token) => token.word).join('')

/** How many signs of a text belong to no everyday word: single signs in a row spell a foreign name. */
function rareSigns(text: string, lexicon: Lexicon | null): number {
  let rare = 0
  let singles = 0
  for (const segment of segmentsOf(text)) {
    const isSmall =
      lexicon?.functionWords.has(segment) === true ||
      lexicon?.leadsIn(segment) === true ||
      /^\p{Script=Hiragana}+$/u.test(segment)
    const length = [...segment].length
    if (length === 1 && !isSmall) {
      singles++
      continue
    }
    if (singles >= LEAST_RUN) rare += singles
    singles = 0
    if (!isSmall && !isCommonWord(segment)) rare += length
  }
  return rare + (singles >= LEAST_RUN ? singles : 0)
}
