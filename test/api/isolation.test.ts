import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import {
  type CredentialState,
  credentialStates,
  type Refusal,
  statesFor,
} from '../support/credential-states'
import { ADMIN_TOKEN, type Answer, type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { rawSend } from '../support/raw-send'
import {
  bodyOf,
  checkAnswer,
  checkHeaders,
  exampleOf,
  inBatches,
  keyOf,
  pathOf,
  ROUTES,
  refusalBody,
  staleExamples,
} from '../support/route-contract'
import type { Filled, Reference } from '../support/route-examples'
import { seedBase } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { makeWorld, type Person, type World } from '../support/world'

const ADMIN = { 'x-admin-token': ADMIN_TOKEN }
/** Parts of a path that are one of a few words. */
const ENUMERATED = new Set(['provider', 'channel'])
/** States whose request is carried out where that costs a password hash. */
const WHOLE = 3

let parley: Parley
let page: Loopback
let telegram: TelegramServer
let world: World
let states: CredentialState[]

beforeAll(async () => {
  page = await startLoopback((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<h1>Page</h1><p>A page of one line.</p>')
  })
  telegram = await startTelegram()
  parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
  world = await makeWorld(parley, page.origin, telegram)
  states = await credentialStates(world)
})
afterAll(async () => {
  await parley.close()
  await page.close()
  await telegram.close()
})

function call(
  route: Route,
  filled: Filled,
  headers: Record<string, string | string[]>,
  query: Record<string, string> = {},
  path = route.path,
): Promise<Answer> {
  const target = pathOf(path, { ...filled, query: { ...query, ...filled.query } })
  const untilFirst = exampleOf(route).endless === true
  return rawSend(parley.url, route.method, target, { headers, untilFirst, ...bodyOf(filled) })
}

/** A request that the route would refuse by its own rules too: whoever is refused as a caller never learns that. */
function spoil(route: Route, filled: Filled): Filled {
  const params = Object.fromEntries(
    Object.keys(filled.params ?? {}).map((name) => [name, '\u0001']),
  )
  return route.json ? { params, body: { '': 0 } } : { params }
}

function judgeRefusal(route: Route, answer: Answer, wanted: Refusal): string | null {
  if (
    answer.status !== wanted.status ||
    !isDeepStrictEqual(refusalBody(route, answer), wanted.body)
  ) {
    return `${answer.status} ${answer.text.slice(0, 160)} instead of ${wanted.status} ${JSON.stringify(wanted.body)}`
  }
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return 'not JSON'
  if ((answer.headers.get('www-authenticate') === 'Bearer') !== (wanted.challenge === true))
    return 'WWW-Authenticate'
  return checkHeaders(answer)
}

/**
 * What belongs to a tenant in the database, to show that refused calls leave no trace; without what is written behind
 * answers (when a key was last seen, how far a document is, what a deleted user leaves). One statement: every call into the Worker's bindings waits.
 */
async function snapshot(tenantId: string): Promise<unknown> {
  const ofActive = "user_id IN (SELECT id FROM users WHERE status = 'active')"
  const parts = [
    ['tenants', 'id', 'name, alias, status, monthly_token_ceiling, features, profile'],
    ['api_keys', 'tenant_id', 'id, name, revoked'],
    ['agents', 'tenant_id', 'id, name, alias, published, config'],
    ['skills', 'tenant_id', 'id, name, config'],
    ['knowledge_bases', 'tenant_id', 'id, name, instructions, downloads, rerank, refresh'],
    ['exports', 'tenant_id', 'id, user_id'],
    ['site_imports', 'tenant_id', 'id, base_id, url'],
    ['documents', 'tenant_id', 'id, path, version'],
    ['mcp_servers', 'tenant_id', 'id, name, url, headers, enabled'],
    ['storylines', 'tenant_id', 'id, key, version, status'],
    ['storyline_revisions', 'tenant_id', 'id'],
    ['storyline_scenarios', 'tenant_id', 'id, name, version'],
    ['revisions', 'tenant_id', 'id'],
    // Triggers of the database let no entry be changed or taken away: another one is all there can be.
    ['audit', 'tenant_id', 'count(*), max(seq)', "actor_type <> 'system'"],
    ['users', 'tenant_id', 'id, status, token_version', "status = 'active'"],
    ['user_profiles', 'tenant_id', 'user_id, updated_at', ofActive],
    ['spaces', 'tenant_id', 'id, name', ofActive],
    ['space_agents', 'tenant_id', 'space_id, agent_id'],
    ['reviews', 'tenant_id', 'id, status, base_id, document_id'],
    ['idempotency', 'tenant_id', 'scope'],
  ].map(
    ([table, owner, columns, which = 'true']) =>
      `(SELECT json_group_array(row) FROM (SELECT json_array(${columns}) AS row FROM ${table}
        WHERE ${owner} = '${tenantId}' AND ${which} ORDER BY row)) AS ${table}`,
  )
  return world.db.prepare(`SELECT ${parts.join()}`).first()
}

describe('route table', () => {
  it('has an example for every route and none for others', () => {
    expect(ROUTES.map(keyOf).filter((key) => !hasExample(key))).toEqual([])
    expect(staleExamples()).toEqual([])
  })

  it('tries every state on every layer, in both header forms', () => {
    for (const layer of ['operator', 'tenant', 'user', 'app']) {
      const missing = states.filter(
        (state) =>
          !ROUTES.some(
            (route, i) =>
              route.layer === layer && statesFor([state], route, i + states.indexOf(state)).length,
          ),
      )
      expect([layer, missing.map((state) => state.name)]).toEqual([layer, []])
    }
  })

  it('says the layer of every route and lists each operation once', () => {
    expect(
      ROUTES.filter(
        (route) => !['public', 'operator', 'tenant', 'user', 'app'].includes(route.layer),
      ).map(keyOf),
    ).toEqual([])
    const paths = ROUTES.flatMap((route) =>
      [route.path, ...(route.also ?? [])].map((path) => `${route.method} ${path}`),
    )
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('says of every name in a closed path whose object it is, but of those that the caller gives (BG2)', () => {
    const unsaid = ROUTES.filter(({ layer }) => layer !== 'public').flatMap((route) => {
      const said = new Set(exampleOf(route).refers?.map(({ field }) => field))
      return [...route.path.matchAll(/\{(\w+)\}/g)]
        .filter(([, field = '']) => !said.has(field) && !ENUMERATED.has(field))
        .map(() => keyOf(route))
    })
    expect(unsaid).toEqual([
      'POST /v1/agents/{name}',
      'PUT /v1/agents/{name}',
      'POST /v1/skills/{name}',
      'PUT /v1/skills/{name}',
      'PUT /v1/storylines/{storyline_id}/scenarios/{name}',
    ])
  })
})

function hasExample(key: string): boolean {
  const route = ROUTES.find((candidate) => keyOf(candidate) === key)
  try {
    return route !== undefined && exampleOf(route) !== undefined
  } catch {
    return false
  }
}

describe.each(ROUTES.map((route, index) => ({ name: keyOf(route), route, index })))(
  '$name',
  ({ route, index }) => {
    it('refuses and admits every state of credentials as its layer says', async () => {
      const example = exampleOf(route)
      const filled = await example.fill(world, world.own.ada)
      const refused: { state: CredentialState; verdict: Refusal; request: Filled }[] = []
      const tried = statesFor(states, route, index)
      for (const state of tried) {
        const verdict = state.verdict(route)
        if (verdict === 'admitted') continue
        const isLate =
          state.late && !example.makesObject && (route.layer === 'user' || route.layer === 'app')
        const request = isLate ? await example.fill(world, state.who ?? world.own.ada) : filled
        refused.push({ state, verdict, request })
      }
      const before = await snapshot(world.own.tenant.id)
      const wrong = await inBatches(refused, async ({ state, verdict, request }) => {
        const paths = [route.path, ...(state.core ? (route.also ?? []) : [])]
        const answers = await Promise.all([
          ...paths.map((path) => call(route, request, state.headers, state.query, path)),
          // Up to 403 the caller is judged before the request is looked at (rule CL1).
          ...(state.core ? [call(route, spoil(route, filled), state.headers, state.query)] : []),
        ])
        return answers.flatMap((answer) => {
          const problem = judgeRefusal(route, answer, verdict)
          return problem === null ? [] : [`${state.name}: ${problem}`]
        })
      })
      expect(wrong.flat()).toEqual([])
      expect(await snapshot(world.own.tenant.id)).toEqual(before)

      const failed: string[] = []
      const admitted = tried.filter(
        (state) => state.verdict(route) === 'admitted' && (state.core || route.method === 'GET'),
      )
      // Reading leaves an object as it was, for the next one who may see it.
      let last = { who: world.own.ada, request: filled }
      for (const [n, state] of admitted.entries()) {
        const isSpoilt = example.hashes === true && n >= WHOLE
        const who = state.who ?? world.own.ada
        const canShare = route.method === 'GET' && !example.usesUp && last.who === who
        if (!isSpoilt && !canShare) last = { who, request: await example.fill(world, who) }
        const request = isSpoilt ? spoil(route, filled) : last.request
        const answer = await call(route, request, state.headers, state.query)
        const isFine = isSpoilt ? answer.status === 422 : answer.status < 400
        const problem = example.unmet
          ? judgeRefusal(route, answer, example.unmet)
          : isFine
            ? ((isSpoilt ? null : checkAnswer(route, answer)) ?? checkHeaders(answer))
            : `${answer.status} ${answer.text.slice(0, 200)}`
        if (problem !== null) failed.push(`${state.name}: ${problem}`)
      }
      expect(failed).toEqual([])
    })

    const references = exampleOf(route).refers ?? []
    if (references.length === 0) return
    it('tells nobody else’s object from an absent one', async () => {
      const before = await snapshot(world.foreign.tenant.id)
      const problems: string[] = []
      for (const { headers, who, kind } of callersOf(route)) {
        for (const reference of references) {
          problems.push(...(await probe(route, reference, headers, who, kind)))
        }
      }
      expect(problems).toEqual([])
      expect(await snapshot(world.foreign.tenant.id)).toEqual(before)
    })
  },
)

/** Everyone who may call the route about an own object. */
function callersOf(
  route: Route,
): { headers: Record<string, string>; who: Person; kind: 'key' | 'token' }[] {
  const { key } = world.own.tenant
  const { ada, visitor } = world.own
  switch (route.layer) {
    case 'public':
      return [{ headers: {}, who: ada, kind: 'key' }]
    case 'operator':
      return [{ headers: ADMIN, who: ada, kind: 'key' }]
    case 'tenant':
      return [
        { headers: { 'x-api-key': key }, who: ada, kind: 'key' },
        { headers: { authorization: `Bearer ${key}` }, who: ada, kind: 'key' },
        { headers: { ...ADMIN, 'x-act-tenant': world.own.tenant.id }, who: ada, kind: 'key' },
      ]
    default:
      return [
        { headers: { 'x-api-key': key, 'x-end-user': 'ada' }, who: ada, kind: 'key' },
        { headers: { authorization: `Bearer ${key}`, 'x-end-user': 'ada' }, who: ada, kind: 'key' },
        { headers: visitor.headers, who: visitor, kind: 'token' },
      ]
  }
}

/** The foreign, the sibling and the absent object get one answer, to the byte; the request differs in nothing else. */
async function probe(
  route: Route,
  reference: Reference,
  headers: Record<string, string>,
  who: Person,
  kind: 'key' | 'token',
): Promise<string[]> {
  const filled = await exampleOf(route).fill(world, who)
  const ask = (value: string) =>
    call(
      route,
      { ...filled, [reference.in]: { ...filled[reference.in], [reference.field]: value } },
      headers,
    )
  const others = [reference.foreign(world), ...(reference.siblings?.(world, kind) ?? [])]
  const absent = await ask(reference.absent)
  const wanted = { detail: `${reference.resource} not found` }
  const problems =
    absent.status === 404 && isDeepStrictEqual(refusalBody(route, absent), wanted)
      ? []
      : [`absent ${reference.field}: ${absent.status} ${absent.text}`]
  for (const value of others) {
    const answer = await ask(value)
    if (fingerprint(answer) !== fingerprint(absent))
      problems.push(
        `${reference.field} ${value}: ${fingerprint(answer)} instead of ${fingerprint(absent)}`,
      )
  }
  return problems
}

/** An answer without what differs from request to request. */
function fingerprint({ status, headers, text }: Answer): string {
  const lines = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date').sort()
  return JSON.stringify([status, lines, text])
}

describe('names and spaces', () => {
  it('a name that only another tenant has means nothing here', async () => {
    const { own, foreign } = world
    await own.tenant.call('PUT', '/v1/agents/borrower', {
      published: true,
      grounding_required: true,
      knowledge_bases: [foreign.base],
      skills: [foreign.skill],
    })
    const plan = await own.tenant.call('POST', '/v1/agents/borrower/preview-plan', {
      goal: 'Refunds?',
    })
    expect(plan.json.plan.knowledge_bases).toEqual([])
    expect(plan.json.warnings).toHaveLength(2)
    const body = { message: 'When are refunds paid?', agent: 'borrower' }
    const turn = await own.tenant.as('ada', 'POST', '/v1/chat', body)
    expect(turn.json).toMatchObject({ finish_reason: 'no_match', sources: [], closest: [] })
  })

  it('the same name in two tenants leads each to its own', async () => {
    const { own, foreign } = world
    const add = (side: typeof own, text: string) =>
      seedBase(side.tenant, 'shared-name', { Facts: text })
    await Promise.all([
      add(own, 'The code of own is alpha.'),
      add(foreign, 'The code of foreign is omega.'),
    ])
    const ask = (side: typeof own) =>
      side.tenant.call('POST', '/v1/knowledge-bases/shared-name/search', { query: 'Which code?' })
    expect((await ask(own)).text).toContain('alpha')
    expect((await ask(own)).text).not.toContain('omega')
    expect((await ask(foreign)).text).not.toContain('alpha')
  })

  it('an id wins over the default space, and a space that contradicts it is 404', async () => {
    const { visitor } = world.own
    const inSpace = (spaceId: string, body: object) =>
      parley.call('POST', '/v1/chat', {
        body,
        headers: { ...visitor.headers, 'x-space-id': spaceId },
      })
    const made = await parley.call('POST', '/me/spaces', {
      body: { name: 'Empty' },
      headers: visitor.headers,
    })
    const message = 'When are refunds paid?'
    const other = await inSpace(made.json.id, { message, session_id: visitor.sessionId })
    expect([other.status, other.json]).toEqual([404, { detail: 'Session not found' }])
    const closed = await inSpace(made.json.id, { message })
    expect([closed.status, closed.json]).toEqual([
      403,
      { detail: 'Agent not available in this space' },
    ])
    expect(
      (await inSpace(visitor.spaceId, { message, session_id: visitor.sessionId })).status,
    ).toBe(200)
  })

  it('an unpublished agent is absent to end users and there for a tenant key with X-Preview', async () => {
    const { own } = world
    await own.tenant.call('PUT', '/v1/agents/draft', { published: false })
    const body = { message: 'Hello', agent: 'draft' }
    const preview = { 'x-preview': '1' }
    const asVisitor = (headers: Record<string, string>) =>
      parley.call('POST', '/v1/chat', { body, headers: { ...own.visitor.headers, ...headers } })
    expect((await asVisitor({})).json).toEqual({ detail: 'Agent not found' })
    expect((await asVisitor(preview)).json).toEqual({ detail: 'Agent not found' })
    expect((await own.tenant.as('ada', 'POST', '/v1/chat', body)).status).toBe(404)
    expect((await own.tenant.as('ada', 'POST', '/v1/chat', body, preview)).status).toBe(200)
  })
})
