import type { Language } from '../../config/names'
import type { IdfTable, Passage } from '../../knowledge/types'
import { type AskedClause, type AskedTerm, CONTENT, namesSomething } from '../../text/asked'
import { detectLanguage, sameLanguage } from '../../text/detect-language'
import { foldText } from '../../text/fold'
import { clauseWeights, holds, MIN_RARITY } from '../../text/hold-term'
import { type Found, readFound } from './answer-chance'
import {
  type AskedForm,
  type Features,
  featuresOf,
  type PassageView,
  readForm,
  viewPassage,
} from './answer-features'
import { formsOf } from './answer-forms'
import { WEIGHTS } from './answer-weights'
import { termOf, type Unit } from './read-units'

/** What the context (heading, lead-in, title) counts beside the unit's own words. */
const CONTEXT = 0.75
/** …the question that it stands under… */
const ASKED = 0.9
/** …and the sentence before. */
const BEFORE = 0.5
const TITLE = 0.35
/** An everyday word that no passage has may only be how the visitor tells it. */
const ABSENT_COMMON = 0.7
const UNFIT = 0.35
const UNASKED = 0.7
const RANK = 0.2
/** A term somewhere in the passage. */
const NEARBY = 0.3
const LONG = 400
/** Shares that are the same, and log odds that leave open which of two it is. */
const EQUAL = 0.02
const CLOSE = 1
const SAME_LANGUAGE = 0.15
/** Under a question that names all that is asked stands its answer. */
const SAME_QUESTION = 0.3
const NAMED_ALIKE = 0.7
const ENUMERATES = /[,،、，][^,،、，]{2,60}(?:[,،、，]|\s(?:and|or|y|et|ou|и|или)\s|[和与與及])/iu

export interface Read {
  passage: Passage
  units: readonly Unit[]
  /** Of the passage; null where nothing tells it. */
  lang: Language | null
}

export interface Candidate {
  unit: Unit
  passage: Passage
  /** Of the sentence, else of the passage. */
  lang: Language | null
  /** Share of the clause's weight in the unit with its context, 0 to 1. */
  share: number
  /** Share in the unit's own words. */
  own: number
  /** The share with the priors of kind, language and rank. */
  score: number
  /** What the order goes by: what the fitted weights make of it. */
  odds: number
  features: Features
}

export interface Ranking {
  /** Every unit that holds something of a clause, best first. */
  ranked: readonly Candidate[]
  /** What the passages have of the clause. */
  found: Found
}

/** Orders the units by how well they answer a clause. Pure. */
export function rank(
  clause: AskedClause,
  read: readonly Read[],
  idf: IdfTable,
  asked: Language,
  isAsked = true,
): Ranking {
  const all = read.flatMap(({ units }) => units)
  const told = isAsked ? ABSENT_COMMON : 1
  const views = read.map(({ units }) => viewPassage(clause, units))
  const rarity = clauseWeights(clause, idf)
  const weights = localWeights(clause, all.length, views, rarity, told)
  const form = readForm(clause, weights, views)
  const top = Math.max(...read.map(({ passage }) => passage.score), Number.MIN_VALUE)
  const named = clause.terms.filter((term) => term.weight >= CONTENT)
  const leans = clause.terms.some(({ leaned }) => leaned) && clause.terms.some(namesSomething)
  const isUnderIt = ({ kind, questions, mode }: Unit) =>
    kind !== 'question' &&
    named.length > 0 &&
    questions.some((question) => named.every((term) => holds(term, question, mode) >= NAMED_ALIKE))
  const candidates = views.flatMap((view, from): Candidate[] => {
    const { passage, units, lang: most } = read[from] as Read
    const relative = Math.max(0, passage.score / top)
    const somewhere = clause.terms.map((_, at) =>
      Math.max(0, ...view.held.map((held) => held[at]?.here ?? 0)),
    )
    return units.flatMap((unit, n): Candidate[] => {
      if (unit.kind === 'code' && !clause.kinds.has('how')) return []
      let own = 0
      let share = 0
      // Of a clause that leans on another, something of its own must be here.
      let isHeld = !leans
      for (const [at, { here, context, question, before, title }] of (
        view.held[n] ?? []
      ).entries()) {
        const weight = weights[at] ?? 0
        const around = Math.max(
          CONTEXT * context,
          ASKED * question,
          BEFORE * before,
          TITLE * title,
          NEARBY * (somewhere[at] ?? 0),
        )
        isHeld ||= !clause.terms[at]?.leaned && Math.max(here, around) > NEARBY
        own += here * weight
        share += Math.max(here, around) * weight
      }
      own /= form.total
      share /= form.total
      if (share === 0 || !isHeld) return []
      const fit = fitOf(unit, own)
      const isUnderQuestion = isUnderIt(unit)
      const asksWay = clause.kinds.has('how')
      const serves = asksWay ? servesPurpose(clause, unit) : 0
      const servesOther = asksWay && isForOther(clause, unit)
      const enumerates = clause.kinds.has('list') && ENUMERATES.test(unit.text)
      const isDefined = clause.kinds.has('definition') && defines(clause, unit)
      const kind =
        kindBonus(form, unit, serves, enumerates, isDefined) + (isUnderQuestion ? SAME_QUESTION : 0)
      const brevity =
        0.06 * (1 - Math.min(unit.text.length, LONG) / LONG) +
        0.06 * (1 - unit.start / passage.text.length)
      // Code, names and what nobody translated may be most of a passage.
      const lang = isOwn(most, asked) ? most : ownOf(unit.text, asked, most)
      const speaks = sameLanguage(lang, asked) ? SAME_LANGUAGE : 0
      const prior = speaks + RANK * relative + kind + brevity
      const score = share * fit + 0.25 * own + prior * Math.min(1, share / 0.4)
      const byHand = {
        score,
        share,
        fit,
        relative,
        isUnderQuestion,
        serves,
        servesOther,
        enumerates,
        isDefined,
      }
      const features = featuresOf(form, view, n, byHand)
      return [
        { unit, passage, lang, share: share * fit, own, score, odds: oddsOf(features), features },
      ]
    })
  })
  const ranked = candidates.sort(
    (x, y) => y.odds - x.odds || x.passage.n - y.passage.n || x.unit.start - y.unit.start,
  )
  return {
    ranked: ownLanguageFirst(briefFirst(ranked), asked),
    found: readFound(clause, rarity, views),
  }
}

const isOwn = (lang: Language | null, asked: Language) => lang === null || sameLanguage(lang, asked)

function ownOf(text: string, asked: Language, most: Language | null): Language | null {
  const lang = detectLanguage(text)
  return sameLanguage(lang, asked) ? lang : most
}

/** Of two sentences of a passage that say equally much of what is asked, the one that says less besides comes first. */
function briefFirst(ranked: Candidate[]): Candidate[] {
  const [first, second, ...others] = ranked
  if (first === undefined || second === undefined) return ranked
  const isAlike =
    first.passage === second.passage &&
    first.unit.kind === second.unit.kind &&
    first.unit.kind !== 'lead' &&
    Math.abs(first.own - second.own) < EQUAL &&
    first.odds - second.odds < CLOSE
  return isAlike && second.unit.text.length < first.unit.text.length
    ? [second, first, ...others]
    : ranked
}

/** Who reads one language may not read the other: what says as much of what is asked in the question's own comes first. */
function ownLanguageFirst(ranked: readonly Candidate[], asked: Language): readonly Candidate[] {
  const [first] = ranked
  if (first === undefined || first.lang === null || sameLanguage(first.lang, asked)) return ranked
  const own = ranked.filter(({ lang }) => sameLanguage(lang, asked))
  const best = own.find(({ unit }) => unit.kind !== 'heading' && unit.kind !== 'question')
  if (best === undefined || best.share < first.share - EQUAL) return ranked
  return [...own, ...ranked.filter((one) => !own.includes(one))]
}

/** Log odds, but for a constant, that a unit is the answer rather than another. */
function oddsOf(features: Features): number {
  let odds = 0
  for (const name of FEATURE_NAMES) odds += WEIGHTS[name] * features[name]
  return odds
}

const FEATURE_NAMES = Object.keys(WEIGHTS) as (keyof Features)[]

function fitOf({ kind }: Unit, own: number): number {
  if (kind === 'heading' || kind === 'question') return UNFIT
  // A name and its value answer who asks for the name.
  return kind === 'label' && own === 0 ? UNASKED : 1
}

/** What every sentence says does not tell them apart. */
function localWeights(
  clause: AskedClause,
  units: number,
  views: readonly PassageView[],
  weights: readonly number[],
  told: number,
): number[] {
  const founds = clause.terms.map((_, at) => {
    let found = 0
    for (const { held } of views) for (const one of held) if ((one[at]?.here ?? 0) > 0) found++
    return found
  })
  const mostNamed = Math.max(
    ...founds.filter((_, at) => (clause.terms[at]?.weight ?? 0) >= CONTENT),
  )
  return clause.terms.map((term, at) => {
    const weight = weights[at] ?? 0
    // "What is a knowledge base in Parley?": that few of the passages found say the product's own name tells nothing.
    const isEverywhere =
      clause.kinds.has('definition') && term.name && weight <= term.weight * MIN_RARITY
    const found = isEverywhere ? mostNamed : (founds[at] ?? 0)
    // What nobody wrote is no rarer than what two sentences say.
    const count = found === 0 ? 2 : found
    const counts = found === 0 && term.common ? told : 1
    return counts * weight * Math.log(1 + (units + 1) / (count + 0.5))
  })
}

function kindBonus(
  { clause, forms }: AskedForm,
  unit: Unit,
  serves: number,
  enumerates: boolean,
  isDefined: boolean,
): number {
  const { kinds } = clause
  let bonus = 0
  if (kinds.has('number') || kinds.has('time'))
    bonus += forms.figures.test(unit.text) ? 0.18 : -0.08
  if (isDefined && !kinds.has('number')) bonus += 0.4
  if (kinds.has('reason') && forms.reasons.test(unit.text)) bonus += 0.15
  if (kinds.has('how')) {
    if (unit.kind === 'code') bonus += 0.25
    else if (forms.instructs.test(unit.text)) bonus += 0.15
    bonus += 0.5 * serves
    if (unit.next?.kind === 'code' || unit.next?.kind === 'item') bonus += 0.06
  }
  if (enumerates) bonus += 0.15
  if (kinds.has('yesNo') && unit.kind === 'sentence') bonus += 0.03
  return bonus
}

/** What a sentence says that it is for, up to the comma: "delete a document" of "To delete a document, …"; '' for nothing. */
function purposeOf({ purposes }: AskedClause, { text }: Unit): string {
  const lower = text.toLowerCase()
  // "Tools" does not begin with "to"; Arabic and Chinese write such a word and the next one together.
  const purpose = purposes.find(
    (one) =>
      lower.startsWith(one) &&
      (JOINED.test(one) || !/^[\p{L}\p{M}]/u.test(lower.slice(one.length))),
  )
  return purpose === undefined
    ? ''
    : (/^[^,،，、:：;]{0,120}/u.exec(text)?.[0].slice(purpose.length) ?? '')
}

const JOINED = /\p{Script=Han}$|^\p{Script=Arabic}$/u

/** Of something in it: "the document in the base". */
const OF_IT = /^(?:里|裡|中|上|内|內)?的/u

/**
 * "To delete a knowledge base with all documents, …" where it is asked how to delete a document: of what is asked, another
 * thing than the one that stands behind the verb stands behind it here. What stands before its verb is not looked at.
 */
function isForOther(clause: AskedClause, unit: Unit): boolean {
  const head = purposeOf(clause, unit)
  if (head === '') return false
  const asked = foldText(clause.text)
  const named = clause.terms
    .filter(({ weight, leaned }) => weight >= CONTENT && !leaned)
    .map((term) => ({ term, at: asked.indexOf(term.text) }))
    .sort((one, other) => one.at - other.at)
  const isHeld = (term: AskedTerm, word: string) =>
    holds(term, unit.tokenise(word), unit.mode) >= NAMED_ALIKE
  const words = head.match(WORDS) ?? []
  const first = words.findIndex((word) => named.some(({ term }) => isHeld(term, word)))
  const verb = named.findIndex(({ term }) => first === 0 && isHeld(term, words[0] ?? ''))
  if (verb < 0) return false
  // All that stands there together: "Telegram bot", "API-ключ".
  const things = thingOf(named.slice(verb + 1), asked)
  const isThing = (word: string) => things.some((term) => isHeld(term, word))
  const rest = named.filter((_, n) => n !== verb)
  const isVerb = (word: string) => named[verb] !== undefined && isHeld(named[verb].term, word)
  const done = words
    .slice(1)
    .find((word) => !isVerb(word) && rest.some(({ term }) => isHeld(term, word)))
  const others = unit.text.slice(head.length).match(OTHER_WAYS)?.join(' ').match(WORDS) ?? []
  return things.length > 0 && done !== undefined && !isThing(done) && !others.some(isThing)
}

/** The first of these terms with those that stand beside it; in front of an "of it" it is only told where the thing is. */
function thingOf(
  behind: readonly { term: AskedTerm; at: number }[],
  asked: string,
): readonly AskedTerm[] {
  const ends = ({ term, at }: { term: AskedTerm; at: number }) => at + term.text.length
  const from = behind.findIndex((one) => !OF_IT.test(asked.slice(ends(one))))
  const things: AskedTerm[] = []
  let end = -1
  for (const one of behind.slice(from)) {
    if (end >= 0 && /[\p{L}\p{N}]/u.test(asked.slice(end, one.at))) break
    things.push(one.term)
    end = ends(one)
  }
  return things
}

/** What the same sentence says besides: "…; to change its icon, send …". */
const OTHER_WAYS = /[;；][^;；]+/gu
const WORDS = /\p{Script=Han}{1,2}|[\p{L}\p{M}\p{N}]+/gu

/** "To delete a document, …": 1 when the instruction says that it is for all that was asked, less for a part that begins alike. */
function servesPurpose(clause: AskedClause, unit: Unit): number {
  const { terms } = clause
  const head = purposeOf(clause, unit)
  if (head === '') return 0
  const named = terms.filter((term) => term.weight >= 1)
  const held = named.filter((term) => holds(term, unit.tokenise(head), unit.mode) > 0).length
  if (held === 0) return 0
  const verb = unit.tokenise(/^\s*(?:[\p{Script=Han}]{1,2}|\S+)/u.exec(head)?.[0] ?? '')
  return terms.some((term) => holds(term, verb, unit.mode) > 0) ? held / named.length : 0
}

/** Words beside those asked for that a subject may hold and still be what is asked for ("of an agent" is said of something else). */
const SUBJECT_REST = 3

/** "-n, --dry-run: Don't remove …" */
const ITEM_TERM = /^[^\s:：]{1,40}(?:,? [^\s:：]{1,40})?(?=[:：]\s)/u

/** The sentence begins with what is asked for and says what it is. */
function defines({ code, terms, text }: AskedClause, unit: Unit): boolean {
  const forms = formsOf(code)
  if (unit.kind !== 'sentence' && unit.kind !== 'item') return false
  const named = terms.filter((term) => term.weight >= 1)
  // "parser", "event-parser" and "event-writer" are three things.
  const longer =
    text.toLowerCase().match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu) ?? []
  const isAsked = (word: string) =>
    named.some((term) => holds(term, unit.tokenise(word), unit.mode) >= NAMED_ALIKE) &&
    (longer.length === 0 || longer.some((name) => word.includes(name)))
  const term = termOf(unit.bare) ?? ITEM_TERM.exec(unit.bare)?.[0]
  if (term && isAsked(term.toLowerCase())) return true
  const [head] = forms.defines.exec(unit.text) ?? []
  if (head === undefined || forms.subordinate.test(head) || forms.counts.test(head)) return false
  const subject = unit.tokenise(head)
  const words = head.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length > 2 * named.length + SUBJECT_REST) return false
  return named.length > 0 && named.every((term) => holds(term, subject, unit.mode) > 0)
}
