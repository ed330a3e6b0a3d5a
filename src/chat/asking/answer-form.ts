import { HOUR_MS } from '../../config/limits'
import { hasFormat } from '../../storylines/formats'
import type { Slot, SlotValue } from '../../storylines/slots'
import type { FormField } from '../../storylines/speak'
import { splitLabel } from '../../text/split-label'
import { splitList } from '../../text/split-list'
import type { PendingForm } from './asked'
import { keyOf } from './read-form'
import { wordsOf } from './words'

/** What reading an answer goes by; the rest of the Worker has it already. */
export interface FormReader {
  /** The value that a text gives to a slot, or null. */
  readValue(text: string, slot: Slot): SlotValue | null
  /** Whether the message asks or greets instead of answering. */
  isElse(message: string): boolean
}

/** What a message makes of a form: all is answered, something is still open, or it is about something else. */
export type FormAnswer =
  | { state: 'done'; lines: string }
  | { state: 'open'; pending: PendingForm; unread: readonly FormField[] }
  | { state: 'left' }

/** A form that asks one thing at a time, and nobody answers for so long, is left. */
const OPEN_MS = HOUR_MS
const VALUE_CHARS = 4_000
/** Signs of an attempt at a value that cannot be read as it is. */
const ATTEMPTS: Partial<Record<FormField['type'], RegExp>> = {
  email: /@|\.\p{L}{2,}$/u,
  number: /\p{N}/u,
  phone: /\p{N}/u,
  date: /\p{N}/u,
}
const SHORT_CHARS = 24

/** The lines `Title: value` that a page sends. Pure. */
export function answerForm(message: string, pending: PendingForm, reader: FormReader): FormAnswer {
  const { fields } = pending.form
  const { values, stray } = readLines(message, fields)
  if (values.size === 0) return { state: 'left' }
  const answers: Record<string, string | null> = { ...pending.answers }
  const unread = fields.filter((field) => {
    const text = values.get(field.name)?.trim() ?? ''
    if (text === '') return field.required && typeof answers[field.name] !== 'string'
    const value = readField(text, field, reader)
    if (value !== null) answers[field.name] = value
    return value === null
  })
  if (unread.length > 0) return { state: 'open', pending: { ...pending, answers }, unread }
  return { state: 'done', lines: [linesOf(pending, answers), ...stray].join('\n') }
}

/** The answer to the one field that is asked for. Pure. */
export function answerField(
  message: string,
  pending: PendingForm,
  reader: FormReader,
  now: number,
): FormAnswer {
  const field = openField(pending)
  const text = message.trim()
  if (!field || now - pending.at > OPEN_MS || text === '') return { state: 'left' }
  const { values } = readLines(message, pending.form.fields)
  if (values.size > 1) return oneByOne(answerForm(message, pending, reader), now)
  const said = values.get(field.name) ?? text
  const isSkipped = !field.required && wordsOf('skip').includes(text)
  const free = field.type === 'text' || field.type === 'textarea'
  if (!isSkipped && free && reader.isElse(text)) return { state: 'left' }
  const value = isSkipped ? null : readField(said, field, reader)
  if (value === null && !isSkipped) {
    const tries = pending.misses === 0 && isAttempt(text, field, reader)
    if (!tries) return { state: 'left' }
    return { state: 'open', pending: { ...pending, misses: 1, at: now }, unread: [field] }
  }
  const answers = { ...pending.answers, [field.name]: value }
  const next = { ...pending, answers, misses: 0, at: now }
  if (openField(next)) return { state: 'open', pending: next, unread: [] }
  return { state: 'done', lines: linesOf(pending, answers) }
}

/** Somebody sent several lines where one was asked for: what could not be read is asked for next. */
const oneByOne = (answer: FormAnswer, now: number): FormAnswer =>
  answer.state === 'open'
    ? { ...answer, pending: { ...answer.pending, misses: 0, at: now } }
    : answer

/** The field that is asked for where only one can be. */
export const openField = ({ form, answers }: PendingForm): FormField | undefined =>
  form.fields.find(({ name }) => answers[name] === undefined)

/** What was filled in, as it goes on to the agent. */
const linesOf = ({ form }: PendingForm, answers: PendingForm['answers']): string => {
  const labels = new Map(form.fields.map(({ name, label }) => [name, label]))
  return Object.entries(answers)
    .flatMap(([name, value]) => (value === null ? [] : [`${labels.get(name) ?? name}: ${value}`]))
    .join('\n')
}

/** A line that begins with no title goes on with a long text, or is no part of the form. */
function readLines(message: string, fields: readonly FormField[]) {
  const byLabel = new Map(fields.map((field) => [keyOf(field.label), field]))
  const values = new Map<string, string>()
  const stray: string[] = []
  let current: FormField | undefined
  for (const line of message.split(/\r?\n/u)) {
    const found = splitLabel(line, (label) => byLabel.has(keyOf(label)))
    const field = found && byLabel.get(keyOf(found.label))
    if (found && field) {
      current = field
      values.set(field.name, found.value)
    } else if (current?.type === 'textarea') {
      values.set(current.name, `${values.get(current.name) ?? ''}\n${line}`)
    } else if (line.trim() !== '') stray.push(line)
  }
  return { values, stray }
}

/** The value as it is said on, or null where the text has none that fits. */
function readField(text: string, field: FormField, { readValue }: FormReader): string | null {
  const slot = slotOf(field)
  if (field.type === 'multiselect') {
    const values = splitList(text).map((part) => readValue(part, slot))
    return values.length > 0 && !values.includes(null) ? [...new Set(values)].join(', ') : null
  }
  const value = readValue(text, slot)
  if (value === null) return null
  return typeof value === 'boolean' ? text : String(value)
}

const TYPES: Partial<Record<FormField['type'], Slot['type']>> = {
  number: 'number',
  boolean: 'boolean',
}
const FORMATS: Partial<Record<FormField['type'], string>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
}

function slotOf({ name, label, type, options = [] }: FormField): Slot {
  const format = FORMATS[type] ?? null
  return {
    key: name,
    type: TYPES[type] ?? 'string',
    title: label,
    description: null,
    default: null,
    options: options.map((option) => ({ value: option.value, title: option.label })),
    format,
    sensitive: false,
    shown: true,
    computed: false,
    accepts: (value): value is SlotValue => {
      if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
      if (type === 'boolean') return typeof value === 'boolean'
      if (typeof value !== 'string' || value === '' || value.length > VALUE_CHARS) return false
      if (options.length > 0) return options.some((option) => option.value === value)
      return format === null || hasFormat(value, format)
    },
  }
}

/** Whether somebody seems to answer: what is asked for is then asked for once more. */
function isAttempt(text: string, { type }: FormField, { isElse }: FormReader): boolean {
  if (isElse(text)) return false
  return ATTEMPTS[type]?.test(text) ?? text.length <= SHORT_CHARS
}
