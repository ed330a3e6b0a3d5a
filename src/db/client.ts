import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { guardD1 } from './guard-d1'

export type Db = DrizzleD1Database

/** The primary: for management, where a write must be seen by the next read. */
export function openPrimary(d1: D1Database): Db {
  return drizzle(guardD1(d1.withSession('first-primary')) as unknown as D1Database)
}

/** The nearest replica: for hot paths, whose authority sits in Durable Objects. */
export function openReplica(d1: D1Database): Db {
  return drizzle(guardD1(d1.withSession('first-unconstrained')) as unknown as D1Database)
}

/** From the nearest replica. It may lag behind: only the primary says that something is not there. */
export async function findNear<T>(
  d1: D1Database,
  find: (db: Db) => Promise<T | null | undefined>,
): Promise<T | null | undefined> {
  return (await find(openReplica(d1))) ?? (await find(openPrimary(d1)))
}
