import { type EvidencePack, SMALL_TALK, type SmallTalk } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { isTypoOf } from './typos'

export type { SmallTalk } from '../language/pack'

const MAX_LENGTH = 120
/** A short word with a letter changed is often another word. */
const TYPO_LEAST = 5
/** Signs that agree, in any colour of skin. */
const THUMBS = /^(?:[👍👌✅🆗🙂😊]\p{EMod}?\uFE0F?\s*)+$/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** What stands between two parts: "who are you and what can you do?" is two. */
const BETWEEN = /[,.!?:;~，。！？：；～،؟\n]+|\s(?:and|y|et|и)\s|\s(?=و\p{L})/u

interface Phrase {
  text: string
  words: string[]
  kind: SmallTalk
}

/** A language's small talk, normalised; the longest fillers first. */
interface Talk {
  phrases: Phrase[]
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
  if (parts.length === 1 && parts[0] === plain) return null
  const kinds = parts.map((part) => (isFiller(part) ? 'filler' : readPart(part)))
  if (kinds.includes(null)) return null
  return kinds.findLast((kind) => kind !== 'filler') ?? null
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

function readTalk({ smallTalk }: EvidencePack): Talk {
  const phrases = SMALL_TALK.flatMap((kind) =>
    smallTalk.phrases[kind].map((phrase) => {
      const text = normalize(phrase)
      return { text, words: text.split(' '), kind }
    }),
  )
  const fillers = smallTalk.fillers.map(normalize).sort((one, other) => other.length - one.length)
  return {
    phrases,
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
