import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { OUTAGE_RETRY_S } from '../config/limits'
import type { UserRow } from '../db/tables/users'
import { unavailable } from '../errors'
import { inTurn } from '../platform/in-turn'

const PATIENCE_MS = 20_000
const PAUSE_MS = 20
const LONGEST_PAUSE_MS = 640

/**
 * Optimistic locking. `attempt` reads an object, decides, and commits on the condition that the object is still as it was
 * read; it returns null when it was not, and is run again. Within an isolate changes of one `name` queue up, so that
 * isolates race with one writer each, of which one wins every time.
 * @throws what `attempt` throws; ApiError 503 when it has lost for twenty seconds.
 */
export function untilCommitted<T>(name: string, attempt: () => Promise<T | null>): Promise<T> {
  return inTurn(name, async () => {
    const end = Date.now() + PATIENCE_MS
    for (let longest = PAUSE_MS; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
      const result = await attempt()
      if (result !== null) return result
      if (Date.now() > end) throw unavailable(undefined, OUTAGE_RETRY_S)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
    }
  })
}

interface Versioned {
  tenantId: string
  id: string
  updatedAt: number
}

/** The condition that a row is still there, for those that jobs change all the time. */
export function isThere(table: SQLiteTable, row: Pick<Versioned, 'tenantId' | 'id'>): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = ${row.tenantId} AND id = ${row.id})`
}

/** The condition that a row is still as it was read. */
export function isUnchanged(table: SQLiteTable, row: Versioned): SQL {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE tenant_id = ${row.tenantId} AND id = ${row.id} AND updated_at = ${row.updatedAt})`
}

/** The condition that a user is there and not deleted. */
export const isActive = (user: Pick<UserRow, 'tenantId' | 'id'>) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND tenant_id = ${user.tenantId} AND status = 'active')`

/** The time of a row's next write: always later than the last, so that two writes within a millisecond differ. */
export function nextUpdate(row: Pick<Versioned, 'updatedAt'>, now: number): number {
  return Math.max(now, row.updatedAt + 1)
}
