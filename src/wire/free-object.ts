import * as z from 'zod'
import { LIMITS } from '../config/limits'
import { byteLength } from '../config/platform-limits'

/** Free object of the tenant's own: size-bounded data, never merged into live objects. */
export function freeObject(maxBytes: number) {
  return boundedJson(z.record(z.string(), z.unknown()), maxBytes)
}

/** What may hold anything is read to some depth: JSON that is nested without end can be read, but not written again. */
export function boundedJson<S extends z.ZodType>(schema: S, maxBytes: number) {
  return schema.refine(
    (value) => hasDepth(value, LIMITS.jsonDepth) && byteLength(JSON.stringify(value)) <= maxBytes,
    { error: `at most ${maxBytes} bytes of JSON, ${LIMITS.jsonDepth} levels deep` },
  )
}

/** Whether a value has at most so many levels. */
function hasDepth(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return most > 0 && Object.values(value).every((inner) => hasDepth(inner, most - 1))
}
