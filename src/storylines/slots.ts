import { type Schema, Validator } from '@cfworker/json-schema'
import { isObject } from '../text/json'
import { hasFormat } from './formats'
import { GRAPH_LIMITS } from './graph'
import { KEY_PATTERN } from './graph-schema'

/** A slot's value as it is stored and shown. */
export type SlotValue = string | number | boolean | readonly string[]
export type Profile = Readonly<Record<string, SlotValue>>

export const SLOT_TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const
export type SlotType = (typeof SLOT_TYPES)[number]

export interface SlotOption {
  value: string | number | boolean
  title: string
}

/** What a storyline notes of a person: one property of its `profile_schema`. */
export interface Slot {
  key: string
  type: SlotType
  /** Its own, else what its key says. */
  title: string
  /** Whether the user sees what was noted: not without a title. */
  shown: boolean
  description: string | null
  default: SlotValue | null
  /** Buttons; empty when any value of the type is taken. */
  options: readonly SlotOption[]
  format: string | null
  /** Never in logs, in reports or in the prompts of nodes that do not use it. */
  sensitive: boolean
  /** Only `set` and `save` write it. */
  computed: boolean
  /** @returns whether the value may be stored. */
  accepts: (value: unknown) => value is SlotValue
}

export type Slots = ReadonlyMap<string, Slot>

export type SlotCode = 'slot_key' | 'slot_type' | 'slot_keyword' | 'limit_exceeded'

export interface SlotProblem {
  code: SlotCode
  /** From `profile_schema` on. */
  path: readonly string[]
  message: string
}

const KEY = new RegExp(KEY_PATTERN)
const FORMATS = ['email', 'tel', 'date', 'time', 'date-time', 'uri', 'country', 'language']
/** Texts that a slot takes where its schema sets no shorter bound. */
const MAX_TEXT = 4000
const MAX_ITEMS = 100

type Keyword = (value: unknown) => boolean
const isText: Keyword = (value) => typeof value === 'string'
const isCount: Keyword = (value) => Number.isInteger(value) && (value as number) >= 0
const isNumber: Keyword = (value) => typeof value === 'number' && Number.isFinite(value)
const isFlag: Keyword = (value) => typeof value === 'boolean'
const isScalar: Keyword = (value) => isText(value) || isNumber(value) || isFlag(value)

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: (value) => (SLOT_TYPES as readonly unknown[]).includes(value),
  title: isText,
  description: isText,
  default: (value) => isScalar(value) || (Array.isArray(value) && value.every(isText)),
  enum: (value) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
  oneOf: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && isScalar(one.const) && isText(one.title ?? '')),
  minLength: isCount,
  maxLength: isCount,
  minimum: isNumber,
  maximum: isNumber,
  maxItems: isCount,
  format: (value) => FORMATS.includes(value as string),
  items: (value) => isObject(value),
  'x-sensitive': isFlag,
  'x-private': isFlag,
  'x-computed': isFlag,
}

/**
 * Reads a `profile_schema` (storyline-model, section 3). What cannot be read is reported and left out, so that a
 * draft with one wrong slot still shows the others.
 */
export function readSlots(schema: unknown): { slots: Slots; problems: readonly SlotProblem[] } {
  const slots = new Map<string, Slot>()
  const problems: SlotProblem[] = []
  const { properties, path } = propertiesOf(schema)
  const entries = Object.entries(properties)
  if (entries.length > GRAPH_LIMITS.slots) {
    const message = `at most ${GRAPH_LIMITS.slots} slots`
    problems.push({ code: 'limit_exceeded', path, message })
  }
  for (const [key, definition] of entries.slice(0, GRAPH_LIMITS.slots)) {
    const found = problemsOf(key, definition, [...path, key])
    problems.push(...found)
    if (found.length > 0) continue
    const slot = readSlot(key, definition as Schema)
    slots.set(key, slot)
    problems.push(...misfitsOf(slot, definition as Schema, [...path, key]))
  }
  return { slots, problems }
}

/** Slots that a graph uses and nothing declares take any text. */
export function textSlot(key: string): Slot {
  return readSlot(key, { type: 'string' })
}

/** The slots as they are declared, in whichever of the shapes. */
export function propertiesOf(schema: unknown): {
  properties: Record<string, unknown>
  path: string[]
} {
  if (!isObject(schema)) return { properties: {}, path: [] }
  for (const name of ['properties', 'fields']) {
    const inner = schema[name]
    if (isObject(inner)) return { properties: inner, path: [name] }
    if (Array.isArray(inner)) return { properties: byKey(inner), path: [name] }
  }
  // A map of slots, as other tools write it.
  const slots = Object.entries(schema).filter(([, value]) => isObject(value))
  return { properties: Object.fromEntries(slots), path: [] }
}

function byKey(list: readonly unknown[]): Record<string, unknown> {
  const entries = list.filter(isObject).map(({ key, id, name, ...definition }) => {
    const label = [key, id, name].find(isText)
    return [String(label ?? ''), definition] as const
  })
  return Object.fromEntries(entries)
}

function problemsOf(key: string, definition: unknown, path: string[]): SlotProblem[] {
  if (!KEY.test(key)) {
    const message = 'a slot is named with a-z, 0-9 and _, begins with a letter and has at most 48'
    return [{ code: 'slot_key', path, message }]
  }
  if (
    !isObject(definition) ||
    !('type' in definition || 'enum' in definition || 'oneOf' in definition)
  ) {
    return [{ code: 'slot_type', path, message: `type must be one of ${SLOT_TYPES.join(', ')}` }]
  }
  const problems: SlotProblem[] = []
  for (const [name, value] of Object.entries(definition)) {
    const fits = KEYWORDS[name]
    const at = [...path, name]
    if (!fits) {
      problems.push({
        code: 'slot_keyword',
        path: at,
        message: `${name} is not a keyword of slots`,
      })
    } else if (!fits(value)) {
      const code = name === 'type' ? 'slot_type' : 'slot_keyword'
      problems.push({ code, path: at, message: `${name} has a value that slots do not take` })
    }
  }
  if (
    definition.type === 'array' &&
    isObject(definition.items) &&
    definition.items.type !== 'string'
  ) {
    const message = 'a list holds strings'
    problems.push({ code: 'slot_type', path: [...path, 'items'], message })
  }
  return problems
}

/** What the slot offers and would never take: a default, or the value of an option. */
function misfitsOf(slot: Slot, definition: Schema, path: string[]): SlotProblem[] {
  const offered = slot.options.some(({ value }) => !slot.accepts(value))
  const keywords = [
    ...(definition.default === undefined || slot.accepts(definition.default) ? [] : ['default']),
    ...(offered ? [definition.oneOf ? 'oneOf' : 'enum'] : []),
  ]
  return keywords.map((keyword) => ({
    code: 'slot_keyword',
    path: [...path, keyword],
    message: `${keyword} has a value that the slot itself does not take`,
  }))
}

function readSlot(key: string, definition: Schema): Slot {
  const type = typeOf(definition)
  const accepts = acceptorOf(definition, type)
  const isTitled = isText(definition.title) && String(definition.title).trim() !== ''
  return {
    key,
    type,
    title: isTitled ? String(definition.title) : key.replaceAll('_', ' '),
    shown: isTitled && definition['x-private'] !== true,
    description: isText(definition.description) ? String(definition.description) : null,
    default: accepts(definition.default) ? definition.default : null,
    options: optionsOf(definition),
    format: definition.format ?? null,
    sensitive: definition['x-sensitive'] === true,
    computed: definition['x-computed'] === true,
    accepts,
  }
}

function typeOf({ type, ...definition }: Schema): SlotType {
  if (type !== undefined) return type as SlotType
  const [first] = optionsOf(definition)
  if (typeof first?.value === 'number') return 'number'
  return typeof first?.value === 'boolean' ? 'boolean' : 'string'
}

function optionsOf({ oneOf, enum: values }: Schema): SlotOption[] {
  if (oneOf) {
    return oneOf.map((one) => ({ value: one.const, title: String(one.title ?? one.const) }))
  }
  return (values ?? []).map((value) => ({ value, title: String(value) }))
}

function acceptorOf(definition: Schema, type: SlotType): Slot['accepts'] {
  const { format, items: _items, ...rest } = definition
  const bounds = {
    ...rest,
    type,
    ...(type === 'array'
      ? { maxItems: rest.maxItems ?? MAX_ITEMS, items: { type: 'string', maxLength: MAX_TEXT } }
      : {}),
    ...(type === 'string' ? { maxLength: rest.maxLength ?? MAX_TEXT } : {}),
  } as Schema
  let validator: Validator | undefined
  const fits = (value: unknown): boolean => {
    // Of the slots that are read for a turn, most are asked nothing.
    validator ??= new Validator(bounds, '2020-12', true)
    return validator.validate(value).valid
  }
  return (value): value is SlotValue =>
    value !== undefined &&
    value !== null &&
    fits(value) &&
    (typeof value !== 'string' || format === undefined || hasFormat(value, format))
}
