import { EVIDENCE_PACKS } from '../language/packs'
import { foldText } from './fold-text'

/** What is told in a word or a few; more is a sentence of its own ("I am unable to open the door of the shop"). */
const MOST_WORDS = 4
const MOST_LETTERS = 12

/** What a message names, without the greeting and the words that only present it: "My name is Ada." is Ada. */
export function unframed(message: string): string {
  const whole = message.trim()
  for (const { presenting, unspaced, smallTalk } of EVIDENCE_PACKS) {
    const ends = unspaced ? /^\s*[:：,，、]?\s*/u : /^(?:\s*[:,،-]\s*|\s+)/u
    const greeted = cutBefore(whole, smallTalk.phrases.hello, /^[\s,.!，。！،、]+/u) ?? whole
    const rest = cutBefore(greeted, presenting.before, ends)
    if (rest === null) continue
    const bare = rest.replace(/(?<![\s.!。！])[\s.!。！]+$/u, '')
    const tail = presenting.after.find((words) => bare.endsWith(words))
    const named = tail === undefined ? bare : bare.slice(0, -tail.length)
    const isShort = unspaced
      ? [...named].length <= MOST_LETTERS
      : named.split(/\s+/u).length <= MOST_WORDS
    if (named !== '' && isShort) return named
  }
  return whole
}

/** What follows the longest of the phrases that a text begins with, behind what must end it; null where none does. */
function cutBefore(text: string, phrases: readonly string[], end: RegExp): string | null {
  const folded = foldText(text)
  let shortest: string | null = null
  for (const phrase of phrases) {
    const words = foldText(phrase).text
    const at = folded.ends[words.length - 1]
    if (at === undefined || !folded.text.startsWith(words)) continue
    const rest = text.slice(at)
    const ended = end.exec(rest)?.[0]
    if (ended === undefined || ended.length === rest.length) continue
    const left = rest.slice(ended.length)
    if (shortest === null || left.length < shortest.length) shortest = left
  }
  return shortest
}
