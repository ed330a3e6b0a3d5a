import { EVIDENCE_PACKS } from '../language/packs'
import { foldText } from '../text/fold-text'
import { westernDigits } from '../text/western-digits'

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`
/** Plain addresses, though words without spaces or quotation marks stand around them. */
const PLAIN_EMAIL = new RegExp(
  String.raw`(?<![\w.%+/=&#@!$*?^\x60{|}~-]|[^${UNSPACED}\P{L}])\w[\w.%+'-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-]|[^${UNSPACED}\P{L}])`,
  'iu',
)
/** Read from the beginning of a word alone, and with one sign in it, so that no text takes more than its length. */
const ANY_EMAIL = /(?<![^\s<>(),;:"[\]])[^\s<>(),;:"[\]@]+@[^\s<>(),;:"[\]@]+\.[^\s<>(),;:"[\]@.]+/u
/** What is longer has no signs around it to be taken off. */
const MOST_CHARS = 2_000
const SIGNS_AT_ENDS = /^['‘“«¿¡]+|['’”»!?…。！？、，]+$/gu
const URL_TEXT = /https?:\/\/[^\s<>"“”«»。，、；！？（）【】「」《》]+/iu
const TEL = /\+?[\d(][\d\s().-]{3,22}\d/gu
const CLOCK = /(?<!\d)(\d{1,2}):([0-5]\d)(?!\d)/u
const AFTER_NOON = /^(?:p\.?\s?m\b|م(?!\p{L}))/iu
const BEFORE_NOON = /^(?:a\.?\s?m\b|ص(?!\p{L}))/iu
/** Before this hour "at night" and "in the evening" mean two different ones. */
const EVENING_HOUR = 5
const NOON = 12

/** The value of a format that a text holds, as a slot stores it; null where it has none, or more than one. Pure. */
export function readFormatted(text: string, format: string | null): string | null {
  switch (format) {
    case 'email':
      return readEmail(text)
    case 'tel':
      return readTel(text)
    case 'date':
      return readDate(westernDigits(text))
    case 'time':
      return readTime(westernDigits(text))
    case 'uri':
      return readUrl(text)
    case 'country':
      return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null
    default:
      return text === '' ? null : text
  }
}

function readEmail(text: string): string | null {
  const found = (PLAIN_EMAIL.exec(text) ?? ANY_EMAIL.exec(text))?.[0] ?? null
  return found && found.length <= MOST_CHARS ? found.replace(SIGNS_AT_ENDS, '') : found
}

/** A text with two numbers says neither; a stroke is part of one ("030/12345"). */
function readTel(text: string): string | null {
  const [first, ...more] =
    westernDigits(text)
      .replace(/(\d\)?) ?\/ ?(?=\d)/gu, '$1 ')
      .match(TEL) ?? []
  return first === undefined || more.length > 0 ? null : first
}

/** An address without what ends its sentence, or the bracket that it stands in. */
function readUrl(text: string): string | null {
  const found = URL_TEXT.exec(text)?.[0]
  if (found === undefined || found.length > MOST_CHARS) return found ?? null
  const bare = found.replace(/[.,;:!?'’…*]+$/u, '')
  const open = bare.split('(').length
  return bare.endsWith(')') && bare.split(')').length > open ? readUrl(bare.slice(0, -1)) : bare
}

/**
 * A day written year first, day first with dots or slashes that only one order fits, or in Chinese. 03/04/2026 is two
 * days: it is none, and is asked again.
 */
function readDate(text: string): string | null {
  const iso = /(\d{4})[-/.年]\s?(\d{1,2})[-/.月]\s?(\d{1,2})/.exec(text)
  if (iso) return dateOf(iso[1], iso[2], iso[3])
  const [, first, sign, second, year] = /\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b/.exec(text) ?? []
  if (first === undefined || second === undefined) return null
  if (sign === '.' || Number(first) > 12) return dateOf(year, second, first)
  return Number(second) > 12 || first === second ? dateOf(year, first, second) : null
}

const dateOf = (year = '', month = '', day = ''): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/**
 * An hour with its minutes, on the clock of twenty-four: 9:30 pm is 21:30. Where words beside it leave open which half of
 * the day is meant ("1:30 at night"), it is none.
 */
function readTime(text: string): string | null {
  const found = CLOCK.exec(text)
  if (!found) return null
  const [whole, hour, minute] = found
  const before = foldText(text.slice(0, found.index)).text.trimEnd()
  const after = text.slice(found.index + whole.length).trimStart()
  const onDay = hourOf(Number(hour), before, after)
  return onDay === null || onDay > 23 ? null : `${String(onDay).padStart(2, '0')}:${minute}`
}

function hourOf(given: number, before: string, after: string): number | null {
  if (given > NOON) return given
  if (AFTER_NOON.test(after)) return (given % NOON) + NOON
  if (BEFORE_NOON.test(after)) return given % NOON
  if (!isEvening(before, foldText(after).text)) return given
  return given >= EVENING_HOUR && given < NOON ? given + NOON : null
}

const isEvening = (before: string, after: string): boolean =>
  EVIDENCE_PACKS.some(({ measures, unspaced }) =>
    measures.evening.some((words) => {
      const folded = foldText(words).text
      if (unspaced) return before.endsWith(folded)
      return after.startsWith(folded) && !/^\p{L}/u.test(after.slice(folded.length))
    }),
  )
