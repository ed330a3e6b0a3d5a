import { globSync, readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../../src/api-description/build-openapi'
import { nameSchemas } from '../../../src/api-description/schema-names'
import type { Layer, Route } from '../../../src/http/route'
import { ROUTES } from '../../../src/routes/table'

// biome-ignore lint/suspicious/noExplicitAny: a description is read the way its readers do, field by field.
type Json = any

const document: Json = buildOpenApi(ROUTES, nameSchemas())
const operations: { path: string; method: string; operation: Json }[] = Object.entries(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(([method, operation]) => ({ path, method, operation })),
)
const served = ROUTES.flatMap((route) =>
  [route.path, ...(route.also ?? [])].map((path) => ({
    route,
    path,
    key: `${route.method} ${path}`,
  })),
)
const operationOf = (route: Route, path: string): Json =>
  document.paths[path][route.method.toLowerCase()]

/** Every value under the key, wherever it stands. */
function find(value: Json, key: string): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === key ? [inner] : []).concat(find(inner, key)),
  )
}

const resolve = (pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value, part) => value?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

describe('the description of the API', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('names the header that leads on where a list is a bare array', () => {
    const paged = operations.filter(
      ({ operation }) =>
        operation.parameters?.some(({ name }: Json) => name === 'cursor') &&
        operation.responses['200'].content['application/json'].schema.type === 'array',
    )
    expect(paged.map(({ path }) => path)).toEqual([
      '/v1/storylines/{storyline_id}/enrollments',
      '/v1/manage/reviews',
    ])
    const leadOn = operations.filter(({ operation }) => operation.responses['200']?.headers?.Link)
    expect(leadOn).toEqual(paged)
  })

  it('carries what fields and parameters say of themselves', () => {
    const said = find(document, 'description')
    expect(said).toContain('Letters of its path or its address.')
    expect(said).toContain('What the user reads.')
    for (const name of ['ChatRequest', 'AgentIn', 'AgentOut']) {
      const { properties } = resolve(`#/components/schemas/${name}`)
      const silent = Object.keys(properties).filter((field) => !properties[field].description)
      const known = ['name', 'id', 'alias', 'source', 'greeting']
      expect(silent.filter((field) => !known.includes(field))).toEqual([])
    }
    expect(resolve('#/components/schemas/BaseIn').properties.downloads.description).toContain(
      'false by default',
    )
    const { parameters } = document.paths['/v1/tenant/audit.csv'].get
    expect(parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'The newest so many; all by default.',
      schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    })
  })

  it('lets null stand for every field that may be left out of a body', () => {
    const may = (schema: Json): boolean =>
      schema.$ref !== undefined
        ? may(resolve(schema.$ref))
        : Object.keys(schema).length === 0 ||
          [schema.type].flat().includes('null') ||
          [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(may)
    const strict = operations.flatMap(({ path, method, operation }) => {
      const body = operation.requestBody?.content?.['application/json']?.schema
      if (!body) return []
      const { properties = {}, required = [] } = body.$ref ? resolve(body.$ref) : body
      return Object.keys(properties)
        .filter((field) => !required.includes(field) && !may(properties[field]))
        .map((field) => `${method} ${path.replace(/^\/v1/, '')} ${field}`)
    })
    // The fields of a message and of a mail server, of which one or the other is needed.
    const needed = ['post /chat message'].concat(
      ['content', 'active'].map((field) => `patch /me/sessions/{sid}/messages/{mid} ${field}`),
      ['port', 'user', 'from_addr', 'starttls'].map(
        (field) => `put /tenant/settings/smtp ${field}`,
      ),
    )
    expect([...new Set(strict)].toSorted()).toEqual(needed.toSorted())
  })

  it('covers every method and path of the table, and nothing else', () => {
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(described.toSorted()).toEqual(served.map(({ key }) => key).toSorted())
  })

  it('every reference leads somewhere and every component is referred to', () => {
    const references: string[] = find(document, '$ref')
    for (const reference of references)
      expect([reference, resolve(reference)]).toEqual([reference, expect.anything()])
    for (const group of ['schemas', 'responses', 'headers']) {
      for (const name of Object.keys(document.components[group])) {
        expect(references).toContain(`#/components/${group}/${name}`)
      }
    }
  })

  it('has the schemas that the specification names', () => {
    const named =
      'NewReminderIn MyReminderOut MyReminderPage MyProfileIn MyProfileOut MyRememberedOut SpaceIn MySpaceOut SpaceMergeIn SpaceAgentIn MySessionOut MySessionPage MySessionSearchHit SessionTitleIn MessageEditIn MyMessageOut MyAttachmentOut TgBindOut AuthMethodsOut RegisterIn TokenOut EmailIn ResetIn LoginIn AgentIn AgentOut StorylineIn StorylineOut DocumentOut SessionOut'
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(named.split(' ')),
    )
  })

  it('tells generators of clients what is bytes, and what an event of a stream holds', () => {
    const schemaOf = (path: string, method: string, media: string): Json =>
      document.paths[path][method].responses['200'].content[media].schema
    expect(schemaOf('/me/attachments/{aid}', 'get', 'image/*').format).toBe('binary')
    expect(schemaOf('/v1/speech', 'post', 'audio/mpeg').format).toBe('binary')
    expect(schemaOf('/v1/tenant/audit.csv', 'get', 'text/csv')).toEqual({ type: 'string' })
    for (const path of ['/v1/chat/stream', '/v1/chat/completions'])
      expect(schemaOf(path, 'post', 'text/event-stream').type).toBe('object')
  })

  it('names every code that a refusal may carry', () => {
    const written = globSync('{src,durable-objects}/**/*.ts')
      .filter((file) => !file.startsWith('src/web/'))
      .map((file) => readFileSync(file, 'utf8'))
    const codes = written.flatMap((text) =>
      [
        ...text.matchAll(
          /publicCode: '(\w+)'|\b(?:badRequest|forbidden|conflict|gone|upstreamFailed)\((?:(?!throw|return)[\s\S]){0,160}?'([a-z]+_[a-z_]+|unreadable)',?\s*\)/g,
        ),
      ].map(([, named, last]) => named ?? last ?? ''),
    )
    const told = Object.values<Json>(document.components.responses).map((one) => one.description)
    expect(codes.length).toBeGreaterThan(30)
    expect([...new Set(codes)].filter((code) => !told.join().includes(code))).toEqual([])
    const named = told.flatMap(
      (text) => /`code`, if any: ([\w, ]+)/.exec(text)?.[1]?.split(', ') ?? [],
    )
    expect(named.filter((code) => !codes.includes(code))).toEqual([])
  })

  it('has patterns that mean the same in every dialect: generated clients set no flags', () => {
    const patterns = find(document, 'pattern').filter((value) => typeof value === 'string')
    expect(patterns.length).toBeGreaterThan(0)
    expect(patterns.filter((pattern) => /\\[pu]\{/i.test(pattern))).toEqual([])
  })

  it('operations have names of their own, a tag and a summary', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/)
      expect(operation.summary).toMatch(/^[^`;]{6,100}$/)
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain(operation.tags[0])
    }
  })

  it('declares the parameters of each path, once, with a type', () => {
    for (const { path, operation } of operations) {
      const parameters: Json[] = operation.parameters ?? []
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      expect([path, inPath]).toEqual([
        path,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      ])
      for (const { name, schema } of parameters) {
        const typed = schema.type ?? schema.enum ?? schema.anyOf ?? schema.$ref
        expect([path, name, typed]).toEqual([path, name, expect.anything()])
      }
      const keys = parameters.map((one) => `${one.in} ${one.name}`)
      expect(new Set(keys).size).toBe(keys.length)
    }
  })

  it('says what is sent, what comes back and what may go wrong', () => {
    for (const { route, path, key } of served) {
      const operation = operationOf(route, path)
      expect([key, Object.keys(operation.responses)]).toEqual([
        key,
        expect.arrayContaining([
          ...Object.keys(route.answers),
          ...(route.errors ?? []).map(String),
          '500',
        ]),
      ])
      const takesBody = Boolean(route.json ?? route.body) || route.multipart === true
      expect([key, 'requestBody' in operation]).toEqual([key, takesBody])
      if (takesBody || route.params || route.query)
        expect(operation.responses).toHaveProperty('422')
      for (const [status, answer] of Object.entries(route.answers)) {
        const { content } = operation.responses[status]
        if (answer === 'empty') expect([key, content]).toEqual([key, undefined])
        else
          expect([key, Object.keys(content)]).toEqual([
            key,
            expect.arrayContaining([expect.stringMatching(/^[\w.+-]+\/(?:[\w.+-]+|\*)$/)]),
          ])
      }
      expect(operation.responses).not.toHaveProperty('undefined')
    }
    expect(document.components.responses.Invalid.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ValidationErrorOut',
    })
  })

  it('a title is one clause; the rest stands below it', () => {
    const { patch } = document.paths['/v1/agents/{name}']
    expect([patch.summary, patch.description]).toEqual([
      'Change only the fields that are sent',
      '`name` renames.',
    ])
    const { post } = document.paths['/chat']
    expect(post.description).toBe('The same as `POST /v1/chat`.')
  })

  it('names the credentials of each layer', () => {
    const accepted: Record<Layer, string[][]> = {
      public: [],
      operator: [['AdminToken']],
      tenant: [['ApiKey'], ['ApiKeyBearer'], ['AdminToken', 'ActTenant']],
      user: [['UserToken'], ['ApiKey', 'EndUser'], ['ApiKeyBearer', 'EndUser']],
      app: [
        ['UserToken'],
        ['ApiKey', 'EndUser'],
        ['ApiKeyBearer', 'EndUser'],
        ['ApiKey'],
        ['ApiKeyBearer'],
      ],
    }
    for (const { route, path, key } of served) {
      const operation = operationOf(route, path)
      const ways = accepted[route.layer].filter(
        ([scheme]) => !(route.keyOnly && scheme === 'UserToken'),
      )
      expect([key, operation.security.map(Object.keys)]).toEqual([key, ways])
      const refuses = route.layer !== 'public' || route.errors?.includes(401) === true
      expect([key, '401' in operation.responses]).toEqual([key, refuses])
    }
    expect(Object.keys(document.components.securitySchemes).toSorted()).toEqual(
      [...new Set(Object.values(accepted).flat(2))].toSorted(),
    )
  })

  it('describes a request as it may be sent and an answer as it comes', () => {
    const { AgentIn, AgentOut } = document.components.schemas
    expect(AgentIn.required).toBeUndefined()
    expect(AgentOut.required).toEqual(
      expect.arrayContaining(['name', 'soul', 'task', 'tools', 'source']),
    )
    const audit = document.paths['/v1/tenant/audit'].get.parameters
    expect(audit).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    })
    expect(audit).toContainEqual({
      name: 'changes_only',
      in: 'query',
      required: false,
      schema: { type: 'boolean', default: false },
    })
    expect(document.paths['/v1/agents/{name}'].put.requestBody).toMatchObject({ required: false })
    expect(document.paths['/v1/tenant/keys'].post.requestBody).toMatchObject({ required: true })
  })
})
