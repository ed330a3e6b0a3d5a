import type * as z from 'zod'
import { API_VERSION } from '../config/names'
import type { Route } from '../http/route'
import { apiSchemas } from './api-schemas'
import { describeOperation } from './describe-operation'
import { describeErrors } from './errors'
import { SECURITY_SCHEMES } from './layers'
import { OVERVIEW } from './overview'

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Record<string, unknown>>>
  components: Record<string, Record<string, unknown>>
}

/** The table of routes as an OpenAPI 3.1 document: every method and path, also the further paths of a route. Pure. */
export function buildOpenApi(
  routes: readonly Route[],
  names: ReadonlyMap<z.ZodType, string>,
): OpenApiDocument {
  const schemas = apiSchemas(names)
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    for (const path of [route.path, ...(route.also ?? [])]) {
      const operations = paths[path] ?? {}
      operations[route.method.toLowerCase()] = describeOperation(route, path, schemas)
      paths[path] = operations
    }
  }
  const responses = describeErrors(schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: API_VERSION,
      description: OVERVIEW,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components(),
      responses,
      headers: {
        RequestId: {
          description: 'Names the request in the logs and in the audit trail.',
          schema: { type: 'string' },
        },
        NextPage: {
          description: 'The address of the next page, with `rel="next"`; absent on the last.',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Whole seconds.', schema: { type: 'integer', minimum: 1 } },
      },
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
