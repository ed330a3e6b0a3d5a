import type { SmallTalk } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { ASKS, lastOf, MAX_TALK, readRemarked } from './remarks'
import { allTalks, normalize, partsOf, UNSPACED, withoutFillers } from './talk-lists'
import { isTypoOf } from './typos'

export type { SmallTalk } from '../language/pack'

/** A short word with a letter changed is often another word. */
const TYPO_LEAST = 5

/** Signs that agree, in any colour of skin. */
const THUMBS = /^(?:[👍👌✅🆗🙂😊]\p{Emoji_Modifier}?\uFE0F?\s*)+$/u

let index: ReadonlyMap<string, SmallTalk> | null = null

/**
 * The kind of small talk that a whole message is, or null: known phrases alone, with a typo, or with words around them
 * that change nothing. "Hello, how do I reset my password?" stays a question.
 */
export function detectSmallTalk(message: string): SmallTalk | null {
  if (message.length > MAX_TALK) return null
  const plain = normalize(message)
  const whole = readPart(plain)
  if (whole !== null) return whole
  const parts = partsOf(message)
  // Most messages are one part, which was read.
  const kinds = parts.map((part) =>
    isFiller(part) ? 'filler' : part === plain ? whole : readPart(part),
  )
  if (!kinds.includes(null)) return lastOf(kinds)
  return ASKS.test(message) ? null : readRemarked(parts, kinds)
}

let noted: ReadonlySet<string> | null = null

/** Whether a message says no more than that its sender has read the reply before: "OK", "got it", a raised thumb. */
export function isNoted(message: string): boolean {
  if (message.length > MAX_TALK) return false
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

function phraseIndex(): ReadonlyMap<string, SmallTalk> {
  index ??= new Map(
    allTalks().flatMap(({ phrases }) => phrases.map(({ text, kind }) => [text, kind] as const)),
  )
  return index
}
