import { desc, eq, inArray, lt } from 'drizzle-orm'
import type { EnrollmentStatus } from '../config/names'
import type { TenantContext } from '../context'
import { findOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import {
  type EnrollmentRow,
  type StorylineRow,
  storylineEnrollments,
} from '../db/tables/storylines'
import { type Page, readPage } from '../wire/paging'
import { presentEnrollment } from './present-storyline'

type Shown = ReturnType<typeof presentEnrollment>

export interface EnrollmentFilter {
  status?: EnrollmentStatus | undefined
  node?: string | undefined
}

/** Where people stand, newest first: positions, never what was noted. */
export async function listEnrollments(
  ctx: TenantContext,
  storyline: StorylineRow,
  { limit, cursor, ...filter }: EnrollmentFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<Shown>> {
  const live = await isLive(ctx, storyline)
  const { status, node } = filter
  return readPage(
    ctx,
    { limit, cursor },
    {
      route: 'enrollments',
      filter: { storyline: storyline.id, ...filter },
      read: (after: string | null, most) =>
        selectOwn(
          ctx.db,
          storylineEnrollments,
          ctx.tenant.id,
          eq(storylineEnrollments.storylineId, storyline.id),
          after === null ? undefined : lt(storylineEnrollments.id, after),
          status && inArray(storylineEnrollments.status, storedAs(status, live)),
          node === undefined ? undefined : eq(storylineEnrollments.nodeKey, node),
        )
          .orderBy(desc(storylineEnrollments.id))
          .limit(most + 1),
      position: (row: EnrollmentRow) => row.id,
      present: (row: EnrollmentRow) => presentEnrollment(row, live),
    },
  )
}

/** Nobody goes on while the storyline or its agent is not published. */
async function isLive(ctx: TenantContext, storyline: StorylineRow): Promise<boolean> {
  if (storyline.status !== 'published') return false
  const agent = await findOwn(ctx.db, agents, ctx.tenant.id, eq(agents.name, storyline.agentName))
  return agent?.published === true
}

/** The directory keeps what the user's object said; that nobody goes on is added when it is shown. */
function storedAs(status: EnrollmentStatus, live: boolean): EnrollmentStatus[] {
  if (live || (status !== 'paused' && status !== 'active')) return [status]
  return status === 'paused' ? ['paused', 'active'] : []
}
