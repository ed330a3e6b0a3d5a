import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { OWNED_TABLES } from '../../../src/deletion/erase-user'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')

const database = new DatabaseSync(':memory:')
for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
  database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))

const all = (query: string) => database.prepare(query).all() as Record<string, string | number>[]
const scans = (query: string) =>
  all(`EXPLAIN QUERY PLAN ${query}`)
    .map(({ detail }) => String(detail))
    .filter((detail) => /^SCAN/u.test(detail))

/** With each row that goes, the database looks for rows that refer to it. */
describe('what refers to a row', () => {
  it('is found without reading the whole table, where rows of that kind are deleted', () => {
    const tables = all("SELECT name FROM sqlite_master WHERE type = 'table'").map(
      ({ name }) => name,
    )
    const references = tables.flatMap((table) =>
      all(`PRAGMA foreign_key_list(${table})`).map(({ table: to, from }) => ({ table, to, from })),
    )
    expect(references.length).toBeGreaterThan(10)
    // The rows of tenants stay.
    const found = references
      .filter(({ to }) => to !== 'tenants')
      .filter(({ table, from }) => scans(`SELECT 1 FROM ${table} WHERE ${from} = 'id'`).length > 0)
    expect(found).toEqual([])
  })
})

describe('what a user owns', () => {
  it('is deleted without reading what others own', () => {
    const owner = 'tenant_id = ? AND user_id = ?'
    const found = OWNED_TABLES.filter(
      (table) => scans(`DELETE FROM ${table} WHERE ${owner}`).length > 0,
    )
    expect(found).toEqual([])
  })
})

describe('the spaces of a tenant', () => {
  it('are gone through in their order, without sorting all of them for each step', () => {
    const step = 'SELECT id FROM spaces WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT 50'
    const [found] = all(`EXPLAIN QUERY PLAN ${step}`)
    expect(found?.detail).toBe(
      'SEARCH spaces USING COVERING INDEX spaces_in_order (tenant_id=? AND id>?)',
    )
  })
})
