import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from './tables'

/**
 * The first `table.column` that our statements name and the database has not: a migration was not applied. Or null.
 * Statements themselves need not fail then: SQLite reads a quoted name that is no column as text.
 */
export async function findMissingColumn(d1: D1Database): Promise<string | null> {
  const { results } = await d1
    .prepare(
      `SELECT m.name || '.' || c.name AS place FROM sqlite_master AS m, pragma_table_info(m.name) AS c
       WHERE m.type = 'table' AND substr(m.name, 1, 4) <> '_cf_'`,
    )
    .all<{ place: string }>()
  const there = new Set(results.map(({ place }) => place))
  const wanted = Object.values(tables as Record<string, unknown>).flatMap((table) =>
    is(table, SQLiteTable) ? placesOf(table) : [],
  )
  return wanted.find((place) => !there.has(place)) ?? null
}

function placesOf(table: SQLiteTable): string[] {
  const { name, columns } = getTableConfig(table)
  return columns.map((column) => `${name}.${column.name}`)
}
