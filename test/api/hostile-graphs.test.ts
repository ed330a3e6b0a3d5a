import { beforeAll, describe, expect, it } from 'vitest'
import { GRAPH_LIMITS } from '../../src/storylines/graph'
import { type Answer, type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

type Json = Record<string, unknown>

const PROFILE = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
}
const END = { type: 'end', outcome: 'over' }
const ask = (when: string, more: Json = {}): Json => ({
  type: 'collect',
  slots: [{ slot: 'size', ask: 'How many?' }],
  exits: [
    { id: 'some', to: 'end', on: 'done', when },
    { id: 'rest', to: 'end' },
  ],
  ...more,
})
const graph = (nodes: Json, more: Json = {}): Json => ({
  schema: 1,
  start: 'first',
  nodes: { end: END, ...nodes },
  ...more,
})
const when = (expression: string) => graph({ first: ask(expression) })
const says = (to: string) => ({ type: 'message', say: 'On.', exits: [{ id: 'go', to }] })

/** A chain of so many nodes. */
function chain(count: number): Json {
  const nodes: Json = { end: END }
  for (let n = 1; n < count; n++)
    nodes[n === 1 ? 'first' : `n${n}`] = {
      type: 'collect',
      slots: [{ slot: 'size', ask: `Question ${n}?` }],
      exits: [{ id: 'go', to: n + 1 < count ? `n${n + 1}` : 'end' }],
    }
  return { schema: 1, start: 'first', nodes }
}
/** A graph of so many bytes, which the editor's notes fill. */
function ofBytes(bytes: number): Json {
  const empty = graph({ first: ask('profile.size > 1') }, { ui: { notes: '' } })
  const left = bytes - JSON.stringify(empty).length
  return { ...empty, ui: { notes: 'x'.repeat(left) } }
}
/** JSON that is nested so deep, as text: no object of it is made here. */
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Lists that are walked inside each other, each of the most elements that an expression has room for. */
const WIDE = `[${Array.from({ length: 50 }, () => '1').join()}]`

/** What a graph that is stored, since drafts are, must be found guilty of. `ready` can be published. */
const KEPT: [name: string, graph: Json | string, code: string | 'ready'][] = [
  ['500 nodes', chain(GRAPH_LIMITS.nodes), 'ready'],
  ['501 nodes', chain(GRAPH_LIMITS.nodes + 1), 'limit_exceeded'],
  ['exactly 256 KB', ofBytes(GRAPH_LIMITS.bytes), 'ready'],
  ['notes 64 levels deep', { ...chain(3), ui: JSON.parse(`{"at":${nested(62)}}`) }, 'ready'],
  ['nothing', {}, 'schema'],
  ['null for nodes', { schema: 1, start: 'first', nodes: null }, 'schema'],
  ['null for a node', graph({ first: null }), 'schema'],
  ['a list for a node', graph({ first: [[], {}] }), 'schema'],
  [
    'numbers for exits',
    graph({ first: { type: 'message', say: 'Hi', exits: [1, null] } }),
    'schema',
  ],
  [
    'a loop that never waits',
    graph({ first: says('second'), second: says('first') }),
    'sync_cycle',
  ],
  ['a node that leads to itself', graph({ first: says('first') }), 'sync_cycle'],
  [
    'a ring of nodes that wait, without an end',
    graph({
      first: { ...ask('true'), exits: [{ id: 'go', to: 'second' }] },
      second: { ...ask('true'), exits: [{ id: 'go', to: 'first' }] },
    }),
    'cannot_end',
  ],
  ['a start that is not there', { ...chain(3), start: 'nowhere' }, 'start_missing'],
  ['a start of the prototype', { ...chain(3), start: 'constructor' }, 'schema'],
  ['an exit to the prototype', graph({ first: says('constructor') }), 'schema'],
  ['an unknown type of node', graph({ first: { ...ask('true'), type: 'teleport' } }), 'schema'],
  [
    'an unknown event',
    graph({ first: { ...says('end'), exits: [{ id: 'a', to: 'end', on: 'rain' }] } }),
    'schema',
  ],
  [
    'an unknown digression',
    graph({ first: ask('true') }, { settings: { digression: 'dance' } }),
    'schema',
  ],
  ['a newer schema', { ...chain(3), schema: 2 }, 'ready'],
  ['500 characters of condition', when('profile.size > 1'.padEnd(500)), 'ready'],
  ['501 characters of condition', when('profile.size > 1'.padEnd(501)), 'limit_exceeded'],
  ['parentheses 200 deep', when(`${'('.repeat(200)}true${')'.repeat(200)}`), 'limit_exceeded'],
  ['a negation 400 deep', when(`${'!'.repeat(400)}true`), 'limit_exceeded'],
  ['lists 200 deep', when(`${'['.repeat(200)}${']'.repeat(200)} == []`), 'limit_exceeded'],
  ['choices 60 deep', when(`${'true ? true : '.repeat(30)}true`), 'limit_exceeded'],
  ['more than 200 parts', when(Array.from({ length: 120 }, () => '1').join('+')), 'limit_exceeded'],
  ['a list walked in a list', when(`${WIDE}.all(a, ${WIDE}.all(b, a == b))`), 'limit_exceeded'],
  [
    'a pattern that backtracks',
    when('"aaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+$")'),
    'function_not_allowed',
  ],
  ['code from strings', when('constructor.constructor("return 1")() == 1'), 'condition_syntax'],
  ['a condition that is none', when('profile.size >'), 'condition_syntax'],
  ['a slot that is not there', when('profile.weight > 1'), 'condition_type'],
  ['a number for a condition', when('profile.size + 1'), 'condition_not_boolean'],
  [
    'another shape that leads to itself',
    { steps: [{ id: 'a', say: 'Hi', next: 'a' }] },
    'sync_cycle',
  ],
]
/** What no draft may hold. */
const REFUSED: [name: string, graph: unknown, type: string, loc?: string[]][] = [
  ['one byte more than 256 KB', ofBytes(GRAPH_LIMITS.bytes + 1), 'value_error'],
  // More lists than a body may have: nobody reads on to the graph.
  [
    'a node 100,000 levels deep',
    `{"schema":1,"start":"first","nodes":{"first":${nested(100_000)}}}`,
    'value_error',
    ['body'],
  ],
  [
    'a node 99,000 levels deep',
    `{"schema":1,"start":"first","nodes":{"first":${nested(99_000)}}}`,
    'value_error',
  ],
  ['notes 20,000 levels deep', `{"schema":1,"ui":{"at":${nested(20_000)}}}`, 'value_error'],
  ['another shape 65 levels deep', `{"steps":${nested(64)}}`, 'value_error'],
  ['a list', [], 'dict_type'],
  ['a text', 'schema', 'dict_type'],
  ['a number', 7, 'dict_type'],
]

describe('hostile graphs', { timeout: 120_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  let other: SeededTenant
  let taken = 0

  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    other = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })

  /** The graph goes as the text that it is: one that is deep is no object here. */
  const send = async (
    method: string,
    path: string,
    fields: Json,
    story: unknown,
  ): Promise<Answer> => {
    const text = typeof story === 'string' && story.startsWith('{') ? story : JSON.stringify(story)
    const body = JSON.stringify({ ...fields, graph: '#graph#' }).replace('"#graph#"', () => text)
    return tenant.call(method, path, body, { 'content-type': 'application/json' })
  }
  const fields = (key = `story-${taken++}`) => ({
    agent_name: 'desk',
    key,
    profile_schema: PROFILE,
  })
  const path = (id: string, rest = '') => `/v1/storylines/${id}${rest}`
  /** The three ways in which a graph comes in. */
  const waysIn = async (story: unknown): Promise<[string, Answer][]> => {
    const { json: stored } = await expectOk(send('POST', '/v1/storylines', fields(), chain(3)))
    return [
      ['create', await send('POST', '/v1/storylines', fields(), story)],
      [
        'import',
        await send('POST', '/v1/storylines/import', { ...fields(), schema_version: 1 }, story),
      ],
      ['replace', await send('PUT', path(stored.id), fields(stored.key), story)],
    ]
  }
  const isRefusal = ({ json }: Answer) =>
    Array.isArray(json?.detail) &&
    json.detail.every((item: Json) => Object.keys(item).sort().join() === 'loc,msg,type')

  it.each(KEPT)('%s: kept as it came, and judged', async (_, story, code) => {
    for (const [way, { status, json, text }] of await waysIn(story)) {
      expect([way, status, text.slice(0, 300)]).toEqual([way, 200, expect.anything()])
      const { json: checked } = await expectOk(tenant.call('POST', path(json.id, '/validate')))
      const codes = checked.errors
        .filter(({ severity }: { severity: string }) => severity === 'error')
        .map((finding: { code: string }) => finding.code)
      if (code === 'ready') expect([checked.ok, codes]).toEqual([true, []])
      else expect(codes).toContain(code)
      if (way !== 'create') continue
      const kept = await tenant.call('GET', path(json.id))
      expect(kept.text).toContain(typeof story === 'string' ? story : JSON.stringify(story))

      for (const rest of ['/clone', '/export'])
        expect(
          (await tenant.call(rest === '/export' ? 'GET' : 'POST', path(json.id, rest))).status,
        ).toBe(200)
      const shown = await tenant.call('POST', path(json.id, '/simulate'), {
        messages: ['Hello', '7'],
      })
      expect([200, 422]).toContain(shown.status)
      if (shown.status === 422) expect(isRefusal(shown)).toBe(true)
      const order = { action: 'upgrade' }
      const early = await tenant.call('POST', path(json.id, '/enrollments/migrate'), order)
      expect([early.status, early.json.code]).toEqual([409, 'not_published'])

      const live = await tenant.call('POST', path(json.id, '/publish'))
      expect(live.status).toBe(code === 'ready' ? 200 : 422)
      if (code !== 'ready') {
        expect(isRefusal(live)).toBe(true)
        expect(live.json.detail.map(({ type }: { type: string }) => type)).toContain(code)
        expect((await tenant.call('GET', path(json.id))).json.status).toBe('draft')
      } else {
        const astray = { action: 'move', from_node: 'first', to_node: 'nowhere' }
        const moved = await tenant.call('POST', path(json.id, '/enrollments/migrate'), astray)
        expect([moved.status, isRefusal(moved)]).toEqual([422, true])
      }
    }
  })

  it.each(REFUSED)(
    '%s: refused wherever it comes in',
    async (_, story, type, loc = ['body', 'graph']) => {
      const { json: before } = await expectOk(tenant.call('GET', '/v1/storylines'))
      for (const [way, answer] of await waysIn(story)) {
        const refused = answer.json.detail?.map((item: Json) => [item.type, item.loc])
        expect([way, answer.status, refused]).toEqual([way, 422, [[type, loc]]])
      }
      const { json: after } = await expectOk(tenant.call('GET', '/v1/storylines'))
      // The one that a graph was to be replaced in has the graph that it had.
      expect(after.length).toBe(before.length + 1)
      const isNew = ({ id }: { id: string }) => !before.some((row: Json) => row.id === id)
      expect(after.find(isNew)).toMatchObject({ graph: chain(3), version: 1 })
    },
  )

  it('a body of more than a megabyte is 413 wherever a graph comes in', async () => {
    for (const [way, { status, json }] of await waysIn(ofBytes(1_048_576)))
      expect([way, status, json]).toEqual([way, 413, { detail: 'Request body too large' }])
  })

  it('a stale version and another tenant’s id change nothing, on every route that takes a graph', async () => {
    const { json: own } = await expectOk(send('POST', '/v1/storylines', fields(), chain(3)))
    const stale = { ...fields(own.key), expected_version: 9 }
    const late = await send('PUT', path(own.id), stale, chain(4))
    expect([late.status, late.json.code]).toEqual([409, 'stale_version'])
    const made = await send(
      'POST',
      '/v1/storylines',
      { ...fields(), expected_version: 9 },
      chain(4),
    )
    expect([made.status, made.json.code]).toEqual([409, 'stale_version'])
    const calls: [string, string, Json?][] = [
      ['PUT', '', { ...fields(own.key), graph: chain(4) }],
      ['POST', '/validate'],
      ['POST', '/publish'],
      ['POST', '/clone'],
      ['GET', '/export'],
      ['POST', '/simulate', { messages: ['Hello'] }],
      ['POST', '/enrollments/migrate', { action: 'restart' }],
      ['GET', '/enrollments/migrate/proposal'],
    ]
    for (const [method, rest, body] of calls) {
      const { status, json } = await other.call(method, path(own.id, rest), body)
      expect([rest, status, json]).toEqual([rest, 404, { detail: 'Storyline not found' }])
    }
    expect((await tenant.call('GET', path(own.id))).json).toEqual(own)
  })
})
