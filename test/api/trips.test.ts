import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

/** One way to D1 and back: `bench/counted.ts` tells them. */
interface Trip {
  by: string
  statements: string[]
}

/** Asked for at most once a second and isolate, and noted once a minute: counted by a test of their own. */
const KEY_LOOK_UP = /from "api_keys" inner join "tenants"/u
const KEY_NOTE = /^update "api_keys" set "last_used_at"/u

/** Remembered for five seconds where an end user asks. */
const TENANT_LOOK_UP = /from "tenants" where "tenants"\."id" = \? limit \?$/u

const PASSWORD = 'correct horse battery'

/**
 * How often the way to D1 is gone, and with how many statements in all, for a call whose key was just looked up, with what
 * follows behind its answer. Whoever adds one says here what for.
 */
const CALLS: [call: string, trips: number, statements: number, body?: object][] = [
  ['GET /v1/tenant/me', 0, 0],
  ['GET /v1/tenant/settings', 1, 3],
  // Read, write with its audit entry, read what is shown.
  ['PATCH /v1/tenant/settings', 3, 6, { name: 'Another' }],
  ['GET /v1/skills', 1, 4],
  ['POST /v1/skills/one', 2, 8, {}],
  ['PUT /v1/skills/one', 2, 8, { description: 'Greets' }],
  ['PUT /v1/skills/two', 2, 8, {}],
  ['PATCH /v1/skills/one', 2, 8, { description: 'Bows' }],
  ['GET /v1/skills/one', 1, 4],
  ['GET /v1/skills/one/revisions', 2, 2],
  ['DELETE /v1/skills/one', 3, 6],
  ['POST /v1/knowledge-bases', 1, 2, { name: 'kb' }],
  ['GET /v1/knowledge-bases', 1, 1],
  ['GET /v1/knowledge-bases/kb', 1, 1],
  ['PATCH /v1/knowledge-bases/kb', 2, 3, { instructions: 'Be brief' }],
  // The base, documents of the same path, the row.
  [
    'POST /v1/knowledge-bases/kb/documents/text',
    3,
    4,
    { title: 'Hours', text: 'We open at nine.' },
  ],
  ['GET /v1/knowledge-bases/kb/documents', 2, 2],
  ['POST /v1/knowledge-bases/kb/search', 1, 1, { query: 'opening hours' }],
  ['POST /v1/agents/desk', 1, 4, {}],
  ['PUT /v1/agents/desk', 2, 5, { published: true }],
  ['PUT /v1/agents/other', 2, 5, {}],
  ['PATCH /v1/agents/desk', 2, 5, { task: 'Help' }],
  ['GET /v1/agents', 1, 1],
  ['GET /v1/agents/desk', 1, 1],
  // The agent, its icon and its storylines, the write.
  ['DELETE /v1/agents/other', 4, 5],
  ['POST /v1/tenant/keys', 1, 2, { name: 'second' }],
  ['GET /v1/tenant/keys', 1, 1],
  ['POST /v1/tenant/keys/{key}/revoke', 2, 3],
  ['DELETE /v1/tenant/keys/{key}', 2, 3],
  ['GET /v1/tenant/audit', 1, 2],
  ['GET /v1/manage/users', 1, 1],
]

describe('the way to D1', { timeout: 60_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley({}, { counted: true })
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('GET', '/v1/tenant/me'))
  })
  afterAll(() => parley.close())

  /** What calls asked since the last time, once nothing goes on behind their answers. */
  const takeTrips = async (): Promise<Trip[]> => {
    const trips: Trip[] = await waitFor(async () => {
      const { json } = await parley.call('GET', '/__trips')
      return json.settled ? json.trips : null
    })
    return trips.filter(({ by }) => by === 'call')
  }
  const isOfKey = ({ statements: [first = ''] }: Trip) =>
    KEY_LOOK_UP.test(first) || KEY_NOTE.test(first)
  const isOfTenant = ({ statements: [first = '', ...rest] }: Trip) =>
    rest.length === 0 && TENANT_LOOK_UP.test(first)
  const count = async (ask: () => Promise<Answer>, isKnown = isOfKey) => {
    await takeTrips()
    const { json } = await expectOk(ask())
    const trips = (await takeTrips()).filter((trip) => !isKnown(trip))
    return { json, counted: [trips.length, trips.flatMap((trip) => trip.statements).length] }
  }

  it('is gone as often as is said here', async () => {
    const found: typeof CALLS = []
    let key = ''
    for (const [call, , , body] of CALLS) {
      const [method = '', path = ''] = call.replace('{key}', key).split(' ')
      const { json, counted } = await count(() => tenant.call(method, path, body))
      if (call === 'POST /v1/tenant/keys') key = json.id
      const [trips = 0, statements = 0] = counted
      found.push(body ? [call, trips, statements, body] : [call, trips, statements])
    }
    expect(found).toEqual(CALLS)
  })

  it('is gone once for a tenant, with its key and its sealed audit entry', async () => {
    const body = { name: 'New', alias: `trips-${Date.now()}` }
    const { counted } = await count(() => parley.admin('POST', '/v1/admin/tenants', body))
    expect(counted).toEqual([1, 3])
  })

  it('is gone as often as is said here for people whose tenant is known', async () => {
    const email = `trips-${Date.now()}@people.example`
    const person = { tenant_id: tenant.id, email, password: PASSWORD }
    const visit = { tenant_id: tenant.id }
    const { json } = await count(() => parley.call('POST', '/auth/register', { body: person }))
    const headers = { authorization: `Bearer ${json.access_token}` }
    const counts: [string, number[]][] = []
    for (const [call, options] of [
      ['POST /auth/anonymous', { body: visit }],
      ['POST /auth/login', { body: person }],
      ['GET /me/spaces', { headers }],
      ['GET /me/reminders', { headers }],
      ['GET /me/remembered', { headers }],
    ] as const) {
      const [method = '', path = ''] = call.split(' ')
      counts.push([
        call,
        (await count(() => parley.call(method, path, options), isOfTenant)).counted,
      ])
    }
    expect(counts).toEqual([
      ['POST /auth/anonymous', [1, 2]],
      ['POST /auth/login', [2, 2]],
      ['GET /me/spaces', [2, 2]],
      ['GET /me/reminders', [0, 0]],
      ['GET /me/remembered', [0, 0]],
    ])
  })

  it('is gone as often for fifty spaces as for two', async () => {
    const headers = { 'x-end-user': 'many' }
    const ask = (method: string, path: string, body?: object) =>
      tenant.call(method, path, body, headers)
    const { json } = await expectOk(ask('POST', '/me/spaces', { name: 'Second' }))
    await expectOk(ask('POST', `/me/spaces/${json.id}/agents`, { name: 'desk' }))
    const { counted } = await count(() => ask('GET', '/me/spaces'))
    for (let n = 2; n < 50; n++) await expectOk(ask('POST', '/me/spaces', { name: `Space ${n}` }))
    const many = await count(() => ask('GET', '/me/spaces'))
    expect(many.counted).toEqual(counted)
    const agentsOf = many.json.map(({ agents }: { agents: string[] }) => agents)
    expect(agentsOf.slice(0, 3)).toEqual([['desk'], ['desk'], []])
  })

  it('is gone for a key once a second at most, and noted once a minute', async () => {
    const calls = 40
    await takeTrips()
    const begun = Date.now()
    for (let n = 0; n < calls; n++) await expectOk(tenant.call('PUT', '/v1/skills/two', {}))
    const seconds = Math.ceil((Date.now() - begun) / 1000)
    const trips = (await takeTrips()).map(({ statements: [first = ''] }) => first)
    const notes = trips.filter((first) => KEY_NOTE.test(first)).length
    const lookUps = trips.filter((first) => KEY_LOOK_UP.test(first)).length
    expect(notes).toBeLessThanOrEqual(1 + Math.floor(seconds / 60))
    // Writing the note is a write of a key.
    expect(lookUps).toBeLessThanOrEqual(1 + seconds + notes)
  })
})
