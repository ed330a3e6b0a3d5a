import type { Language } from '../../config/names'
import type { IdfTable, Passage } from '../../knowledge/types'
import { LANGUAGE_PACKS } from '../../language/packs'
import { isPhrasing, SAME_QUESTION } from '../../text/alike-questions'
import { type AskedClause, type AskedTerm, CONTENT, SAME_WORD } from '../../text/asked'
import {
  detectLanguage,
  proseLanguage,
  sameLanguage,
  tellsNoLanguage,
} from '../../text/detect-language'
import { foldText } from '../../text/fold'
import { holds } from '../../text/hold-term'
import { mendTypos, saidIn } from '../../text/mend-typos'
import { ownIdf } from '../../text/own-idf'
import { readPhrasings } from '../../text/phrasings'
import { askedInSmallWords, endsOf, isAsking, leanOn, readQuestion } from '../../text/question'
import { readerFor } from '../../text/question-reader'
import { beginsAsking, readSides } from '../../text/read-clause'
import { settleTerms } from '../../text/settle-terms'
import { nameOf, readThings } from '../../text/two-things'
import { asksForPrice, formsOf } from './answer-forms'
import { chooseLikely, findLikely } from './choose-units'
import { isBesideThePoint } from './near-miss'
import { type Candidate, type Ranking, type Read, rank } from './rank-units'
import { readUnits, type Unit } from './read-units'
import { render } from './render-answer'

/** Least share of a clause that a sentence must hold where nothing but the name is found of a question about it. */
const LEAST_WITH_NAME_ONLY = 0.85
/** …and the log odds from which on it may be the answer nevertheless. */
const SURE_BESIDE_NAME = 1.5
/** A heading's word that counts as one that is asked for. */
const NAMED_ALIKE = 0.7
const MAX_CLAUSES = 3
/** A sentence under such a heading goes before one that is likelier by no more than this, in log odds. */
const MARGIN = 2.5
/** Parts of a message that an answer is looked for; the gate reads a few more. */
const MAX_ASKED = 8
/** Sentences that are looked at for all parts together: among very many an answer is looked for to fewer parts. */
const MAX_LOOKED_AT = 2_000
/** A longer question is not said again. */
const MAX_SAID = 80

/**
 * Answers a question with the sentence of the passages that says it best: a definition by a defining sentence, steps and code as
 * steps and code, each of two questions by its own sentence. Null when no sentence holds enough of what was asked. Pure.
 */
export function extractAnswer(
  question: string,
  passages: readonly Passage[],
  idfOfBase: IdfTable,
  lang: Language,
  context = '',
): string | null {
  const asked = detectLanguage(question, lang) ?? lang
  const read = passages.map(readPassage)
  const clauses = readAsked(question, read, context)
  const small = askedInSmallWords(question, clauses)
  const isOwn = ({ lang: told }: Read) => told === null || sameLanguage(told, asked)
  const below = belowPhrasing(small, read.filter(isOwn))
  if (below !== null) return below
  if (clauses.length === 0) return belowPhrasing(small, read)
  const idf = idfFor(clauses, idfOfBase)
  const parts = partsOf(clauses, read)
  const answer = (of: readonly Part[]): string | null => {
    const answers: string[] = []
    const absent: string[] = []
    const used = new Set<Unit>()
    for (const { clause, focus, name } of of) {
      const { ranked: all, found } = rank(clause, read, idf, asked, isAsked(clause, clauses))
      const under = all.filter(({ unit }) => focus === undefined || isUnder(focus, unit))
      const ranked = exactFirst(clause.text, under)
      const [best, ...others] = chooseInOwn(clause, { ranked, found }, asked)
      if (best === undefined) {
        if (isQuestion(clause, clauses)) absent.push(nothingOn(name, asked))
        continue
      }
      if (used.has(best.unit)) continue
      const said = [best, ...others].filter(({ unit }) => !used.has(unit))
      for (const one of said) used.add(one.unit)
      answers.push(render(clause, said, read))
      if (answers.length === MAX_CLAUSES) break
    }
    const all = [...answers, ...absent.slice(0, MAX_CLAUSES)]
    return answers.length === 0 ? null : all.join('\n\n')
  }
  const isApart = parts.some(({ focus }) => focus !== undefined)
  // Neither by itself may still be both together.
  return (
    answer(parts) ??
    (isApart ? answer(endsOf(pickClauses(clauses).map(whole), mostAsked(read))) : null) ??
    answer(endsOf(askedOfRest(clauses, read), mostAsked(read))) ??
    belowPhrasing(small, read)
  )
}

/** What stands below a question, where an author wrote it down as a way to ask: it names nothing to look for. */
function belowPhrasing(question: string, read: readonly Read[]): string | null {
  if (question === '') return null
  const reader = readerFor(question)
  for (const { passage, units } of read) {
    const asked = readPhrasings(passage.phrasings).find((one) => isPhrasing(question, one, reader))
    const [first, next] = units.filter(({ start }) => asked && start > asked.at)
    if (first === undefined) continue
    const said = next?.kind === 'sentence' && next === first.next ? [first, next] : [first]
    const chosen = said.map((unit) => ({ unit, passage }))
    return render({ kinds: new Set(), terms: [], code: reader.code }, chosen, read)
  }
  return null
}

/** What an answer is looked for. */
interface Part {
  clause: AskedClause
  /** As the user called it. */
  name: string
  /** What a sentence must be about, where the same is asked of something else too. */
  focus?: AskedTerm
}

const whole = (clause: AskedClause): Part => ({ clause, name: clause.text })

const readPassage = (passage: Passage): Read => ({
  passage,
  units: readUnits(passage),
  lang: proseLanguage(passage.text),
})

function readAsked(question: string, read: readonly Read[], context: string): AskedClause[] {
  const units = read.flatMap((one) => one.units)
  const reader = readerFor(question)
  const meant = mendTypos(
    question,
    () => read.flatMap(wordsOf),
    reader,
    () => read.map(({ passage }) => saidIn(passage)).join(' '),
  )
  return settleTerms(readQuestion(meant, context, reader), units)
}

function wordsOf({ passage: { title, heading, phrasings }, units }: Read): readonly string[] {
  const around = foldText(`${title} ${heading ?? ''} ${phrasings ?? ''}`)
  return [...(around.match(/[\p{L}\p{M}]{4,}/gu) ?? []), ...units.flatMap(({ words }) => words)]
}

/** A message's clauses are read in one language. */
const idfFor = ([clause]: readonly AskedClause[], idf: IdfTable): IdfTable =>
  clause === undefined ? idf : ownIdf(clause.code, idf)

const partsOf = (clauses: readonly AskedClause[], read: readonly Read[]): readonly Part[] =>
  endsOf(
    pickClauses(clauses).flatMap((one) => thingsApart(one, read)),
    mostAsked(read),
  )

function mostAsked(read: readonly Read[]): number {
  const units = read.reduce((sum, one) => sum + one.units.length, 0)
  return Math.max(1, Math.min(MAX_ASKED, Math.floor(MAX_LOOKED_AT / Math.max(1, units))))
}

const isAsked = ({ text }: AskedClause, all: readonly AskedClause[]): boolean =>
  all.length === 1 || beginsAsking(text)

/** What a message asks for, each part with every sentence of the passages, best first. For evaluations and the fit of the weights. */
export function readCandidates(
  question: string,
  passages: readonly Passage[],
  idfOfBase: IdfTable,
  lang: Language,
): (Ranking & { clause: AskedClause; read: readonly Read[] })[] {
  const asked = detectLanguage(question, lang) ?? lang
  const read = passages.map(readPassage)
  const clauses = readAsked(question, read, '')
  const idf = idfFor(clauses, idfOfBase)
  return partsOf(clauses, read).map(({ clause }) => ({
    clause,
    read,
    ...rank(clause, read, idf, asked, isAsked(clause, clauses)),
  }))
}

/** Of a question for two things, each for itself where no sentence says it of both. */
function thingsApart(clause: AskedClause, read: readonly Read[]): readonly Part[] {
  const things = readThings(clause)
  const units = read.flatMap((one) => one.units)
  const sides = readSides(clause)
  if (things === null) return (sides && sidesApart(sides, units)) ?? [whole(clause)]
  // Who wrote "single" and "double" does not mean one by the other.
  const exact = things.map((thing) => {
    const isNamed = units.some((unit) => heldUnder(thing.focus, unit) >= SAME_WORD)
    return isNamed ? { ...thing, focus: { ...thing.focus, synonyms: [], kin: [] } } : thing
  })
  const isThere = exact.map(({ focus }) => units.some((unit) => isUnder(focus, unit)))
  if (!isThere.includes(true)) return [whole(clause)]
  const saysBoth = units.some((unit) => exact.every(({ focus }) => isUnder(focus, unit)))
  if (saysBoth) return [whole(clause)]
  return exact.map((thing, at) => ({
    clause: thing.clause,
    focus: thing.focus,
    name: nameOf(
      things[at] ?? thing,
      (term) => !term.verb && !units.some((unit) => isUnder(term, unit)),
    ),
  }))
}

/**
 * "The lamp in our street is out, where do I call?": a word for what to do that is nowhere asks of the rest of the message. What
 * is or whether there is a thing that is nowhere does not.
 */
function askedOfRest(clauses: readonly AskedClause[], read: readonly Read[]): readonly Part[] {
  const units = read.flatMap((one) => one.units)
  const asksOfRest = ({ kinds, terms }: AskedClause) =>
    kinds.size > 0 &&
    !kinds.has('yesNo') &&
    !kinds.has('definition') &&
    terms.filter(({ weight }) => weight >= CONTENT).length === 1 &&
    !terms.some((term) => units.some((unit) => isUnder(term, unit)))
  return clauses.flatMap((clause) => {
    const others = clauses.filter((one) => one !== clause)
    return others.length > 0 && asksOfRest(clause) ? [whole(leanOn(clause, others))] : []
  })
}

/** Two questions' sides where nothing of one is there. */
function sidesApart(sides: readonly AskedClause[], units: readonly Unit[]): readonly Part[] | null {
  const isHeld = (term: AskedTerm) => units.some((unit) => holds(term, unit.tokens, unit.mode) > 0)
  const named = sides.map(({ terms }) => terms.filter(({ weight }) => weight >= CONTENT))
  if (!named.some((terms) => !terms.some(isHeld))) return null
  return sides.map((side) => ({ clause: side, name: side.text }))
}

/** Versions, options and placeholders are what they are to the last sign: "7.2", "--zero", "%j". */
const EXACT = /(?<![\w.-])(?:v?\d+(?:\.\d+)+|--?[A-Za-z][\w-]*|[%$][A-Za-z]\w*)(?![\w-]|\.\d)/gu

/** Where a question names something so, what stands under that name, else what says it there or itself; else all. */
function exactFirst(question: string, all: readonly Candidate[]): readonly Candidate[] {
  const named = question.match(EXACT) ?? []
  const saying = (read: (one: Candidate) => string) =>
    all.filter((one) => {
      const said: readonly string[] = read(one).match(EXACT) ?? []
      return named.every((one) => said.includes(one))
    })
  const under = saying(({ unit }) => unit.subject ?? '')
  if (under.length > 0) return under
  const exact = saying(
    ({ unit, passage }) => `${unit.subject ?? ''} ${unit.text} ${passage.heading ?? ''}`,
  )
  return exact.length > 0 ? exact : all
}

/** How well a sentence or what it stands under names a thing. */
const heldUnder = (term: AskedTerm, { tokens, context, questions, mode }: Unit): number =>
  Math.max(...[tokens, ...context, ...questions].map((set) => holds(term, set, mode)))

const isUnder = (term: AskedTerm, unit: Unit): boolean => heldUnder(term, unit) > 0

/** A question, or a side of one, that names what it asks for itself: what tells something asks nothing. */
function isQuestion({ text, terms }: AskedClause, all: readonly AskedClause[]): boolean {
  // "Explain it simply": what it names another asks for.
  const isCarried = terms.some((term) =>
    all.some((one) => one.terms.some((own) => own.text === term.text && own.weight > term.weight)),
  )
  if (isCarried) return false
  const isSide = all.every((one) => one.text !== text)
  return (
    text.length <= MAX_SAID &&
    (isSide || beginsAsking(text)) &&
    terms.some(({ leaned, weight }) => !leaned && weight >= CONTENT)
  )
}

/** What is said of a part of the question that no passage answers, in the user's own words for it. */
function nothingOn(text: string, lang: Language): string {
  const words = text.match(/[\p{L}\p{M}\p{N}'’ ]+/gu) ?? []
  const plain = words.join(' ').replaceAll(/\s+/gu, ' ').trim()
  return LANGUAGE_PACKS[lang].says.nothingOn.replace('{text}', () => plain)
}

/** Clauses that ask something, without what is only told before one that begins to ask; where none asks, all of them. */
function pickClauses(clauses: readonly AskedClause[]): readonly AskedClause[] {
  const asking = clauses.filter(isAsking)
  const from = asking.findIndex(({ text }) => beginsAsking(text))
  const before = new Set(
    asking.slice(0, from).flatMap(({ terms }) => terms.map(({ text }) => text)),
  )
  // "So what does Parley do? Explain it simply": the second asks for the first.
  const leans = asking[from]?.terms.some(({ text }) => before.has(text)) === true
  return asking.length > 0 ? asking.slice(leans ? 0 : Math.max(0, from)) : clauses
}

/**
 * In the asker's own language and script, else in either script of it, else in any. Tables, names and code are in no language;
 * nor is a passage preferred for a page's language to a question in one that pages do not speak, while one that may be in any
 * ("webhook?") is in the page's.
 */
function chooseInOwn(
  clause: AskedClause,
  { ranked, found }: Ranking,
  asked: Language,
): readonly Candidate[] {
  if (clause.code.slice(0, 2) !== asked.slice(0, 2) && !tellsNoLanguage(clause.text))
    return choose(clause, { ranked, found })
  const own = ranked.filter(({ lang }) => lang === null || lang === asked)
  const near = ranked.filter(({ lang }) => lang === null || sameLanguage(lang, asked))
  for (const some of [own, near]) {
    const said = some.length < ranked.length ? choose(clause, { ranked: some, found }) : []
    if (said.length > 0) return said
  }
  return choose(clause, { ranked, found })
}

/** What to say of a clause; nothing where that would have its topic and not what it asks. */
function choose(clause: AskedClause, ranking: Ranking): readonly Candidate[] {
  const said = chooseSaid(clause, ranking)
  return isBesideThePoint(clause, said, ranking.ranked) ? [] : said
}

/** What to say of a clause: nothing where the sentence that holds most of it has no more of it than what it names. */
function chooseSaid(clause: AskedClause, { ranked, found }: Ranking): readonly Candidate[] {
  const [first] = ranked
  if (first === undefined || lacksFigure(clause, ranked)) return []
  const asked = ranked.filter((one) => isAskedAbove(clause, one) && first.odds - one.odds <= MARGIN)
  if (asked.length > 0) {
    const likest = Math.max(...asked.map(({ features }) => features.sameQuestion))
    const isSame = likest >= SAME_QUESTION
    const above = isSame ? asked.filter((one) => one.features.sameQuestion === likest) : asked
    const rest = ranked.filter((one) => !above.includes(one))
    return findLikely(saysAll(clause, first) && !isSame ? ranked : [...above, ...rest]).said
  }
  const surest = ranked.reduce((most, one) => (one.score > most.score ? one : most), first)
  const isNameOnly = surest.share < LEAST_WITH_NAME_ONLY && holdsNameOnly(clause, surest)
  const said = chooseLikely(found, ranked, isNameOnly ? SURE_BESIDE_NAME : 0)
  // "Can I pay in cash?" asks for no price.
  const asksPrice = !clause.kinds.has('yesNo') && asksForPrice(clause.text)
  return asksPrice && !said.some(({ unit }) => tellsPrice(clause, unit)) ? [] : said
}

/** "Debian 17" is no date of the 17th: a figure that tells which one stands for itself. */
function lacksFigure({ terms }: AskedClause, ranked: readonly Candidate[]): boolean {
  const texts = new Set(ranked.map(({ passage }) => passage.text))
  const headings = ranked.map(({ passage: { title, heading } }) => `${title} ${heading ?? ''}`)
  return terms.some(({ name, text }) => {
    if (!name || !FIGURE.test(text)) return false
    const alone = new RegExp(
      String.raw`(?<![\p{N}]|[\p{N}][.,:/-])${text.replaceAll('.', String.raw`\.`)}(?![\p{N}]|[,:/-]\p{N})`,
      'u',
    )
    return ![...texts, ...headings].some((one) => alone.test(one))
  })
}

const FIGURE = /^\d+(?:\.\d+)*$/

/** Who asks what something costs wants to hear a figure that is no part of its name, that it costs nothing, or who knows. */
function tellsPrice({ code, text: asked }: AskedClause, { text }: Unit): boolean {
  const named: readonly string[] = foldText(asked).match(FIGURES) ?? []
  const rest = foldText(text).replaceAll(FIGURES, (one) => (named.includes(one) ? '' : one))
  return /\p{N}/u.test(rest) || formsOf(code).figures.test(rest) || asksForPrice(text)
}

const FIGURES = /\p{N}+(?:[.,]\p{N}+)*/gu

/** Whether the likeliest sentence names all that is asked for itself: no heading that does tells more. */
function saysAll({ terms }: AskedClause, { unit: { kind, tokens, mode } }: Candidate): boolean {
  const isSaid = (term: AskedTerm) => holds(term, tokens, mode) >= NAMED_ALIKE
  return (
    kind !== 'heading' &&
    kind !== 'question' &&
    terms.every((term) => term.weight < CONTENT || isSaid(term))
  )
}

/**
 * Under a heading or a question that names all that is asked for, two things and more or in nearly the same words, stands the
 * answer.
 */
function isAskedAbove({ terms }: AskedClause, { unit, features }: Candidate): boolean {
  if (unit.kind === 'heading' || unit.kind === 'question') return false
  const named = terms.filter(({ weight }) => weight >= CONTENT)
  const above = [...unit.context, ...unit.questions]
  return (
    (named.length > 1 || features.sameQuestion >= SAME_QUESTION) &&
    above.some((set) => named.every((term) => holds(term, set, unit.mode) >= NAMED_ALIKE))
  )
}

/** "Which countries can the Aurora series be shipped to?": the sentence speaks of the series, not of what is asked about it. */
function holdsNameOnly({ text, terms }: AskedClause, { unit }: Candidate): boolean {
  // "It says …": what the visitor does is no more than how it is told.
  const named = terms.filter((term) => term.weight >= CONTENT && !term.verb)
  const sets = [unit.tokens, ...unit.context, ...unit.questions, unit.title]
  const held = named.filter((term) => sets.some((tokens) => holds(term, tokens, unit.mode) > 0))
  const names = held.filter((term) => term.name)
  if (names.length === 0 || held.length === named.length) return false
  const plain = foldText(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const isBeside = (one: AskedTerm, other: AskedTerm) =>
    plain.includes(`${one.text} ${other.text}`) || plain.includes(`${other.text} ${one.text}`)
  return held.every((term) => names.some((name) => term === name || isBeside(term, name)))
}
