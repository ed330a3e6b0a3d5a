import * as z from 'zod'

/** What the product uses of zod, one by one, as the whole of it costs 97 KB more: once for the Worker's start and for its late modules. */
export const array = z.array
export const boolean = z.boolean
export const check = z.check
export const coerce = z.coerce
const enumOf = z.enum
export const globalRegistry = z.globalRegistry
export const int = z.int
export const iso = z.iso
export const literal = z.literal
export const NEVER = z.NEVER
const nullOf = z.null
export const number = z.number
export const object = z.object
export const preprocess = z.preprocess
export const record = z.record
export const refine = z.refine
export const registry = z.registry
export const strictObject = z.strictObject
export const string = z.string
export const toJSONSchema = z.toJSONSchema
export const union = z.union
export const unknown = z.unknown
export const url = z.url
export const uuid = z.uuid
export const ZodArray = z.ZodArray
export const ZodNullable = z.ZodNullable
export const ZodObject = z.ZodObject
export const ZodOptional = z.ZodOptional
export const ZodType = z.ZodType
export { enumOf as enum, nullOf as null }
