import { MINUTE_MS } from '../../config/limits'
import type { Language } from '../../config/names'
import { optionOf } from '../../storylines/speak'
import { cutText } from '../../text/cut'
import type { Asked, PendingCall } from './asked'
import { keyOf } from './read-form'
import { askingWord, wordsOf } from './words'

/** Whoever says nothing for so long has refused. */
const OPEN_MS = 15 * MINUTE_MS
const MOST_LINES = 30
const VALUE_CHARS = 300

/** A call of a remote tool, as it is put to the user: what would be done, with which arguments. */
export function askCall(call: Omit<PendingCall, 'kind'>): Asked {
  const { reference, args, lang } = call
  const lines = Object.entries(args).map(([name, value]) => `- ${name}: ${shown(value)}`)
  const more = lines.length > MOST_LINES ? ['- …'] : []
  const question = [
    askingWord('may_i', lang, reference),
    ...lines.slice(0, MOST_LINES),
    ...more,
  ].join('\n')
  const options = (['do_it', 'do_not'] as const).map((word) => optionOf(askingWord(word, lang)))
  return {
    question,
    clarify: { question, options },
    form: null,
    finishReason: 'clarify',
    pending: { ...call, kind: 'call' },
  }
}

/** What a message says to a call that waits: yes, no, or nothing. Pure. */
export function answerCall(message: string, { at }: PendingCall, now: number): boolean | null {
  if (now - at > OPEN_MS) return null
  const said = keyOf(message)
  const isOne = (word: 'do_it' | 'do_not') => wordsOf(word).some((one) => keyOf(one) === said)
  if (isOne('do_it')) return true
  return isOne('do_not') ? false : null
}

export const refusedWord = (lang: Language): string => askingWord('not_done', lang)

/** A value in one line. */
function shown(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\s+/gu, ' ')
  return text.length > VALUE_CHARS ? `${cutText(text, VALUE_CHARS)}…` : text
}
