import type { Language } from '../../config/names'
import type { IdfTable, Passage } from '../../knowledge/types'
import type { AskedKind } from '../../language/pack'
import { LANGUAGE_PACKS } from '../../language/packs'
import { formatCitation } from '../../text/citations'
import { detectLanguage, sameLanguage } from '../../text/detect-language'
import { foldText } from '../../text/fold'
import {
  type AskedClause,
  type AskedTerm,
  beginsAsking,
  clauseWeights,
  holds,
  readQuestion,
  readSides,
} from '../../text/question'
import { settleTerms } from '../../text/settle-terms'
import { formsOf } from './answer-forms'
import { readUnits, type Unit } from './read-units'

interface Read {
  passage: Passage
  units: readonly Unit[]
}

export interface Candidate {
  unit: Unit
  passage: Passage
  /** Share of the clause's weight in the unit with its context, 0 to 1. */
  share: number
  /** Share in the unit's own words. */
  own: number
  /** The share with the priors of kind, language and rank. */
  score: number
}

/** Least share of a clause that a sentence with its context must hold to answer it. */
const LEAST_SHARE = 0.38
/** …where a rare word of the question is nowhere in the passages, and where a name is. */
const LEAST_WITHOUT_WORD = 0.5
const LEAST_WITHOUT_NAME = 0.75
/** …where nothing but the name is found of a question about it. */
const LEAST_WITH_NAME_ONLY = 0.85
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
const SAME_LANGUAGE = 0.15
/** Under a question that names all that is asked stands its answer. */
const SAME_QUESTION = 0.3
const NAMED_ALIKE = 0.7
/** Terms from here on name something. */
const CONTENT_WEIGHT = 1
const MAX_CLAUSES = 3
/** A longer question is not said again. */
const MAX_SAID = 80
const MAX_ITEMS = 10
const MAX_CODE_LINES = 30
/** A second sentence must score nearly as much as the best. */
const SAME_PASSAGE = 0.85
const OTHER_PASSAGE = 0.97
const MAX_SENTENCES = 3
const ALIKE = 0.85
const ENDED = /[.!?…。！？؟]["'”’»)」』]*$/u
const ENUMERATES = /[,،、，][^,،、，]{2,60}(?:[,،、，]|\s(?:and|or|y|et|ou|и|или)\s|[和与與及])/iu

/**
 * Answers a question with the sentence of the passages that says it best: a definition by a defining sentence, steps and code as
 * steps and code, each of two questions by its own sentence. Null when no sentence holds enough of what was asked. Pure.
 */
export function extractAnswer(
  question: string,
  passages: readonly Passage[],
  idf: IdfTable,
  lang: Language,
  context = '',
): string | null {
  const asked = detectLanguage(question) ?? lang
  const read = passages.map((passage) => ({ passage, units: readUnits(passage) }))
  const clauses = settleTerms(
    readQuestion(question, context),
    read.flatMap(({ units }) => units),
  )
  const answers: string[] = []
  const absent: string[] = []
  const used = new Set<Unit>()
  for (const clause of pickClauses(clauses).flatMap((one) => sidesApart(one, read))) {
    const isAsked = clauses.length === 1 || beginsAsking(clause.text)
    const ranked = rank(clause, read, idf, asked, isAsked)
    const [best] = ranked
    const least = best === undefined ? 0 : leastShare(clause, best, read)
    if (best === undefined || best.share < least) {
      if (isQuestion(clause, clauses)) absent.push(nothingOn(clause, asked))
      continue
    }
    if (used.has(best.unit)) continue
    const chosen = [best, ...seconds(best, ranked, clause, least)]
    for (const one of chosen) used.add(one.unit)
    answers.push(render(clause, chosen, read))
    if (answers.length === MAX_CLAUSES) break
  }
  return answers.length === 0 ? null : [...answers, ...absent.slice(0, MAX_CLAUSES)].join('\n\n')
}

/** Of a question for two things, each for itself where nothing of one is there. */
function sidesApart(clause: AskedClause, read: readonly Read[]): readonly AskedClause[] {
  const sides = readSides(clause)
  if (sides === null) return [clause]
  const isHeld = (term: AskedTerm) =>
    read.some(({ units }) => units.some((unit) => holds(term, unit.tokens, unit.mode) > 0))
  const named = sides.map(({ terms }) => terms.filter(({ weight }) => weight >= CONTENT_WEIGHT))
  return named.some((terms) => !terms.some(isHeld)) ? sides : [clause]
}

/** A question, or a side of one, that names what it asks for itself: what tells something asks nothing. */
function isQuestion({ text, terms }: AskedClause, all: readonly AskedClause[]): boolean {
  const isSide = all.every((one) => one.text !== text)
  return (
    text.length <= MAX_SAID &&
    (isSide || beginsAsking(text)) &&
    terms.some(({ leaned, weight }) => !leaned && weight >= CONTENT_WEIGHT)
  )
}

/** What is said of a part of the question that no passage answers, in the user's own words for it. */
function nothingOn({ text }: AskedClause, lang: Language): string {
  const words = text.match(/[\p{L}\p{M}\p{N}'’ ]+/gu) ?? []
  const plain = words.join(' ').replaceAll(/\s+/gu, ' ').trim()
  return LANGUAGE_PACKS[lang].says.nothingOn.replace('{text}', () => plain)
}

/** Clauses that ask something; where none does, all of them. */
function pickClauses(clauses: readonly AskedClause[]): readonly AskedClause[] {
  const asking = clauses.filter((clause) => clause.kinds.size > 0)
  return asking.length > 0
    ? [
        ...asking,
        ...clauses
          .filter((clause) => clause.kinds.size === 0)
          .slice(0, asking.length === 0 ? 3 : 0),
      ]
    : clauses
}

/** What the passages have nowhere tells whether they speak of something else: a name most of all, an everyday word hardly. */
function leastShare(clause: AskedClause, best: Candidate, read: readonly Read[]): number {
  const named = clause.terms.filter((term) => term.weight >= CONTENT_WEIGHT)
  const lacking = named.filter(
    (term) =>
      !read.some(({ units }) => units.some((unit) => holds(term, unit.tokens, unit.mode) > 0)),
  )
  if (lacking.some((term) => term.name)) return LEAST_WITHOUT_NAME
  if (holdsNameOnly(clause, named, best)) return LEAST_WITH_NAME_ONLY
  return lacking.some((term) => !term.common) ? LEAST_WITHOUT_WORD : LEAST_SHARE
}

/** "Which countries can the Aurora series be shipped to?": the sentence speaks of the series, not of what is asked about it. */
function holdsNameOnly(
  { text }: AskedClause,
  named: readonly AskedTerm[],
  { unit }: Candidate,
): boolean {
  const sets = [unit.tokens, ...unit.context, unit.question ?? NOTHING, unit.title]
  const held = named.filter((term) => sets.some((tokens) => holds(term, tokens, unit.mode) > 0))
  const names = held.filter((term) => term.name)
  if (names.length === 0 || held.length === named.length) return false
  const plain = foldText(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const isBeside = (one: AskedTerm, other: AskedTerm) =>
    plain.includes(`${one.text} ${other.text}`) || plain.includes(`${other.text} ${one.text}`)
  return held.every((term) => names.some((name) => term === name || isBeside(term, name)))
}

const NOTHING: ReadonlySet<string> = new Set()

/** Every sentence of the passages for a question, best first. Exported for the evaluation of answer hits. */
export function rankSentences(
  question: string,
  passages: readonly Passage[],
  idf: IdfTable,
  lang: Language,
): Candidate[] {
  const read = passages.map((passage) => ({ passage, units: readUnits(passage) }))
  const [clause] = readQuestion(question)
  return clause === undefined ? [] : rank(clause, read, idf, detectLanguage(question) ?? lang)
}

function rank(
  clause: AskedClause,
  read: readonly Read[],
  idf: IdfTable,
  asked: Language,
  isAsked = true,
): Candidate[] {
  const all = read.flatMap(({ units }) => units)
  const told = isAsked ? ABSENT_COMMON : 1
  const weights = localWeights(clause, all, clauseWeights(clause, idf), told)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const top = Math.max(...read.map(({ passage }) => passage.score), Number.MIN_VALUE)
  const named = clause.terms.filter((term) => term.weight >= CONTENT_WEIGHT)
  const leans =
    clause.terms.some(({ leaned }) => leaned) && clause.terms.some((term) => !term.leaned)
  const isUnderIt = ({ kind, question, mode }: Unit) =>
    question !== null &&
    kind !== 'question' &&
    named.length > 0 &&
    named.every((term) => holds(term, question, mode) >= NAMED_ALIKE)
  const candidates = read.flatMap(({ passage, units }) => {
    const speaks = sameLanguage(detectLanguage(passage.text), asked) ? SAME_LANGUAGE : 0
    const somewhere = clause.terms.map((term) =>
      Math.max(0, ...units.map((unit) => holds(term, unit.tokens, unit.mode))),
    )
    const prior = speaks + RANK * Math.max(0, passage.score / top)
    return units.flatMap((unit): Candidate[] => {
      if (unit.kind === 'code' && !clause.kinds.has('how')) return []
      let own = 0
      let share = 0
      // Of a clause that leans on another, something of its own must be here.
      let isHeld = !leans
      clause.terms.forEach((term, at) => {
        const weight = weights[at] ?? 0
        const here = holds(term, unit.tokens, unit.mode)
        const around = Math.max(
          CONTEXT * Math.max(...unit.context.map((tokens) => holds(term, tokens, unit.mode)), 0),
          ASKED * (unit.question === null ? 0 : holds(term, unit.question, unit.mode)),
          BEFORE * (unit.before === null ? 0 : holds(term, unit.before, unit.mode)),
          TITLE * holds(term, unit.title, unit.mode),
          NEARBY * (somewhere[at] ?? 0),
        )
        isHeld ||= !term.leaned && Math.max(here, around) > NEARBY
        own += here * weight
        share += Math.max(here, around) * weight
      })
      own /= total
      share /= total
      if (share === 0 || !isHeld) return []
      const fit = fitOf(unit, own)
      const kind = kindBonus(clause, unit) + (isUnderIt(unit) ? SAME_QUESTION : 0)
      const brevity =
        0.06 * (1 - Math.min(unit.text.length, LONG) / LONG) +
        0.06 * (1 - unit.start / passage.text.length)
      const score = share * fit + 0.25 * own + (kind + prior + brevity) * Math.min(1, share / 0.4)
      return [{ unit, passage, share: share * fit, own, score }]
    })
  })
  return candidates.sort(
    (x, y) => y.score - x.score || x.passage.n - y.passage.n || x.unit.start - y.unit.start,
  )
}

function fitOf({ kind }: Unit, own: number): number {
  if (kind === 'heading' || kind === 'question') return UNFIT
  // A name and its value answer who asks for the name.
  return kind === 'label' && own === 0 ? UNASKED : 1
}

/** What every sentence says does not tell them apart. */
function localWeights(
  clause: AskedClause,
  units: readonly Unit[],
  weights: readonly number[],
  told: number,
): number[] {
  return clause.terms.map((term, at) => {
    const found = units.filter((unit) => holds(term, unit.tokens, unit.mode) > 0).length
    // What nobody wrote is no rarer than what two sentences say.
    const count = found === 0 ? 2 : found
    const counts = found === 0 && term.common ? told : 1
    return counts * (weights[at] ?? 0) * Math.log(1 + (units.length + 1) / (count + 0.5))
  })
}

function kindBonus(clause: AskedClause, unit: Unit): number {
  const { kinds } = clause
  const forms = formsOf(clause.code)
  let bonus = 0
  if (kinds.has('number') || kinds.has('time'))
    bonus += forms.figures.test(unit.text) ? 0.18 : -0.08
  if (kinds.has('definition') && !kinds.has('number') && defines(clause, unit)) bonus += 0.4
  if (kinds.has('reason') && forms.reasons.test(unit.text)) bonus += 0.15
  if (kinds.has('how')) {
    if (unit.kind === 'code') bonus += 0.25
    else if (forms.instructs.test(unit.text)) bonus += 0.15
    bonus += 0.5 * servesPurpose(clause, unit)
    if (unit.next?.kind === 'code' || unit.next?.kind === 'item') bonus += 0.06
  }
  if (kinds.has('list') && ENUMERATES.test(unit.text)) bonus += 0.15
  if (kinds.has('yesNo') && unit.kind === 'sentence') bonus += 0.03
  return bonus
}

/** "To delete a document, …": 1 when the instruction says that it is for all that was asked, less for a part that begins alike. */
function servesPurpose({ terms, purposes }: AskedClause, unit: Unit): number {
  const text = unit.text.toLowerCase()
  const purpose = purposes.find((one) => text.startsWith(one))
  if (purpose === undefined) return 0
  const head = /^[^,，、:：;]{0,120}/u.exec(unit.text)?.[0].slice(purpose.length) ?? ''
  const named = terms.filter((term) => term.weight >= 1)
  const held = named.filter((term) => holds(term, unit.tokenise(head), unit.mode) > 0).length
  if (held === 0) return 0
  const verb = unit.tokenise(/^\s*(?:[\p{Script=Han}]{1,2}|\S+)/u.exec(head)?.[0] ?? '')
  return terms.some((term) => holds(term, verb, unit.mode) > 0) ? held / named.length : 0
}

/** Words beside those asked for that a subject may hold and still be what is asked for ("of an agent" is said of something else). */
const SUBJECT_REST = 3

/** The sentence begins with what is asked for and says what it is. */
function defines({ code, terms }: AskedClause, unit: Unit): boolean {
  const forms = formsOf(code)
  if (unit.kind !== 'sentence' && unit.kind !== 'item') return false
  const [head] = forms.defines.exec(unit.text) ?? []
  if (head === undefined || forms.subordinate.test(head)) return false
  const subject = unit.tokenise(head)
  const named = terms.filter((term) => term.weight >= 1)
  const words = head.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length > 2 * named.length + SUBJECT_REST) return false
  return named.length > 0 && named.every((term) => holds(term, subject, unit.mode) > 0)
}

/** What says nearly as much: first of all in the same passage, and whatever the best sentence leaves out of the question. */
function seconds(
  best: Candidate,
  ranked: readonly Candidate[],
  clause: AskedClause,
  least: number,
): Candidate[] {
  if (best.unit.kind === 'code' || best.unit.kind === 'lead') return []
  const lacks = clause.terms.filter(
    (term) => term.weight >= 1 && holds(term, best.unit.tokens, best.unit.mode) === 0,
  )
  const chosen = ranked.filter((one) => {
    if (one.unit === best.unit || one.unit.kind !== 'sentence' || one.share < least) return false
    const adds = lacks.some((term) => holds(term, one.unit.tokens, one.unit.mode) > 0)
    const near = one.passage === best.passage ? SAME_PASSAGE : OTHER_PASSAGE
    return one.score >= best.score * (adds ? near - 0.1 : near)
  })
  const said = [best]
  for (const one of chosen)
    if (said.length < MAX_SENTENCES && !said.some((other) => saysTheSame(one, other)))
      said.push(one)
  return said.slice(1)
}

/** Nearly all words of the shorter sentence are in the other. */
function saysTheSame({ unit: one }: Candidate, { unit: other }: Candidate): boolean {
  const [short, long] = one.tokens.size < other.tokens.size ? [one, other] : [other, one]
  const shared = [...short.tokens].filter((token) => long.tokens.has(token)).length
  return shared >= short.tokens.size * ALIKE
}

function render(clause: AskedClause, chosen: readonly Candidate[], read: readonly Read[]): string {
  const lines: string[] = []
  for (const { unit, passage } of chosen) {
    const units = read.find((one) => one.passage === passage)?.units ?? []
    lines.push(renderUnit(clause, unit, passage, units))
  }
  // What no sign ends would be read as one sentence with what follows.
  const isRunning = chosen.every(({ unit }) => ENDED.test(unit.text))
  return lines.join(isRunning && !lines.some((line) => line.includes('\n')) ? ' ' : '\n\n')
}

function renderUnit(
  clause: AskedClause,
  unit: Unit,
  passage: Passage,
  units: readonly Unit[],
): string {
  const { kinds } = clause
  const at = units.indexOf(unit)
  if (unit.kind === 'code') {
    const before = units[at - 1]
    const lead =
      before === undefined || before.kind === 'code'
        ? ''
        : `${cite(before.text.replace(/[:：.]*$/u, ':'), before.text, passage)}\n\n`
    return lead + fenceCode(unit)
  }
  if (unit.kind === 'item') {
    const asksList =
      (kinds.has('list') && !saysMoreThanLead(clause, unit)) ||
      (kinds.has('how') && /\d/u.test(unit.marker))
    let first = at
    while (units[first - 1]?.kind === 'item') first--
    const items = asksList ? itemsFrom(units, first) : []
    if (items.length < 2) return underSubject(unit, cite(unit.bare, unit.bare, passage))
    const lead = units[first - 1]
    const head = lead?.kind === 'lead' ? `${cite(lead.text, lead.text, passage)}\n\n` : ''
    return (
      head + items.map((item) => `${item.marker}${cite(item.bare, item.bare, passage)}`).join('\n')
    )
  }
  const said = underSubject(unit, cite(unit.text, unit.text, passage))
  if (unit.kind === 'lead') {
    const items = itemsFrom(units, at + 1)
    if (items.length > 0)
      return `${said}\n\n${items.map((item) => `${item.marker}${cite(item.bare, item.bare, passage)}`).join('\n')}`
  }
  const next = units[at + 1]
  if (next?.kind === 'code' && (kinds.has('how') || unit.kind === 'lead'))
    return `${said}\n\n${fenceCode(next)}`
  // What is to be done about it follows at once.
  const asksFact = [...kinds].some((kind) => FACTS.has(kind))
  const [, list] = [next, units[at + 2]]
  if (next?.kind === 'lead' && !asksFact && (list?.kind === 'code' || list?.kind === 'item'))
    return `${said}\n\n${renderUnit(clause, next, passage, units)}`
  return said
}

const FACTS: ReadonlySet<AskedKind> = new Set([
  'definition',
  'number',
  'time',
  'place',
  'person',
  'reason',
])

/** What says nothing without the name that it stands under comes under that name: an option, an entry of a changelog. */
function underSubject({ subject, bare }: Unit, said: string): string {
  // In brackets a number would be a mark.
  const plain = subject?.replaceAll(/[[\]]/gu, '') ?? ''
  return plain === '' || bare.includes(plain) ? said : `#### ${plain}\n\n${said}`
}

/** The item itself is what is asked for, not the list that it stands in. */
function saysMoreThanLead({ terms }: AskedClause, unit: Unit): boolean {
  const named = terms.filter((term) => term.weight >= CONTENT_WEIGHT)
  const inItem = named.filter((term) => holds(term, unit.tokens, unit.mode) > 0).length
  const around = named.filter((term) =>
    unit.context.some((tokens) => holds(term, tokens, unit.mode) > 0),
  ).length
  return inItem > around
}

function itemsFrom(units: readonly Unit[], first: number): Unit[] {
  let last = first
  while (units[last]?.kind === 'item' && last - first < MAX_ITEMS) last++
  return units.slice(first, last)
}

const fenceCode = ({ bare }: Unit): string =>
  `\`\`\`\n${bare.split('\n').slice(0, MAX_CODE_LINES).join('\n')}\n\`\`\``

function cite(said: string, quote: string, passage: Passage): string {
  const plain = said.replaceAll(/\s+/gu, ' ').trim()
  return `${plain} ${formatCitation(passage.n, quote.replaceAll('`', '').replaceAll(/\s+/gu, ' ').trim())}`
}
