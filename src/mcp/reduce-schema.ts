import type { JsonSchema } from '../api-description/json-schemas'
import { MCP } from '../config/limits'
import { unframe } from '../text/frame'
import { isObject } from '../text/json'
import { neutralise, stripInvisible } from '../text/neutralise'

export interface ReducedSchema {
  schema: JsonSchema
  /** `path: what the server says about it`, a line each. */
  notes: string[]
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])
const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const
const MAX_ENUM = 100
const MAX_VALUE_LENGTH = 200
const MAX_NOTE_LENGTH = 300
const MAX_NAME_LENGTH = 128
/** A name or a choice is shown to the model as it is: it holds nothing unseen, and no line of a prompt. */
const isPlain = (text: string) =>
  unframe(neutralise(text.replaceAll(/\p{C}/gu, ''), text.length)) === text

interface Walk {
  root: JsonSchema
  nodes: number
  notes: string[]
}

/**
 * A remote tool's schema as a small tree: references are resolved, patterns and free text are left out, and what lies
 * beyond the limits becomes "anything". So neither checking arguments nor showing it to a model can be made expensive,
 * and nothing in it is prose. Null when the arguments are no object. Pure.
 */
export function reduceSchema(announced: unknown): ReducedSchema | null {
  if (!isObject(announced)) return null
  const walk: Walk = { root: announced, nodes: 0, notes: [] }
  const reduced = reduce(walk, announced, '', 0)
  if (reduced.type !== undefined && reduced.type !== 'object') return null
  const schema = { ...reduced, type: 'object' }
  if (JSON.stringify(schema).length > MCP.schemaLength) {
    return { schema: { type: 'object' }, notes: walk.notes }
  }
  return { schema, notes: walk.notes }
}

function reduce(walk: Walk, source: unknown, path: string, depth: number): JsonSchema {
  if (++walk.nodes > MCP.schemaNodes || depth > MCP.schemaDepth || !isObject(source)) return {}
  const target = typeof source.$ref === 'string' ? resolve(walk.root, source.$ref) : undefined
  if (target !== undefined) return reduce(walk, target, path, depth + 1)
  note(walk, path, source.description ?? source.title)

  const out: JsonSchema = {}
  const type = readType(source.type)
  if (type !== undefined) out.type = type
  for (const name of NUMBERS) {
    if (typeof source[name] === 'number' && Number.isFinite(source[name])) out[name] = source[name]
  }
  const choices = readChoices(source)
  if (choices.length > 0) out.enum = choices
  if (isObject(source.properties))
    reduceProperties(walk, source, source.properties, out, path, depth)
  if (isObject(source.items)) out.items = reduce(walk, source.items, `${path}[]`, depth + 1)
  for (const name of ['anyOf', 'oneOf', 'allOf'] as const) {
    const parts = source[name]
    if (!Array.isArray(parts) || parts.length === 0) continue
    // More branches than are kept would refuse what the server takes.
    if (parts.length > MAX_ENUM) continue
    out[name === 'oneOf' ? 'anyOf' : name] = parts.map((part) =>
      reduce(walk, part, path, depth + 1),
    )
  }
  if (source.additionalProperties === false) out.additionalProperties = false
  return out
}

function reduceProperties(
  walk: Walk,
  source: JsonSchema,
  properties: JsonSchema,
  out: JsonSchema,
  path: string,
  depth: number,
): void {
  const kept: [string, JsonSchema][] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (name.length > MAX_NAME_LENGTH || !isPlain(name)) continue
    kept.push([name, reduce(walk, schema, path === '' ? name : `${path}.${name}`, depth + 1)])
    if (walk.nodes > MCP.schemaNodes) break
  }
  // Own entries only, so that a property named __proto__ is one like any other.
  out.properties = Object.fromEntries(kept)
  const names = new Set(kept.map(([name]) => name))
  const required = Array.isArray(source.required)
    ? source.required.filter((name): name is string => typeof name === 'string' && names.has(name))
    : []
  if (required.length > 0) out.required = [...new Set(required)]
}

/** A pointer into the tool's own schema; anything else is nobody's: nothing is fetched. */
function resolve(root: JsonSchema, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return {}
  let value: unknown = root
  for (const part of reference.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(value) || !Object.hasOwn(value, name)) return {}
    value = value[name]
  }
  return value
}

function readType(type: unknown): string | string[] | undefined {
  const names = [type].flat().filter((name): name is string => TYPES.has(name as string))
  if (names.length === 0) return undefined
  return names.length === 1 ? names[0] : [...new Set(names)]
}

function readChoices(source: JsonSchema): unknown[] {
  const given = Array.isArray(source.enum)
    ? source.enum
    : Object.hasOwn(source, 'const')
      ? [source.const]
      : []
  const simple = given.every(
    (value) =>
      value === null ||
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && isPlain(value)),
  )
  return simple && given.length <= MAX_ENUM ? given : []
}

function note(walk: Walk, path: string, text: unknown): void {
  if (path === '' || typeof text !== 'string' || text.trim() === '') return
  const line = stripInvisible(text.slice(0, MAX_NOTE_LENGTH)).replaceAll(/\s+/gu, ' ').trim()
  walk.notes.push(`${path}: ${line}`)
}
