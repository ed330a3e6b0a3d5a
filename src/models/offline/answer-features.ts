import { pairTokens, splitRuns } from '../../text/analyze'
import { type AskedClause, CONTENT } from '../../text/asked'
import { type Holds, holder, likenessTo } from '../../text/hold-term'
import type { LatinMode } from '../../text/latin-language'
import { type AnswerForms, asksForPrice, formsOf } from './answer-forms'
import type { Unit } from './read-units'

/** How well a unit and what is around it hold a term, 0 to 1 each. */
export interface Held {
  here: number
  context: number
  question: number
  before: number
  title: number
  /** Share of the term's letter triples, or of its signs in unspaced scripts. */
  letters: number
}

/** A passage as a clause's terms are found in it. */
export interface PassageView {
  units: readonly Unit[]
  /** By unit, by term. */
  held: readonly (readonly Held[])[]
  /** By unit: the number of its section, and by section the most that a unit of it holds of each term. */
  sections: readonly number[]
  /** By unit: how alike the clause and the question above are said, with one word for all that mean the same. */
  alike: readonly number[]
  most: readonly { held: number[]; letters: number[] }[]
}

const GRAM = 3
const NO_LETTERS: ReadonlySet<string> = new Set()

/** Reads what a passage's units hold of a clause. */
export function viewPassage(
  { terms, text, told = '' }: AskedClause,
  units: readonly Unit[],
): PassageView {
  const holders = new Map<LatinMode, Holds[]>()
  const holdersOf = (mode: LatinMode) => {
    const known = holders.get(mode) ?? terms.map((term) => holder(term, mode))
    holders.set(mode, known)
    return known
  }
  // Units share title, headings and lead-in, and each is what stands before the next: a set is looked into once.
  const looked = new Map<ReadonlySet<string> | null, readonly number[]>()
  const look = (tokens: ReadonlySet<string> | null, mode: LatinMode): readonly number[] => {
    const known =
      looked.get(tokens) ?? holdersOf(mode).map((hold) => (tokens === null ? 0 : hold(tokens)))
    looked.set(tokens, known)
    return known
  }
  // "I lost my key, what now?" asks with what it leans on.
  const leaned = terms.flatMap((term) => (term.leaned ? [term.text] : []))
  const clause = units[0]?.tokenise([text, ...leaned].join(' ')) ?? NO_LETTERS
  // …or with what it told alone, where it asks no more than that.
  const asksNoMore = told !== '' && terms.every((term) => term.leaned || term.weight < CONTENT)
  const asked = asksNoMore ? [clause, units[0]?.tokenise(told) ?? NO_LETTERS] : [clause]
  const likeness = new Map<LatinMode, ReturnType<typeof likenessTo>>()
  const likenessIn = (mode: LatinMode) => {
    const known = likeness.get(mode) ?? likenessTo(asked, terms, mode)
    likeness.set(mode, known)
    return known
  }
  /** Of several ways to ask for what stands here, the one that holds most of the clause, and how alike the most alike is. */
  const closest = new Map<readonly ReadonlySet<string>[], [readonly number[], number]>()
  const lookAtQuestions = (questions: readonly ReadonlySet<string>[], mode: LatinMode) => {
    const known = closest.get(questions)
    if (known !== undefined) return known
    let best = look(null, mode)
    let most = 0
    for (const question of questions) {
      const shares = look(question, mode)
      if (weightOf(shares) > weightOf(best)) best = shares
      most = Math.max(most, likenessIn(mode)(question))
    }
    closest.set(questions, [best, most])
    return [best, most] as const
  }
  const weightOf = (shares: readonly number[]): number =>
    terms.reduce((sum, { weight }, at) => sum + weight * (shares[at] ?? 0), 0)
  const wanted = terms.map(({ text, unspaced }) => (unspaced ? new Set(text) : lettersOf([text])))
  const held: Held[][] = []
  const sections: number[] = []
  const alike: number[] = []
  const most: { held: number[]; letters: number[] }[] = []
  for (const [n, unit] of units.entries()) {
    const opens =
      unit.kind === 'heading' || (unit.kind === 'question' && units[n - 1]?.kind !== 'question')
    if (n === 0 || opens)
      most.push({
        held: terms.map(() => 0),
        letters: terms.map(() => 0),
      })
    sections.push(most.length - 1)
    const letters = lettersIn(unit)
    const best = most.at(-1)
    const here = look(unit.tokens, unit.mode)
    const above = unit.context.map((tokens) => look(tokens, unit.mode))
    const [question, likeIt] = lookAtQuestions(unit.questions, unit.mode)
    alike.push(likeIt)
    const before = look(unit.before, unit.mode)
    const title = look(unit.title, unit.mode)
    held.push(
      terms.map((term, at): Held => {
        const one: Held = {
          here: here[at] ?? 0,
          context: above.reduce((best, shares) => Math.max(best, shares[at] ?? 0), 0),
          question: question[at] ?? 0,
          before: before[at] ?? 0,
          title: title[at] ?? 0,
          letters: shareOf(wanted[at] ?? NO_LETTERS, term.unspaced ? unit.tokens : letters),
        }
        if (best !== undefined) {
          best.held[at] = Math.max(best.held[at] ?? 0, one.here, one.context, one.question)
          best.letters[at] = Math.max(best.letters[at] ?? 0, one.letters)
        }
        return one
      }),
    )
  }
  return { units, held, sections, alike, most }
}

/** What ordering by hand knows of a unit: shares of the clause, its score, and how well its form serves. */
export interface ByHand {
  score: number
  share: number
  /** 1 for what no heading and no bare label is. */
  fit: number
  /** The passage's score beside the best one's, 0 to 1. */
  relative: number
  /** Whether it stands under a question that names all that is asked, defines it, lists things where a list is asked for… */
  isUnderQuestion: boolean
  isDefined: boolean
  enumerates: boolean
  /** …and how well it says what it is for, where a way is asked for, or that it is for the same done to something else. */
  serves: number
  servesOther: boolean
}

const CLOCK =
  /\p{N}{1,2}[:：.]\p{N}{2}|\p{N}\s?(?:am|pm|h|uhr|点|點|时|時)(?!\p{L})|\p{N}{1,2}[./]\p{N}{1,2}[./]?/iu
const MONEY =
  /[€$£¥₽₺₹]|(?<!\p{L})(?:eur|usd|gbp|chf|tl|kr|руб|ريال|درهم|دينار|جنيه)|\p{N}\s*(?:元|円|块)/iu
const ROW = / \| /u
const PHONE = /\+?\p{Nd}[\p{Nd} ()-]{6,}\p{Nd}/u
const DIGIT = /\p{Nd}/u
const LONG = 120
const SHORT = 25
/** So many terms are many, and so many sentences of a section. */
const MANY = 4
const FAR_DOWN = 6
/** A term that counts as said. */
const SAID = 0.5
/** A unit of which so much is the question's says little else. */
const RESTATES = 0.6
/** What the things around a unit count beside its own words. */
const AROUND = { context: 0.75, question: 0.9, before: 0.5, title: 0.35 }

/** What a clause asks for, read once for all units. */
export interface AskedForm {
  clause: AskedClause
  forms: AnswerForms
  weights: readonly number[]
  total: number
  /** Shares of those terms that are somewhere, all together 1. */
  present: readonly number[]
  asksPrice: boolean
  letters: ReadonlySet<string>
}

/** @param weights of the clause's terms */
export function readForm(
  clause: AskedClause,
  weights: readonly number[],
  views: readonly PassageView[],
): AskedForm {
  const isThere = weights.map((_, at) =>
    views.some(({ held }) => held.some((one) => (one[at]?.here ?? 0) > 0)),
  )
  const there = weights.reduce((sum, one, at) => sum + (isThere[at] ? one : 0), 0)
  return {
    clause,
    forms: formsOf(clause.code),
    weights,
    total: weights.reduce((sum, one) => sum + one, 0),
    present: weights.map((one, at) => (isThere[at] ? one / there : 0)),
    asksPrice: asksForPrice(clause.text),
    letters: lettersAsked(clause.text),
  }
}

/** The features that the weights of `answer-weights.ts` belong to: shares from 0 to 1, or 0 and 1 for no and yes. */
export function featuresOf(asked: AskedForm, view: PassageView, n: number, byHand: ByHand) {
  const { clause, forms, weights, present, total, asksPrice } = asked
  const unit = view.units[n] as Unit
  const { kinds, terms } = clause
  const { kind, text } = unit
  const held = view.held[n]
  const inside = view.sections[n] ?? 0
  const most = view.most[inside]
  const isHere = (at: number) => view.sections[at] === inside
  const last = isHere(n - 1) ? view.held[n - 1] : undefined
  let [context, question, title, letters, sectionLetters] = [0, 0, 0, 0, 0]
  let [own, everyday, covered, rareAround, previous, said, told] = [0, 0, 0, 0, 0, 0, 0]
  for (const [at, whole] of weights.entries()) {
    const one = held?.[at]
    if (one === undefined || most === undefined) continue
    const weight = whole / total
    const there = present[at] ?? 0
    const inSection = most.held[at] ?? 0
    const around = Math.max(one.context, one.question)
    context += weight * one.context
    question += weight * one.question
    title += weight * one.title
    letters += weight * Math.max(one.here, one.letters)
    sectionLetters += weight * Math.max(inSection, most.letters[at] ?? 0)
    own += there * one.here
    if (terms[at]?.common) everyday += there * one.here
    else rareAround += there * around
    covered +=
      there *
      Math.max(
        one.here,
        AROUND.context * one.context,
        AROUND.question * one.question,
        AROUND.before * one.before,
        AROUND.title * one.title,
      )
    previous += there * (last?.[at]?.here ?? 0)
    if (one.here >= SAID) said++
    if (Math.max(one.here, around) >= SAID) told++
  }
  const is = (flag: boolean) => (flag ? 1 : 0)
  const asksNumber = kinds.has('number') && !asksPrice
  const hasFigures = asksNumber && forms.figures.test(text)
  const isMoney = asksPrice && MONEY.test(text)
  const asksWay = kinds.size === 0 || kinds.has('how')
  const instructs = asksWay && forms.instructs.test(text)
  const asksFigure = kinds.has('number') || kinds.has('time')
  const asksWho = kinds.has('place') || kinds.has('person') || kinds.has('how')
  const ofUnit = lettersIn(unit)
  let shared = 0
  for (const one of asked.letters) if (ofUnit.has(one) || unit.tokens.has(one)) shared++
  const isUnspaced = terms.some(({ unspaced }) => unspaced)
  const words = isUnspaced ? text.length / 2 : unit.words.length
  const signs = ofUnit.size + (isUnspaced ? unit.tokens.size : 0)
  const isDenied = forms.denies.test(clause.text)
  const down = n - view.sections.indexOf(inside)
  return {
    score: byHand.score,
    share: byHand.share,
    context,
    question,
    title,
    letters,
    sectionLetters,
    relative: byHand.relative,
    item: is(kind === 'item'),
    sentence: is(kind === 'sentence'),
    heading: is(kind === 'heading' || kind === 'question'),
    row: is(ROW.test(text)),
    unfit: 1 - byHand.fit,
    length: Math.min(1, text.length / LONG),
    short: is(text.length < SHORT),
    own,
    everyday,
    covered,
    rareAround,
    previous,
    told: Math.min(1, told / MANY),
    dense: Math.min(1, (3 * said) / Math.max(1, words)),
    alike: shared / Math.max(1, asked.letters.size),
    onlyAlike: shared / Math.max(1, signs),
    down: Math.min(1, down / FAR_DOWN),
    late: n / view.units.length,
    figure: is(hasFigures),
    noFigure: is(asksNumber && !hasFigures),
    noDigit: is(asksFigure && !DIGIT.test(text)),
    clock: is(kinds.has('time') && CLOCK.test(text)),
    price: is(isMoney),
    noPrice: is(asksPrice && !isMoney),
    phone: is((asksWho || asksFigure) && PHONE.test(text)),
    reason: is(kinds.has('reason') && forms.reasons.test(text)),
    instructs: is(kinds.has('how') && instructs),
    shows: is(kinds.has('how') && unit.next?.kind === 'code'),
    deniesToo: is(isDenied && forms.denies.test(text)),
    decides: is(kinds.has('yesNo') && forms.decides.test(text)),
    denies: kinds.has('yesNo') && forms.denies.test(text) ? own : 0,
    remedy: is(kinds.size === 0 && instructs),
    step: is(kinds.has('how') && kind === 'item' && DIGIT.test(unit.marker)),
    says: is(kinds.has('yesNo') && forms.says.test(text)),
    underQuestion: is(byHand.isUnderQuestion),
    sameQuestion: kind === 'question' ? 0 : (view.alike[n] ?? 0),
    defines: is(byHand.isDefined),
    enumerates: is(byHand.enumerates),
    serves: byHand.serves,
    servesOther: is(byHand.servesOther),
    restates: is(shared > RESTATES * Math.max(1, signs)),
  }
}

export type Features = ReturnType<typeof featuresOf>

/** A unit is read once, however many clauses ask of it. */
const known = new WeakMap<Unit, ReadonlySet<string>>()

/** Letter triples of a question's words, pairs of its signs in unspaced scripts. */
function lettersAsked(text: string): Set<string> {
  const runs = splitRuns(text)
  const letters = lettersOf(runs.flatMap((run) => (run.unspaced ? [] : [run.text])))
  for (const run of runs)
    if (run.unspaced)
      for (const token of pairTokens(run.text)) if (token.length > 1) letters.add(token)
  return letters
}

/** Letter triples of a unit's words; its signs of unspaced scripts are among its tokens. */
function lettersIn(unit: Unit): ReadonlySet<string> {
  let letters = known.get(unit)
  if (letters === undefined) {
    letters = lettersOf(unit.words)
    known.set(unit, letters)
  }
  return letters
}

function lettersOf(words: readonly string[]): Set<string> {
  const letters = new Set<string>()
  for (const word of words) {
    const padded = `_${word}_`
    for (let at = 0; at + GRAM <= padded.length; at++) letters.add(padded.slice(at, at + GRAM))
  }
  return letters
}

function shareOf(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0
  let shared = 0
  for (const one of wanted) if (found.has(one)) shared++
  return shared / wanted.size
}
