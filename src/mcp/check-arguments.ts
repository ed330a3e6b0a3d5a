import type { JsonSchema } from '../api-description/json-schemas'

/**
 * What is wrong with a tool call's arguments, in words for the model, or null. For schemas that `reduceSchema` made: the
 * work is bounded by the schema's size times the arguments'. Pure.
 */
export function checkArguments(schema: JsonSchema, value: unknown, path = ''): string | null {
  const at = path === '' ? 'the arguments' : `"${path}"`
  const types = [schema.type ?? []].flat() as string[]
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${at} must be of type ${types.join(' or ')}`
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    return `${at} must be one of ${schema.enum.map((choice) => JSON.stringify(choice)).join(', ')}`
  return (
    checkBounds(schema, value, at) ??
    checkProperties(schema, value, path, at) ??
    checkItems(schema, value, path) ??
    checkBranches(schema, value, path, at)
  )
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function checkBounds(schema: JsonSchema, value: unknown, at: string): string | null {
  const bound = (name: string, fits: (limit: number) => boolean) =>
    typeof schema[name] === 'number' && !fits(schema[name])
  if (typeof value === 'number') {
    const ok =
      !bound('minimum', (limit) => value >= limit) &&
      !bound('maximum', (limit) => value <= limit) &&
      !bound('exclusiveMinimum', (limit) => value > limit) &&
      !bound('exclusiveMaximum', (limit) => value < limit)
    return ok ? null : `${at} is out of range`
  }
  if (typeof value === 'string') {
    const ok =
      !bound('minLength', (limit) => value.length >= limit) &&
      !bound('maxLength', (limit) => value.length <= limit)
    return ok ? null : `${at} is too long or too short`
  }
  if (Array.isArray(value)) {
    const ok =
      !bound('minItems', (limit) => value.length >= limit) &&
      !bound('maxItems', (limit) => value.length <= limit)
    return ok ? null : `${at} has too many or too few items`
  }
  return null
}

function checkProperties(
  schema: JsonSchema,
  value: unknown,
  path: string,
  at: string,
): string | null {
  if (!isOfType(value, 'object')) return null
  const given = value as Record<string, unknown>
  for (const name of (schema.required as string[] | undefined) ?? []) {
    if (!Object.hasOwn(given, name)) return `${at} must have "${name}"`
  }
  const properties = (schema.properties as Record<string, JsonSchema> | undefined) ?? {}
  for (const [name, part] of Object.entries(given)) {
    const inner = path === '' ? name : `${path}.${name}`
    if (Object.hasOwn(properties, name)) {
      const problem = checkArguments(properties[name] ?? {}, part, inner)
      if (problem !== null) return problem
    } else if (schema.additionalProperties === false) return `"${inner}" is not an argument`
  }
  return null
}

function checkItems(schema: JsonSchema, value: unknown, path: string): string | null {
  if (!Array.isArray(value) || schema.items === undefined) return null
  for (const [index, item] of value.entries()) {
    const problem = checkArguments(schema.items as JsonSchema, item, `${path}[${index}]`)
    if (problem !== null) return problem
  }
  return null
}

function checkBranches(
  schema: JsonSchema,
  value: unknown,
  path: string,
  at: string,
): string | null {
  for (const part of (schema.allOf as JsonSchema[] | undefined) ?? []) {
    const problem = checkArguments(part, value, path)
    if (problem !== null) return problem
  }
  const any = schema.anyOf as JsonSchema[] | undefined
  if (!any || any.some((part) => checkArguments(part, value, path) === null)) return null
  return `${at} fits none of the allowed forms`
}
