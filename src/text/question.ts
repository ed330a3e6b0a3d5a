import type { IdfTable } from '../knowledge/types'
import { ASKING, type AskingPack } from '../language/asking'
import type { EvidencePack } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { detectMode, pairTokens, splitRuns, tokensA, wordToken } from './analyze'
import { detectLanguage } from './detect-language'
import { foldText } from './fold'
import type { LatinMode } from './latin-language'
import { once } from './once'
import { idfOf } from './score-sentences'

/** A word of a question that names something. */
export interface AskedTerm {
  /** Folded, as the user wrote it. */
  text: string
  /** Words that count as the same, folded; the term itself first. */
  words: readonly string[]
  /** How much of the question it is. */
  weight: number
  /** A name, a product, an identifier: when it is nowhere, the question is about something else. */
  name: boolean
  unspaced: boolean
}

export type AskedKind = keyof AskingPack['kinds']

/** A part of a message that asks for one thing. */
export interface AskedClause {
  text: string
  terms: readonly AskedTerm[]
  kinds: ReadonlySet<AskedKind>
  /** How an instruction begins in its language. */
  purposes: readonly string[]
}

const LIGHT = 0.3
/** A term of the question before, in a follow-up. */
const CONTEXT = 0.6
const MAX_CONTEXT_TERMS = 4
const FOLLOW_UP_CHARS = 80
const CONTEXT_CHARS = 300
const FIGURE = 0.8
/** What a synonym counts. */
const SAME_MEANING = 0.65
const CONTENT = 1
const NAME = 1.5
const MAX_CLAUSES = 12
const MAX_TERMS = 24
const BREAK = /[.!?…。！？؟；;\n]+(?=\s|$|[\p{Script=Han}])|[。！？；\n]+/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

interface Reader {
  dropped: ReadonlySet<string>
  light: ReadonlySet<string>
  pronouns: ReadonlySet<string>
  synonyms: ReadonlyMap<string, readonly string[]>
  asking: readonly AskingPack[]
  code: string
  mode: LatinMode
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
    .flatMap((clause) => clause.terms)
    .slice(0, MAX_CONTEXT_TERMS)
  if (own.length === 0) return readClauses(context)
  return own.map((clause) => ({
    ...clause,
    terms: [
      ...clause.terms,
      ...around
        .filter((term) => !clause.terms.some((one) => one.text === term.text))
        .map((term) => ({ ...term, name: false, weight: term.weight * CONTEXT })),
    ],
  }))
}

/**
 * The words that a message leans on: the user's question before it, where the message begins like a continuation, speaks of
 * "it" or names nothing itself; '' where it stands alone.
 */
export function findContext(
  message: string,
  history: readonly { role: string; content: string }[],
): string {
  const before = history.findLast((entry) => entry.role === 'user')?.content ?? ''
  if (before === '' || message.length > FOLLOW_UP_CHARS || !leans(message)) return ''
  return before.slice(-CONTEXT_CHARS)
}

function leans(message: string): boolean {
  const reader = readerFor(message)
  const plain = foldText(message)
    .replaceAll(/[^\p{L}\p{N}'’\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const unspaced = UNSPACED.test(message)
  const begins = (word: string) =>
    plain.startsWith(unspaced ? foldText(word) : `${foldText(word)} `)
  if (reader.asking.some((one) => one.replies.some((reply) => foldText(reply) === plain)))
    return true
  if (reader.asking.some((one) => one.continues.some(begins))) return true
  const named = readClauses(message)
    .flatMap((clause) => clause.terms)
    .filter((term) => term.weight >= CONTENT)
  if (named.length === 0) return true
  const words = plain.split(' ')
  return named.length < 3 && words.some((word) => reader.pronouns.has(word))
}

function readClauses(text: string): AskedClause[] {
  const reader = readerFor(text)
  const clauses: AskedClause[] = []
  for (const part of text.normalize('NFKC').split(BREAK)) {
    if (part === undefined || part.trim() === '') continue
    const clause = readClause(part.trim(), reader)
    if (clause.terms.length > 0) clauses.push(clause)
    if (clauses.length === MAX_CLAUSES) break
  }
  return clauses
}

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
  return {
    text,
    terms: [...terms.values()],
    kinds: kindsOf(text, reader),
    purposes: reader.asking.flatMap((one) => one.purposes),
  }
}

function addWord(terms: Map<string, AskedTerm>, word: string, name: boolean, reader: Reader): void {
  if (terms.has(word) || reader.dropped.has(word)) return
  if (word.length < 2 && !/\p{N}/u.test(word)) return
  const isNumber = /^\p{N}+(?:[.,]\p{N}+)*$/u.test(word)
  const weight = isNumber ? FIGURE : name ? NAME : reader.light.has(word) ? LIGHT : CONTENT
  terms.set(word, {
    text: word,
    words: [word, ...(reader.synonyms.get(wordToken(word, reader.mode)) ?? [])],
    weight,
    name: name && !isNumber,
    unspaced: false,
  })
}

const segmenter = once(() => new Intl.Segmenter('zh', { granularity: 'word' }))

/** Unspaced scripts: words as the segmenter cuts them; a long one counts as its pairs. */
function addUnspaced(terms: Map<string, AskedTerm>, run: string, reader: Reader): void {
  let before = ''
  for (const { segment } of segmenter().segment(run)) {
    const single = [...segment].length === 1
    // Two characters that the segmenter took apart are often one word.
    const pair = single && [...before].length === 1 ? before + segment : null
    before = segment
    if (reader.dropped.has(segment) || terms.has(segment)) continue
    const light = reader.light.has(segment) || single
    terms.set(segment, {
      text: segment,
      words: [
        pair ?? segment,
        ...(reader.synonyms.get(segment) ?? []),
        ...(pair === null ? [] : [segment]),
      ],
      weight: light && pair === null ? LIGHT : CONTENT,
      name: false,
      unspaced: true,
    })
  }
}

/** Capitals inside a word tell a name; at its start they do where the language does not begin every noun so. */
function isName(raw: string, first: boolean, { code }: Reader): boolean {
  const word = raw.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (/\p{Script=Latin}/u.test(word) && !['en', 'es', 'fr', 'de', 'tr'].includes(code)) return true
  if (/\p{L}\p{N}|\p{N}\p{L}|[\p{L}\p{N}][._/@-]+[\p{L}\p{N}]/u.test(word) && /\p{L}/u.test(word))
    return !/^\p{Ll}+[-’']\p{Ll}+$/u.test(word)
  if (/^.+\p{Lu}/u.test(word)) return true
  return !first && code !== 'de' && /^\p{Lu}\p{Ll}/u.test(word)
}

/** "How long", "what time": what frames the question is not what it names. */
function withoutFrame(text: string, { asking }: Reader): string {
  const phrases = asking
    .flatMap((one) => one.interrogatives)
    .sort((one, other) => other.length - one.length)
  let rest = text
  for (const phrase of phrases) {
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

function kindsOf(text: string, { asking }: Reader): ReadonlySet<AskedKind> {
  const kinds = new Set<AskedKind>()
  const plain = ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'’-]+/gu, ' ')} `
  const unspaced = UNSPACED.test(text)
  for (const [kind, phrases] of asking.flatMap((one) => Object.entries(one.kinds)) as [
    AskedKind,
    readonly string[],
  ][]) {
    const starts = kind === 'yesNo' && !unspaced
    const holds = phrases.some((phrase) => {
      const wanted = foldText(phrase)
      if (unspaced) return plain.includes(wanted)
      return starts ? plain.startsWith(` ${wanted} `) : plain.includes(` ${wanted} `)
    })
    if (holds) kinds.add(kind)
  }
  return kinds
}

const MODES: Readonly<Record<string, LatinMode>> = {
  en: 'english',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  tr: 'turkish',
}

function readerFor(text: string): Reader {
  const code = languageOf(text)
  const known = readers.get(code)
  if (known) return known
  // A short line in Han characters does not tell which of the two it is written in.
  const codes = code === 'zh' || code === 'zh-TW' ? ['zh', 'zh-TW'] : [code]
  const reader = makeReader(
    code,
    EVIDENCE_PACKS.filter((pack) => codes.includes(pack.code)),
    codes.flatMap((one) => ASKING[one] ?? []),
  )
  readers.set(code, reader)
  return reader
}

function languageOf(text: string): string {
  const detected = detectLanguage(text)
  if (detected !== null && detected !== 'en') return detected
  const mode = detectMode(text)
  return Object.keys(MODES).find((code) => MODES[code] === mode) ?? 'en'
}

function makeReader(
  code: string,
  packs: readonly EvidencePack[],
  asking: readonly AskingPack[],
): Reader {
  const mode = MODES[code] ?? 'english'
  const synonyms = new Map<string, string[]>()
  for (const group of asking.flatMap((one) => one.synonyms)) {
    const folded = group.map(foldText)
    for (const word of folded) {
      const key = UNSPACED.test(word) ? word : wordToken(word, mode)
      synonyms.set(key, [...new Set([...(synonyms.get(key) ?? []), ...folded])])
    }
  }
  return {
    code,
    mode,
    asking,
    synonyms,
    dropped: new Set(
      [
        ...packs.flatMap((pack) => [...pack.functionWords, ...pack.pronouns]),
        ...asking.flatMap((one) => one.frames),
      ].map(foldText),
    ),
    pronouns: new Set(packs.flatMap((pack) => pack.pronouns).map(foldText)),
    light: new Set(asking.flatMap((one) => one.light).map(foldText)),
  }
}

/** Tokens of index A that stand for a term, in a passage's mode. */
export function tokensOf(term: AskedTerm, mode: LatinMode): string[][] {
  return term.words.map((word) =>
    UNSPACED.test(word)
      ? [...word].length === 1
        ? [word]
        : pairTokens(word).filter((token) => [...token].length === 2)
      : [wordToken(word, mode)],
  )
}

/** How well a set of tokens holds a term, 0 to 1; a word that means the same counts less. */
export function holds(term: AskedTerm, tokens: ReadonlySet<string>, mode: LatinMode): number {
  let best = 0
  for (const [at, wanted] of tokensOf(term, mode).entries()) {
    const found = wanted.filter((token) => tokens.has(token)).length / wanted.length
    best = Math.max(best, (found >= 0.5 ? found : 0) * (at === 0 ? 1 : SAME_MEANING))
    if (best === 1) break
  }
  return best
}

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

const TYPO_LEAST = 4

/** The clauses with words that no passage has replaced by the passages' word that is a typo away or a part of it. */
export function settleTerms(
  clauses: readonly AskedClause[],
  texts: readonly (readonly string[])[],
): AskedClause[] {
  const words = new Set(texts.flat())
  const stems = new Set([...words].map((word) => wordToken(word, 'english')))
  return clauses.map((clause) => ({
    ...clause,
    terms: clause.terms.map((term) => {
      if (term.unspaced || term.name || term.text.length < TYPO_LEAST || /\p{N}/u.test(term.text))
        return term
      if (words.has(term.text) || stems.has(wordToken(term.text, 'english'))) return term
      const near = [...words].filter((word) => isNear(term.text, word))
      return near.length === 0 ? term : { ...term, words: [...term.words, ...near.slice(0, 4)] }
    }),
  }))
}

function isNear(word: string, other: string): boolean {
  const most = word.length >= 8 ? 2 : 1
  if (Math.abs(word.length - other.length) <= most && distance(word, other, most) <= most)
    return true
  return (
    word.length >= 5 &&
    other.length > word.length &&
    (other.startsWith(word) || other.endsWith(word))
  )
}

/** Optimal string alignment distance, given up beyond `most`. */
function distance(one: string, other: string, most: number): number {
  if (one[0] !== other[0] && most < 2) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        value = Math.min(value, (before[j - 2] ?? 0) + 1)
      row.push(value)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[other.length] ?? most + 1
}
