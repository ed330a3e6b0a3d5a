import { sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { everyTable } from './every-table'

/** Databases that were found complete; they do not lose anything again. */
const complete = new WeakSet<D1Database>()

export const isComplete = (d1: D1Database): boolean => complete.has(d1)

/** Every `table.column` of the database: a statement of its own, or one of a batch that is sent anyway. */
export const selectPlaces = sql`SELECT m.name || '.' || c.name AS place FROM sqlite_master AS m, pragma_table_info(m.name) AS c
  WHERE m.type = 'table' AND substr(m.name, 1, 4) <> '_cf_'`

export interface Place {
  place: string
}

/**
 * The first `table.column` that our statements name and the database has not: a migration was not applied. Or null, which is
 * remembered. Statements themselves need not fail then: SQLite reads a quoted name that is no column as text.
 */
export function findMissing(d1: D1Database, places: readonly Place[]): string | null {
  const there = new Set(places.map(({ place }) => place))
  const wanted = everyTable().flatMap(placesOf)
  const missing = wanted.find((place) => !there.has(place)) ?? null
  if (missing === null) complete.add(d1)
  return missing
}

function placesOf(table: SQLiteTable): string[] {
  const { name, columns } = getTableConfig(table)
  return columns.map((column) => `${name}.${column.name}`)
}
