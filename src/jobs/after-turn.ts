import { and, eq, lt } from 'drizzle-orm'
import { MINUTE_MS } from '../config'
import { openPrimary } from '../db/client'
import { users } from '../db/tables'
import { userSpace } from '../platform/stubs'
import { noteKeyUse } from '../tenants/note-key-use'
import type { JobOf } from './job'

/** What a turn leaves for later: when key and user were last active, a title, a summary. Safe to run twice. */
export async function followTurn(env: Env, job: JobOf<'turn.after'>): Promise<void> {
  const now = Date.now()
  if (job.keyId !== null) await noteKeyUse(env, job.keyId, now)
  await openPrimary(env.DB)
    .update(users)
    .set({ lastActiveAt: now })
    .where(
      and(
        eq(users.tenantId, job.tenantId),
        eq(users.id, job.userId),
        lt(users.lastActiveAt, now - MINUTE_MS),
      ),
    )
  await userSpace(env, job).afterTurn(job.sessionId, job.messageId, job.historyWindow)
}
