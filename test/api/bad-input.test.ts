import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMITS, LIMITS } from '../../src/config/limits'
import { allowedMethods, compilePaths } from '../../src/http/paths'
import type { Route } from '../../src/http/route'
import { badValues, fieldsOf, SENTINEL, withValue } from '../support/bad-values'
import { ADMIN_TOKEN, type Answer, type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { type RawOptions, rawSend } from '../support/raw-send'
import {
  bodyOf,
  checkHeaders,
  exampleOf,
  inBatches,
  keyOf,
  pathOf,
  ROUTES,
  refusalBody,
} from '../support/route-contract'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { makeWorld, type World } from '../support/world'

let parley: Parley
let page: Loopback
let telegram: TelegramServer
let world: World

beforeAll(async () => {
  page = await startLoopback((_request, response) => response.writeHead(200).end('A page.'))
  telegram = await startTelegram()
  parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
  world = await makeWorld(parley, page.origin, telegram)
})
afterAll(async () => {
  await parley.close()
  await page.close()
  await telegram.close()
})

/** Someone who may call the route. */
function callerOf(route: Route): Record<string, string> {
  if (route.layer === 'public') return {}
  if (route.layer === 'operator') return { 'x-admin-token': ADMIN_TOKEN }
  const key = { 'x-api-key': world.own.tenant.key }
  return route.layer === 'tenant' ? key : { ...key, 'x-end-user': 'ada' }
}

interface Case {
  name: string
  path: string
  options: RawOptions
  /** One of these types at this place, or only any 422. */
  types?: string[]
  loc?: (string | number)[]
}

/** What is wrong with an answer to bad input; null when it is a 422 in the contract's form that echoes nothing. */
function judge(answer: Answer, { types, loc }: Pick<Case, 'types' | 'loc'>): string | null {
  const items = answer.json?.detail
  if (answer.status !== 422 || !Array.isArray(items))
    return `${answer.status} ${answer.text.slice(0, 200)}`
  for (const item of items) {
    if (Object.keys(item).sort().join() !== 'loc,msg,type') return `item ${JSON.stringify(item)}`
    if (!['body', 'query', 'path', 'header'].includes(item.loc[0])) return `loc ${item.loc}`
  }
  if (answer.text.includes(SENTINEL)) return `echoes the value: ${answer.text.slice(0, 200)}`
  const meets = items.some(
    (item) =>
      (!loc || item.loc.join('.') === loc.join('.')) && (!types || types.includes(item.type)),
  )
  return meets
    ? checkHeaders(answer)
    : `${JSON.stringify(items).slice(0, 200)} instead of ${types} at ${loc?.join('.')}`
}

/**
 * Rows that a write leaves behind, but for the deleted tenant, which is still being cleared away. One statement: every call
 * into the Worker's bindings waits.
 */
async function traces(): Promise<unknown> {
  const tables = [
    'audit',
    'users',
    'spaces',
    'idempotency',
    'revisions',
    'documents',
    'api_keys',
    'storylines',
  ]
  const counts = tables.map(
    (table) => `(SELECT count(*) FROM ${table} WHERE tenant_id <> ?1) AS ${table}`,
  )
  return world.db.prepare(`SELECT ${counts.join()}`).bind(world.deleted.id).first()
}

async function refuseAll(route: Route, cases: Case[]): Promise<void> {
  const before = await traces()
  const wrong = await inBatches(cases, async (one) => {
    const answer = await rawSend(parley.url, route.method, one.path, {
      ...one.options,
      headers: { ...callerOf(route), ...one.options.headers },
    })
    const problem = judge(answer, one)
    return problem === null ? [] : [`${one.name}: ${problem}`]
  })
  expect(wrong.flat()).toEqual([])
  expect(await traces()).toEqual(before)
}

const JSON_TYPE = { 'content-type': 'application/json' }
const raw = (text: string | Uint8Array): RawOptions => ({ body: text, headers: JSON_TYPE })

describe.each(ROUTES.filter((route) => route.json).map((route) => ({ name: keyOf(route), route })))(
  'body of $name',
  ({ route }) => {
    it('is refused field by field', async () => {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const schema = exampleOf(route).body ?? route.json
      if (!schema) throw new Error('There is no schema')
      const path = pathOf(route.path, filled)
      const cases = badValues(schema).map(({ path: at, value, types }) => ({
        name: `${at.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}`,
        path,
        options: raw(JSON.stringify(withValue(filled.body, at, value)) ?? ''),
        types,
        loc: ['body', ...at],
      }))
      await refuseAll(route, cases)
    })

    it('is refused when it is no JSON object', async () => {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const path = pathOf(route.path, filled)
      const deep = (open: string, close: string, n: number) => open.repeat(n) + close.repeat(n)
      const notJson = [
        '{',
        '{"a":',
        '[1,2',
        'NaN',
        "{'a':1}",
        '{"a":1}}',
        'hello',
        '\u0000',
        deep('[', '', 100_000),
        '{"a":"\\ud800"}',
        '{"\\udfff":1}',
        '{"a":"\\x"}',
      ]
      const notObjects = [
        'null',
        '[]',
        '[{}]',
        '"text"',
        '7',
        'true',
        '1e999',
        deep('[', ']', 100_000),
      ]
      await refuseAll(route, [
        ...notJson.map((text) => ({
          name: text.slice(0, 20),
          path,
          options: raw(text),
          types: ['json_invalid'],
          loc: ['body'],
        })),
        ...notObjects.map((text) => ({
          name: text.slice(0, 20),
          path,
          options: raw(text),
          types: ['dict_type'],
          loc: ['body'],
        })),
        {
          name: 'bytes that are no UTF-8',
          path,
          options: raw(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22])),
        },
        {
          name: 'a form',
          path,
          options: {
            body: 'a=1&b=2',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          },
          types: ['json_invalid'],
        },
        {
          name: 'plain text',
          path,
          options: { body: 'hello', headers: { 'content-type': 'text/plain' } },
          types: ['json_invalid'],
        },
        {
          name: 'what is packed',
          path,
          options: { body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } },
          types: ['value_error'],
          loc: ['header', 'content-encoding'],
        },
        {
          name: 'no type',
          path,
          options: { body: new TextEncoder().encode('hello') },
          types: ['json_invalid'],
        },
      ])
    })

    it('never touches a prototype', async () => {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const inner = JSON.stringify(filled.body ?? {}).slice(1)
      const deep = '['.repeat(50_000) + ']'.repeat(50_000)
      const text = `{"deep":${deep},"__proto__":{"polluted":"yes","published":true},"constructor":{"prototype":{"polluted":"yes"}}${inner === '}' ? '' : ','}${inner}`
      const answer = await rawSend(parley.url, route.method, pathOf(route.path, filled), {
        ...raw(text),
        headers: { ...callerOf(route), ...JSON_TYPE },
      })
      // What this world lacks is said with a status of its own.
      if (answer.status !== exampleOf(route).unmet?.status) expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toContain('polluted')
      expect((await rawSend(parley.url, 'GET', '/health')).text).toBe('{"status":"ok"}')
    })
  },
)

describe.each(
  ROUTES.filter((route) => route.params && route.layer !== 'public').map((route) => ({
    name: keyOf(route),
    route,
  })),
)('path of $name', ({ route }) => {
  it('is refused segment by segment', async () => {
    const filled = await exampleOf(route).fill(world, world.own.ada)
    if (!route.params) throw new Error('There are no parameters')
    const cases = Object.entries(fieldsOf(route.params)).flatMap(([name, node]) => {
      const tooLong = 'x'.repeat((node.maxLength ?? 0) + 1)
      const segments =
        node.format === 'uuid'
          ? BAD_IDS
          : [...BAD_TEXTS, ...BAD_NAMES.filter((name) => !isTaken(node, name)), tooLong]
      const [before = '', after = ''] = route.path.split(`{${name}}`)
      return segments.map((segment) => ({
        name: `${name} = ${segment.slice(0, 30)}`,
        path: pathOf(before, { ...filled, query: {} }) + segment + pathOf(after, filled),
        options: bodyOf(filled),
        loc: ['path', name],
        // What cannot be decoded is no text that could be parsed.
        ...(node.format === 'uuid' && segment !== '%E0%A4%A' ? { types: ['uuid_parsing'] } : {}),
      }))
    })
    await refuseAll(route, cases)
  })
})

const BAD_IDS = [
  'x',
  '1',
  SENTINEL,
  '01890a5dac96774bbcceb302099a8057',
  '01890a5d-ac96-774b-bcce-b302099a805g',
  '%7B01890a5d-ac96-774b-bcce-b302099a8057%7D',
  '01890a5d-ac96-774b-bcce-b302099a8057%00',
  "'%20OR%201=1--",
  '%E0%A4%A',
]
/** No text at all, or one with a control character. */
const BAD_TEXTS = [
  '%00',
  'a%0Ab',
  'a%7Fb',
  '%C2%85',
  '%E0%A4%A',
  'a%FFb',
  '%C0%AF',
  '%ED%A0%80',
  '%',
  '%zz',
  'a%2',
]
const BAD_NAMES = ['%2F', 'a%2Fb', 'a%5Cb', '..%2F..%2Fadmin', '%E2%80%A8', '%20', '%20%20']

/** Whether the parameter is no name but any text of a form that this one has. */
const isTaken = (node: ReturnType<typeof fieldsOf>[string], segment: string) =>
  node.pattern !== undefined && new RegExp(node.pattern, 'u').test(decodeURIComponent(segment))

describe.each(
  ROUTES.filter((route) => route.query && route.layer !== 'public').map((route) => ({
    name: keyOf(route),
    route,
  })),
)('query of $name', ({ route }) => {
  it('is refused parameter by parameter', async () => {
    const filled = await exampleOf(route).fill(world, world.own.ada)
    if (!route.query) throw new Error('There is no query')
    const path = pathOf(route.path, { ...filled, query: {} })
    const cases = Object.entries(fieldsOf(route.query)).flatMap(([name, node]) => {
      const values = badTexts(node)
      return values.map(([value, type]) => ({
        name: `${name}=${value.slice(0, 30)}`,
        path: `${path}?${name}=${encodeURIComponent(value)}`,
        options: bodyOf(filled),
        types: [type],
        loc: ['query', name],
      }))
    })
    await refuseAll(route, cases)
  })

  it('has an empty value as none', async () => {
    if (!route.query) throw new Error('There is no query')
    const ask = async (name: string, value: Record<string, string>) => {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const { [name]: _, ...others } = filled.query ?? {}
      const path = pathOf(route.path, { ...filled, query: { ...others, ...value } })
      return rawSend(parley.url, route.method, path, {
        headers: callerOf(route),
        ...bodyOf(filled),
      })
    }
    for (const name of Object.keys(fieldsOf(route.query))) {
      const [empty, none] = [await ask(name, { [name]: '' }), await ask(name, {})]
      const said = ({ status, json }: Answer) => [name, status, status === 422 ? json.detail : null]
      expect(said(empty)).toEqual(said(none))
    }
  })
})

/** Texts that a query parameter of this kind refuses, with the type of the refusal. */
function badTexts(node: ReturnType<typeof fieldsOf>[string]): [string, string][] {
  if (node.enum) return [[SENTINEL, 'literal_error']]
  if (node.type === 'integer') {
    const bounds: [string, string][] = [
      [String((node.minimum ?? 0) - 1), 'greater_than_equal'],
      [String((node.maximum ?? 0) + 1), 'less_than_equal'],
      ['-1', 'greater_than_equal'],
    ]
    const texts = [
      'abc',
      ' ',
      '1.5',
      '1e3',
      '0x10',
      '\uff19',
      '9'.repeat(400),
      'NaN',
      'null',
      '1,2',
    ]
    return [
      ...(node.maximum === undefined ? [] : bounds),
      ...texts.map((text): [string, string] => [text, 'int_parsing']),
    ]
  }
  if (node.type === 'boolean')
    return [
      [SENTINEL, 'bool_parsing'],
      ['2', 'bool_parsing'],
    ]
  if (node.type === 'string' && node.maxLength !== undefined)
    return [[SENTINEL.padEnd(node.maxLength + 1, 'x'), 'string_too_long']]
  return []
}

describe('cursors', () => {
  const paged = ROUTES.filter((route) => route.query && 'cursor' in fieldsOf(route.query))
  const ask = async (route: Route, query: Record<string, string>, headers = callerOf(route)) => {
    const filled = await exampleOf(route).fill(world, world.own.ada)
    return rawSend(parley.url, route.method, pathOf(route.path, { ...filled, query }), {
      headers,
    })
  }

  /** A list by the specification's own form: an array, whose next page is in the `Link` header. */
  const pageOf = ({ json, headers }: Answer) => {
    if (!Array.isArray(json)) return { items: json?.items, next: json?.next_cursor }
    const [, next] = /[?&]cursor=([^&>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    return { items: json, next }
  }

  it('lead through a whole list and are good for nothing else', async () => {
    expect(paged.length).toBeGreaterThan(2)
    // Two of everything that a list holds: where it can be posted, by the route's own example.
    for (const path of [...paged.map((route) => route.path), '/v1/chat']) {
      const post = ROUTES.find((route) => route.method === 'POST' && route.path === path)
      for (let n = 0; post && n < 2; n++) {
        const filled = await exampleOf(post).fill(world, world.own.ada)
        const { session_id: _, ...body } = filled.body ?? {}
        const options = bodyOf(filled.form ? filled : { body })
        const headers = callerOf(post)
        await rawSend(parley.url, 'POST', pathOf(path, filled), { headers, ...options })
      }
    }
    const cursors = new Map<Route, string>()
    for (const route of paged) {
      const first = pageOf(await ask(route, { limit: '1' }))
      expect([keyOf(route), first.items?.length, typeof first.next]).toEqual([
        keyOf(route),
        1,
        'string',
      ])
      cursors.set(route, first.next)
      const answer = await ask(route, { limit: '1', cursor: first.next })
      const [second] = pageOf(answer).items ?? []
      expect([answer.status, second?.id === first.items[0].id]).toEqual([200, false])
    }
    const problems: string[] = []
    for (const [route, cursor] of cursors) {
      const others = [...cursors].filter(([other]) => other !== route).map(([, value]) => value)
      const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
      for (const bad of [
        ...others,
        changed,
        cursor.slice(0, -4),
        `${cursor}AAAA`,
        'x',
        '!!!',
        btoa('{"id":1}'),
        cursor.slice(43),
        'A'.repeat(2000),
      ]) {
        const problem = judge(await ask(route, { cursor: bad }), {
          types: ['value_error'],
          loc: ['query', 'cursor'],
        })
        if (problem !== null) problems.push(`${keyOf(route)} ${bad.slice(0, 20)}: ${problem}`)
      }
      if (route.layer !== 'tenant' || route.params) continue
      const foreign = await ask(route, { cursor }, { 'x-api-key': world.foreign.tenant.key })
      if (foreign.status !== 422)
        problems.push(`${keyOf(route)} of another tenant: ${foreign.status}`)
    }
    expect(problems).toEqual([])
  })
})

it('an id in capitals is the same id', async () => {
  const capitals = (text: string) =>
    text.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => id.toUpperCase())
  const wrong = await inBatches(
    ROUTES.filter((route) => route.method === 'GET' && route.params && route.layer !== 'public'),
    async (route) => {
      const path = pathOf(route.path, await exampleOf(route).fill(world, world.own.ada))
      const get = (address: string) =>
        rawSend(parley.url, 'GET', address, { headers: callerOf(route), untilFirst: true })
      const [usual, other] = [await get(path), await get(capitals(path))]
      return usual.status === other.status ? [] : [`${keyOf(route)}: ${other.status} ${other.text}`]
    },
  )
  expect(wrong.flat()).toEqual([])
})

describe('sizes', () => {
  const limitOf = (route: Route) =>
    route.bodyLimit ?? (route.multipart ? BODY_LIMITS.multipart : BODY_LIMITS.json)
  const tooLarge = { detail: 'Request body too large' }

  it('a body that says it is too large is refused before anything else', async () => {
    const wrong = await inBatches(
      ROUTES.filter((route) => route.method !== 'GET'),
      async (route) => {
        const filled = await exampleOf(route).fill(world, world.own.ada)
        const answer = await rawSend(parley.url, route.method, pathOf(route.path, filled), {
          headers: JSON_TYPE,
          announces: limitOf(route) + 1,
        })
        const fine =
          answer.status === 413 &&
          isDeepStrictEqual(refusalBody(route, answer), tooLarge) &&
          checkHeaders(answer) === null
        return fine ? [] : [`${keyOf(route)}: ${answer.status} ${answer.text.slice(0, 100)}`]
      },
      // Each waits for what never comes.
      8,
    )
    expect(wrong.flat()).toEqual([])
  })

  it.each([
    ['members', `[${'1,'.repeat(LIMITS.jsonMembers + 1)}1]`],
    ['lists', `${'['.repeat(LIMITS.jsonGroups + 1)}${']'.repeat(LIMITS.jsonGroups + 1)}`],
    ['objects', `${'{"a":'.repeat(LIMITS.jsonGroups)}1${'}'.repeat(LIMITS.jsonGroups)}`],
  ])('a body of more %s than any request holds is refused unread', async (_, values) => {
    const takesJson = (route: Route) => route.json ?? exampleOf(route).body
    const wrong = await inBatches(
      ROUTES.filter((route) => takesJson(route)),
      async (route) => {
        const filled = await exampleOf(route).fill(world, world.own.ada)
        const answer = await rawSend(parley.url, route.method, pathOf(route.path, filled), {
          ...raw(`{"said":"\\"${','.repeat(99)}","values":${values}}`),
          headers: { ...callerOf(route), ...JSON_TYPE },
        })
        const problem = judge(answer, { types: ['value_error'], loc: ['body'] })
        return problem === null ? [] : [`${keyOf(route)}: ${problem}`]
      },
    )
    expect(wrong.flat()).toEqual([])
  })

  it('what a text holds is not counted', async () => {
    const route = ROUTES.find(
      (one) => keyOf(one) === 'POST /v1/knowledge-bases/{name}/documents/text',
    )
    if (!route) throw new Error('There is no such route')
    const filled = await exampleOf(route).fill(world, world.own.ada)
    const text = '[{"\\","'.repeat(LIMITS.jsonGroups / 2)
    const body = JSON.stringify({ ...(filled.body as object), text })
    const answer = await rawSend(parley.url, route.method, pathOf(route.path, filled), {
      ...raw(body),
      headers: { ...callerOf(route), ...JSON_TYPE },
    })
    expect(answer.status).toBe(200)
  })

  it('a body without a length is counted while it comes', async () => {
    // Every route is guarded by one and the same middleware, before anything else: the test above shows it, since a refusal
    // without a byte sent comes from nowhere else. So one route of each kind of request, layer, limit and family does here.
    const guarded = ROUTES.filter((route) => route.method !== 'GET')
    const kindOf = (route: Route) => {
      const form = route.multipart ? 'form' : route.json ? 'json' : 'none'
      return [route.layer, limitOf(route), form, route.path.split('/', 2)[1]].join()
    }
    const kinds = [...new Map(guarded.map((route) => [kindOf(route), route])).values()]
    const small = kinds.filter((route) => limitOf(route) <= BODY_LIMITS.json)
    // Public, tenant, user and operator; the app's only route takes more.
    expect(new Set(small.map((route) => route.layer)).size).toBe(4)
    const large = guarded.filter((route) => limitOf(route) > BODY_LIMITS.json).slice(0, 2)
    const wrong = await inBatches(
      [...small, ...large],
      async (route) => {
        const filled = await exampleOf(route).fill(world, world.own.ada)
        const options = {
          headers: { ...JSON_TYPE, ...callerOf(route) },
          body: new Uint8Array(limitOf(route) + 1),
          chunked: true,
        }
        const answer = await rawSend(parley.url, route.method, pathOf(route.path, filled), options)
        return answer.status === 413 && isDeepStrictEqual(refusalBody(route, answer), tooLarge)
          ? []
          : [`${keyOf(route)}: ${answer.status} ${answer.text.slice(0, 100)}`]
      },
      2,
    )
    expect(wrong.flat()).toEqual([])
  })

  it('a body without a length that fits is read', async () => {
    const options = {
      body: { name: 'chunked-base' },
      headers: { 'x-api-key': world.own.tenant.key },
      chunked: true,
    }
    expect((await rawSend(parley.url, 'POST', '/v1/knowledge-bases', options)).json.name).toBe(
      'chunked-base',
    )
    const empty = {
      body: '',
      headers: { 'x-api-key': world.own.tenant.key, ...JSON_TYPE },
      chunked: true,
    }
    expect(
      (await rawSend(parley.url, 'POST', `/v1/agents/${world.own.agent}/clone`, empty)).status,
    ).toBe(200)
  })
})

describe('methods and paths', () => {
  const paths = compilePaths(ROUTES)
  const templates = [
    ...new Map(
      ROUTES.flatMap((route) => [route.path, ...(route.also ?? [])].map((path) => [path, route])),
    ),
  ]
  const pathFor = (template: string) =>
    template.replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057')

  it('another method is 405 with what is allowed, before any credential', async () => {
    const wrong = await inBatches(templates, async ([template, route]) => {
      const allowed = allowedMethods(paths, pathFor(template))
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'].filter(
        (method) => !allowed.includes(method),
      )
      const answers = await Promise.all(
        others.map(async (method) => ({
          method,
          ...(await rawSend(parley.url, method, pathFor(template))),
        })),
      )
      return answers.flatMap((answer) => {
        const fine =
          answer.status === 405 &&
          isDeepStrictEqual(refusalBody(route, answer), { detail: 'Method Not Allowed' }) &&
          answer.headers.get('allow') === allowed.join(', ') &&
          checkHeaders(answer) === null
        return fine
          ? []
          : [
              `${answer.method} ${template}: ${answer.status} ${answer.text.slice(0, 80)} ${answer.headers.get('allow')}`,
            ]
      })
    })
    expect(wrong.flat()).toEqual([])
  })

  it('HEAD answers as GET does, without a body', async () => {
    const ask = async (route: Route, method: string) => {
      const untilFirst = exampleOf(route).endless === true && method === 'GET'
      const filled = await exampleOf(route).fill(world, world.own.ada)
      const options = { headers: callerOf(route), untilFirst }
      return rawSend(parley.url, method, pathOf(route.path, filled), options)
    }
    const wrong = await inBatches(
      ROUTES.filter((route) => route.method === 'GET' && !route.takesEffect),
      async (route) => {
        const get = await ask(route, 'GET')
        const head = await ask(route, 'HEAD')
        const fine =
          head.status === get.status &&
          head.text === '' &&
          head.headers.get('content-type') === get.headers.get('content-type')
        return fine ? [] : [`${keyOf(route)}: ${head.status} ${get.status} ${head.text}`]
      },
    )
    expect(wrong.flat()).toEqual([])
  })

  /** Below the base of OpenAI's clients. */
  const NOWHERE_OPENAI = {
    detail: 'Not Found',
    error: { message: 'Not Found', type: 'invalid_request_error', param: null, code: 'not_found' },
  }

  it('an unknown path is 404, whoever asks', async () => {
    const unknown = [
      '/nope',
      '/v1',
      '/v1/',
      '/v2/agents',
      '/v1/agents/',
      '/v1/agents/a/b/c',
      '//v1/agents',
      '/v1//agents',
      '/V1/agents',
      '/v1/agents%2Fx',
      '/v1/tenant',
      '/v1/admin',
      '/me/nope',
      '/.env',
      '/v1/agents/..',
      '/v1/agents/%2e%2e',
      '/v1/agents/.',
      '/index.html%00',
      `/${'x'.repeat(8000)}`,
      '/%E0%A4%A',
      '/__scheduled',
      '/v1/tenant/keys/',
    ]
    const wrong = await inBatches(unknown, async (path) => {
      const answers = await Promise.all(
        [{}, { 'x-api-key': world.own.tenant.key }].map((headers) =>
          rawSend(parley.edge, 'DELETE', path, { headers }),
        ),
      )
      const body = path.startsWith('/v1/') ? NOWHERE_OPENAI : { detail: 'Not Found' }
      return answers.flatMap((answer) =>
        answer.status === 404 &&
        answer.text === JSON.stringify(body) &&
        checkHeaders(answer) === null
          ? []
          : [`${path.slice(0, 40)}: ${answer.status} ${answer.text.slice(0, 80)}`],
      )
    })
    expect(wrong.flat()).toEqual([])
  })
})

describe('headers', () => {
  it('a bad Idempotency-Key is refused wherever it is honoured', async () => {
    const routes = ROUTES.filter(
      (route) => route.idempotent || route.reads?.includes('Idempotency-Key'),
    )
    for (const route of routes) {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      await refuseAll(
        route,
        ['', 'k'.repeat(256)].map((key) => ({
          name: `${key.length} characters`,
          path: pathOf(route.path, filled),
          options: { ...bodyOf(filled), headers: { 'idempotency-key': key } },
          types: ['value_error'],
          loc: ['header', 'idempotency-key'],
        })),
      )
    }
  })

  it('a bad Last-Event-ID is refused', async () => {
    const route = ROUTES.find((candidate) => candidate.path === '/v1/chat/stream/{message_id}')
    if (!route) throw new Error('The route is gone')
    const path = pathOf(route.path, { params: { message_id: world.own.ada.messageId } })
    await refuseAll(
      route,
      ['x', '-1', '1.5', '9'.repeat(20), SENTINEL].map((id) => ({
        name: id,
        path,
        options: { headers: { 'last-event-id': id } },
        types: ['value_error'],
        loc: ['header', 'last-event-id'],
      })),
    )
  })

  it('strange languages, origins and hosts change nothing', async () => {
    const odd = {
      'accept-language': `${'x-'.repeat(500)};q=nan, \u00e9, *;q=-1`,
      origin: 'null',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'x-forwarded-for': '1.2.3.4',
      'x-preview': '2',
    }
    const body = { message: 'When are refunds paid?' }
    const answer = await rawSend(parley.url, 'POST', '/v1/chat', {
      body,
      headers: { 'x-api-key': world.own.tenant.key, 'x-end-user': 'ada', ...odd },
    })
    expect(answer.status).toBe(200)
    const alias = await rawSend(parley.url, 'GET', `/v1/agents/${world.own.agent}/alias`, {
      headers: { 'x-api-key': world.own.tenant.key, ...odd },
    })
    expect(alias.json.url_prefix).not.toContain('evil')
  })
})

describe('uploads', () => {
  const send = (options: RawOptions) =>
    rawSend(parley.url, 'POST', `/v1/knowledge-bases/${world.own.base}/documents/upload`, {
      ...options,
      headers: { 'x-api-key': world.own.tenant.key, ...options.headers },
    })
  const form = (fill: (form: FormData) => void) => {
    const data = new FormData()
    fill(data)
    return { body: data }
  }

  it('a request without a readable file is refused', async () => {
    const cases: [string, RawOptions][] = [
      ['nothing', {}],
      ['JSON', { body: { file: SENTINEL } }],
      ['no field', form(() => {})],
      ['another field', form((data) => data.set('upload', new Blob(['x']), 'a.txt'))],
      ['a text', form((data) => data.set('file', SENTINEL))],
      [
        'no boundary',
        {
          body: new TextEncoder().encode('--x\r\n'),
          headers: { 'content-type': 'multipart/form-data' },
        },
      ],
      [
        'another boundary',
        {
          body: new TextEncoder().encode('--x\r\nnonsense'),
          headers: { 'content-type': 'multipart/form-data; boundary=y' },
        },
      ],
      [
        'cut off',
        {
          body: new TextEncoder().encode(
            '--y\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhal',
          ),
          headers: { 'content-type': 'multipart/form-data; boundary=y' },
        },
      ],
    ]
    for (const [name, options] of cases)
      expect([name, judge(await send(options), {})]).toEqual([name, null])
  })

  it('a file of no known type is 415', async () => {
    const answer = await send(
      form((data) => data.set('file', new Blob([new Uint8Array([0, 1, 2, 3])]), 'a.bin')),
    )
    expect([answer.status, answer.json.detail]).toEqual([415, 'Unsupported file type'])
  })
})
