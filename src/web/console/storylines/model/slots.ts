import type { ValueType } from './conditions'
import { patched } from './edits'
import { freeKey } from './keys'

/** A property of `profile_schema`, as the editor writes it. */
export interface SlotDefinition {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  title?: string
  description?: string
  default?: unknown
  enum?: readonly (string | number | boolean)[]
  oneOf?: readonly { const: string | number | boolean; title?: string }[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  format?: string
  items?: { type: 'string' }
  'x-sensitive'?: boolean
  'x-private'?: boolean
  'x-computed'?: boolean
}

export type SlotSchema = Readonly<Record<string, unknown>>

export const SLOT_TYPES = ['string', 'integer', 'number', 'boolean', 'array'] as const
export const FORMATS = [
  'email',
  'tel',
  'date',
  'time',
  'date-time',
  'uri',
  'country',
  'language',
] as const

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The slots of a schema; a schema in another shape than `properties` is read as a map. */
export function slotsOf(schema: SlotSchema): Record<string, SlotDefinition> {
  const inner = schema.properties ?? schema.fields
  const source = isObject(inner) ? inner : Array.isArray(inner) ? {} : schema
  return Object.fromEntries(
    Object.entries(source).filter(([, value]) => isObject(value)),
  ) as Record<string, SlotDefinition>
}

export const writeSlots = (slots: Readonly<Record<string, SlotDefinition>>): SlotSchema => ({
  type: 'object',
  properties: slots,
})

export function addSlot(
  slots: Readonly<Record<string, SlotDefinition>>,
  base = 'slot',
): { slots: Record<string, SlotDefinition>; key: string } {
  const key = freeKey(base, Object.keys(slots))
  return { slots: { ...slots, [key]: { type: 'string', title: '' } }, key }
}

export function renameSlot(
  slots: Readonly<Record<string, SlotDefinition>>,
  key: string,
  next: string,
): Record<string, SlotDefinition> {
  return Object.fromEntries(
    Object.entries(slots).map(([one, slot]) => [one === key ? next : one, slot]),
  )
}

type Choice = string | number | boolean

/** A choice as a value of a type; null where it is none. */
function choiceAs(type: (typeof SLOT_TYPES)[number], choice: Choice): Choice | null {
  if (type === 'string') return String(choice)
  const value = String(choice).trim() === '' ? Number.NaN : Number(choice)
  const isOfType = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value)
  return isOfType ? value : null
}

/** The choices as another type has them; none where one of them cannot be said in it. */
function choicesAs(
  type: (typeof SLOT_TYPES)[number],
  { enum: values, oneOf }: SlotDefinition,
): Pick<SlotDefinition, 'enum' | 'oneOf'> {
  const read = (choice: Choice) => choiceAs(type, choice)
  const plain = values?.flatMap((one) => read(one) ?? [])
  const titled = oneOf?.flatMap((one) => {
    const value = read(one.const)
    return value === null ? [] : [{ ...one, const: value }]
  })
  return {
    ...(plain && plain.length === values?.length ? { enum: plain } : {}),
    ...(titled && titled.length === oneOf?.length ? { oneOf: titled } : {}),
  }
}

/** Keywords that another type does not have go with the type. */
export function setSlotType(
  slot: SlotDefinition,
  type: (typeof SLOT_TYPES)[number],
): SlotDefinition {
  const text = type === 'string'
  const number = type === 'integer' || type === 'number'
  return patched(slot, {
    type,
    default: undefined,
    ...(text ? {} : { minLength: undefined, maxLength: undefined, format: undefined }),
    ...(number ? {} : { minimum: undefined, maximum: undefined }),
    ...(type === 'array'
      ? { items: { type: 'string' } }
      : { items: undefined, maxItems: undefined }),
    enum: undefined,
    oneOf: undefined,
    ...(text || number ? choicesAs(type, slot) : {}),
  })
}

/** Choices as lines: `value` or `value = Title`. */
export function choicesText({ oneOf, enum: values }: SlotDefinition): string {
  const lines = oneOf
    ? oneOf.map((one) => (one.title ? `${one.const} = ${one.title}` : String(one.const)))
    : (values ?? []).map(String)
  return lines.join('\n')
}

/** Titles make buttons of them, so one title is enough to keep them all by `oneOf`. */
export function setChoices(slot: SlotDefinition, text: string): SlotDefinition {
  const number = slot.type === 'integer' || slot.type === 'number'
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [value = '', ...title] = line.split('=')
      const raw = value.trim()
      const typed = number && Number.isFinite(Number(raw)) ? Number(raw) : raw
      return { const: typed, title: title.join('=').trim() }
    })
  if (lines.length === 0) return patched(slot, { enum: undefined, oneOf: undefined })
  if (lines.every(({ title }) => title === ''))
    return patched(slot, { oneOf: undefined, enum: lines.map((one) => one.const) })
  return patched(slot, {
    enum: undefined,
    oneOf: lines.map((one) => ({ ...one, title: one.title || String(one.const) })),
  })
}

export function valueTypeOf(slot: SlotDefinition | undefined): ValueType {
  const first = slot?.enum?.[0] ?? slot?.oneOf?.[0]?.const
  const type = slot?.type ?? (typeof first === 'number' ? 'number' : 'string')
  if (type === 'integer') return 'int'
  if (type === 'number') return 'double'
  if (type === 'boolean') return 'bool'
  return type === 'array' ? 'list' : 'string'
}

export const optionsOf = ({
  oneOf,
  enum: values,
}: SlotDefinition): { value: string; label: string }[] =>
  oneOf
    ? oneOf.map((one) => ({ value: String(one.const), label: one.title ?? String(one.const) }))
    : (values ?? []).map((one) => ({ value: String(one), label: String(one) }))

/** What a person typed into a field, as the slot's type; null for nothing. */
export function typedValue(slot: SlotDefinition | undefined, text: string): unknown {
  if (text === '') return null
  const type = valueTypeOf(slot)
  if (type === 'int' || type === 'double')
    return Number.isFinite(Number(text)) ? Number(text) : text
  if (type === 'bool') return text === 'true'
  if (type === 'list')
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  return text
}

export const shownValue = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(', ')
    : value === undefined || value === null
      ? ''
      : String(value)
