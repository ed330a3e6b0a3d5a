import * as z from 'zod'
import type { Answer, Route } from '../http/route'
import type { ApiSchemas } from './api-schemas'
import { describeError, describeStatus, ERROR_NAMES } from './errors'
import type { Direction, JsonSchema } from './json-schemas'
import { LAYER_ERRORS, READ_HEADERS, type ReadHeader, securityOf } from './layers'

type Described = Record<string, unknown>

/** One operation of the description. `path` may be one of `route.also`. */
export function describeOperation(route: Route, path: string, schemas: ApiSchemas): Described {
  const body = describeBody(route, schemas)
  const parameters = [
    ...describePath(route, path, schemas),
    ...describeQuery(route, schemas),
    ...describeHeaders(route, schemas),
  ]
  return {
    operationId: nameOperation(route.method, path),
    tags: [route.tag],
    ...describeInWords(route, path),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: describeResponses(route, schemas),
    security: securityOf(route),
  }
}

/** A title does without Markdown and details: what follows a summary's first colon or semicolon becomes the text below it. */
function describeInWords(route: Route, path: string): { summary: string; description?: string } {
  const [summary = '', ...details] = route.summary.split(/[;:] /)
  const sentences = details.map((detail) => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`)
  if (path !== route.path) sentences.push(`The same as \`${route.method} ${route.path}\`.`)
  return sentences.length === 0 ? { summary } : { summary, description: sentences.join(' ') }
}

/** `POST /v1/agents/{name}/clone` → `postV1AgentsByNameClone`. */
function nameOperation(method: string, path: string): string {
  const words = path
    .split('/')
    .filter(Boolean)
    .map((part) => part.replace(/\{(\w+)\}/, 'by_$1'))
  const name = words.join('_').replace(/[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
  return (
    method.toLowerCase() + (name === '' ? 'Root' : name.charAt(0).toUpperCase() + name.slice(1))
  )
}

/** What is said of a parameter stands beside its schema, where readers of the description look for it. */
function describeParameter(
  name: string,
  place: 'path' | 'query' | 'header',
  required: boolean,
  { description, ...schema }: JsonSchema,
): Described {
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema,
  }
}

function describePath(route: Route, path: string, schemas: ApiSchemas): Described[] {
  const fields = fieldsOf(route.params, schemas, 'input')
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    describeParameter(name, 'path', true, fields.properties[name] ?? { type: 'string' }),
  )
}

function describeQuery(route: Route, schemas: ApiSchemas): Described[] {
  const { properties, required } = fieldsOf(route.query, schemas, 'input')
  return Object.entries(properties).map(([name, schema]) =>
    describeParameter(name, 'query', required.has(name), schema),
  )
}

function describeHeaders(route: Route, schemas: ApiSchemas): Described[] {
  const { properties, required } = fieldsOf(route.headers, schemas, 'input')
  const own = Object.entries(properties).map(([name, schema]) =>
    describeParameter(name, 'header', required.has(name), schema),
  )
  const read = headersRead(route).map((name) => ({
    name,
    in: 'header',
    required: false,
    description: READ_HEADERS[name],
    schema: { type: 'string' },
  }))
  return [...own, ...read]
}

function headersRead(route: Route): ReadHeader[] {
  const ofLayer: ReadHeader[] =
    route.layer === 'user' || route.layer === 'app' ? ['X-Space-Id'] : []
  const ofRepeats: ReadHeader[] = route.idempotent ? ['Idempotency-Key'] : []
  return [...new Set([...ofLayer, ...ofRepeats, ...(route.reads ?? [])])].sort()
}

/** Properties of an object schema, each written by itself. */
function fieldsOf(schema: z.ZodType | undefined, schemas: ApiSchemas, direction: Direction) {
  if (!(schema instanceof z.ZodObject))
    return { properties: {} as Record<string, JsonSchema>, required: new Set<string>() }
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  return {
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, schemas.write(field, direction)]),
    ),
    required: new Set(
      fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name),
    ),
  }
}

function describeBody(route: Route, schemas: ApiSchemas): Described | null {
  if (route.multipart) {
    const file = describeMedia('application/octet-stream')
    return {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file }, required: ['file'] },
        },
      },
    }
  }
  const schema = route.body ?? route.json
  if (!schema) return null
  const mayBeEmpty = schema.safeParse({}).success
  return {
    required: !mayBeEmpty,
    content: { 'application/json': { schema: schemas.write(schema, 'input') } },
  }
}

function describeResponses(route: Route, schemas: ApiSchemas): Described {
  const answers = Object.entries(route.answers).map(([status, answer]) => [
    status,
    describeAnswer(Number(status), answer, route, schemas),
  ])
  const errors = errorsOf(route)
    .filter((status) => !(status in route.answers))
    .map((status) => [
      String(status),
      route.openAi
        ? describeError(status, true, schemas)
        : { $ref: `#/components/responses/${ERROR_NAMES[status]}` },
    ])
  return Object.fromEntries([...answers, ...errors].sort(([a], [b]) => Number(a) - Number(b)))
}

function describeAnswer(
  status: number,
  answer: Answer,
  route: Route,
  schemas: ApiSchemas,
): Described {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
  if (answer === 'empty') return { description: 'Done; there is no body.', headers }
  if (!(answer instanceof z.ZodType))
    return {
      description: 'Done.',
      headers,
      content: { [answer.media]: { schema: describeMedia(answer.media) } },
    }
  const content = {
    'application/json': { schema: schemas.write(answer, 'output') },
    ...(route.streams ? { [STREAM]: { schema: describeMedia(STREAM) } } : {}),
  }
  // A bare array has no room for the cursor of its next page.
  const isPaged =
    answer instanceof z.ZodArray &&
    route.query instanceof z.ZodObject &&
    'cursor' in route.query.shape
  const link = isPaged ? { Link: { $ref: '#/components/headers/NextPage' } } : {}
  return { description: describeStatus(status), headers: { ...headers, ...link }, content }
}

const STREAM = 'text/event-stream'

/** What generators of clients read: bytes by their format, a stream by what one of its events holds. */
function describeMedia(media: string): JsonSchema {
  if (media === STREAM)
    return {
      type: 'object',
      additionalProperties: true,
      description: 'The `data` of one event.',
    }
  return /^text|json$/.test(media) ? { type: 'string' } : { type: 'string', format: 'binary' }
}

function errorsOf(route: Route): number[] {
  const isChecked =
    route.params ||
    route.query ||
    route.headers ||
    route.json ||
    route.multipart ||
    headersRead(route).length > 0
  return [
    ...new Set([
      ...LAYER_ERRORS[route.layer],
      ...(route.errors ?? []),
      ...(route.rate ? [429] : []),
      ...(route.idempotent ? [409] : []),
      ...(route.method === 'GET' ? [] : [413]),
      ...(isChecked ? [422] : []),
      500,
      503,
    ]),
  ]
}
