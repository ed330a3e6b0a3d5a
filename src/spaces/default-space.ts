import { and, eq, sql } from 'drizzle-orm'
import { spaces } from '../db/tables/spaces'
import { users } from '../db/tables/users'

/** A user's default space. The index of these holds for the literal alone: with a bound value every space there is was read. */
export const DEFAULT_SPACE = and(eq(spaces.userId, users.id), sql`${spaces.isDefault} = 1`)
