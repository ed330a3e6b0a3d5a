import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyTable } from '../../src/db/every-table'
import { type Parley, sharedParley } from '../support/harness'

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
}

const TABLES = everyTable().map(getTableConfig)

/** The tables that queries are written against are those that the migrations make. */
describe('schema parity', () => {
  let parley: Parley
  let db: D1Database
  beforeAll(async () => {
    parley = await sharedParley()
    db = (await parley.worker.getEnv()).DB
  })
  afterAll(() => parley.close())

  const columnsOf = async (table: string) =>
    (await db.prepare(`SELECT * FROM pragma_table_info('${table}')`).all<Column>()).results

  it('every table of the database is known, and no other', async () => {
    const { results } = await db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all<{ name: string }>()
    const migrated = results
      .map(({ name }) => name)
      .filter((name) => !/^(?:_cf|sqlite|d1)_/.test(name))
    expect(TABLES.map(({ name }) => name).sort()).toEqual(migrated)
  })

  it.each(TABLES.map((table) => [table.name, table] as const))(
    '%s has the same columns, types, keys and defaults',
    async (name, table) => {
      const migrated = await columnsOf(name)
      const primary = new Set(
        table.primaryKeys.flatMap((key) => key.columns.map((column) => column.name)),
      )
      const known = table.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        // SQLite lets a TEXT primary key be null; nothing here writes one.
        required: column.notNull && !column.primary,
        primary: column.primary || primary.has(column.name),
      }))
      expect(
        migrated
          .map((column) => ({
            name: column.name,
            type: column.type,
            required: column.notnull === 1 && column.pk === 0,
            primary: column.pk > 0,
          }))
          .sort((a, b) => a.name.localeCompare(b.name)),
      ).toEqual(
        known
          .map((column) => ({ ...column, required: column.required && !column.primary }))
          .sort((a, b) => a.name.localeCompare(b.name)),
      )
      // What Drizzle leaves out of an INSERT must have a default in the database, and the same one.
      for (const column of table.columns) {
        const real = migrated.find((one) => one.name === column.name)
        if (!column.hasDefault || column.default === undefined) continue
        const { default: raw } = column
        const stored = typeof raw === 'object' ? JSON.stringify(raw) : raw
        expect([column.name, real?.dflt_value?.replaceAll("'", '')]).toEqual([
          column.name,
          String(typeof stored === 'boolean' ? Number(stored) : stored),
        ])
      }
    },
  )
})
