import type { MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import type { AppEnv } from '../context'
import { ApiError, invalid } from '../errors'
import { parseLax } from '../wire/parse-lax'
import { readBody } from './limit-body'
import { toIssues } from './validate'

/**
 * Reads the body as JSON, whatever its content type says, and an absent one as {}; then as zod's `json` target.
 * @throws ApiError 422, `json_invalid` for what is not UTF-8, not JSON, or holds half a surrogate pair; at the header that
 * says so for what is packed.
 */
export function validateJson(schema: z.ZodType): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const body = parseJson(await readBody(c), PACKED.test(c.req.header('content-encoding') ?? ''))
    const result = parseLax(schema, body)
    if (!result.success)
      throw new ApiError('validation', toIssues(result.error.issues, body, 'body'))
    c.req.addValidatedData('json', result.data as object)
    await next()
  }
}

/** Some say `utf-8` there. */
const PACKED = /gzip|deflate|br|zstd/i
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

function parseJson(bytes: ArrayBuffer, isPacked: boolean): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    if (text === '') return {}
    return SURROGATE_ESCAPE.test(text) ? JSON.parse(text, requireWellFormed) : JSON.parse(text)
  } catch (cause) {
    if (isPacked)
      throw invalid(['header', 'content-encoding'], 'a body is sent as it is, not packed')
    const issue = { type: 'json_invalid', loc: ['body'], msg: 'JSON decode error' }
    throw new ApiError('validation', [issue], { cause })
  }
}

/** Half a surrogate pair cannot be stored as it is: two different names would become one. */
function requireWellFormed(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
    throw new SyntaxError('Lone surrogate')
  return value
}
