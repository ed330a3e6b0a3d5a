import type { OutputUnit, Schema, Validator } from '@cfworker/json-schema'
import type { JsonSchema } from '../api-description/json-schemas'

/** Where the library says that something within does not fit; what it is comes after. */
const AROUND = new Set(['properties', 'items', 'allOf', 'additionalProperties'])

/** In words for the model; of what is not named here the library's own sentence is told. */
const WORDS: Record<string, string | ((limit: unknown, value: unknown) => string)> = {
  type: (types) => `must be of type ${[types].flat().join(' or ')}`,
  enum: (choices) => `must be one of ${(choices as unknown[]).map(toJson).join(', ')}`,
  required: (names, value) => `must have ${toJson(absent(names as string[], value as object))}`,
  minimum: 'is out of range',
  maximum: 'is out of range',
  exclusiveMinimum: 'is out of range',
  exclusiveMaximum: 'is out of range',
  minLength: 'is too long or too short',
  maxLength: 'is too long or too short',
  minItems: 'has too many or too few items',
  maxItems: 'has too many or too few items',
  anyOf: 'fits none of the allowed forms',
  false: 'is not an argument',
}

/**
 * What is wrong with a tool call's arguments, in words for the model, or null. For schemas that `reduceSchema` made: the
 * work is bounded by the schema's size times the arguments'.
 * @param Checker comes with the late module of the protocol's libraries.
 */
export function checkArguments(
  Checker: typeof Validator,
  schema: JsonSchema,
  value: unknown,
): string | null {
  const found = findError(new Checker(schema as Schema, '2020-12'), value)
  if (found === null) return null
  const { keyword, keywordLocation, instanceLocation, error } = found
  const words = WORDS[keyword] ?? error
  const place = shownPath(value, stepsOf(instanceLocation))
  if (typeof words === 'string') return `${place} ${words}`
  return `${place} ${words(valueAt(schema, keywordLocation), valueAt(value, instanceLocation))}`
}

function findError(checker: Validator, value: unknown): OutputUnit | null {
  // It cannot point to a name that is no text: half a surrogate pair.
  if (!hasWholeNames(value))
    return { keyword: 'names', keywordLocation: '#', instanceLocation: '#', error: 'must be text' }
  const { valid, errors } = checker.validate(value)
  return valid ? null : (errors.find(({ keyword }) => !AROUND.has(keyword)) ?? errors[0] ?? null)
}

const hasWholeNames = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  Object.entries(value).every(([name, part]) => name.isWellFormed() && hasWholeNames(part))

const stepsOf = (pointer: string): string[] =>
  decodeURIComponent(pointer)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

const valueAt = (root: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce((node, step) => (node as Record<string, unknown>)[step], root)

/** `list[1].name` in quotes; the whole is "the arguments". */
function shownPath(root: unknown, steps: string[]): string {
  let path = ''
  let node = root
  for (const step of steps) {
    if (Array.isArray(node)) path += `[${step}]`
    else path += path === '' ? step : `.${step}`
    node = (node as Record<string, unknown>)[step]
  }
  return path === '' ? 'the arguments' : `"${path}"`
}

const absent = (names: string[], value: object) => names.find((name) => !Object.hasOwn(value, name))
const toJson = (value: unknown) => JSON.stringify(value)
