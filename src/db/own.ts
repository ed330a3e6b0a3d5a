import { and, count, eq, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { SelectedFields, SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './client'

/** A table whose rows belong to tenants. */
type OwnedTable = SQLiteTable & { tenantId: SQLiteColumn }

type Condition = SQL | undefined

/** The tenant's own row that meets the conditions: another tenant's is not there. */
export async function findOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  ...conditions: Condition[]
): Promise<InferSelectModel<T> | undefined> {
  const row = await selectOwn<OwnedTable>(db, table, tenantId, ...conditions)
    .limit(1)
    .get()
  return row as InferSelectModel<T> | undefined
}

/** The tenant's own rows that meet the conditions, in the order of the columns. */
export async function listOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  conditions: Condition[] = [],
  order: (SQL | SQLiteColumn)[] = [],
): Promise<InferSelectModel<T>[]> {
  const rows = await selectOwn<OwnedTable>(db, table, tenantId, ...conditions).orderBy(...order)
  return rows as InferSelectModel<T>[]
}

/** The statement that reads them: to be joined, ordered, limited, or put into a batch. */
export function selectOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  ...conditions: Condition[]
) {
  // Drizzle refuses a table whose type is a parameter; what it makes of it is right.
  return db
    .select()
    .from<T>(table as never)
    .where(and(eq(table.tenantId, tenantId), ...conditions))
}

/** The same with single columns, those of joined tables and counts among them. */
export function pickOwn<T extends OwnedTable, F extends SelectedFields>(
  db: Db,
  table: T,
  tenantId: string,
  columns: F,
  ...conditions: Condition[]
) {
  return db
    .select(columns)
    .from<T>(table as never)
    .where(and(eq(table.tenantId, tenantId), ...conditions))
}

/** How many of the tenant's own rows meet the conditions. */
export async function countOwn<T extends OwnedTable>(
  db: Db,
  table: T,
  tenantId: string,
  ...conditions: Condition[]
): Promise<number> {
  const row = await pickOwn<OwnedTable, { n: SQL<number> }>(
    db,
    table,
    tenantId,
    { n: count() },
    ...conditions,
  ).get()
  return row?.n ?? 0
}
