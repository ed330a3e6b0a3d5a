import { alikeness, isPhrasing, SAME_QUESTION } from '../text/alike-questions'
import { wordTokens } from '../text/analyze'
import { type AskedClause, type AskedTerm, namesSomething, SAME_MEANING } from '../text/asked'
import { clauseWeights, type Holds, holder } from '../text/hold-term'
import type { LatinMode } from '../text/latin-language'
import { mendTypos, saidIn } from '../text/mend-typos'
import { ownIdf } from '../text/own-idf'
import { type PassageReading, PassageReadings, questionTokens } from '../text/passage-reading'
import { readPhrasings } from '../text/phrasings'
import { askedInSmallWords, isAsking, readQuestion } from '../text/question'
import { modeOf, readerFor } from '../text/question-reader'
import { readSides } from '../text/read-clause'
import { isCode, settleTerms } from '../text/settle-terms'
import { leastCosine } from './least-cosine'
import type { IdfTable, SearchResult } from './types'

/** Why the gate is open (`near`, `covered`) or shut. */
export const GATE_REASONS = [
  'near',
  'covered',
  'nothing_found',
  'names_nothing',
  'name_not_found',
  'too_little_found',
] as const
export type GateReason = (typeof GATE_REASONS)[number]

export interface Gate {
  open: boolean
  reasons: GateReason[]
  /** Share of what the best clause names that one passage holds, 0 to 1. */
  coverage: number
}

/**
 * The share of a clause that one passage must hold: `LEAST` for a clause that names one thing, `LEAST / n ** FALL` for n
 * things, since of many hardly all stand in one place. Fitted on the tune half of `npm run eval:nomatch`, as the other
 * thresholds are. The largest idf of a base stands for its size: that of a word which a single passage has.
 */
const LEAST = 0.95
const FALL = 0.6
/** The share is never less than this, however small the base and long the question. */
const FEWEST = 0.15
/** …nor than this for scripts without spaces in a base of some 600 passages and more, where some of the signs stand anywhere. */
const FEWEST_SIGNS = 0.45
/** The share is never more than this: in the largest base, too, a single thing that is found suffices. */
const MOST = 0.94
/** In a large base any words are found somewhere: what each unit of idf above that of 240 passages adds to the share. */
const PER_IDF = 0.05
const MIDDLE_IDF = 5
/** What each unit above that of some twenty passages adds where no rare word is found: everyday words say little. */
const PER_IDF_COMMON = 0.02
const SMALL_IDF = 3
/** A small base has few words at all: what each unit of idf below that of some thirty passages takes off the share. */
const PER_IDF_SMALL = 0.12
const FEW_IDF = 3
/** The largest idf of some 130 passages. In a larger base words that only stand for others do not count. */
const MANY_IDF = 4.5
/** What words of neighbouring sentences count in the coverage; words anywhere in the passage count the rest. */
const NEAR = 0.7
/** What a question that stands in the passage and asks for the same adds: its answer follows it. */
const ASKED = 0.1
/** What an everyday word of the language counts beside a rare one. */
const COMMON = 0.7
/** A word that no passage found holds is nowhere in the base, so it weighs more: a name most of all. */
const ABSENT = { name: 1.5, common: 1.3, other: 1 }
/** …and more still where authors wrote other ways to ask: a word that even these lack hardly means what is there. */
const ABSENT_OF_WAYS = { name: 2.5, common: 1.3, other: 1.6 }
/** What a word counts that stands in other ways to ask alone: there are many, and they speak of all sorts of things. */
const IN_WAYS = 0.9
/** What an everyday verb counts that the base lacks: the base may well speak of its object in other verbs. */
const ABSENT_VERB = 0.3
/** A word of so many letters names two things in one ("Schmalspurbahnen"). */
const COMPOUND_LETTERS = 16
/** Signs in a row that neither segmenter nor list knows are a name. */
const NAME_SIGNS = 3
/** A term of this weight names something. */
const NAMES = 0.8
/** Shares of a term that count as holding it, and as not. */
const WHOLE = 0.9
const HALF = 0.5

/**
 * From this largest idf on, that of some 170 passages, one or two everyday words are found in some passage of any subject.
 * A passage is about them only if it repeats one, has it in its heading, or says all that was asked in one sentence. `ALONE`
 * and `BESIDE_RARE` are the shares of the clause that this takes.
 */
const LARGE_IDF = 4.7
/** From here on, some 600 passages, that holds for a rare word beside another, too. */
const VERY_LARGE_IDF = 6
const FEW = 2
const BEGINNING = 16
/** A passage repeats what stands in more than so many of its sentences, or of these and its other ways to ask, which are up to forty. */
const ONCE = { sentences: 1, ways: 3 }
const ALONE = { repeated: 0.4, together: 0.9 }
/** …where one of the two is no everyday word. */
const BESIDE_RARE = { repeated: 0.1, together: 0.6 }

/** Letters of a usual passage of the bases that the thresholds were fitted on; what is shorter than `LEAST_SIGNS` counts as that. */
const USUAL_SIGNS = 650
const LEAST_SIGNS = 300
const UNSPACED_SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

type Found = Pick<SearchResult, 'hits' | 'idf' | 'cosine' | 'embedder'>

/**
 * Whether the passages found are about what was asked, so that an answer may be tried. One clause of the message suffices,
 * if one passage holds enough of what it names. Errs on the side of answering, because the check of each sentence is the proof.
 * @param readings what was read of the passages, which gate and check of a turn share
 */
export function readGate(
  message: string,
  result: Found,
  context = '',
  readings = new PassageReadings(),
): Gate {
  const { hits, cosine, embedder } = result
  if (hits.length === 0) return shut('nothing_found')
  if (cosine !== null && embedder !== null && cosine >= leastCosine(embedder))
    return { open: true, reasons: ['near'], coverage: 1 }
  const passages = hits.map((hit) => readings.of(hit))
  const reader = readerFor(message)
  const meant = mendTypos(
    message,
    () => passages.flatMap(({ words }) => words),
    reader,
    () => hits.map(saidIn).join(' '),
  )
  const asked = readQuestion(meant, context, reader)
  const [first] = asked
  const small = askedInSmallWords(meant, asked, reader)
  if (small !== '') {
    const isAsked = hits.some((hit) =>
      readPhrasings(hit.phrasings).some((one) => isPhrasing(small, one, reader)),
    )
    if (isAsked) return { open: true, reasons: ['covered'], coverage: 1 }
  }
  if (first === undefined) return shut('names_nothing')
  const idf = ownIdf(first.code, result.idf)
  const settled = settleTerms(asked.filter(isEnough), passages)
  if (settled.some((clause) => isAskedThere(clause, passages)))
    return { open: true, reasons: ['covered'], coverage: 1 }
  const size = idf.rest - shortness(passages)
  const clauses = settled.map((clause) => (idf.rest > MANY_IDF ? inItsOwnWords(clause) : clause))
  let best = shut('too_little_found')
  for (const clause of clauses.flatMap((one) => [one, ...withoutAbsent(one, passages)])) {
    const gate = judge(clause, passages, idf, size)
    if (gate.open) return gate
    if (gate.coverage >= best.coverage) best = gate
  }
  return best
}

/**
 * A base of many short passages says no more than one of fewer long ones, and as few words by chance: what the largest idf
 * counts too much where the passages found are shorter than an encyclopedia's.
 */
function shortness(passages: readonly PassageReading[]): number {
  const signs = passages.reduce((sum, { text }) => sum + lengthOf(text), 0) / passages.length
  return Math.max(0, Math.log(USUAL_SIGNS / Math.max(LEAST_SIGNS, signs)))
}

/** A sign of an unspaced script says as much as three letters. */
const lengthOf = (text: string): number =>
  text.length + 2 * (text.match(UNSPACED_SIGNS)?.length ?? 0)

/** Among many passages somebody says anything: there only the question's own words tell what they are about. */
const inItsOwnWords = (clause: AskedClause): AskedClause => ({
  ...clause,
  terms: clause.terms.map((term) => ({
    ...term,
    kin: [],
    verb: false,
    // Nor does one sign of a word, which stands in some text or other.
    parts: term.unspaced ? [] : term.parts,
  })),
})

/**
 * Whether a question that stands in a passage is said in nearly the same words, or names all that a clause names, two things
 * and more, one of them in the same word: who asks the rest in other words asks for the same, however large the base.
 */
function isAskedThere({ terms, text }: AskedClause, passages: readonly PassageReading[]): boolean {
  if (terms.some(({ leaned }) => leaned)) return false
  // A sign by itself weighs little, as many only help; yet "鞋" of "两岁孩子穿多大的鞋" is what is asked about.
  const named = terms.filter((term) => term.weight >= NAMES || isSign(term))
  const askedIn = onceForEachMode((mode) => ({
    tokens: questionTokens(text, mode),
    holders: named.map((term) => holder(term, mode)),
  }))
  return passages.some(({ questions, mode }) =>
    questions.some((question) => {
      const { tokens, holders } = askedIn(mode)
      const held = holders.map((hold) => hold(question))
      if (!held.every((share) => share >= SAME_MEANING)) return false
      if (alikeness(question, tokens) >= SAME_QUESTION) return true
      return countNames({ terms }) >= FEW && held.some((share) => share >= WHOLE)
    }),
  )
}

/** Of a question for two things, the one that is there where nothing of the other is: that is answered. */
function withoutAbsent(clause: AskedClause, passages: readonly PassageReading[]): AskedClause[] {
  const [first, second] = readSides(clause) ?? []
  if (first === undefined || second === undefined) return []
  if (isNowhere(second, passages)) return [first]
  // Behind "who wrote war and peace" the second is no question of its own.
  return clause.kinds.has('yesNo') && isNowhere(first, passages) ? [second] : []
}

/** Whether no passage holds anything that the clause names. */
const isNowhere = ({ terms }: AskedClause, passages: readonly PassageReading[]): boolean =>
  terms.every(
    (term) =>
      term.weight < NAMES ||
      passages.every(({ tokens, mode }) => holder(term, mode)(tokens) < HALF),
  )

const isSign = ({ unspaced, text }: AskedTerm): boolean => unspaced && [...text].length === 1

/** One everyday word told in passing ("as soon as possible") is no question of its own where others of the message name more. */
function isEnough(clause: AskedClause, _at: number, all: readonly AskedClause[]): boolean {
  const isThin =
    !isAsking(clause) && clause.terms.every(({ common, weight }) => common || weight < NAMES)
  const names = countNames(clause)
  return !isThin || names > 1 || !all.some((one) => countNames(one) > names)
}

const countNames = ({ terms }: Pick<AskedClause, 'terms'>): number =>
  terms.filter(({ weight }) => weight >= NAMES).length

const shut = (reason: GateReason): Gate => ({ open: false, reasons: [reason], coverage: 0 })

function judge(
  clause: AskedClause,
  passages: readonly PassageReading[],
  idf: SearchResult['idf'],
  size: number,
): Gate {
  const { terms } = clause
  const rarity = clauseWeights(clause, idf)
  const holdersIn = onceForEachMode((mode) =>
    terms.map((term) => ({ term, hold: holder(term, mode) })),
  )
  const asked = modeOf(clause.code)
  const held = passages.map((passage) =>
    holdersIn(passage.mode).map(({ term, hold }) => {
      const own = isWritten(term, hold, passage, asked) ? hold : holdsNothing
      return { term, hold: own, share: own(passage.tokens) }
    }),
  )
  const most = terms.map((_, at) => Math.max(...held.map((shares) => shares[at]?.share ?? 0)))
  const weights = weighTerms(terms, passages, rarity, most, size)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let coverage = 0
  for (const [n, passage] of passages.entries()) {
    const shares = (held[n] ?? []).map((one, at) => ({
      ...one,
      weight: weights[at] ?? 0,
      rarity: rarity[at] ?? 0,
    }))
    coverage = Math.max(coverage, coverageIn(passage, shares, total, size, coverage))
  }
  // What visitors say in other ways to ask need not be what the base speaks of, unless it is a name.
  const isTold = ({ name }: AskedTerm, at: number) =>
    passages.some(
      ({ hasWays, written, tokens, mode }) =>
        (holdersIn(mode)[at]?.hold(hasWays && !name ? written : tokens) ?? 0) >= WHOLE,
    )
  const isRare = terms.some((term, at) => isTelling(term, rarity[at] ?? 0) && isTold(term, at))
  const open = coverage >= leastOf(terms, size, isRare, idf)
  if (open) return { open, reasons: ['covered'], coverage }
  const lacks = terms.some((term, at) => term.name && most[at] === 0)
  return { open, reasons: [lacks ? 'name_not_found' : 'too_little_found'], coverage }
}

const holdsNothing: Holds = () => 0

/**
 * In a passage of another language a name stands as it is written, and not in other ways to ask alone: "francés" has the stem
 * of "France", and is none.
 */
const isWritten = (
  { name, text }: AskedTerm,
  hold: Holds,
  { mode, words, written }: PassageReading,
  asked: LatinMode,
): boolean => !name || mode === asked || (words.includes(text) && hold(written) > 0)

/** What each term counts: another weight where no passage holds it. @param most that any passage holds of each */
function weighTerms(
  terms: readonly AskedTerm[],
  passages: readonly PassageReading[],
  rarity: readonly number[],
  most: readonly number[],
  size: number,
): number[] {
  const isNamed = terms.some(({ weight }) => weight >= NAMES)
  const absent = passages.some(({ hasWays }) => hasWays) ? ABSENT_OF_WAYS : ABSENT
  return terms.map((term, at) => {
    const isAbsent = (most[at] ?? 0) < HALF
    const isBeside = isNamed && term.weight < NAMES && (!term.unspaced || [...term.text].length > 1)
    // "Where do I get a passport": in a small base another passage's "get" says no more than none.
    if (isBeside && (isAbsent || size <= MANY_IDF)) return 0
    return weigh(term, rarity[at] ?? 0, isAbsent ? absent : null)
  })
}

/**
 * The share of a clause that a passage holds: anywhere in it, in sentences beside each other, and in a question that it
 * answers. 0 where that is no more than `known`, or says nothing.
 */
function coverageIn(
  passage: PassageReading,
  terms: readonly HeldTerm[],
  total: number,
  size: number,
  known: number,
): number {
  // What a clause leans on is no answer to what it names itself.
  const isOwned = terms.some(({ term }) => namesSomething(term))
  if (isOwned && !terms.some(({ term, share }) => !term.leaned && share >= HALF)) return 0
  if (isAbout(terms, passage)) return 1
  // Only what the passage holds can be in its sentences.
  const here = terms.filter(({ share }) => share > 0)
  const whole = wholeOf(here, passage)
  if (whole <= known * total) return 0
  const isFollowUp = terms.some(({ term }) => term.leaned)
  if (!isFollowUp && isPassing(terms, here, passage, total, size)) return 0
  let near = 0
  for (const [at, window] of passage.windows.entries())
    near = Math.max(
      near,
      (at < passage.sentences ? 1 : IN_WAYS) * weightOf(here, (hold) => hold(window)),
    )
  const asked = Math.max(
    0,
    ...passage.questions.map((question) => weightOf(here, (hold) => hold(question))),
  )
  return Math.min(1, (NEAR * near + (1 - NEAR) * whole + ASKED * asked) / total)
}

/** What a passage holds of a clause. */
function wholeOf(here: readonly HeldTerm[], { hasWays, written }: PassageReading): number {
  const whole = here.reduce((sum, { share, weight }) => sum + share * weight, 0)
  if (!hasWays) return whole
  return IN_WAYS * whole + (1 - IN_WAYS) * weightOf(here, (hold) => hold(written))
}

/** Whether everything that a clause names is what a passage is about: light words beside it ("all the time") change nothing. */
function isAbout(terms: readonly HeldTerm[], { parts }: PassageReading): boolean {
  const [head] = parts
  const named = terms.filter(({ term }) => term.weight >= NAMES)
  const isFigures = named.every(({ term }) => isFigure(term) && !isCode(term))
  return (
    head !== undefined &&
    named.length > 0 &&
    !isFigures &&
    named.every(({ hold }) => hold(head) >= WHOLE)
  )
}

interface HeldTerm {
  hold: Holds
  share: number
  weight: number
  term: AskedTerm
  rarity: number
}

/** Whether a large base's passage holds no more of a clause than a word or two of every day, in passing. */
function isPassing(
  terms: readonly HeldTerm[],
  here: readonly HeldTerm[],
  { parts, text, mode, hasWays }: PassageReading,
  total: number,
  rest: number,
): boolean {
  if (rest <= LARGE_IDF) return false
  const isNamed = terms.some(({ term }) => term.weight >= NAMES)
  const named = here.filter(
    ({ term, share }) => (!isNamed || term.weight >= NAMES) && share >= HALF,
  )
  const isCertain = ({ term, share }: HeldTerm) => (term.name || isFigure(term)) && share >= WHOLE
  if (named.length > FEW || here.some(isCertain)) return false
  const told = named.filter(({ term, share, rarity }) => share >= WHOLE && isTelling(term, rarity))
  if (told.length > (rest > VERY_LARGE_IDF && named.length > 1 ? 1 : 0)) return false
  const least = told.length > 0 ? BESIDE_RARE : ALONE
  const [head, ...pieces] = parts
  // What a text begins with, it is about: "Refunds are paid within 14 days."
  const begins = new Set(wordTokens(text.slice(0, BEGINNING), mode))
  const isInHead = (hold: Holds) =>
    hold(begins) >= HALF || (head !== undefined && hold(head) >= HALF)
  const once = hasWays ? ONCE.ways : ONCE.sentences
  const repeated = named.filter(
    ({ hold }) => isInHead(hold) || pieces.filter((piece) => hold(piece) >= HALF).length > once,
  )
  if (weightOf(repeated, () => 1) >= least.repeated * total) return false
  if (named.length < FEW) return true
  return !pieces.some(
    (piece) =>
      weightOf(here, (hold) => Math.max(hold(piece), head ? hold(head) : 0)) >=
      least.together * total,
  )
}

const weightOf = (terms: readonly HeldTerm[], share: (hold: Holds) => number): number =>
  terms.reduce((sum, { hold, weight }) => sum + share(hold) * weight, 0)

const isFigure = ({ text }: AskedTerm): boolean => /^\p{N}/u.test(text)

/** The share of a clause that must be found. */
function leastOf(
  terms: readonly AskedTerm[],
  size: number,
  isRare: boolean,
  { rest }: IdfTable,
): number {
  const isLong = ({ text, unspaced }: AskedTerm) =>
    rest > MANY_IDF && !unspaced && text.length >= COMPOUND_LETTERS
  const named = terms.reduce(
    (sum, term) => sum + Math.min(1, term.weight) * (isLong(term) ? 2 : 1),
    0,
  )
  const least = LEAST / Math.max(1, Math.round(named)) ** FALL + PER_IDF * (size - MIDDLE_IDF)
  const more = isRare ? 0 : PER_IDF_COMMON * Math.max(0, size - SMALL_IDF)
  const less = PER_IDF_SMALL * Math.max(0, FEW_IDF - size)
  const isLarge = size > VERY_LARGE_IDF && terms.some(({ unspaced }) => unspaced)
  return Math.max(isLarge ? FEWEST_SIGNS : FEWEST, Math.min(MOST, least + more - less))
}

function weigh(term: AskedTerm, rarity: number, absent: typeof ABSENT | null): number {
  const weight = term.common ? rarity * COMMON : rarity
  if (absent === null) return weight
  if (term.verb) return weight * ABSENT_VERB
  if (term.common) return weight * absent.common
  return weight * (term.name || isUnknown(term) ? absent.name : absent.other)
}

const isUnknown = ({ unspaced, weight, text }: AskedTerm): boolean =>
  unspaced && weight >= NAMES && [...text].length >= NAME_SIGNS

/** A word that is rare in language and base: finding it tells that the base speaks of it. */
const isTelling = (term: AskedTerm, rarity: number): boolean =>
  !term.common && rarity >= NAMES && !isFigure(term)

function onceForEachMode<T>(make: (mode: LatinMode) => T): (mode: LatinMode) => T {
  const made = new Map<LatinMode, T>()
  return (mode) => {
    const known = made.get(mode) ?? make(mode)
    made.set(mode, known)
    return known
  }
}
