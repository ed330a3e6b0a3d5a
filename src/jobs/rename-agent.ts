import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import { type Db, openPrimary } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { handoffs } from '../db/tables/handoffs'
import { spaces } from '../db/tables/spaces'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import type { JobOf } from './job'

/** A statement names each with its user, and takes a hundred values. */
const BATCH = 45

/**
 * An agent was renamed: every space of the tenant follows, to the name that the agent has by now, so that two renames may
 * be worked off in any order. Safe to run twice; ends when the agent was deleted meanwhile.
 */
export async function renameAgent(env: Env, job: JobOf<'agent.rename'>): Promise<void> {
  const db = openPrimary(env.DB)
  const agent = await findOwn(db, agents, job.tenantId, eq(agents.id, job.agentId))
  if (!agent || agent.name === job.from) return
  const rows = await pickOwn(
    db,
    spaces,
    job.tenantId,
    { id: spaces.id, userId: spaces.userId },
    gt(spaces.id, job.after ?? ''),
  )
    .orderBy(asc(spaces.id))
    .limit(BATCH)
  const { agentId, from, renamedAt } = job
  await Promise.all(
    rows.map((space) => {
      const address = { tenantId: job.tenantId, userId: space.userId, spaceId: space.id }
      const rename = { agentId, from, to: agent.name, renamedAt }
      return workIn(env, address, 'space', 'renameAgent', rename)
    }),
  )
  // The inbox by name and age, as what the spaces keep. It has what they told before they knew.
  await renameInInbox(db, job, agent.name, rows)
  const last = rows.at(-1)
  if (last && rows.length === BATCH) await sendJobs(env, [{ ...job, after: last.id }])
}

/** Of these spaces, not among all of the tenant's inbox. Exported for the test that reads its plan. */
export function renameInInbox(
  db: Db,
  { tenantId, from, renamedAt }: Pick<JobOf<'agent.rename'>, 'tenantId' | 'from' | 'renamedAt'>,
  to: string,
  of: readonly { id: string; userId: string }[],
) {
  return db
    .update(handoffs)
    .set({ agentName: to })
    .where(
      and(
        eq(handoffs.tenantId, tenantId),
        inArray(
          handoffs.userId,
          of.map(({ userId }) => userId),
        ),
        inArray(
          handoffs.spaceId,
          of.map(({ id }) => id),
        ),
        eq(handoffs.agentName, from),
        lt(handoffs.createdAt, renamedAt),
      ),
    )
}
