import * as z from 'zod'

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>

/** A request is described as it may be sent, an answer as it comes. */
export type Direction = 'input' | 'output'

export interface SchemaWriter {
  /** The schema, or a reference to the component it became. */
  write(schema: z.ZodType, direction: Direction): JsonSchema
  /** Everything that was referred to. Call last. */
  components(): Record<string, JsonSchema>
}

/** @param names the schemas that become components, wherever they stand; all others are written in place. */
export function createSchemaWriter(names: ReadonlyMap<z.ZodType, string>): SchemaWriter {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const outputs = new Map<string, JsonSchema>()
  const inputs = new Map<string, JsonSchema>()

  const known = {
    input: new Map<z.ZodType, JsonSchema>(),
    output: new Map<z.ZodType, JsonSchema>(),
  }
  function write(schema: z.ZodType, direction: Direction): JsonSchema {
    const written = known[direction].get(schema) ?? convert(schema, direction)
    known[direction].set(schema, written)
    return written
  }

  function convert(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema, $defs, ...written } = z.toJSONSchema(schema, {
      io: direction,
      metadata: registry,
      unrepresentable: 'any',
      override: tidy,
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id, ...rest } = definition
      if (direction === 'output') outputs.set(name, pointToComponents(rest))
      else inputs.set(name, pointToComponents(rest))
    }
    return pointToComponents(written)
  }

  function components(): Record<string, JsonSchema> {
    for (const [name, schema] of inputs) {
      const output = outputs.get(name)
      if (output && JSON.stringify(output) !== JSON.stringify(schema)) {
        throw new Error(`${name} is sent and answered in two forms; give each its own schema`)
      }
    }
    const all = [...inputs, ...outputs].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(all)
  }
  return { write, components }
}

function pointToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/**
 * What zod adds and no reader needs: bounds of safe integers, patterns beside a format, a ban on what later versions may add.
 * What a field's `describe` says stands in zod's own registry, which names of ours take the place of.
 */
function tidy({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: JsonSchema
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true
  delete jsonSchema.propertyNames
  joinNull(jsonSchema)
  const { def } = zodSchema._zod
  const description = saidOf(zodSchema)
  if (description !== undefined && jsonSchema.$ref === undefined)
    jsonSchema.description = description
  if (def.type === 'default' && jsonSchema.default === undefined)
    jsonSchema.default = def.defaultValue
}

/** What `describe` said of a field, or of what it may hold beside nothing. */
function saidOf(schema: z.core.$ZodType): string | undefined {
  const { def } = schema._zod
  const own = z.globalRegistry.get(schema)?.description
  return own ?? ('innerType' in def ? saidOf(def.innerType as z.core.$ZodType) : undefined)
}

/** `anyOf` a simple type and null reads better as one schema with two types. */
function joinNull(schema: JsonSchema): void {
  if (!Array.isArray(schema.anyOf) || schema.anyOf.length !== 2) return
  const [value, none] = schema.anyOf as [JsonSchema, JsonSchema]
  if (none.type !== 'null' || value.type === undefined || value.enum || value.const !== undefined)
    return
  delete schema.anyOf
  Object.assign(schema, value, { type: [...new Set([value.type, 'null'].flat())] })
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
