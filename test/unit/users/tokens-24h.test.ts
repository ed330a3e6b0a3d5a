import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { SQL } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/client'
import { readTokens24h, sumTokens24h } from '../../../src/users/tokens-24h'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')
const HOUR = 3_600_000
const NOON = Date.parse('2026-11-22T12:00:00Z')

/** D1 as it is migrated, with the statements that were asked of it and how many rows they changed. */
function openDatabase() {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA foreign_keys = OFF')
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
    database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  const asked: string[] = []
  const changed: number[] = []
  const dialect = new SQLiteSyncDialect()
  const db = {
    get: async (query: SQL) => {
      const { sql, params } = dialect.sqlToQuery(query)
      return database.prepare(sql).get(...(params as SQLInputValue[]))
    },
    run: async (query: SQL) => {
      const { sql, params } = dialect.sqlToQuery(query)
      asked.push(sql)
      changed.push(Number(database.prepare(sql).run(...(params as SQLInputValue[])).changes))
    },
  } as unknown as Db
  const user = (id: string, tenant = 'acme') =>
    database
      .prepare(
        "INSERT INTO users (id, tenant_id, source, external_id, created_at, last_active_at) VALUES (?, ?, 'proxy', ?, 1, 1)",
      )
      .run(id, tenant, id)
  const use = (id: string, hour: number, tokens: number, tenant = 'acme') =>
    database
      .prepare(
        "INSERT INTO usage_hourly (tenant_id, hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, events) VALUES (?, ?, 'a', ?, 's', 'm', 'chat', 1, ?, 0, 0, 1)",
      )
      .run(tenant, hour, id, tokens)
  const tokens = () =>
    Object.fromEntries(
      database
        .prepare('SELECT id, tokens_24h FROM users ORDER BY id')
        .all()
        .map((row) => [row.id, row.tokens_24h]),
    )
  return { database, db, asked, changed, user, use, tokens }
}

describe('what users used in the last day', () => {
  it('is the running hour and the 23 before, and goes when they are over', async () => {
    const { db, user, use, tokens } = openDatabase()
    for (const id of ['ada', 'bob', 'cid']) user(id)
    use('ada', NOON, 5)
    use('ada', NOON - 23 * HOUR, 50)
    use('ada', NOON - 24 * HOUR, 500)
    use('bob', NOON - 23 * HOUR, 7)
    await sumTokens24h(db, 'acme', NOON + 1)
    for (const [id, sum] of Object.entries(tokens()))
      expect(await readTokens24h(db, { tenantId: 'acme', id }, NOON + 1)).toBe(sum)
    expect(tokens()).toEqual({ ada: 55, bob: 7, cid: 0 })
    await sumTokens24h(db, 'acme', NOON + HOUR)
    expect(tokens()).toEqual({ ada: 5, bob: 0, cid: 0 })
    await sumTokens24h(db, 'acme', NOON + 24 * HOUR)
    expect(tokens()).toEqual({ ada: 0, bob: 0, cid: 0 })
  })

  it('is written only where it changed, for one tenant', async () => {
    const { db, changed, user, use, tokens } = openDatabase()
    user('ada')
    user('bob')
    user('eve', 'globex')
    use('ada', NOON, 5)
    use('bob', NOON, 6)
    use('eve', NOON, 7, 'globex')
    await sumTokens24h(db, 'acme', NOON)
    use('bob', NOON - HOUR, 10)
    await sumTokens24h(db, 'acme', NOON)
    await sumTokens24h(db, 'acme', NOON)
    expect(tokens()).toEqual({ ada: 5, bob: 16, eve: 0 })
    expect(changed).toEqual([2, 0, 1, 0, 0, 0])
  })

  it('is found by indexes, a day of one tenant', async () => {
    const { database, db, asked } = openDatabase()
    await sumTokens24h(db, 'acme', NOON)
    const plans = asked.map((query) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .all()
        .map(({ detail }) => String(detail)),
    )
    expect(plans.flat().filter((detail) => /^SCAN (?!day)/u.test(detail))).toEqual([])
    expect(plans[1]?.join()).toContain('users_tokens_due')
  })
})
