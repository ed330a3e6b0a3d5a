import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { USAGE_REPORT } from '../../src/config/limits'
import { type Parley, sharedParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ABSENT = '01930000-0000-7000-8000-000000000000'
interface Row {
  key: string
  label: string
  requests: number
  total_tokens: number
}

describe('usage', () => {
  let parley: Parley

  beforeAll(async () => {
    parley = await sharedParley()
  })
  afterAll(() => parley.close())

  const report = async (tenant: SeededTenant, query = '') =>
    (await expectOk(tenant.call('GET', `/v1/manage/usage?${query}`))).json
  const rowsOf = async (tenant: SeededTenant, query: string): Promise<Row[]> =>
    (await report(tenant, query)).rows
  const pairs = (rows: Row[]) => rows.map(({ key, total_tokens }) => [key, total_tokens])

  /** Hourly rows as the meter writes them. */
  async function book(
    tenant: SeededTenant,
    rows: { hour: number; tokens: number; user?: string; kind?: string }[],
  ) {
    const { DB } = await parley.worker.getEnv()
    const insert = DB.prepare(
      'INSERT INTO usage_hourly VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, 1, 0, 2, 0)',
    )
    await DB.batch(
      rows.map(({ hour, tokens, user = 'u', kind = 'chat' }) =>
        insert.bind(
          tenant.id,
          Math.floor(hour / HOUR) * HOUR,
          'a',
          user,
          's',
          'm',
          kind,
          tokens - 1,
        ),
      ),
    )
  }

  it('counts real turns and ingestion, whatever the group', async () => {
    const tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    await seedAgent(tenant, 'shop', { knowledge_bases: ['guide'] })
    let tokens = 0
    for (const [user, agent] of [
      ['ada', 'desk'],
      ['ada', 'shop'],
      ['bob', 'desk'],
    ] as const) {
      const { json } = await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message: 'When are refunds paid?', agent }),
      )
      tokens += json.usage.input_tokens + json.usage.output_tokens
    }
    // Ingestion, as the meter books it where there is an embedder.
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      "INSERT INTO usage_hourly VALUES (?, ?, '', '', '', 'm', 'embedding', 1, 9, 0, 0, 4, 9)",
    )
      .bind(tenant.id, Math.floor(Date.now() / HOUR) * HOUR)
      .run()
    const kindOf = async (kind: string) =>
      (await rowsOf(tenant, 'group=kind')).find(({ key }) => key === kind)
    await waitFor(async () => ((await kindOf('title'))?.requests === 3 ? true : null))
    expect(await kindOf('chat')).toMatchObject({ label: 'chat', requests: 3, total_tokens: tokens })

    const agents = await rowsOf(tenant, 'group=agent')
    expect(agents.map(({ label }) => label).toSorted()).toEqual(['No agent', 'desk', 'shop'])
    expect(agents.find(({ label }) => label === 'No agent')?.key).toBe('none')
    const users = await rowsOf(tenant, 'group=user')
    expect(users.map(({ label }) => label).toSorted()).toEqual(['No user', 'ada', 'bob'])
    const spaces = await rowsOf(tenant, 'group=space')
    expect(spaces.map(({ label }) => label).toSorted()).toEqual(['Default', 'Default', 'No space'])
    expect((await rowsOf(tenant, 'group=model')).some(({ key }) => key.startsWith('offline'))).toBe(
      true,
    )

    const { group, total } = await report(tenant)
    expect(group).toBe('total')
    for (const name of [
      'total',
      'agent',
      'user',
      'space',
      'hour',
      'day',
      'week',
      'model',
      'kind',
    ]) {
      const grouped = await report(tenant, `group=${name}`)
      expect([name, grouped.group, grouped.total]).toEqual([name, name, total])
      const sum = grouped.rows.reduce((all: number, row: Row) => all + row.total_tokens, 0)
      expect([name, sum]).toEqual([name, total.total_tokens])
    }

    const ada = users.find(({ label }) => label === 'ada')?.key
    const { json } = await tenant.call('GET', `/v1/manage/users/${ada}/usage?hours=3`)
    expect(json.points).toHaveLength(3)
    const requests = json.points.reduce((sum: number, point: Row) => sum + point.requests, 0)
    expect(requests).toBe(4)
    expect(json.total_tokens).toBe(users.find(({ key }) => key === ada)?.total_tokens)
  })

  it('groups by hour, day and ISO week in order of time, by the rest in order of tokens', async () => {
    const tenant = await seedTenant(parley)
    const monday = Date.UTC(2026, 10, 16)
    await book(tenant, [
      { hour: monday, tokens: 5, user: 'x' },
      { hour: monday + HOUR, tokens: 7, user: 'y' },
      { hour: monday + DAY, tokens: 11, user: 'x' },
      { hour: monday - HOUR, tokens: 3, user: 'z' },
      { hour: monday - 7 * DAY - HOUR, tokens: 2, user: 'z' },
    ])
    const since = 'since=2026-11-01'
    expect(pairs(await rowsOf(tenant, `group=hour&${since}`))).toEqual([
      ['2026-11-08T23:00:00Z', 2],
      ['2026-11-15T23:00:00Z', 3],
      ['2026-11-16T00:00:00Z', 5],
      ['2026-11-16T01:00:00Z', 7],
      ['2026-11-17T00:00:00Z', 11],
    ])
    expect(pairs(await rowsOf(tenant, `group=day&${since}`))).toEqual([
      ['2026-11-08', 2],
      ['2026-11-15', 3],
      ['2026-11-16', 12],
      ['2026-11-17', 11],
    ])
    const weeks = await rowsOf(tenant, `group=week&${since}`)
    expect(weeks.map(({ key, label, total_tokens }) => [key, label, total_tokens])).toEqual([
      ['2026-W45', '2026-11-02', 2],
      ['2026-W46', '2026-11-09', 3],
      ['2026-W47', '2026-11-16', 23],
    ])
    expect(pairs(await rowsOf(tenant, `group=user&${since}`))).toEqual([
      ['x', 16],
      ['y', 7],
      ['z', 5],
    ])
    expect(await report(tenant, `group=total&${since}`)).toEqual({
      group: 'total',
      total: {
        key: 'total',
        label: 'Total',
        requests: 5,
        input_tokens: 23,
        output_tokens: 5,
        cached_tokens: 0,
        total_tokens: 28,
        estimated_tokens: 0,
        events: 10,
      },
      rows: [expect.objectContaining({ key: 'total', total_tokens: 28 })],
    })
  })

  it('totals more rows than it lists', async () => {
    const tenant = await seedTenant(parley)
    const since = Date.UTC(2026, 5, 1)
    const hours = USAGE_REPORT.rows + 1
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1)
       INSERT INTO usage_hourly SELECT ?1, ?3 + i * ?4, 'a', 'u', 's', 'm', 'chat', 1, 1, 1, 0, 2, 0 FROM n`,
    )
      .bind(tenant.id, hours, since, HOUR)
      .run()
    for (const [group, rows] of [
      ['hour', USAGE_REPORT.rows],
      ['day', Math.ceil(hours / 24)],
    ] as const) {
      const told = await report(tenant, `group=${group}&since=2026-06-01`)
      expect([told.rows.length, told.total.requests]).toEqual([rows, hours])
    }
  })

  it('looks back 30 days, a span, or to a time', async () => {
    const tenant = await seedTenant(parley)
    const now = Date.now()
    await book(tenant, [
      { hour: now, tokens: 2 },
      { hour: now - 2 * HOUR, tokens: 10 },
      { hour: now - 5 * DAY, tokens: 100 },
      { hour: now - 40 * DAY, tokens: 1000 },
    ])
    const totalOf = async (query: string) => (await report(tenant, query)).total.total_tokens
    expect(await totalOf('')).toBe(112)
    expect(await totalOf('since=')).toBe(112)
    expect(await totalOf('since=1h')).toBe(2)
    expect(await totalOf('since=24h')).toBe(12)
    expect(await totalOf('since=7d')).toBe(112)
    expect(await totalOf('since=90d')).toBe(1112)
    expect(await totalOf(`since=${new Date(now - 41 * DAY).toISOString()}`)).toBe(1112)
    expect(await totalOf('since=2099-01-01')).toBe(0)
  })

  it('is empty, not absent, for a tenant without use', async () => {
    const tenant = await seedTenant(parley)
    const { total, rows } = await report(tenant, 'group=agent')
    expect([total.total_tokens, total.requests, rows]).toEqual([0, 0, []])
  })

  it('gives a user a point for every day or hour', async () => {
    const tenant = await seedTenant(parley)
    // Without a turn: what follows one in the background is booked while this looks.
    await expectOk(tenant.as('ada', 'GET', '/me'))
    const { DB } = await parley.worker.getEnv()
    const uid = await DB.prepare("SELECT id FROM users WHERE tenant_id = ? AND external_id = 'ada'")
      .bind(tenant.id)
      .first<string>('id')
    const now = Date.now()
    await book(tenant, [
      { hour: now - 3 * DAY, tokens: 50, user: uid ?? '' },
      { hour: now - 3 * DAY, tokens: 70, user: 'another' },
      { hour: now - 31 * DAY, tokens: 900, user: uid ?? '' },
    ])
    const usageOf = async (query: string) =>
      (await expectOk(tenant.call('GET', `/v1/manage/users/${uid}/usage?${query}`))).json
    // The day or the hour may end while this looks.
    const startOf = (at: number, step: number) =>
      new Date(Math.floor(at / step) * step).toISOString()
    const from = (points: { t: string }[], t: string) =>
      points.slice(points.findIndex((point) => point.t === t))
    const month = await usageOf('')
    expect(month.points).toHaveLength(30)
    expect([startOf(now, DAY), startOf(Date.now(), DAY)]).toContain(month.points.at(-1).t)
    const [booked, next] = from(month.points, startOf(now - 3 * DAY, DAY))
    expect(booked).toMatchObject({ tokens: 50, requests: 1 })
    expect(next).toMatchObject({ tokens: 0, requests: 0 })
    expect((await usageOf('days=60')).total_tokens).toBe(month.total_tokens + 900)
    const hours = await usageOf('hours=74')
    expect(hours.points).toHaveLength(74)
    expect(from(hours.points, startOf(now - 3 * DAY, HOUR))[0]).toMatchObject({ tokens: 50 })
  })

  it('is refused for a user of another tenant like for an absent one', async () => {
    const [one, two] = [await seedTenant(parley), await seedTenant(parley)]
    await seedAgent(one, 'desk')
    await expectOk(one.as('ada', 'POST', '/v1/chat', { message: 'hello', agent: 'desk' }))
    const { DB } = await parley.worker.getEnv()
    const uid = await DB.prepare('SELECT id FROM users WHERE tenant_id = ?')
      .bind(one.id)
      .first<string>('id')
    for (const id of [uid, ABSENT]) {
      const { status, json } = await two.call('GET', `/v1/manage/users/${id}/usage`)
      expect([status, json]).toEqual([404, { detail: 'User not found' }])
    }
    expect((await report(two)).total.requests).toBe(0)
  })

  it.each([
    ['usage?group=color', 'literal_error', ['query', 'group']],
    ['usage?since=yesterday', 'value_error', ['query', 'since']],
    ['usage?since=7x', 'value_error', ['query', 'since']],
    ['users/nobody/usage', 'uuid_parsing', ['path', 'uid']],
    [`users/${ABSENT}/usage?hours=0`, 'greater_than_equal', ['query', 'hours']],
    [`users/${ABSENT}/usage?days=367`, 'less_than_equal', ['query', 'days']],
    [`users/${ABSENT}/usage?days=a`, 'int_parsing', ['query', 'days']],
  ])('refuses %s', async (path, type, loc) => {
    const tenant = await seedTenant(parley)
    const { status, json } = await tenant.call('GET', `/v1/manage/${path}`)
    expect([status, json.detail]).toEqual([422, [{ type, loc, msg: expect.any(String) }]])
  })
})
