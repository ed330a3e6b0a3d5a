import { and, eq, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client'

/** A table whose rows belong to tenants. */
type OwnedTable = SQLiteTable & { tenantId: SQLiteColumn }

/** The tenant's own row that meets the conditions: another tenant's is not there. */
export async function findOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  ...conditions: (SQL | undefined)[]
): Promise<InferSelectModel<T> | undefined> {
  const own = and(eq(table.tenantId, tenantId), ...conditions)
  const row = await db.select().from<SQLiteTable>(table).where(own).limit(1).get()
  return row as InferSelectModel<T> | undefined
}

/** The tenant's own rows that meet the conditions, in the order of the columns. */
export async function listOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  conditions: (SQL | undefined)[] = [],
  order: (SQL | SQLiteColumn)[] = [],
): Promise<InferSelectModel<T>[]> {
  const own = and(eq(table.tenantId, tenantId), ...conditions)
  const rows = await db
    .select()
    .from<SQLiteTable>(table)
    .where(own)
    .orderBy(...order)
  return rows as InferSelectModel<T>[]
}
