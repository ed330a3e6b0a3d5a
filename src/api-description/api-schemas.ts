import type * as z from 'zod'
import * as errors from './errors-schema'
import { createSchemaWriter, type SchemaWriter } from './json-schemas'
import { namesOf } from './names-of'

/** Writes the schemas of the API, and has those of its errors at hand. */
export interface ApiSchemas extends SchemaWriter {
  errors: typeof errors
}

/** @param names those of the schemas that routes refer to */
export const apiSchemas = (names: ReadonlyMap<z.ZodType, string>): ApiSchemas => ({
  ...createSchemaWriter(new Map([...names, ...namesOf([errors])])),
  errors,
})
