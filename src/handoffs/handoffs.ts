import { desc, eq, lt } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import type { HandoffStatus } from '../config/names'
import type { TenantContext } from '../context'
import { selectOwn } from '../db/own'
import { type HandoffRow, handoffs } from '../db/tables/handoffs'
import { tenantKey } from '../platform/secrets'
import { askAsTenant, findSpaceOfSession } from '../spaces/user-spaces'
import { isoOf } from '../time'
import { type Page, readPage } from '../wire/paging'
import type { HandoffHead } from './handoff'
import { noteHandoff, openSummary } from './note-handoff'

/** The inbox, newest first. */
export async function listHandoffs(
  ctx: TenantContext,
  {
    status,
    limit,
    cursor,
  }: { status?: HandoffStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<ReturnType<typeof presentHandoff>>> {
  const key = await tenantKey(ctx.config, ctx.tenant)
  return readPage(
    ctx,
    { limit, cursor },
    {
      route: 'manage/handoffs',
      filter: status ?? null,
      read: (after: string | null, most) =>
        selectOwn(
          ctx.db,
          handoffs,
          ctx.tenant.id,
          status && eq(handoffs.status, status),
          after === null ? undefined : lt(handoffs.id, after),
        )
          .orderBy(desc(handoffs.id))
          .limit(most + 1),
      position: (row: HandoffRow) => row.id,
      present: async (row: HandoffRow) =>
        presentHandoff(
          { ...row, reason: row.reason },
          { userId: row.userId, summary: await openSummary(key, row) },
        ),
    },
  )
}

/** A person answers the user in the session. @param once what tells a repeat, which says nothing again. @throws notFound; conflict where nobody was asked for. */
export function replyToUser(
  ctx: TenantContext,
  sessionId: string,
  text: string,
  once: string | null,
) {
  return change(ctx, sessionId, (space) =>
    askAsTenant(ctx, space, 'handoffs', 'reply', sessionId, text, once),
  )
}

/** The agent answers again. @throws notFound; conflict where nobody was asked for. */
export function resumeAgent(ctx: TenantContext, sessionId: string) {
  return change(ctx, sessionId, (space) => askAsTenant(ctx, space, 'handoffs', 'resume', sessionId))
}

/** What the user's object did is noted at once, with who did it; its job says the same again. */
async function change(
  ctx: TenantContext,
  sessionId: string,
  ask: (space: Awaited<ReturnType<typeof findSpaceOfSession>>) => Promise<HandoffHead>,
) {
  const space = await findSpaceOfSession(ctx, sessionId)
  const head = await ask(space)
  const address = { tenantId: ctx.tenant.id, userId: space.userId, spaceId: space.id }
  await commitChange(ctx, ctx.tenant.id, [noteHandoff(ctx.db, address, head, null)], {
    action: 'update',
    entity: 'handoff',
    entityId: head.id,
    entityName: null,
    before: null,
    after: { session_id: head.sessionId, status: head.status },
  })
  const [row] = await selectOwn(ctx.db, handoffs, ctx.tenant.id, eq(handoffs.id, head.id)).limit(1)
  const key = await tenantKey(ctx.config, ctx.tenant)
  const summary = row ? await openSummary(key, row) : null
  return presentHandoff(head, { userId: space.userId, summary })
}

const presentHandoff = (
  head: Omit<HandoffHead, 'n'>,
  { userId, summary }: { userId: string; summary: string | null },
) => ({
  id: head.id,
  session_id: head.sessionId,
  agent_name: head.agentName,
  user_id: userId,
  status: head.status,
  reason: head.reason,
  summary,
  created_at: isoOf(head.createdAt),
  answered_at: head.answeredAt === null ? null : isoOf(head.answeredAt),
  closed_at: head.closedAt === null ? null : isoOf(head.closedAt),
})
