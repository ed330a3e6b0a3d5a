import { type EvidencePack, SMALL_TALK, type SmallTalk } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { isTypoOf } from './typos'

export type { SmallTalk } from '../language/pack'

const MAX_LENGTH = 120
/** A short word with a letter changed is often another word. */
const TYPO_LEAST = 5
/** Of a remark of whatever words behind thanks: so many, or signs of a script without spaces. */
const REMARK = { words: 6, signs: 12 }
/** Signs that agree, in any colour of skin. */
const THUMBS = /^(?:[👍👌✅🆗🙂😊]\p{EMod}?\uFE0F?\s*)+$/u
const ASKS = /[?？؟\p{N}@]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** What stands between two parts: "who are you and what can you do?" is two. */
const BETWEEN = /[,.!?:;~，。！？：；～،؟\n]+|\s(?:and|y|et|и)\s|\s(?=و\p{L})/u

interface Phrase {
  text: string
  words: string[]
  kind: SmallTalk
}

interface Parting extends Phrase {
  praises: boolean
}

/** A language's small talk, normalised; the longest fillers first. */
interface Talk {
  pack: EvidencePack
  phrases: Phrase[]
  /** Thanks and farewells, which people make remarks around; the longest first. */
  partings: readonly Parting[]
  /** The same by their first and by their last word. */
  partingsBy: ReadonlyMap<string, Parting[]>
  /** Words that such remarks are made of. */
  remarks: ReadonlySet<string>
  /** The same, by their number of words: hardly any question has as few as these. */
  ofLength: ReadonlyMap<number, Phrase[]>
  fillers: Fillers
}

/** What may stand around small talk, and by its first and last word: most messages begin and end with none of these. */
interface Fillers {
  all: readonly string[]
  byFirst: ReadonlyMap<string, string[]>
  byLast: ReadonlyMap<string, string[]>
}

let talks: Talk[] | null = null
let index: ReadonlyMap<string, SmallTalk> | null = null

/**
 * The kind of small talk that a whole message is, or null: known phrases alone, with a typo, or with words around them
 * that change nothing. "Hello, how do I reset my password?" stays a question.
 */
export function detectSmallTalk(message: string): SmallTalk | null {
  if (message.length > MAX_LENGTH) return null
  const plain = normalize(message)
  const whole = readPart(plain)
  if (whole !== null) return whole
  const parts = message
    .split(BETWEEN)
    .map(normalize)
    .filter((part) => part !== '')
  const kinds = parts.map((part) => (isFiller(part) ? 'filler' : readPart(part)))
  if (!kinds.includes(null)) return lastOf(kinds)
  return ASKS.test(message) ? null : readRemarked(parts, kinds)
}

type PartKind = SmallTalk | 'filler' | null

const lastOf = (kinds: readonly PartKind[]): SmallTalk | null =>
  kinds.findLast((kind) => kind !== 'filler') ?? null

/** Of thanks or a farewell with what is known to be said around them: "great, that worked. Thank you so much!" */
function readRemarked(parts: readonly string[], known: readonly PartKind[]): SmallTalk | null {
  for (const talk of allTalks()) {
    if (talk.pack.unspaced !== UNSPACED.test(parts.join(' '))) continue
    const kinds = parts.map((part, at) => known[at] ?? readRemark(part, talk))
    if (!kinds.includes(null)) return lastOf(kinds)
  }
  return null
}

function readRemark(part: string, talk: Talk): PartKind {
  const bare = withoutFillers(part, talk.fillers)
  for (const { text, kind } of partingsAround(bare, talk)) {
    const rest = besides(bare, text)
    if (rest !== null && isRemark(rest, talk)) return kind
  }
  return isRemark(part, talk) ? 'filler' : null
}

/** Those that a text may begin or end with. */
const partingsAround = (plain: string, { pack, partings, partingsBy }: Talk): readonly Parting[] =>
  pack.unspaced
    ? partings
    : [...(partingsBy.get(firstWord(plain)) ?? []), ...(partingsBy.get(lastWord(plain)) ?? [])]

function isRemark(text: string, { pack, remarks }: Talk): boolean {
  const isKnown = pack.unspaced
    ? isMadeOf(text.replaceAll(' ', ''), remarks)
    : text.split(' ').every((word) => remarks.has(word))
  return isKnown && !asksOrObjects(text, pack)
}

/** Whether a text without spaces is one word of the list after the other. */
function isMadeOf(text: string, words: ReadonlySet<string>): boolean {
  let rest = text
  while (rest !== '') {
    const length = [4, 3, 2, 1].find((size) => words.has(rest.slice(0, size)))
    if (length === undefined) return false
    rest = rest.slice(length)
  }
  return true
}

/**
 * The kind of thanks or farewell that a message is which goes on with a short remark ("thanks, you saved my day"), or null.
 * Meant so is only what no passage speaks of: the remark may name what a question would.
 */
export function detectRemark(message: string): SmallTalk | null {
  if (message.length > MAX_LENGTH || ASKS.test(message)) return null
  const plain = normalize(message)
  for (const talk of allTalks())
    for (const { text, kind, praises } of partingsAround(plain, talk)) {
      const rest = praises ? null : besides(plain, text)
      if (rest === null) continue
      return isShort(rest, talk.pack) && !asksOrObjects(rest, talk.pack) ? kind : null
    }
  return null
}

const isShort = (remark: string, { unspaced }: EvidencePack): boolean =>
  unspaced ? remark.length <= REMARK.signs : remark.split(' ').length <= REMARK.words

/** What a text has besides the phrase that it begins or ends with; null where it does neither. */
function besides(plain: string, phrase: string): string | null {
  if (plain === phrase) return ''
  if (!plain.startsWith(phrase) && !plain.endsWith(phrase)) return null
  const gap = UNSPACED.test(phrase) ? '' : ' '
  if (plain.startsWith(phrase + gap)) return plain.slice(phrase.length).trim()
  return plain.endsWith(gap + phrase) ? plain.slice(0, -phrase.length).trim() : null
}

function asksOrObjects(remark: string, pack: EvidencePack): boolean {
  const { asking, contrasts, negation, unspaced, smallTalk } = pack
  const { yesNo, ...kinds } = asking.kinds
  const signs = [...Object.values(kinds), asking.interrogatives, contrasts, negation.explicit]
  const text = unspaced ? remark : ` ${remark} `
  const bounded = (sign: string) => (unspaced ? normalize(sign) : ` ${normalize(sign)} `)
  return (
    signs.flat().some((sign) => text.includes(bounded(sign))) ||
    yesNo.some((sign) => text.startsWith(bounded(sign)) && !smallTalk.remarks.includes(sign))
  )
}

let noted: ReadonlySet<string> | null = null

/** Whether a message says no more than that its sender has read the reply before: "OK", "got it", a raised thumb. */
export function isNoted(message: string): boolean {
  if (message.length > MAX_LENGTH) return false
  noted ??= new Set(EVIDENCE_PACKS.flatMap(({ smallTalk }) => smallTalk.noted.map(normalize)))
  const plain = normalize(message)
  return plain === '' ? THUMBS.test(message) : noted.has(plain)
}

function readPart(plain: string): SmallTalk | null {
  if (plain === '') return null
  const exact = phraseIndex().get(plain)
  if (exact !== undefined) return exact
  for (const { ofLength, fillers } of allTalks()) {
    const bare = withoutFillers(plain, fillers)
    const kind = phraseIndex().get(bare)
    if (kind !== undefined) return kind
    if (UNSPACED.test(bare)) continue
    const words = bare.split(' ')
    const meant = ofLength.get(words.length)?.find((phrase) => isMistyped(words, phrase.words))
    if (meant !== undefined) return meant.kind
  }
  return null
}

/** As many words, the same ones, long ones with a typo. */
const isMistyped = (words: readonly string[], meant: readonly string[]): boolean =>
  words.every((word, at) => {
    const other = meant[at] ?? ''
    return word === other || (word.length >= TYPO_LEAST && isTypoOf(word, other))
  })

const isFiller = (plain: string): boolean =>
  allTalks().some(({ fillers }) => withoutFillers(plain, fillers) === '')

/** Without the fillers at both ends. */
function withoutFillers(plain: string, { all, byFirst, byLast }: Fillers): string {
  const gap = UNSPACED.test(plain) ? '' : ' '
  let rest = plain
  for (;;) {
    const [firsts, lasts] =
      gap === '' ? [all, all] : [byFirst.get(firstWord(rest)), byLast.get(lastWord(rest))]
    if (firsts?.includes(rest)) return ''
    const first = firsts?.find((filler) => rest.startsWith(filler + gap))
    const last = lasts?.find((filler) => rest.endsWith(gap + filler))
    if (first !== undefined) rest = rest.slice(first.length).trim()
    else if (last !== undefined) rest = rest.slice(0, -last.length).trim()
    else return rest
  }
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? ''
const lastWord = (text: string): string => text.slice(text.lastIndexOf(' ') + 1)

function allTalks(): Talk[] {
  talks ??= EVIDENCE_PACKS.map(readTalk)
  return talks
}

function readTalk(pack: EvidencePack): Talk {
  const { smallTalk } = pack
  const phrases = SMALL_TALK.flatMap((kind) =>
    [...smallTalk.phrases[kind], ...(kind === 'thanks' ? smallTalk.praise : [])].map((phrase) => {
      const text = normalize(phrase)
      return { text, words: text.split(' '), kind }
    }),
  )
  const fillers = smallTalk.fillers.map(normalize).sort((one, other) => other.length - one.length)
  const praise = smallTalk.praise.map(normalize)
  const { thanks, bye } = smallTalk.phrases
  const { remarks, noted } = smallTalk
  const words = [thanks, bye, praise, noted, remarks, smallTalk.fillers, pack.functionWords].flat()
  const partings = phrases
    .filter(({ kind }) => kind === 'thanks' || kind === 'bye')
    .map((phrase) => ({ ...phrase, praises: praise.includes(phrase.text) }))
    .sort((one, other) => other.text.length - one.text.length)
  const byWord = partings.flatMap((one) =>
    [...new Set([firstWord(one.text), lastWord(one.text)])].map((word) => ({ word, one })),
  )
  return {
    pack,
    phrases,
    partings,
    partingsBy: new Map(
      [...Map.groupBy(byWord, ({ word }) => word)].map(([word, all]) => [
        word,
        all.map(({ one }) => one),
      ]),
    ),
    remarks: new Set(words.flatMap((word) => normalize(word).split(' '))),
    ofLength: Map.groupBy(phrases, ({ words }) => words.length),
    fillers: {
      all: fillers,
      byFirst: Map.groupBy(fillers, firstWord),
      byLast: Map.groupBy(fillers, lastWord),
    },
  }
}

function phraseIndex(): ReadonlyMap<string, SmallTalk> {
  index ??= new Map(
    allTalks().flatMap(({ phrases }) => phrases.map(({ text, kind }) => [text, kind] as const)),
  )
  return index
}

/** Lower case without marks, punctuation and emoji, so that "¡Buenos días! 🙂" equals "buenos dias". */
function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\u0640]/gu, '')
    .replaceAll(/[^\p{L}\p{N}\s-]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}
