import * as z from 'zod'
import * as agents from '../agents/schema'
import * as audit from '../audit/schema'
import * as channels from '../channels/schema'
import * as chat from '../chat/schema'
import * as knowledge from '../knowledge/schema'
import * as revisions from '../revisions/schema'
import * as skills from '../skills/schema'
import * as tenants from '../tenants/schema'
import * as usage from '../usage/schema'
import * as users from '../users/schema'
import * as errors from './errors-schema'
import { createSchemaWriter, type SchemaWriter } from './json-schemas'

const MODULES: Record<string, unknown>[] = [
  agents,
  audit,
  channels,
  chat,
  knowledge,
  revisions,
  skills,
  tenants,
  usage,
  users,
  errors,
]

/** Writes the schemas of the API, and has those of its errors at hand. */
export interface ApiSchemas extends SchemaWriter {
  errors: typeof errors
}

export const apiSchemas = (): ApiSchemas => ({ ...createSchemaWriter(nameSchemas()), errors })

/** A schema is named in the description as it is exported by its domain. */
function nameSchemas(): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const module of MODULES) {
    for (const [name, value] of Object.entries(module)) {
      if (value instanceof z.ZodType && /^[A-Z]/.test(name)) names.set(value, name)
    }
  }
  return names
}
