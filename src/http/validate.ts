import { zValidator } from '@hono/zod-validator'
import type { ValidationTargets } from 'hono'
import * as z from 'zod'
import { ApiError, type ValidationIssue } from '../errors'

const LOC: Partial<Record<keyof ValidationTargets, string>> = {
  json: 'body',
  form: 'body',
  query: 'query',
  param: 'path',
  header: 'header',
}

/** A name without a value is how forms and clients send what was left open. */
const withoutEmpty = (query: unknown): unknown =>
  Object.fromEntries(Object.entries(query as object).filter(([, value]) => value !== ''))

/** zod issues → the 422 body of the contract. The offending value is never echoed. */
export function validate<T extends keyof ValidationTargets, S extends z.ZodType>(
  target: T,
  schema: S,
) {
  const isQuery = target === 'query'
  const wanted = (isQuery ? z.preprocess(withoutEmpty, schema) : schema) as S
  return zValidator(target, wanted, (result) => {
    if (result.success) return
    const given = isQuery ? withoutEmpty(result.data) : result.data
    throw new ApiError('validation', toIssues(result.error.issues, given, LOC[target] ?? target))
  })
}

/** As many are told of one request. */
const MOST_ISSUES = 100

/**
 * One for each place: what else is wrong there follows from the first.
 * @param input the value that was validated: tells a missing field from one of the wrong type.
 */
export function toIssues(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  root: string,
): ValidationIssue[] {
  const first = new Map<string, ValidationIssue>()
  // What is beyond every integer is beyond the field's own bound, which is what helps.
  const general = (issue: z.core.$ZodIssue) => Number('note' in issue)
  for (const issue of issues.toSorted((a, b) => general(a) - general(b))) {
    const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
    const place = JSON.stringify(path)
    if (first.has(place)) continue
    first.set(place, { loc: [root, ...path], ...describe(issue, valueAt(input, path)) })
    if (first.size === MOST_ISSUES) break
  }
  return [...first.values()]
}

function valueAt(input: unknown, path: (string | number)[]): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string | number, unknown>)[part]
  }
  return value
}

function describe(issue: z.core.$ZodIssue, value: unknown): { type: string; msg: string } {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, value)
    case 'too_small':
      return describeBound(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return describeBound(issue.origin, Number(issue.maximum), 'most')
    case 'invalid_value':
      return value === undefined
        ? MISSING
        : { type: 'literal_error', msg: `Input should be ${listValues(issue.values)}` }
    case 'invalid_format':
      return issue.format === 'uuid'
        ? { type: 'uuid_parsing', msg: 'Input should be a valid UUID' }
        : { type: 'value_error', msg: `Value error, ${issue.message}` }
    case 'invalid_union':
      return value === undefined
        ? MISSING
        : { type: 'value_error', msg: `Value error, ${issue.message}` }
    case 'unrecognized_keys':
      return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }
    case 'invalid_key':
      return { type: 'value_error', msg: `Value error, ${issue.issues[0]?.message ?? 'not a key'}` }
    default:
      return { type: 'value_error', msg: `Value error, ${issue.message}` }
  }
}

const MISSING = { type: 'missing', msg: 'Field required' }

function describeType(expected: string, value: unknown): { type: string; msg: string } {
  if (value === undefined) return MISSING
  switch (expected) {
    case 'string':
      return { type: 'string_type', msg: 'Input should be a valid string' }
    case 'int':
    case 'number':
      return typeof value === 'string'
        ? {
            type: 'int_parsing',
            msg: 'Input should be a valid integer, unable to parse string as an integer',
          }
        : { type: 'int_type', msg: 'Input should be a valid integer' }
    case 'boolean':
      return {
        type: 'bool_parsing',
        msg: 'Input should be a valid boolean, unable to interpret input',
      }
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case 'object':
    case 'record':
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    default:
      return { type: 'value_error', msg: `Value error, expected ${expected}` }
  }
}

function describeBound(
  origin: string,
  bound: number,
  side: 'least' | 'most',
): { type: string; msg: string } {
  if (origin === 'string') {
    const characters = bound === 1 ? 'character' : 'characters'
    return {
      type: side === 'least' ? 'string_too_short' : 'string_too_long',
      msg: `String should have at ${side} ${bound} ${characters}`,
    }
  }
  if (origin === 'array' || origin === 'set') {
    return {
      type: side === 'least' ? 'too_short' : 'too_long',
      msg: `List should have at ${side} ${bound} ${bound === 1 ? 'item' : 'items'}`,
    }
  }
  return side === 'least'
    ? { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${bound}` }
    : { type: 'less_than_equal', msg: `Input should be less than or equal to ${bound}` }
}

function listValues(values: readonly unknown[]): string {
  const quoted = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
  const last = quoted.pop() ?? ''
  return quoted.length ? `${quoted.join(', ')} or ${last}` : last
}
