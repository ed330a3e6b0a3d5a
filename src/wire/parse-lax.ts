import type * as z from 'zod'

const TRUE = new Set(['true', 't', 'yes', 'y', 'on', '1'])
const FALSE = new Set(['false', 'f', 'no', 'n', 'off', '0'])
const INTEGER = /^\s*[+-]?\d{1,15}(?:\.0+)?\s*$/
const DECIMAL = /^\s*[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})\s*$/

/** What a text says as a boolean; the text itself when it says none. */
export function readBoolean(text: string): boolean | string {
  const word = text.toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : text
}

/** What a text says as a whole number; the text itself when it says none. */
export const readInteger = (text: string): number | string =>
  INTEGER.test(text) ? Number(text) : text

const READ: Record<string, (text: string) => unknown> = {
  boolean: readBoolean,
  int: readInteger,
  number: (text) => (DECIMAL.test(text) ? Number(text) : text),
}

/**
 * Checks JSON as Pydantic's lax mode does: a text that spells a number or a boolean is taken where one is wanted, and so are
 * 1 and 0 for a boolean. What fits as it is, is not touched.
 */
export function parseLax<S extends z.ZodType>(
  schema: S,
  input: unknown,
): z.ZodSafeParseResult<z.output<S>> {
  const strict = schema.safeParse(input)
  if (strict.success) return strict
  const copies = new WeakSet<object>()
  const read = wrongTypes(strict.error.issues).reduce<unknown>(
    (value, wrong) => readAt(value, wrong, copies),
    input,
  )
  return read === input ? strict : schema.safeParse(read)
}

interface WrongType {
  path: PropertyKey[]
  expected: string
}

/** Those of a union's members too: which of them was meant is not known. */
function wrongTypes(issues: readonly z.core.$ZodIssue[], root: PropertyKey[] = []): WrongType[] {
  return issues.flatMap((issue) => {
    const path = [...root, ...issue.path]
    if (issue.code === 'invalid_type') return [{ path, expected: issue.expected }]
    return issue.code === 'invalid_union'
      ? issue.errors.flatMap((errors) => wrongTypes(errors, path))
      : []
  })
}

/**
 * @param copies of what was given: each is made once, however much in it is read.
 * @returns the value with what stands at that place read as what is wanted there; the same value where it is none.
 */
function readAt(
  value: unknown,
  { path: [name, ...path], expected }: WrongType,
  copies: WeakSet<object>,
): unknown {
  if (name === undefined) {
    if (typeof value === 'string') return READ[expected]?.(value) ?? value
    return expected === 'boolean' && (value === 0 || value === 1) ? value === 1 : value
  }
  if (!isHolder(value, name)) return value
  const inner = value[name]
  const read = readAt(inner, { path, expected }, copies)
  if (read === inner) return value
  const copy = copies.has(value)
    ? value
    : ((Array.isArray(value) ? [...value] : { ...value }) as typeof value)
  copies.add(copy)
  copy[name] = read
  return copy
}

const isHolder = (value: unknown, name: PropertyKey): value is Record<PropertyKey, unknown> =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
