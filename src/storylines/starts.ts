import { DAY_MS } from '../config/limits'
import { foldText } from '../text/fold-text'
import { trimSigns } from '../text/trim-signs'
import type { EnrollmentHead } from './enrollment'
import type { LiveStoryline } from './records'

/** Which storylines may start now (storyline-model, sections 1 and 8). Pure. */

/** How deep an interrupted storyline may lie. */
const MAX_INTERRUPTED = 3

/** An offer that nobody answered is over after this long. */
export const OFFER_MS = 7 * DAY_MS

/**
 * Whether a storyline may start beside those that run: one that is exclusive wants to be alone, one that interrupts
 * pauses the one that spoke last.
 */
export function mayStart(
  { concurrency }: Pick<LiveStoryline, 'concurrency'>,
  running: readonly Pick<LiveStoryline, 'concurrency'>[],
  paused: number,
): boolean {
  if (running.length === 0) return true
  if (running.some((one) => one.concurrency === 'exclusive') || concurrency === 'exclusive')
    return false
  return concurrency === 'parallel' || paused < MAX_INTERRUPTED
}

/** The storyline of the menu that a message names, whole and as it is shown. */
export function pickedFromMenu(
  message: string,
  storylines: readonly LiveStoryline[],
): LiveStoryline | null {
  const wanted = fold(message)
  if (wanted === '') return null
  return (
    storylines.find(
      ({ entry, visibility, displayName }) =>
        entry === 'menu' && visibility !== 'hidden' && fold(displayName) === wanted,
    ) ?? null
  )
}

/** Those that start by themselves, by their trigger alone. */
export const startsByItself = ({ entry, trigger }: LiveStoryline): boolean =>
  (entry === 'auto' || entry === 'offer') && trigger !== 'manual'

/**
 * Whether what was before forbids an automatic start: it was completed, unless it may begin again, or it was declined or
 * left a short while ago; a first contact is one once.
 */
export function isBarred(
  { id, trigger, onComplete, start }: LiveStoryline,
  past: readonly EnrollmentHead[],
  now: number,
): boolean {
  const own = past.filter(({ storylineId }) => storylineId === id)
  if (trigger === 'first_contact' && own.length > 0) return true
  if (onComplete !== 'restart' && own.some(({ status }) => status === 'completed')) return true
  const since = now - start.offerCooldownDays * DAY_MS
  return own.some(({ status, updatedAt }) => status === 'exited' && updatedAt > since)
}

/** What a message must be to be asked about at all: the same words, or one that the storyline's own hold too. */
export function isNear(
  message: string,
  { name, displayName, description, start }: LiveStoryline,
): boolean {
  const own = wordsOf([name, displayName, description, ...start.examples].join(' '))
  return [...wordsOf(message)].some((word) => own.has(word))
}

/** Where no model can judge: the message is one of the examples, or the name. */
export function isMeant(message: string, { name, displayName, start }: LiveStoryline): boolean {
  const wanted = fold(message)
  return wanted !== '' && [name, displayName, ...start.examples].some((one) => fold(one) === wanted)
}

const fold = (text: string): string => foldText(trimSigns(text, SIGN)).text

const SIGN = /[\s"'«»“”.!?¿¡。！？]/u

/** Words of some length; of Chinese and Japanese, pairs of signs. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const word of foldText(text).text.match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word))
      for (let at = 0; at + 2 <= word.length; at++) words.add(word.slice(at, at + 2))
    else if (word.length >= 4) words.add(word.slice(0, 6))
  }
  return words
}
