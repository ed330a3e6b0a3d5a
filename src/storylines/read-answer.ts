import { EVIDENCE_PACKS } from '../language/packs'
import { foldText } from '../text/fold-text'
import { unframed } from '../text/unframed'
import { readWideNumber } from '../text/wide-number'
import type { AskedSlot } from './graph'
import type { Profile, Slot, Slots, SlotValue } from './slots'

/**
 * What a message says by rule, before any model (storyline-model, section 5.2): options by title or value, the lines of
 * a submitted form, and a number, date, address, yes or no where one slot is asked for.
 */

export interface Question {
  slots: Slots
  /** The slots that the node asks for now. */
  asked: readonly AskedSlot[]
  /** All slots that a message may fill. */
  fillable: readonly string[]
  /** Whether values were read back and a yes is waited for. */
  confirming: boolean
  /** Texts of the Leave button, in every language of the pages. */
  leave: readonly string[]
}

export interface ReadAnswer {
  values: Profile
  confirmed: boolean | null
  leave: boolean
  /** Whether nothing of the message is left for a model to read. */
  complete: boolean
}

const WIDE_NUMBER = /^[零〇一二两兩三四五六七八九十百]+$/u

const NOTHING: ReadAnswer = { values: {}, confirmed: null, leave: false, complete: false }

export function readAnswer(message: string, question: Question): ReadAnswer {
  const text = message.trim()
  if (text === '') return NOTHING
  const folded = fold(text)
  if (question.leave.some((label) => fold(label) === folded)) {
    return { ...NOTHING, leave: true, complete: true }
  }
  const form = readForm(text, question)
  if (form !== null) return { ...NOTHING, ...form }
  if (question.confirming) {
    const yes = readYesNo(text)
    if (yes !== null) return { ...NOTHING, confirmed: yes, complete: true }
  }
  const values = { ...readOptions(folded, question), ...readOne(text, question) }
  return { ...NOTHING, values, complete: Object.keys(values).length > 0 }
}

/**
 * A message as the value of the one free text that is asked for, without the words that only present it: what is left
 * where no model can read it. Questions are none.
 */
export function readFreeText(message: string, { asked, slots }: Question): Profile {
  const [only, ...more] = asked
  const slot = only && slots.get(only.slot)
  const text = message.trim()
  if (!slot || more.length > 0 || slot.type !== 'string' || slot.options.length > 0) return {}
  if (/[?？؟]\s*$/.test(text)) return {}
  const value = [unframed(text), text].find(slot.accepts)
  return value === undefined ? {} : { [slot.key]: value }
}

/** Each line `Title: value`, as a form of the page sends it; null when the message is no form. */
function readForm(text: string, question: Question): { values: Profile; complete: boolean } | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const byTitle = new Map<string, Slot>()
  for (const key of question.fillable) {
    const slot = question.slots.get(key)
    if (!slot) continue
    byTitle.set(fold(slot.title), slot)
    byTitle.set(fold(key), slot)
  }
  const values: Record<string, SlotValue> = {}
  let known = 0
  for (const line of lines) {
    const [, title = '', value = ''] = /^\s*([^:：]{1,80})[:：](.*)$/.exec(line) ?? []
    const slot = byTitle.get(fold(title))
    if (!slot) continue
    known++
    const read = readValue(value.trim(), slot)
    if (read !== null) values[slot.key] = read
  }
  if (known === 0) return null
  return { values, complete: known === lines.length }
}

function readOptions(folded: string, { slots, asked, fillable }: Question): Profile {
  // The slot that is asked for comes first: "Other" may be an option of several.
  const order = [...asked.map(({ slot }) => slot), ...fillable]
  for (const key of order) {
    const option = slots.get(key)?.options.find((one) => isOption(one, folded))
    if (option) return { [key]: option.value }
  }
  return {}
}

const isOption = ({ value, title }: { value: unknown; title: string }, folded: string): boolean =>
  fold(title) === folded || fold(String(value)) === folded

/** A bare value says which slot it is for only when one is asked for. */
function readOne(text: string, { asked, slots }: Question): Profile {
  const [only, ...more] = asked
  const slot = only && slots.get(only.slot)
  if (!slot || more.length > 0) return {}
  const free = slot.type === 'string' && slot.format === null
  const value = free ? null : (readValue(text, slot) ?? readValue(unframed(text), slot))
  return value === null ? {} : { [slot.key]: value }
}

/** @returns the value that a text gives to a slot, or null when it gives none that fits. */
export function readValue(text: string, slot: Slot): SlotValue | null {
  const folded = fold(text)
  const option = slot.options.find((one) => isOption(one, folded))
  const value = option ? option.value : readTyped(text, slot)
  return slot.accepts(value) ? value : null
}

function readTyped(text: string, slot: Slot): SlotValue | null {
  switch (slot.type) {
    case 'integer':
    case 'number':
      return readNumber(text)
    case 'boolean':
      return readYesNo(text)
    case 'array':
      return text === '' ? null : text.split(/\s*[,;،、，；\n]\s*/).filter((one) => one !== '')
    default:
      return readFormatted(text, slot.format)
  }
}

/** Read from the beginning of a word alone, and with one sign in it, so that no text takes more than its length. */
const MAIL_ADDRESS =
  /(?<![^\s<>(),;:"[\]])[^\s<>(),;:"[\]@]+@[^\s<>(),;:"[\]@]+\.[^\s<>(),;:"[\]@.]+/

function readFormatted(text: string, format: string | null): string | null {
  switch (format) {
    case 'email':
      return MAIL_ADDRESS.exec(text)?.[0] ?? null
    case 'tel':
      return /\+?[\d(][\d\s().-]{3,22}\d/.exec(western(text))?.[0] ?? null
    case 'date':
      return readDate(western(text))
    case 'time':
      return (
        /\b(?:[01]\d|2[0-3]):[0-5]\d\b/.exec(western(text).replace(/\b\d:/, '0$&'))?.[0] ?? null
      )
    case 'uri':
      return /https?:\/\/\S+/i.exec(text)?.[0] ?? null
    case 'country':
      return /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null
    default:
      return text === '' ? null : text
  }
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
 * The one number of a text; a message with several says none. A separator before exactly three digits groups
 * thousands, another is the decimal sign.
 */
function readNumber(text: string): number | null {
  const plain = western(text)
  const found = plain.match(/-?\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?/g) ?? []
  if (found.length > 1) return null
  const [digits] = found
  if (digits !== undefined) return numberOf(digits)
  if (WIDE_NUMBER.test(text)) return readWideNumber(text)
  const word = fold(text)
  for (const { numbers } of EVIDENCE_PACKS) {
    const value = Object.hasOwn(numbers, word) ? numbers[word] : undefined
    if (value !== undefined) return value
  }
  return null
}

function numberOf(digits: string): number {
  const grouped = /^-?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+$/.test(digits)
  if (grouped) return Number(digits.replace(/[.,'’\u00a0\u202f ]/g, ''))
  const [whole = '', fraction] = digits.split(/[.,](?=\d+$)/)
  const sign = whole.replace(/[.,'’\u00a0\u202f ]/g, '')
  return Number(fraction === undefined ? sign : `${sign}.${fraction}`)
}

/** A message that is a yes or a no ("yes please"), or begins with one that a comma ends ("no, thanks"). */
function readYesNo(text: string): boolean | null {
  const head = fold(text.split(/[,，،.。!！;]/)[0] ?? '')
  const whole = fold(text)
  for (const candidate of [whole, head]) {
    for (const { yes, no, smallTalk } of EVIDENCE_PACKS) {
      const polite = [...smallTalk.fillers, ...smallTalk.phrases.thanks].map(fold)
      const said = [candidate, withoutAround(candidate, polite)]
      if (yes.some((one) => said.includes(fold(one)))) return true
      if (no.some((one) => said.includes(fold(one)))) return false
    }
  }
  return null
}

/** What says no more than politeness goes, as long as something is left. */
function withoutAround(text: string, polite: readonly string[]): string {
  const phrase = polite.find((one) => text.startsWith(`${one} `) || text.endsWith(` ${one}`))
  if (phrase === undefined) return text
  const [start, end] = text.endsWith(` ${phrase}`) ? [0, -phrase.length - 1] : [phrase.length + 1]
  return withoutAround(text.slice(start, end), polite)
}

/** Digits of other scripts as 0 to 9. */
const western = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))

/** As comparisons see a label: folded, without the signs around it. */
const fold = (text: string): string =>
  foldText(text.trim().replace(/^[\s"'«»“”.!。！]+|[\s"'«»“”.!。！]+$/gu, '')).text
