import type { IdfTable } from '../knowledge/types'
import type { AskedKind, EvidencePack } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { isCommonWord } from '../language/prior'
import { thesaurusOf } from '../language/thesaurus'
import { detectMode, pairTokens, splitRuns, tokensA, wordToken } from './analyze'
import { detectLanguage } from './detect-language'
import { foldText } from './fold'
import type { LatinMode } from './latin-language'
import { once } from './once'
import type { Holder } from './passage-reading'
import { regionNames } from './regions'
import { idfOf } from './score-sentences'
import { type SplitVerb, splitVerb } from './separable-verbs'

/** A word of a question that names something. */
export interface AskedTerm {
  /** Folded, as the user wrote it. */
  text: string
  /** The term itself and what is the same word: a typo's correction, another form. */
  words: readonly string[]
  /** Words that it is made of, as far as the texts have them. */
  parts: readonly string[]
  /** What means the same, and what visitors say for it: tokens of its own language; see `Thesaurus`. */
  synonyms: readonly string[]
  kin: readonly string[]
  /** How much of the question it is. */
  weight: number
  /** A name, a product, an identifier: when it is nowhere, the question is about something else. */
  name: boolean
  /** An everyday word of its language, which other texts hold too. */
  common: boolean
  /** An everyday verb. */
  verb: boolean
  unspaced: boolean
  /** Of the message before, not of this one. */
  leaned?: true
}

/** A part of a message that asks for one thing. */
export interface AskedClause {
  text: string
  /** Of the language pack that it was read by. */
  code: string
  terms: readonly AskedTerm[]
  kinds: ReadonlySet<AskedKind>
  /** How an instruction begins in its language. */
  purposes: readonly string[]
  /** How its Latin words are stemmed: a typo is one of its own language. */
  mode: LatinMode
}

export const LIGHT = 0.2
/** A term of the question before, in a follow-up. */
const CONTEXT = 0.6
const MAX_CONTEXT_TERMS = 4
const FOLLOW_UP_CHARS = 80
const CONTEXT_CHARS = 300
const FIGURE = 0.8
/** What a synonym counts, and another form of the word. */
export const SAME_MEANING = 0.8
export const SAME_WORD = 0.95
/** Terms from here on name something. */
export const CONTENT = 1
const NAME = 1.5
const MAX_CLAUSES = 12
const MAX_TERMS = 24
const MAX_CLAUSE_CHARS = 1000
/** Commas and "and"s of a sentence at which a second question is looked for. */
const MAX_BREAKS = 16
const LONGEST_UNKNOWN = 4
/** Shorter words that begin like an "and" are words of their own. */
const LEAST_GLUED = 5
/** So many words tell a language. */
const MAX_TOLD = 40
const BREAK = /[.!?…。！？؟；;\n]+(?=\s|$|[\p{Script=Han}])|[。！？；\n]+/u
/** A short line of Han characters does not tell its script. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'zh-Hant'],
  'zh-TW': ['zh', 'zh-Hant'],
  ja: ['ja'],
}
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** A space beside a figure or a Latin word only sets it off. */
const UNSPACED_BREAK =
  /[,，]|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])\s(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu

/** A language's lists as questions are read with them: folded, the longest phrase first. */
interface Reader {
  code: string
  mode: LatinMode
  unspaced: boolean
  /** Words that name nothing. */
  dropped: ReadonlySet<string>
  frames: ReadonlySet<string>
  light: ReadonlySet<string>
  pronouns: ReadonlySet<string>
  interrogatives: readonly string[]
  purposes: readonly string[]
  continues: readonly string[]
  /** What joins a second question to the first ("and"). */
  joins: ReadonlySet<string>
  /** An "and" that is written to the word behind it. */
  glued: readonly string[]
  replies: ReadonlySet<string>
  kinds: readonly (readonly [AskedKind, readonly string[]])[]
  /** What ends a sentence and belongs to its verb. */
  particles: ReadonlySet<string>
  negations: ReadonlySet<string>
  innocent: readonly string[]
}

const readers = new Map<string, Reader>()

/**
 * What a message asks for, clause by clause; clauses that name nothing are left out. What a follow-up leans on
 * (`context`) joins each clause with less weight, and stands alone where the message itself names nothing. Pure.
 */
export function readQuestion(text: string, context = ''): AskedClause[] {
  const own = readClauses(text)
  if (context === '') return own
  const around = readClauses(context)
  // "Still doesn't work" asks what was asked before.
  if (around.length > 0 && own.every(tellsNothing)) return around
  const leaned = around.map((one) => ({ ...one, terms: one.terms.map(toLeaned) }))
  return own.map((clause) => leanOn(clause, leaned))
}

const tellsNothing = ({ kinds, terms }: AskedClause): boolean =>
  kinds.size === 0 && terms.every(({ weight }) => weight < FIGURE)

const toLeaned = (term: AskedTerm): AskedTerm => ({ ...term, leaned: true })

/** The clause with what it leans on, which counts less. */
function leanOn(clause: AskedClause, around: readonly AskedClause[]): AskedClause {
  const terms = around
    .flatMap((one) => one.terms)
    .filter((term) => !clause.terms.some((own) => own.text === term.text))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_CONTEXT_TERMS)
    .map((term) => ({ ...term, name: false, weight: term.weight * CONTEXT }))
  return { ...clause, terms: [...clause.terms, ...terms] }
}

/**
 * The words that a message leans on: the user's question before it, else the greeting, where the message begins like a
 * continuation, speaks of "it" or names nothing itself; '' where it stands alone.
 */
export function findContext(
  message: string,
  history: readonly { role: string; content: string }[],
): string {
  const last = history.findLast((entry) => entry.role === 'user') ?? history.at(-1)
  const before = last?.content ?? ''
  if (before === '' || message.length > FOLLOW_UP_CHARS || !leans(message)) return ''
  return before.slice(-CONTEXT_CHARS)
}

function leans(message: string): boolean {
  const reader = readerFor(message)
  const plain = foldText(message)
    .replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const begins = (word: string) => plain.startsWith(reader.unspaced ? word : `${word} `)
  if (reader.replies.has(plain) || reader.continues.some(begins)) return true
  const named = readClauses(message)
    .flatMap((clause) => clause.terms)
    .filter((term) => term.weight >= CONTENT)
  if (named.length === 0) return true
  const words = plain.split(' ')
  return named.length < 3 && words.some((word) => reader.pronouns.has(word))
}

function readClauses(text: string): AskedClause[] {
  const reader = readerFor(text)
  const parts = text
    .normalize('NFKC')
    .split(BREAK)
    .map((part) => part.trim().slice(0, MAX_CLAUSE_CHARS))
    .filter((part) => part !== '')
  const split = endsOf(distinct(parts)).flatMap((part) => splitAsked(part, reader))
  const clauses = endsOf(distinct(split.map((part) => part.trim()))).map((part) =>
    readClause(part, reader),
  )
  return clauses
    .map((clause, at) => {
      if (clause.kinds.size === 0 || !leansOnRest(clause, reader)) return clause
      const told = clauses.filter((one) => one.kinds.size === 0)
      return leanOn(clause, told.length > 0 ? told : clauses.slice(0, at))
    })
    .filter((clause) => clause.terms.length > 0)
}

/** What is said twice asks no more. */
const distinct = (parts: readonly string[]): string[] => [...new Set(parts)]

/** As much as is read, from both ends: behind a long preamble the question stands at the end. */
export const endsOf = <T>(parts: readonly T[], most = MAX_CLAUSES): readonly T[] =>
  parts.length <= most ? parts : [...parts.slice(0, most / 2), ...parts.slice(-most / 2)]

/** "My card is lost, what now?", "how long is it and when does it start?": what asks apart from what stands before it. */
function splitAsked(part: string, reader: Reader, looked = { at: 0 }): string[] {
  for (const { index } of part.matchAll(reader.unspaced ? UNSPACED_BREAK : /[,，،]/gu)) {
    if (++looked.at > MAX_BREAKS) return [part]
    const [told, rest] = [part.slice(0, index), part.slice(index + 1)]
    const begins = reader.unspaced ? kindsOf(rest, reader).size > 0 : asks(rest, reader)
    if (!begins) continue
    if (kindsOf(told, reader).size === 0 || areBothNamed(told, rest, reader))
      return [told, ...splitAsked(rest, reader, looked)]
  }
  for (const { index, 0: found } of part.matchAll(/[,،]?\s+\p{L}{1,5}(?=\s)/gu)) {
    if (!reader.joins.has(found.replaceAll(/[,،\s]/gu, '').toLowerCase())) continue
    if (++looked.at > MAX_BREAKS) break
    const [told, rest] = [part.slice(0, index), part.slice(index + found.length)]
    if (kindsOf(told, reader).size === 0 || !asks(rest, reader)) continue
    if (asks(rest, reader, 'yesNo') || areBothNamed(told, rest, reader)) return [told, rest]
  }
  return [part]
}

/** Two questions in one sentence each name what they ask for; "can I swap and can I …" is one of them and a beginning. */
const areBothNamed = (told: string, rest: string, reader: Reader): boolean =>
  [told, rest].every((text) =>
    readClause(text, reader).terms.some(({ weight }) => weight >= CONTENT),
  )

/** Whether a text begins as a question does, of another kind than one. */
function asks(text: string, { kinds }: Reader, but?: AskedKind): boolean {
  const plain = `${plainWords(text).trimStart()} `
  return kinds.some(
    ([kind, phrases]) => kind !== but && phrases.some((phrase) => plain.startsWith(`${phrase} `)),
  )
}

/** Whether a text asks from its first word on; unspaced scripts ask anywhere. */
export function beginsAsking(text: string): boolean {
  const reader = readerFor(text)
  return reader.unspaced ? kindsOf(text, reader).size > 0 : asks(text, reader)
}

/** What joins two things that are asked for in one question. */
export const AND = /\s(?:and|y|e|et|и|und|ve)\s|\sو|[、和跟与與及]|还有|還有/iu

/**
 * "What are the maximum size and the price?": the clause of each of two things; null for a clause of one. What is asked of
 * both stands before the first.
 */
export function readSides(clause: AskedClause): [AskedClause, AskedClause] | null {
  const found = clause.kinds.size === 0 ? null : AND.exec(clause.text)
  if (found === null) return null
  const at = found.index
  const before = foldText(clause.text.slice(0, at))
  const side = (text: string, isFirst: boolean): AskedClause => ({
    ...clause,
    text,
    terms: clause.terms.filter((term) => before.includes(term.text) === isFirst),
  })
  const sides: [AskedClause, AskedClause] = [
    side(clause.text.slice(0, at), true),
    side(clause.text.slice(at + found[0].length), false),
  ]
  return sides.every(({ terms }) => terms.some(namesSomething)) ? sides : null
}

export const namesSomething = ({ weight, leaned }: AskedTerm): boolean =>
  !leaned && weight >= CONTENT

/** Names nothing itself, or says "it" of what stands elsewhere in the message. */
function leansOnRest({ text, terms }: AskedClause, { pronouns }: Reader): boolean {
  const named = terms.filter((term) => term.weight >= CONTENT).length
  if (named === 0) return true
  return (
    named < 3 &&
    plainWords(text)
      .split(' ')
      .some((word) => pronouns.has(word))
  )
}

const plainWords = (text: string): string =>
  ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'’-]+/gu, ' ')} `

function readClause(text: string, reader: Reader): AskedClause {
  const terms = new Map<string, AskedTerm>()
  let first = true
  for (const raw of withoutFrame(text, reader).split(/[\s“”"«»()[\]{}]+/u)) {
    for (const run of splitRuns(raw)) {
      if (run.unspaced) addUnspaced(terms, run.text, reader)
      else addWord(terms, run.text, isName(raw, first, reader), reader)
    }
    if (/\p{L}/u.test(raw)) first = false
    if (terms.size >= MAX_TERMS) break
  }
  joinVerb(terms, text, reader)
  return {
    text,
    code: reader.code,
    terms: [...terms.values()],
    kinds: kindsOf(text, reader),
    purposes: reader.purposes,
    mode: reader.mode,
  }
}

function addWord(terms: Map<string, AskedTerm>, word: string, name: boolean, reader: Reader): void {
  if (terms.has(word) || reader.dropped.has(word)) return
  if (word.length < 2 && !/\p{N}/u.test(word)) return
  // A version is a name: what is said of another one answers nothing.
  const isVersion = /^\p{N}+(?:\.\p{N}+){2,}$/u.test(word)
  const isNumber = !isVersion && /^\p{N}+(?:[.,]\p{N}+)*$/u.test(word)
  const isName = isVersion || (name && !isNumber)
  // "والمقهى": the "and" is written to the word; the word itself is meant where texts have it.
  const glued = reader.glued.find((joint) => word.startsWith(joint))
  const bare = glued && word.length >= LEAST_GLUED ? word.slice(glued.length) : null
  const token = wordToken(bare ?? word, reader.mode)
  const { synonyms, kin, verbs } = thesaurusOf(reader.code)
  const weight = isNumber ? FIGURE : isName ? NAME : reader.light.has(word) ? LIGHT : CONTENT
  terms.set(word, {
    text: word,
    words: bare === null ? [word] : [word, bare],
    parts: [],
    synonyms: synonyms.get(token) ?? [],
    kin: kin.get(token) ?? [],
    weight,
    name: isName,
    common: !isName && isCommonWord(token),
    verb: verbs.has(word),
    unspaced: false,
  })
}

/** "Wie lade ich eine Datei hoch": the verb is "hochladen" too, and its end names nothing. */
function joinVerb(terms: Map<string, AskedTerm>, text: string, reader: Reader): void {
  const split = splitVerb(text, reader.particles, (word) => terms.has(word))
  const verb = split && terms.get(split.verb)
  if (!split || !verb) return
  terms.delete(split.particle)
  const { synonyms } = thesaurusOf(reader.code)
  const meant = split.joined.flatMap((word) => synonyms.get(wordToken(word, reader.mode)) ?? [])
  terms.set(split.verb, {
    ...verb,
    words: [...verb.words, ...split.joined],
    synonyms: [...new Set([...verb.synonyms, ...meant])],
  })
}

/** The verb of a text whose particle stands apart from it, as `splitVerb` gives it. */
export function findSplitVerb(text: string): SplitVerb | null {
  const { particles, dropped } = readerFor(text)
  return splitVerb(text, particles, (word) => !dropped.has(word))
}

const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }))

/** "要帶": the segmenter joins a helping word to what it does not know. */
function withoutHelper(segment: string, { dropped }: Reader): string {
  const [first = '', ...rest] = [...segment]
  return rest.length === 1 && dropped.has(first) && !dropped.has(segment) && !isCommonWord(segment)
    ? rest.join('')
    : segment
}

const DOUBLED = /(\p{Script=Han})\1$/u

/** Unspaced scripts: words as the segmenter cuts them; characters that it took apart one by one are a word that it does not know. */
function addUnspaced(terms: Map<string, AskedTerm>, run: string, reader: Reader): void {
  let alone = ''
  const end = () => {
    if (alone !== '') addSegment(terms, alone, reader)
    const term = terms.get(alone)
    // "带狗狗": people double a word to be nice, texts do not.
    const [, doubled] = DOUBLED.exec(alone) ?? []
    if (term && doubled !== undefined)
      terms.set(alone, {
        ...term,
        words: [alone, doubled],
        synonyms: thesaurusOf(reader.code).synonyms.get(doubled) ?? [],
      })
    alone = ''
  }
  for (const { segment: whole } of segmenter().segment(run)) {
    const segment = withoutHelper(whole, reader)
    const single = [...segment].length === 1
    if (
      segment !== whole ||
      !single ||
      reader.dropped.has(segment) ||
      alone.length >= LONGEST_UNKNOWN
    )
      end()
    if (reader.dropped.has(segment)) continue
    if (single) alone += segment
    else addSegment(terms, segment, reader)
  }
  end()
}

function addSegment(terms: Map<string, AskedTerm>, segment: string, reader: Reader): void {
  if (terms.has(segment)) return
  const { synonyms, kin, verbs } = thesaurusOf(reader.code)
  const light = reader.light.has(segment) || [...segment].length === 1
  // No capital tells a name here; countries are those that are asked about most.
  const name =
    !light && REGIONS[reader.code]?.some((code) => regionNames(code).has(segment)) === true
  terms.set(segment, {
    text: segment,
    words: [segment],
    parts: [],
    synonyms: synonyms.get(segment) ?? [],
    kin: kin.get(segment) ?? [],
    weight: light ? LIGHT : CONTENT,
    name,
    common: !name && isCommonWord(segment),
    verb: verbs.has(segment),
    unspaced: true,
  })
}

/** Capitals inside a word tell a name; at its start they do where the language does not begin every noun so. */
function isName(raw: string, first: boolean, { code }: Reader): boolean {
  const word = raw.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (/\p{Script=Latin}/u.test(word) && !['en', 'es', 'fr', 'de', 'tr'].includes(code)) return true
  if (/\p{L}\p{N}|\p{N}\p{L}|[\p{L}\p{N}][._/@-]+[\p{L}\p{N}]/u.test(word) && /\p{L}/u.test(word))
    return !/^\p{Lu}?\p{Ll}+(?:[-’']\p{Ll}+)+$/u.test(word)
  if (/^.+\p{Lu}/u.test(word)) return true
  return !first && code !== 'de' && /^\p{Lu}\p{Ll}/u.test(word)
}

/** "How long", "what time": what frames the question is not what it names. */
function withoutFrame(text: string, { interrogatives }: Reader): string {
  let rest = text
  for (const phrase of interrogatives) {
    const at = rest.toLowerCase().indexOf(phrase)
    if (at < 0) continue
    const end = at + phrase.length
    const whole =
      UNSPACED.test(phrase) ||
      (!/\p{L}/u.test(rest.charAt(at - 1)) && !/\p{L}/u.test(rest.charAt(end)))
    if (whole) rest = `${rest.slice(0, at)} ${rest.slice(end)}`
  }
  return rest
}

function kindsOf(text: string, { kinds, unspaced, frames }: Reader): ReadonlySet<AskedKind> {
  const plain = plainWords(text)
  const found = new Set<AskedKind>()
  for (const [kind, phrases] of kinds) {
    const holds = phrases.some((phrase) => {
      if (unspaced) return plain.includes(phrase)
      return kind === 'yesNo' ? plain.startsWith(` ${phrase} `) : plain.includes(` ${phrase} `)
    })
    if (holds) found.add(kind)
  }
  // "Is it removed when decoding?" asks for no time.
  if (found.has('yesNo') && !unspaced)
    for (const kind of ['time', 'place', 'person'] as const) {
      const phrases = kinds.find(([one]) => one === kind)?.[1] ?? []
      if (!phrases.some((phrase) => isFramed(plain, phrase, frames))) found.delete(kind)
    }
  return found
}

/** "Can you tell me when …": a phrase that a framing word stands before. */
function isFramed(plain: string, phrase: string, frames: ReadonlySet<string>): boolean {
  const at = plain.indexOf(` ${phrase} `)
  return (
    at > 0 &&
    plain
      .slice(0, at)
      .split(' ')
      .slice(-2)
      .some((word) => frames.has(word))
  )
}

const MODES: Readonly<Record<string, LatinMode>> = {
  en: 'english',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  tr: 'turkish',
}

/** Whether a message denies something; "能不能" and the like only ask. */
export function isNegated(text: string): boolean {
  const { negations, innocent, unspaced } = readerFor(text)
  const plain = plainWords(text)
  if (!unspaced) return plain.split(' ').some((word) => negations.has(word) || NOT.test(word))
  const rest = innocent.reduce((left, phrase) => left.replaceAll(phrase, ' '), plain)
  return [...negations].some((word) => rest.includes(word))
}

const NOT = /n['’]t$/u

const readerFor = (text: string): Reader => readerOf(languageOf(text))

function readerOf(code: string): Reader {
  const known = readers.get(code)
  if (known) return known
  // A short line in Han characters does not tell which of the two it is written in.
  const codes = code === 'zh' || code === 'zh-TW' ? ['zh', 'zh-TW'] : [code]
  const reader = makeReader(
    code,
    EVIDENCE_PACKS.filter((pack) => codes.includes(pack.code)),
  )
  readers.set(code, reader)
  return reader
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

function languageOf(text: string): string {
  const detected = detectLanguage(text)
  if (detected !== null && detected !== 'en') return detected
  if (KANA.test(text)) return 'ja'
  if (detected === 'en') return 'en'
  const mode = detectMode(text)
  const told = Object.keys(MODES).find((code) => MODES[code] === mode)
  return told === undefined || told === 'en' ? tellByLists(text) : told
}

/** The Latin language whose lists name most words of a few; English first, as most do that names and terms are made of. */
function tellByLists(text: string): string {
  const words = plainWords(text).split(' ').slice(0, MAX_TOLD)
  let best = 'en'
  let most = 0
  for (const code of Object.keys(MODES)) {
    const { dropped, light, mode } = readerOf(code)
    const { synonyms } = thesaurusOf(code)
    const named = words.filter(
      (word) => dropped.has(word) || light.has(word) || synonyms.has(wordToken(word, mode)),
    ).length
    if (named > most) best = code
    most = Math.max(most, named)
  }
  return best
}

/** "And" as the language's lists have it, where no blank stands behind it. */
const gluedJoints = (code: string): string[] =>
  new Intl.ListFormat(code, { type: 'conjunction' })
    .formatToParts(['1', '2'])
    .flatMap(({ type, value }) => (type === 'literal' && /\S$/u.test(value) ? [value.trim()] : []))

function makeReader(code: string, packs: readonly EvidencePack[]): Reader {
  const mode = MODES[code] ?? 'english'
  const folded = (words: readonly string[]) => [...new Set(words.map(foldText))]
  const all = (read: (pack: EvidencePack) => readonly string[]) => folded(packs.flatMap(read))
  const kinds = [...new Set(packs.flatMap((pack) => Object.keys(pack.asking.kinds)))] as AskedKind[]
  return {
    code,
    mode,
    unspaced: packs.some((pack) => pack.unspaced),
    dropped: new Set(
      all((pack) => [
        ...pack.functionWords,
        ...pack.pronouns,
        ...pack.negation.explicit,
        ...pack.asking.frames,
      ]),
    ),
    frames: new Set(all((pack) => pack.asking.frames)),
    light: new Set(all((pack) => pack.asking.light)),
    pronouns: new Set(all((pack) => pack.pronouns)),
    // As written: they are cut out of the text as it stands.
    interrogatives: packs
      .flatMap((pack) => pack.asking.interrogatives)
      .sort((one, other) => other.length - one.length),
    purposes: packs.flatMap((pack) => pack.asking.purposes),
    continues: all((pack) => pack.asking.continues),
    joins: new Set(packs.flatMap((pack) => pack.asking.continues)),
    glued: packs.some((pack) => pack.unspaced) ? [] : gluedJoints(code),
    replies: new Set(all((pack) => pack.asking.replies)),
    particles: new Set(all((pack) => pack.asking.particles ?? [])),
    negations: new Set(all((pack) => pack.negation.explicit)),
    innocent: all((pack) => pack.innocent),
    kinds: kinds.map((kind) => [kind, all((pack) => pack.asking.kinds[kind])] as const),
  }
}

/** The tokens of words that people use for a token of this text, by its language; none for one that has no such words. */
export function readOtherWords(text: string): (token: string) => readonly string[] {
  const { code, mode } = readerFor(text)
  const { synonyms, kin } = thesaurusOf(code)
  return (token) =>
    [...(synonyms.get(token) ?? []), ...(kin.get(token) ?? [])].flatMap((other) =>
      tokensOfStem(other, mode),
    )
}

/** Stems are tokens already. */
const tokensOfStem = (stem: string, mode: LatinMode): string[] =>
  UNSPACED.test(stem) ? tokensOf(stem, mode) : [stem]

/** How well a set of tokens holds a term, 0 to 1. */
export type Holds = (tokens: Holder) => number

/** Reads a term once for all the passages of a mode. */
export function holder({ words, parts, synonyms, kin }: AskedTerm, mode: LatinMode): Holds {
  const wanted: [number, string[]][] = [
    ...words.map((word, at): [number, string[]] => [
      at === 0 ? 1 : SAME_WORD,
      tokensOf(word, mode),
    ]),
    ...parts.map((word): [number, string[]] => [SAME_MEANING, tokensOf(word, mode)]),
    ...[...synonyms, ...kin].map((stem): [number, string[]] => [
      SAME_MEANING,
      tokensOfStem(stem, mode),
    ]),
  ]
  return (tokens) => {
    let best = 0
    for (const [counts, word] of wanted) {
      if (counts <= best) break
      const found = word.filter((token) => tokens.has(token)).length / word.length
      if (found >= 0.5) best = Math.max(best, found * counts)
    }
    return best
  }
}

/** Tokens of index A of a word; a long run of unspaced script is held by its pairs. */
function tokensOf(word: string, mode: LatinMode): string[] {
  if (!UNSPACED.test(word)) return [wordToken(word, mode)]
  return [...word].length === 1
    ? [word]
    : pairTokens(word).filter((token) => [...token].length === 2)
}

export const holds = (term: AskedTerm, tokens: ReadonlySet<string>, mode: LatinMode): number =>
  holder(term, mode)(tokens)

const MIN_RARITY = 0.25

/** Each term's weight, less where half of the base holds it; small bases know nothing about words, so never nothing. */
export function clauseWeights({ terms }: AskedClause, idf: IdfTable): number[] {
  return terms.map((term) => {
    const tokens = tokensA(term.text, 'english').concat(
      term.unspaced ? [] : [wordToken(term.text, detectMode(term.text))],
    )
    const weight = Math.max(...tokens.map((token) => idfOf(idf, token)), 0)
    return term.weight * Math.max(MIN_RARITY, Math.min(1, weight / Math.max(idf.rest, 0.001)))
  })
}
