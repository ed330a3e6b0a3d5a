import { and, eq } from 'drizzle-orm'
import type { Language } from '../config/names'
import type { UserContext } from '../context'
import { users } from '../db/tables'

/** The language that the user registered with, null for one who came in another way. */
export async function readLanguage(ctx: UserContext): Promise<Language | null> {
  const [row] = await ctx.db
    .select({ lang: users.lang })
    .from(users)
    .where(and(eq(users.tenantId, ctx.tenant.id), eq(users.id, ctx.user.id)))
    .limit(1)
  return row?.lang ?? null
}
