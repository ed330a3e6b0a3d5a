import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { LIMITS } from '../config/limits'
import type { AppEnv } from '../context'
import { ApiError, invalid } from '../errors'
import { parseLax } from '../wire/parse-lax'
import { readBody } from './limit-body'
import { toIssues } from './validate'

/** The body, read by `readJson`, as zod's `json` target. */
export function validateJson(schema: z.ZodType): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.req.addValidatedData('json', (await readJson(c, schema)) as object)
    await next()
  }
}

/**
 * Reads the body as JSON, whatever its content type says, and an absent one as {}.
 * @throws ApiError 422, `json_invalid` for what is not UTF-8, not JSON, or holds half a surrogate pair; at the header that
 * says so for what is packed.
 */
export async function readJson<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  const body = parseJson(await readBody(c), PACKED.test(c.req.header('content-encoding') ?? ''))
  const result = parseLax(schema, body)
  if (result.success) return result.data
  throw new ApiError('validation', toIssues(result.error.issues, body, 'body'))
}

/** Some say `utf-8` there. */
const PACKED = /gzip|deflate|br|zstd/i
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

function parseJson(bytes: ArrayBuffer, isPacked: boolean): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    if (text === '') return {}
    if (holdsTooMuch(text)) throw invalid(['body'], 'fewer values')
    return SURROGATE_ESCAPE.test(text) ? JSON.parse(text, requireWellFormed) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    if (isPacked)
      throw invalid(['header', 'content-encoding'], 'a body is sent as it is, not packed')
    const issue = { type: 'json_invalid', loc: ['body'], msg: 'JSON decode error' }
    throw new ApiError('validation', [issue], { cause })
  }
}

/** A value that is refused takes a hundred times the memory of its text. */
function holdsTooMuch(text: string): boolean {
  let members = 0
  let groups = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') {
      do at = text.indexOf(sign, at + 1)
      while (isEscaped(text, at))
      // A text without an end: it is no JSON.
      if (at < 0) return false
    } else if (sign === ',') members++
    else if (sign === '[' || sign === '{') groups++
  }
  return members > LIMITS.jsonMembers || groups > LIMITS.jsonGroups
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 > 0
}

/** Half a surrogate pair cannot be stored as it is: two different names would become one. */
function requireWellFormed(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw new SyntaxError('Lone surrogate')
  return value
}
