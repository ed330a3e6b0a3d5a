import type { AskedKind } from '../language/pack'
import { type AskedClause, type AskedTerm, CONTENT, FIGURE } from './asked'
import { holdsWord } from './find-words'
import { foldText } from './fold'
import { stripInvisible } from './neutralise'
import { plainWords, type Reader, readerFor } from './question-reader'
import { asks, kindsOf, readClause, withoutFrame } from './read-clause'
import { spellOut } from './spell-out'

/** A term of the question before, in a follow-up. */
const CONTEXT = 0.6

const MAX_CONTEXT_TERMS = 4

const FOLLOW_UP_CHARS = 80

const CONTEXT_CHARS = 300

/** So many messages are asked what a follow-up is about. */
const MAX_LINKS = 6

const MEASURE_CHARS = 40

const MAX_CLAUSES = 12

/** A clause that names fewer may lean on what stands beside it. */
const FEW = 3

/** Who tells so many things around a question tells a story: most of it only says how it came to be asked. */
const STORY = 6

const MAX_CLAUSE_CHARS = 1000

/** Commas and "and"s of a sentence at which a second question is looked for. */
const MAX_BREAKS = 16

/** Framing words that are passed over before what asks. */
const MAX_FRAMES = 3

/** So much of what stands beside a break is read for what it names. */
const NAMED_CHARS = 160

/** A run of signs is read from its beginning alone: from each of its signs anew, a long one would take the square of the time. */
const BREAK =
  /((?<![.!?…。！？؟；;\n])[.!?…。！？؟；;\n]+(?=\s|$|[\p{Script=Han}])|[。！？；\n]+|(?=¿))/u

/** …a colon and a dash too: "one more thing: …". */
const SPACED_BREAK = /[,，،]|[:：](?=\s)|(?<=\s)[–—-](?=\s)/gu

const MARK = '?'
/** Stands behind what a sentence speaks of, before it asks ("跟您比,优势在哪"); no message has it. */
const TOPIC = '\0'
const QUESTION_MARK = /[?؟]/u

/** A space beside a figure or a Latin word only sets it off. */
const UNSPACED_BREAK =
  /[,，:：]|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\s(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu

/**
 * What a message asks for, clause by clause; clauses that name nothing are left out. What a follow-up leans on
 * (`context`) joins each clause with less weight, and stands alone where the message itself names nothing. Pure.
 */
export function readQuestion(text: string, context = '', reader = readerFor(text)): AskedClause[] {
  const own = readClauses(text, reader)
  if (context === '') return own
  const around = readClauses(context)
  // "Still doesn't work" asks what was asked before.
  if (around.length > 0 && own.every(tellsNothing)) return around
  const leaned = around.map((one) => ({ ...one, terms: one.terms.map(toLeaned) }))
  return own.map((clause) => leanOn(clause, leaned, clause.terms.some(isNamed) ? CONTEXT : 1))
}

const tellsNothing = ({ kinds, terms }: AskedClause): boolean =>
  kinds.size === 0 && terms.every(({ weight }) => weight < FIGURE)

const toLeaned = (term: AskedTerm): AskedTerm => ({ ...term, leaned: true })

/** The clause with what it leans on, which counts less than what it names itself. */
export function leanOn(
  clause: AskedClause,
  around: readonly AskedClause[],
  counts = CONTEXT,
): AskedClause {
  const terms = around
    .flatMap((one) => one.terms.toSorted((term, other) => other.weight - term.weight))
    .filter((term) => !clause.terms.some((own) => own.text === term.text))
    .slice(0, MAX_CONTEXT_TERMS)
    .map((term) => ({ ...term, name: false, weight: term.weight * counts }))
  return { ...clause, terms: [...clause.terms, ...terms] }
}

/**
 * The words that a message leans on: the user's question before it, with the one that this leans on, else the greeting,
 * where the message begins like a continuation, speaks of "it" or names nothing itself; '' where it stands alone.
 */
export function findContext(
  message: string,
  history: readonly { role: string; content: string }[],
  read: () => Reader = () => readerFor(message),
): string {
  const said = history.flatMap(({ role, content }) => (role === 'user' ? [content] : []))
  const before = said.at(-1) ?? history.at(-1)?.content ?? ''
  if (before === '' || leaningOf(message, read) === null) return ''
  const subject = leaningOf(before) === 'on all' ? subjectOf(said.slice(-MAX_LINKS, -1)) : ''
  // Found together, words of two languages find the one that says more.
  const isOurs = subject !== '' && readerFor(subject).code === read().code
  return [before.slice(-CONTEXT_CHARS), ...(isOurs ? [subject.slice(-CONTEXT_CHARS)] : [])].join(
    '\n',
  )
}

/** What follow-ups are about: what was said last that is none, or names another thing; else what the talk began with. */
const subjectOf = (said: readonly string[]): string =>
  said.findLast((one) => leaningOf(one) !== 'on all') ?? said[0] ?? ''

/** The one thing that a follow-up names in place of another ("and cats?"), else ''. */
export const namedInPlace = (message: string): string =>
  leaningOf(message) === 'in place'
    ? (readClauses(message)
        .flatMap(({ terms }) => terms)
        .find(isNamed)?.text ?? '')
    : ''

/** Whether a message leans on the one before it: on all of that, or with one thing in place of another. */
type Leaning = 'on all' | 'in place' | null

const leaningOf = (message: string, read = () => readerFor(message)): Leaning =>
  message.length > FOLLOW_UP_CHARS ? null : leans(message, read())

function leans(message: string, reader: Reader): Leaning {
  const plain = foldText(message)
    .replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  if (reader.replies.has(plain)) return 'on all'
  const clauses = readClauses(message, reader)
  const named = clauses.flatMap((clause) => clause.terms).filter((term) => term.weight >= CONTENT)
  const [first] = named
  if (first === undefined) return 'on all'
  const toFirst = plain.slice(0, plain.indexOf(first.text) + first.text.length)
  const isBound =
    hasPronoun(plain.replace(/^那/u, ''), reader) || BOUND.test(toFirst) || BARE.test(plain)
  const asksItself = clauses.some(({ kinds }) => kinds.size > 0)
  if (continuesTalk(plain, reader))
    return isBound || asksItself || named.length > 1 ? 'on all' : 'in place'
  // "How many megabytes?", "How long is it kept?": what of was said before.
  const asksMeasure = clauses.some(({ kinds }) => kinds.has('number') || kinds.has('time'))
  if (asksMeasure && named.length === 1 && message.length <= MEASURE_CHARS) return 'on all'
  return named.length < FEW && isBound ? 'on all' : null
}

/** Begins like a continuation, with an "and" that is written to what asks, too, or ends like one ("logo呢"). */
function continuesTalk(plain: string, reader: Reader): boolean {
  const begins = (text: string) =>
    reader.continues.some((word) => text.startsWith(reader.unspaced ? word : `${word} `))
  if (begins(plain) || plain.endsWith('呢')) return true
  const glued = reader.glued.find((word) => plain.startsWith(word))
  if (glued === undefined) return false
  const rest = plain.slice(glued.length)
  return begins(rest) || asks(rest, reader)
}

/** One of what was spoken of ("怎么新建一个", "how do I make one"). */
const BARE =
  /[一几][个個条條张張份][吗嗎呢]?$|新的[吗嗎呢]?$|(?<!\p{L})(?:ones?|(?:an)?other|un[oae]s?|otr[oa]s?)$/u
/**
 * A verb with what it is done to as a pronoun ("ponerlo", "le mettre"), at the end of what goes up to the first word that names
 * something: nothing that the pronoun could mean is named before it.
 */
const BOUND =
  /(?!charla|gondol)..(?:[aei]r|ndo)(?:[mts]e|nos)?l[aeo]s?$|..(?:ها|هم)$|(?:comment|peu[xt]|faut|doi[st])(?: je| on)? l(?:['’]|[ae]s? )\S+[ei]r$/u

const hasPronoun = (plain: string, { pronouns, unspaced }: Reader): boolean =>
  unspaced
    ? [...pronouns].some((word) => holdsWord(plain, word))
    : plain.split(' ').some((word) => pronouns.has(word))

/**
 * What a message asks, without what it only tells around that ("I run a small bakery. …"); '' where it tells nothing else,
 * or its question leans on what it tells.
 */
export function findAsked(message: string, reader = readerFor(message)): string {
  const parts = partsOf(message, reader)
  // Most messages are one question: nothing of it is read for that.
  if (parts.length < 2) return ''
  const clauses = readParts(parts, reader)
  const asking = clauses.filter(isAsking)
  const topicOf = (one: AskedClause) => topicBefore(clauses, clauses.indexOf(one))
  const leans = (one: AskedClause) =>
    (reader.unspaced || topicOf(one) === null) && leansOnRest(one, reader)
  if (asking.length === clauses.length || asking.some(leans)) return ''
  return asking.map((one) => [topicOf(one)?.text ?? [], one.text].flat().join(', ')).join('? ')
}

/** What a clause's sentence speaks of before it. */
function topicBefore(clauses: readonly AskedClause[], at: number): AskedClause | null {
  const before = clauses[at - 1]
  return before?.isTopic && before.kinds.size === 0 ? before : null
}

/** What a message asks behind a story that it leans on; '' where it tells none. */
export function askedInStory(message: string, reader = readerFor(message)): string {
  const clauses = readParts(partsOf(message, reader), reader)
  if (!isStory(clauses.filter(({ kinds }) => kinds.size === 0))) return ''
  return clauses
    .filter(isAsking)
    .map(({ text }) => text)
    .join('? ')
}

const isStory = (told: readonly AskedClause[]): boolean =>
  countNamed(told.flatMap(({ terms }) => terms)) >= STORY

/** By its words, or by its mark alone ("c’est gratuit ?"). */
export const isAsking = ({ kinds, marked }: AskedClause): boolean => kinds.size > 0 || marked

/**
 * Of a message that asks with small words alone ("we are a school, what is all this?") what asks, else ''. Such a question is
 * told by a way to ask that an author wrote down.
 * @param read what `readQuestion` made of it
 */
export function askedInSmallWords(
  text: string,
  read: readonly AskedClause[],
  reader = readerFor(text),
): string {
  if (read.length === 0) return spellOut(text, reader)
  // What it leans on in the same message weighs less; one that leans on the message before asks of that.
  if (read.some(({ terms }) => terms.some(({ leaned }) => leaned))) return ''
  if (read.some((clause) => isAsking(clause) && clause.terms.some(isNamed))) return ''
  const asking = readParts(partsOf(text, reader), reader).filter(isAsking)
  return asking.length === 1 ? (asking[0]?.text ?? '') : ''
}

const isNamed = ({ weight }: AskedTerm): boolean => weight >= CONTENT

function readClauses(text: string, reader = readerFor(text)): AskedClause[] {
  const clauses = readParts(partsOf(text, reader), reader)
  const told = clauses.filter((one) => one.kinds.size === 0)
  const tellsStory = isStory(told)
  return clauses
    .map((clause, at) => {
      if (clause.kinds.size === 0) return clause
      const beside = clauses[at - 1]
      const topic = topicBefore(clauses, at)
      if (topic && !reader.unspaced) return leanOn(clause, [topic], 1)
      const named = countNamed(clause.terms)
      if (!leansOnRest(clause, reader))
        return topic && named <= FEW ? leanOn(clause, [topic]) : clause
      // Behind a story, what names nothing itself leans on what was told last.
      if (tellsStory && named === 0 && beside?.terms.some(isNamed))
        return { ...leanOn(clause, [beside]), told: beside.text }
      const around = told.length > 0 ? told : clauses.slice(0, at)
      // What was told last before it is what it leans on, rather than who tells it.
      const before = around.filter((one) => clauses.indexOf(one) < at).reverse()
      const nearest = [...before, ...around.filter((one) => !before.includes(one))]
      return { ...leanOn(clause, nearest), told: around.map(({ text }) => text).join(' ') }
    })
    .filter((clause) => clause.terms.length > 0)
}

/** A message's clauses as they stand; one keeps a question mark until it is read. */
function partsOf(text: string, reader: Reader): readonly string[] {
  // Lists of words have the apostrophe that keyboards have.
  const plain = stripInvisible(text).normalize('NFKC').replaceAll('’', "'")
  // Every other piece is what ends the one before it.
  const pieces = spellOut(plain, reader).split(BREAK)
  const parts = pieces
    .map((piece, at) => (at % 2 === 0 ? markedPart(piece, pieces[at + 1], reader) : ''))
    .filter((part) => part !== '')
  const split = endsOf(distinct(parts)).flatMap((part) => splitAsked(part, reader))
  return endsOf(distinct(split.map((part) => part.trim())))
}

/**
 * Where a message marks what it asks, the rest asks only by how it begins ("Les escribo porque … ¿puedo …?"), or in its own name
 * and not with what may tell as well ("已经能收发了。…吗?").
 */
function readParts(parts: readonly string[], reader: Reader): AskedClause[] {
  const clauses = parts.map((part) => readPart(part, reader))
  if (!clauses.some(({ marked }) => marked)) return clauses
  const asksToo = reader.unspaced
    ? asksForItself
    : ({ text }: AskedClause) => asksBehindFrames(text, reader)
  return clauses.map((clause) =>
    clause.marked || asksToo(clause, reader) ? clause : { ...clause, kinds: NONE },
  )
}

function asksForItself({ kinds, text }: AskedClause, reader: Reader): boolean {
  const plain = plainWords(text)
  const isReported = reader.reports.some((word) => {
    const at = plain.indexOf(word)
    return at >= 0 && kindsOf(plain.slice(0, at), reader).size === 0
  })
  if (isReported) return false
  return kinds.size > 1 || !kinds.has('yesNo') || reader.asksOnly.some((one) => plain.includes(one))
}

const NONE: ReadonlySet<AskedKind> = new Set()

function readPart(part: string, reader: Reader): AskedClause {
  const marked = part.endsWith(MARK)
  const isTopic = part.endsWith(TOPIC)
  const clause = readClause(marked || isTopic ? part.slice(0, -1) : part, reader)
  const terms = isTopic
    ? clause.terms.filter(({ text }) => !reader.topicWords.has(text))
    : clause.terms
  return { ...clause, terms, marked, isTopic }
}

function markedPart(piece: string, end: string | undefined, reader: Reader): string {
  const part = piece.trim().slice(0, MAX_CLAUSE_CHARS)
  // "En cuanto al envío, ¿…": its own sign begins the question.
  if (end === '' && !reader.unspaced && beginsTopic(part, reader)) return part + TOPIC
  return part !== '' && QUESTION_MARK.test(end ?? '') ? part + MARK : part
}

/** What is said twice asks no more. */
const distinct = (parts: readonly string[]): string[] => [...new Set(parts)]

/** As much as is read, from both ends: behind a long preamble the question stands at the end. */
export const endsOf = <T>(parts: readonly T[], most = MAX_CLAUSES): readonly T[] =>
  parts.length <= most
    ? parts
    : [...parts.slice(0, most >> 1), ...parts.slice(parts.length - ((most + 1) >> 1))]

/** "My card is lost, what now?", "how long is it and when does it start?": what asks apart from what stands before it. */
function splitAsked(part: string, reader: Reader, looked = { at: 0 }): string[] {
  const polite = reader.politely?.exec(part)
  if (polite) {
    const [told, rest] = [part.slice(0, polite.index), part.slice(polite.index + polite[0].length)]
    const begins = reader.unspaced ? kindsOf(rest, reader).size > 0 : asks(rest, reader)
    if (begins && ++looked.at <= MAX_BREAKS)
      return [...(told === '' ? [] : [told]), ...splitAsked(rest.trimStart(), reader, looked)]
  }
  const led = reader.leadIn?.exec(part)
  if (led) {
    const [told, rest] = [part.slice(0, led.index), part.slice(led.index + led[0].length)]
    // What is asked so needs no word that asks.
    const asked = rest.endsWith(MARK) ? rest : rest + MARK
    if (/\p{L}/u.test(rest) && ++looked.at <= MAX_BREAKS) {
      const before = told === '' ? [] : splitAsked(told, reader, looked)
      return [...before, ...splitAsked(asked, reader, looked)]
    }
  }
  for (const { index } of part.matchAll(reader.unspaced ? UNSPACED_BREAK : SPACED_BREAK)) {
    if (++looked.at > MAX_BREAKS) return [part]
    const [told, rest] = [part.slice(0, index), withoutJoint(part.slice(index + 1), reader)]
    const begins = reader.unspaced ? kindsOf(rest, reader).size > 0 : asksBehindFrames(rest, reader)
    if (!begins) continue
    if (kindsOf(told, reader).size === 0 || areBothNamed(told, rest, reader))
      return [beginsTopic(told, reader) ? told + TOPIC : told, ...splitAsked(rest, reader, looked)]
  }
  for (const { index, 0: found } of part.matchAll(/[,،]?\s+\p{L}{1,6}(?=\s)/gu)) {
    const from = part.slice(index)
    const isJoin = reader.joins.has(found.replaceAll(/[,،\s]/gu, '').toLowerCase())
    const rest = isJoin ? from.slice(found.length) : withoutJoint(from, reader)
    if (rest === from) continue
    if (++looked.at > MAX_BREAKS) break
    const told = part.slice(0, index)
    if (kindsOf(told, reader).size === 0 || !asks(rest, reader)) continue
    if (asks(rest, reader, 'yesNo') || areBothNamed(told, rest, reader))
      return [part.endsWith(MARK) ? told + MARK : told, rest]
  }
  return [part]
}

/** What a sentence without spaces tells before it asks is its subject; "regarding webhooks, …" says so elsewhere. */
function beginsTopic(told: string, { topics, unspaced }: Reader): boolean {
  const plain = ` ${plainWords(told).trimStart()} `
  return unspaced || topics.some((phrase) => plain.startsWith(phrase))
}

/** "وهل", "وكم": what asks, without the "and" that is written to it; anything else as it is. */
function withoutJoint(text: string, reader: Reader): string {
  const plain = text.trimStart()
  const joint = reader.glued.find((one) => plain.startsWith(one))
  if (joint === undefined) return text
  const rest = plain.slice(joint.length)
  return asks(rest, reader) ? rest : text
}

/** "…, one question how do I …": framing words before what asks. */
function asksBehindFrames(text: string, reader: Reader): boolean {
  const words = plainWords(text).trim().split(' ')
  const from = words
    .slice(0, MAX_FRAMES)
    .findIndex((word) => !reader.frames.has(word) && !reader.articles.has(word))
  const most = from < 0 ? MAX_FRAMES : from
  for (let at = 0; at <= most; at++) if (asks(words.slice(at).join(' '), reader)) return true
  return false
}

/** Two questions in one sentence each name what they ask for, near the break; "can I swap and can I …" is one of them and a beginning. */
const areBothNamed = (told: string, rest: string, reader: Reader): boolean =>
  [told.slice(-NAMED_CHARS), rest.slice(0, NAMED_CHARS)].every((text) =>
    readClause(text, reader).terms.some(({ weight }) => weight >= CONTENT),
  )

const countNamed = (terms: readonly AskedTerm[]): number => terms.filter(isNamed).length

/** Names nothing itself, or says "it" of what stands elsewhere in the message. */
function leansOnRest({ text, terms }: AskedClause, reader: Reader): boolean {
  const named = countNamed(terms)
  if (named === 0) return true
  return (
    named < FEW &&
    plainWords(withoutFrame(text, reader))
      .split(' ')
      .some((word) => reader.pronouns.has(word))
  )
}
