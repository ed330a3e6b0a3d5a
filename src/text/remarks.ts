import type { EvidencePack, SmallTalk } from '../language/pack'
import {
  allTalks,
  firstWord,
  lastWord,
  normalize,
  type Phrase,
  partsOf,
  type Somewhere,
  squeeze,
  type Talk,
  UNSPACED,
  withoutFillers,
} from './talk-lists'

/** A longer message is no small talk. */
export const MAX_TALK = 120

/** Of a remark of whatever words beside thanks: so many, or signs of a script without spaces. */
const REMARK = { words: 10, signs: 18 }

/** …before a question for the assistant itself, and around one. */
const BEFORE = { words: 9, signs: 14 }
const AROUND = { words: 5, signs: 8 }

export const ASKS = /[?？؟@]/u

/** What a part of a message is; null for none of it. */
export type PartKind = SmallTalk | 'filler' | null

export const lastOf = (kinds: readonly PartKind[]): SmallTalk | null =>
  kinds.findLast((kind) => kind !== 'filler') ?? null

/** Of thanks or a farewell with what is known to be said around them: "great, that worked. Thank you so much!" */
export function readRemarked(
  parts: readonly string[],
  known: readonly PartKind[],
): SmallTalk | null {
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
const partingsAround = (plain: string, { pack, partings, partingsBy }: Talk): readonly Phrase[] =>
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
 * The kind of small talk that stands somewhere in a message that asks for nothing ("ta, been stuck on it all morning"), or null.
 * Meant so is only what no passage speaks of: what is said around it may name what a question would.
 */
export function detectRemark(message: string): SmallTalk | null {
  if (message.length > MAX_TALK) return null
  const plain = squeeze(normalize(message))
  for (const talk of allTalks()) {
    const found = talk.somewhere.find(
      (one) => holds(plain, one.squeezed, talk.pack) && isTalk(one, message, plain, talk),
    )
    if (found !== undefined) return found.kind
  }
  return null
}

/**
 * Thanks and farewells may have a remark beside them. Who asks how the assistant is or what it is says little else, and behind
 * words with which any question begins nothing at all: "how do you do refunds" asks for refunds.
 */
function isTalk(one: Somewhere, message: string, plain: string, talk: Talk): boolean {
  const { kind, squeezed, telling } = one
  const { pack } = talk
  const size = (text: string) => (pack.unspaced ? text.length : text.split(' ').length)
  const besides = size(plain) - size(squeezed)
  const isWithin = ({ words, signs }: typeof REMARK) => besides <= (pack.unspaced ? signs : words)
  if (kind === 'thanks' || kind === 'bye')
    return (
      isWithin(REMARK) &&
      !ASKS.test(message) &&
      (kind === 'bye' || !partsOf(message).some((part) => asksOrObjects(part, pack)))
    )
  if (telling && isWithin(AROUND)) return true
  return (
    isWithin(BEFORE) && partsOf(message).some((part) => endsWith(squeeze(part), squeezed, talk))
  )
}

/** Whether a part of a message ends with a phrase and words that say nothing by themselves. */
function endsWith(part: string, phrase: string, { pack, remarks }: Talk): boolean {
  const at = pack.unspaced ? part.lastIndexOf(phrase) : ` ${part} `.lastIndexOf(` ${phrase} `)
  if (at < 0) return false
  const rest = part.slice(at + phrase.length).trim()
  if (pack.unspaced) return isMadeOf(rest.replaceAll(/[呀啊呢吗嗎啦哦喔]/gu, ''), remarks)
  return rest === '' || rest.split(' ').every((word) => remarks.has(word))
}

const holds = (plain: string, phrase: string, { unspaced }: EvidencePack): boolean =>
  unspaced ? plain.includes(phrase) : ` ${plain} `.includes(` ${phrase} `)

/** What a text has besides the phrase that it begins or ends with; null where it does neither. */
function besides(plain: string, phrase: string): string | null {
  if (plain === phrase) return ''
  if (!plain.startsWith(phrase) && !plain.endsWith(phrase)) return null
  const gap = UNSPACED.test(phrase) ? '' : ' '
  if (plain.startsWith(phrase + gap)) return plain.slice(phrase.length).trim()
  return plain.endsWith(gap + phrase) ? plain.slice(0, -phrase.length).trim() : null
}

/** Whether a part of a message asks or contradicts: "que" asks where it begins one. */
function asksOrObjects(part: string, pack: EvidencePack): boolean {
  const { asking, contrasts, negation, unspaced, smallTalk } = pack
  const { yesNo, ...kinds } = asking.kinds
  const asks = [...Object.values(kinds).flat(), ...asking.interrogatives].map(normalize)
  const objects = [...contrasts, ...negation.explicit].map(normalize)
  if (unspaced) return [...asks, ...objects].some((sign) => part.includes(sign))
  const text = ` ${part} `
  const isAnywhere = (sign: string) => text.includes(` ${sign} `)
  const isFirst = (sign: string) => text.startsWith(` ${sign} `)
  return (
    objects.some(isAnywhere) ||
    asks.some((sign) => (sign.includes(' ') ? isAnywhere(sign) : isFirst(sign))) ||
    yesNo.some((sign) => isFirst(normalize(sign)) && !smallTalk.remarks.includes(sign))
  )
}
