import type { AskedKind } from '../language/pack'
import { isCommonWord } from '../language/prior'
import { thesaurusOf } from '../language/thesaurus'
import { splitRuns, wordToken } from './analyze'
import {
  type AskedClause,
  type AskedTerm,
  CONTENT,
  FIGURE,
  LIGHT,
  namesSomething,
  UNSPACED,
} from './asked'
import { foldText } from './fold'
import { once } from './once'
import { plainWords, type Reader, readerFor } from './question-reader'
import { regionNames } from './regions'
import { type SplitVerb, splitVerb } from './separable-verbs'

const NAME = 1.5

const MAX_TERMS = 24

const LONGEST_UNKNOWN = 4

/** Shorter words that begin like an "and" are words of their own. */
const LEAST_GLUED = 5

/** A short line of Han characters does not tell its script. */
const REGIONS: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'zh-Hant'],
  'zh-TW': ['zh', 'zh-Hant'],
  ja: ['ja'],
}

/** Whether a text begins as a question does, of another kind than one. */
export function asks(text: string, { kinds }: Reader, but?: AskedKind): boolean {
  const plain = ` ${plainWords(text).trimStart()} `
  if (SUBJECTLESS.test(plain)) return false
  return kinds.some(
    ({ kind, spaced }) => kind !== but && spaced.some((phrase) => plain.startsWith(phrase)),
  )
}

/** "…, could be used": what may be stands before. */
const SUBJECTLESS = /^ +(?:can|could|may|might|must|should|will|would) (?:be|have) /u

/** Whether a text asks from its first word on; unspaced scripts ask anywhere. */
export function beginsAsking(text: string): boolean {
  const reader = readerFor(text)
  return reader.unspaced ? kindsOf(text, reader).size > 0 : asks(text, reader)
}

/**
 * What joins two things that are asked for in one question; "وكيل" and "واتساب" only begin like an Arabic "and". The "e" of
 * "mit dem e bike" is no Spanish one, which stands before an "i" alone.
 */
export const AND =
  /\s(?:and|y|e(?=\sh?i)|et|и|und|ve)\s|\sو(?=\s|ال|ت\p{L}{2}|ي(?!ب)\p{L}{2})|[、和跟与與及]|还有|還有/iu

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

export function readClause(text: string, reader: Reader): AskedClause {
  const terms = new Map<string, AskedTerm>()
  const hosts = new Set<string>()
  let first = true
  let before = ''
  for (const raw of withoutFrame(text, reader).split(/[\s“”"«»()[\]{}]+/u)) {
    // "Doesn't": the part before the sign is no word.
    if (DENIES.test(raw)) continue
    let name: boolean | null = null
    const known = HOST.test(raw) ? new Set(terms.keys()) : null
    for (const run of splitRuns(raw)) {
      if (run.unspaced) addUnspaced(terms, run.text, reader)
      else {
        const isFlag = FLAG.test(raw)
        name ??= isFlag || isName(raw, first, reader)
        addWord(terms, run.text, name, reader, isFlag)
      }
    }
    if (known) for (const text of terms.keys()) if (!known.has(text)) hosts.add(text)
    nameFigure(terms, before, raw)
    before = foldText(/\p{L}+$/u.exec(raw)?.[0] ?? '')
    if (/\p{L}/u.test(raw)) first = false
    if (terms.size >= MAX_TERMS) break
  }
  joinVerb(terms, text, reader)
  lightenHosts(terms, hosts)
  return {
    text,
    marked: false,
    code: reader.code,
    terms: [...terms.values()],
    kinds: kindsOf(text, reader),
    purposes: reader.purposes,
    mode: reader.mode,
  }
}

/** A site's or a person's own address. */
const HOST =
  /^(?:(?:https?:\/\/|www\.|[^\s@]+@)\S+|(?:[\p{L}\p{N}-]+\.)+(?:(?:com|org|net|edu|gov|info)|(?<=\.\S+\.)(?:io|app|dev|(?!cs|go|hs|js|kt|md|py|rb|rs|sh|ts)[a-z]{2})))(?:[/:?]\S*)?[.,;:!]*$/iu

/** "Can I use chat.our-shop.com?": an address beside what is asked is an example of it. */
function lightenHosts(terms: Map<string, AskedTerm>, hosts: ReadonlySet<string>): void {
  const all = [...terms]
  if (!all.some(([text, { weight }]) => weight >= CONTENT && !hosts.has(text))) return
  for (const [text, term] of all)
    if (hosts.has(text)) terms.set(text, { ...term, name: false, weight: LIGHT })
}

/** "Debian 17", "iPhone 15": a figure behind a name tells which one. */
function nameFigure(terms: Map<string, AskedTerm>, name: string, raw: string): void {
  const figure = /^\d+(?:\.\d+)*(?=\P{L}*$)/u.exec(raw)?.[0] ?? ''
  const [named, term] = [terms.get(name), terms.get(figure)]
  if (term && named && !named.common && named.weight >= CONTENT)
    terms.set(figure, { ...term, weight: NAME, name: true })
}

/** "60qm" is "60 m²" elsewhere; "5g" and "4k" are names. */
const NUMBER = /^(\p{N}+(?:[.,]\p{N}+)*)(?:[ap]m|h|[ckmq]?m|kg|[kmgt]b)?$/u

/** "-n", "--force": options of a program, whatever else the letters mean. */
const FLAG = /^-(?:-[a-z]|[a-z](?![a-z]))/i

function addWord(
  terms: Map<string, AskedTerm>,
  word: string,
  name: boolean,
  reader: Reader,
  isFlag: boolean,
): void {
  const isDropped = (one: string) => !isFlag && reader.dropped.has(one)
  const respelt = withOtherYeh(word)
  if (terms.has(word) || isDropped(word) || isDropped(respelt)) return
  // "وكم": an "and" before what names nothing.
  if (reader.glued.some((joint) => word.startsWith(joint) && isDropped(word.slice(joint.length))))
    return
  if (word.length < 2 && !isFlag && !/\p{N}/u.test(word)) return
  // A version is a name: what is said of another one answers nothing.
  const isVersion = /^\p{N}+(?:\.\p{N}+){2,}$/u.test(word)
  const figure = isVersion ? undefined : NUMBER.exec(word)?.[1]
  const isName = isVersion || (name && !figure)
  // "والمقهى": the "and" is written to the word; the word itself is meant where texts have it.
  const glued = reader.glued.find((joint) => word.startsWith(joint))
  const bare = figure ?? (glued && word.length >= LEAST_GLUED ? word.slice(glued.length) : null)
  const token = wordToken(bare ?? word, reader.mode)
  const { synonyms, kin, verbs, small } = thesaurusOf(reader.code)
  const isLight = reader.light.has(word) || small.has(word)
  const weight = figure ? FIGURE : isName ? NAME : isLight ? LIGHT : CONTENT
  terms.set(word, {
    text: word,
    words: [
      ...new Set(bare === null ? [word, respelt] : [word, respelt, bare, withOtherYeh(bare)]),
    ],
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

/** Egypt writes a final "ي" as "ى", others do the reverse. */
const withOtherYeh = (word: string): string =>
  word.replace(/[ىي]$/u, (sign) => (sign === 'ى' ? 'ي' : 'ى'))

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

/** "要帶", "的設", "人的": the segmenter joins a helping word to what it does not know. */
function withoutHelper(segment: string, reader: Reader): string {
  const { dropped } = reader
  const [first = '', second, ...more] = [...segment]
  if (second === undefined || more.length > 0) return segment
  // Japanese makes words with it; "目的" is one in Chinese.
  if (second === '的' && dropped.has(second) && first !== '目') return first
  if (!dropped.has(first) || dropped.has(segment) || hasMeaning(segment, reader)) return segment
  const helps = first === '的' || dropped.has(second)
  return helps || !isCommonWord(segment) ? second : segment
}

const LONGEST_WORD = 6

/** What a sign by itself costs where a word costs 1: the fewest words are most likely the right ones. */
const SIGN = 1.5

interface Segment {
  text: string
  /** A helping word was taken off in front of it or behind it. */
  begins: boolean
  ends: boolean
}

/**
 * The fewest words of the segmenter's and of the thesaurus that make the run: the segmenter knows few new ones
 * ("机器|人", "注|销账|号").
 */
function segmentsOf(run: string, reader: Reader): Segment[] {
  const cut = new Map([...segmenter().segment(run)].map(({ index, segment }) => [index, segment]))
  /** By place, the least cost of what stands before it, and the word that ends there. */
  const least = new Float64Array(run.length + 1).fill(Infinity)
  const words = new Array<string>(run.length + 1)
  least[0] = 0
  const put = (from: number, word: string, cost: number) => {
    const end = from + word.length
    const all = (least[from] ?? 0) + cost
    if (all >= (least[end] ?? 0)) return
    least[end] = all
    words[end] = word
  }
  for (let from = 0; from < run.length; from++) {
    const whole = cut.get(from)
    // A word with a helping one is two.
    if (whole !== undefined) put(from, whole, withoutHelper(whole, reader) === whole ? 1 : 2)
    put(from, run.charAt(from), SIGN)
    for (let length = 2; length <= LONGEST_WORD && from + length <= run.length; length++) {
      const word = run.slice(from, from + length)
      if (isWord(word, reader) && !isMadeOfWords(word, from, cut)) put(from, word, 1)
    }
  }
  const found: string[] = []
  for (let end = run.length; end > 0; end -= found[0]?.length ?? end)
    found.unshift(words[end] ?? '')
  return found.map((whole) => {
    const text = withoutHelper(whole, reader)
    return { text, begins: text !== whole, ends: text !== whole && whole.endsWith('的') }
  })
}

/** "免费|试用": what the segmenter cuts into whole words is looked for word by word. */
function isMadeOfWords(word: string, from: number, cut: ReadonlyMap<number, string>): boolean {
  const end = from + word.length
  let at = from
  for (let piece = cut.get(at); at < end && piece && piece.length > 1; piece = cut.get(at))
    at += piece.length
  return at === end
}

/** "在哪" only helps, though the thesaurus has it. */
const isWord = (word: string, reader: Reader): boolean =>
  hasMeaning(word, reader) && [...word].some((sign) => !reader.dropped.has(sign))

function hasMeaning(word: string, { code }: Reader): boolean {
  const { synonyms, kin } = thesaurusOf(code)
  return synonyms.has(word) || kin.has(word)
}

const DOUBLED = /(\p{Script=Han})\1$/u

/** Unspaced scripts: words as the segmenter cuts them; characters that it took apart one by one are a word that it does not know. */
function addUnspaced(terms: Map<string, AskedTerm>, run: string, reader: Reader): void {
  let alone = ''
  const end = () => {
    if (alone !== '') addSegment(terms, alone, reader)
    const term = terms.get(alone)
    const [, ...rest] = [...alone]
    const last = rest.at(-1)
    // "带狗": a verb with what it is done to, which texts say with another verb.
    if (term && last !== undefined && !term.common && !reader.light.has(last))
      terms.set(alone, { ...term, parts: [last] })
    // "带狗狗": people double a word to be nice, texts do not.
    const [, doubled] = DOUBLED.exec(alone) ?? []
    if (term && doubled !== undefined)
      terms.set(alone, {
        ...term,
        parts: [],
        words: [alone, doubled],
        synonyms: thesaurusOf(reader.code).synonyms.get(doubled) ?? [],
      })
    alone = ''
  }
  for (const { text: segment, begins, ends } of segmentsOf(run, reader)) {
    const single = [...segment].length === 1
    if (begins || !single || reader.dropped.has(segment) || alone.length >= LONGEST_UNKNOWN) end()
    if (reader.dropped.has(segment)) continue
    if (single) alone += segment
    else addSegment(terms, segment, reader)
    // "人的手" is no "人手".
    if (ends) end()
  }
  end()
}

/** "两岁", "三天", "二十". */
const COUNTED =
  /^[一二两兩三四五六七八九十]+(?:分[钟鐘]|小[时時]|[个個][人月]|[十个個人月岁歲周週天日年楼樓])$/u

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
    weight: light ? LIGHT : reader.code !== 'ja' && COUNTED.test(segment) ? FIGURE : CONTENT,
    name,
    common: !name && isCommonWord(segment),
    verb: verbs.has(segment),
    unspaced: true,
  })
}

/** Capitals inside a word tell a name; at its start they do where the language does not begin every noun so. */
function isName(raw: string, first: boolean, { code }: Reader): boolean {
  const word = raw.replaceAll(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$|^[^\p{L}\p{N}]+/gu, '')
  if (/\p{Script=Latin}/u.test(word) && !['en', 'es', 'fr', 'de', 'tr'].includes(code)) return true
  if (/\p{L}\p{N}|\p{N}\p{L}|[\p{L}\p{N}][._/@-]+[\p{L}\p{N}]/u.test(word) && /\p{L}/u.test(word))
    return !/^\p{Lu}?\p{Ll}+(?:[-’']\p{Ll}+)+$/u.test(word)
  if (/^.+\p{Lu}/u.test(word)) return true
  return !first && code !== 'de' && /^\p{Lu}\p{Ll}/u.test(word)
}

/** "How long", "what time": what frames the question is not what it names. */
export function withoutFrame(text: string, { interrogatives }: Reader): string {
  let rest = text
  let lower = text.toLowerCase()
  for (const phrase of interrogatives) {
    const at = lower.indexOf(phrase)
    if (at < 0) continue
    const end = at + phrase.length
    const whole =
      UNSPACED.test(phrase) ||
      (!/\p{L}/u.test(rest.charAt(at - 1)) && !/\p{L}/u.test(rest.charAt(end)))
    if (!whole) continue
    rest = `${rest.slice(0, at)} ${rest.slice(end)}`
    lower = rest.toLowerCase()
  }
  return rest
}

export function kindsOf(text: string, { kinds, unspaced, frames }: Reader): ReadonlySet<AskedKind> {
  const plain = plainWords(text).replaceAll(SEVERAL, ' ')
  const found = new Set<AskedKind>()
  for (const { kind, phrases, spaced } of kinds) {
    const isFirst = kind === 'yesNo' && !unspaced
    const holds = (unspaced ? phrases : spaced).some((phrase) =>
      isFirst ? plain.startsWith(phrase) : plain.includes(phrase),
    )
    if (holds) found.add(kind)
  }
  if (unspaced) return found
  const loses = (kind: AskedKind, asks: (phrase: string) => boolean) => {
    const { spaced = [] } = kinds.find((one) => one.kind === kind) ?? {}
    if (!spaced.some(asks)) found.delete(kind)
  }
  // "Is it removed when decoding?" asks for no time.
  if (found.has('yesNo') || found.has('how'))
    for (const kind of ['time', 'place', 'person'] as const)
      loses(kind, (phrase) => isFramed(plain, phrase, frames))
  // "How much is it for guests who …" for nobody, nor "كم الباص من الرمثا", where the word is a "from".
  else if (found.has('number') || found.has('time'))
    loses('person', (phrase) => plain.startsWith(phrase) || isFramed(plain, phrase, frames))
  return found
}

/** Signs that ask "how many" only by themselves: some, a dozen, nearly. */
const SEVERAL = /[好十这這那前没沒][几幾]|[几幾]乎/gu

/** "Can you tell me when …": a phrase that a framing word stands before. */
function isFramed(plain: string, phrase: string, frames: ReadonlySet<string>): boolean {
  const at = plain.indexOf(phrase)
  return (
    at > 0 &&
    plain
      .slice(0, at)
      .split(' ')
      .slice(-2)
      .some((word) => frames.has(word))
  )
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

const DENIES = /^\p{L}+n['’]t\P{L}*$/iu
