import { buildOpenApi } from '../../src/api-description/build-openapi'
import { nameSchemas } from '../../src/api-description/schema-names'
import type { Route } from '../../src/http/route'
import { ROUTES } from './route-contract'
import type { Filled } from './route-examples'

/** A place in a request's body or query. */
export interface Field {
  in: 'body' | 'query'
  path: string[]
}

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  items?: Schema
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
}

const document = buildOpenApi(ROUTES, nameSchemas()) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, Schema> }
}
interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/**
 * Every field that a request of this route may carry: those that the API description names, and those of the example.
 * A route that is added is covered by both without a word here.
 */
export function fieldsOf(route: Route, filled: Filled): Field[] {
  const operation = document.paths[route.path]?.[route.method.toLowerCase()]
  const body = operation?.requestBody?.content['application/json']?.schema
  const described = body ? walkSchema(body, [], 0) : []
  const queries = (operation?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }): Field => ({ in: 'query', path: [name] }))
  const shown = walkValue(filled.body, []).map((path): Field => ({ in: 'body', path }))
  const all = [...described.map((path): Field => ({ in: 'body', path })), ...shown, ...queries]
  return [...new Map(all.map((field) => [`${field.in} ${field.path.join('.')}`, field])).values()]
}

function walkSchema(schema: Schema, path: string[], depth: number): string[][] {
  if (depth > 8) return []
  const next = (inner: Schema, at: string[]) => walkSchema(inner, at, depth + 1)
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  if ($ref) {
    const target = document.components.schemas?.[$ref.split('/').at(-1) ?? '']
    return target ? next(target, path) : []
  }
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      [...path, name],
      ...next(inner, [...path, name]),
    ]),
    ...(items ? [[...path, '0'], ...next(items, [...path, '0'])] : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((inner) => next(inner, path)),
  ]
}

function walkValue(value: unknown, path: string[]): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [...path, name],
    ...walkValue(inner, [...path, name]),
  ])
}

/** The example with another value in one place. */
export function withField(filled: Filled, field: Field, value: unknown): Filled {
  if (field.in === 'query')
    return { ...filled, query: { ...filled.query, [field.path[0] ?? '']: String(value) } }
  const body = structuredClone(filled.body ?? {}) as Record<string, unknown>
  let at: Record<string, unknown> = body
  for (const [n, name] of field.path.slice(0, -1).entries()) {
    const inner = at[name]
    if (typeof inner !== 'object' || inner === null)
      at[name] = /^\d+$/.test(field.path[n + 1] ?? '') ? [] : {}
    at = at[name] as Record<string, unknown>
  }
  at[field.path.at(-1) ?? ''] = value
  return { ...filled, body }
}
