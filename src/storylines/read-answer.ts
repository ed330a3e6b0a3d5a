import { EVIDENCE_PACKS } from '../language/packs'
import { foldText } from '../text/fold-text'
import { isNoted } from '../text/small-talk'
import { splitLabel } from '../text/split-label'
import { splitList } from '../text/split-list'
import { trimSigns } from '../text/trim-signs'
import { unframed } from '../text/unframed'
import type { AskedSlot } from './graph'
import { readFormatted } from './read-formatted'
import { readNumber } from './read-number'
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

const NOTHING: ReadAnswer = { values: {}, confirmed: null, leave: false, complete: false }

export function readAnswer(message: string, question: Question): ReadAnswer {
  const text = message.trim()
  if (text === '') return NOTHING
  const folded = fold(text)
  // Where "Leave" is an answer to what is asked, it is that.
  const isAnswer = question.asked.some(({ slot }) => optionOf(slot, question.slots, folded))
  if (!isAnswer && question.leave.some((label) => fold(label) === folded)) {
    return { ...NOTHING, leave: true, complete: true }
  }
  const form = readForm(text, question)
  if (form !== null) return { ...NOTHING, ...form }
  if (question.confirming) {
    const yes = readYesNo(text) ?? (isNoted(text) || null)
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

/**
 * Each line `Title: value`, as a form of the page sends it; null when the message is no form. Of slots with the same title
 * each line is for the next, those that are asked for first.
 */
function readForm(
  text: string,
  { slots, asked, fillable }: Question,
): { values: Profile; complete: boolean } | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const byTitle = new Map<string, Slot[]>()
  for (const key of new Set([...asked.map(({ slot }) => slot), ...fillable])) {
    const slot = fillable.includes(key) ? slots.get(key) : undefined
    if (!slot) continue
    for (const title of new Set([fold(slot.title), fold(key)]))
      byTitle.set(title, [...(byTitle.get(title) ?? []), slot])
  }
  const values: Record<string, SlotValue> = {}
  const taken = new Set<Slot>()
  let known = 0
  for (const line of lines) {
    const found = splitLabel(line, (title) => byTitle.has(fold(title)))
    const named = found ? (byTitle.get(fold(found.label)) ?? []) : []
    const slot = named.find((one) => !taken.has(one)) ?? named.at(-1)
    if (!found || !slot) continue
    known++
    taken.add(slot)
    const read = readValue(found.value, slot)
    if (read !== null) values[slot.key] = read
  }
  if (known === 0) return null
  return { values, complete: known === lines.length }
}

function readOptions(folded: string, { slots, asked, fillable }: Question): Profile {
  // The slot that is asked for comes first: "Other" may be an option of several.
  const order = [...asked.map(({ slot }) => slot), ...fillable]
  for (const key of order) {
    const option = optionOf(key, slots, folded)
    if (option) return { [key]: option.value }
  }
  return {}
}

const optionOf = (key: string, slots: Slots, folded: string) =>
  slots.get(key)?.options.find((one) => isOption(one, folded))

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
      return text === '' ? null : splitList(text)
    default:
      return readFormatted(text, slot.format)
  }
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

/** As comparisons see a label: folded, without the signs around it. */
const fold = (text: string): string => foldText(trimSigns(text, SIGN)).text

const SIGN = /[\s"'«»“”.!。！]/u
