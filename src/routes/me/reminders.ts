import * as z from 'zod'
import { resolveAgent } from '../../agents/resolve-agent'
import { withShownNames } from '../../agents/shown-names'
import { PAGES } from '../../config/limits'
import type { UserContext } from '../../context'
import { invalid } from '../../errors'
import { REPLAYED, readRepeat } from '../../http/idempotency'
import { defineRoute } from '../../http/route'
import { presentReminder } from '../../reminders/present-reminder'
import { readDue } from '../../reminders/rules'
import { MyReminderOut, MyReminderPage, NewReminderIn } from '../../reminders/schema'
import { askSpace } from '../../spaces/ask-space'
import { findSpaceByTag } from '../../spaces/find-space'
import { readProfileZone } from '../../users/profile-zone'
import { pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Me: reminders'
const params = z.object({ rid: uuidParam })

export const meReminderRoutes = [
  defineRoute({
    method: 'POST',
    path: '/me/reminders',
    layer: 'user',
    tag,
    summary:
      'Set a reminder; a time without offset is read in the given zone, else in the profile’s, else in UTC',
    json: NewReminderIn,
    reads: ['Idempotency-Key', 'Accept-Language'],
    answers: { 201: MyReminderOut },
    errors: [403, 404, 409],
    rate: 'reminders',
    handler: async (c) => {
      const ctx = c.get('user')
      const body = c.req.valid('json')
      const idempotency = await readRepeat(c.req.raw.headers, ctx, 'POST /me/reminders', body)
      const due = await readDueIn(ctx, body)
      // A repeat gets its stored answer even when its time has passed since.
      if (!due.ok && idempotency === null) throw invalid(['body', due.field], due.problem)
      const sessionId = body.session_id ?? null
      const space = sessionId === null ? ctx.space : await findSpaceByTag(ctx, sessionId, 'Session')
      const agent =
        body.agent == null ? null : await resolveAgent({ ...ctx, space }, body.agent, false)
      const { view, replayed } = await askSpace(ctx, space, 'reminders', 'create', {
        text: body.text,
        due,
        agentName: agent?.name ?? null,
        sessionId,
        idempotency,
        now: ctx.now,
      })
      const header = c.req.header('accept-language')
      const [item] = await withShownNames(ctx, header, [presentReminder(view)])
      return c.json(item, 201, replayed ? REPLAYED : {})
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/reminders',
    layer: 'user',
    tag,
    summary: 'Reminders of this user and space, most recently created first; without their texts',
    query: z.object(pageQuery(PAGES.reminders)),
    answers: { 200: MyReminderPage },
    reads: ['Accept-Language'],
    handler: async (c) => {
      const ctx = c.get('user')
      const page = await readPage(ctx, c.req.valid('query'), {
        route: 'me/reminders',
        filter: { user: ctx.user.id, space: ctx.space.id },
        read: (after: { createdAt: number; id: string } | null, limit) =>
          askSpace(ctx, ctx.space, 'reminders', 'list', after, limit),
        position: ({ createdAt, id }) => ({ createdAt, id }),
        present: presentReminder,
      })
      const items = await withShownNames(ctx, c.req.header('accept-language'), page.items)
      return c.json({ ...page, items })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/reminders/{rid}/cancel',
    layer: 'user',
    tag,
    summary: 'Cancel a pending reminder; its record stays',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const rid = c.req.valid('param').rid
      const space = await findSpaceByTag(ctx, rid, 'Reminder')
      await askSpace(ctx, space, 'reminders', 'cancel', rid)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/reminders/{rid}',
    layer: 'user',
    tag,
    summary: 'Remove a reminder, whatever its state',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const rid = c.req.valid('param').rid
      const space = await findSpaceByTag(ctx, rid, 'Reminder')
      await askSpace(ctx, space, 'reminders', 'remove', rid)
      return c.body(null, 204)
    },
  }),
]

async function readDueIn(
  ctx: UserContext,
  body: z.output<typeof NewReminderIn>,
): Promise<ReturnType<typeof readDue>> {
  const timezone = body.timezone || null
  const user = { tenantId: ctx.tenant.id, userId: ctx.user.id }
  const profileZone = timezone === null ? await readProfileZone(ctx.env, user) : null
  return readDue({ dueAt: body.due_at, timezone }, profileZone, ctx.now, ctx.config.reminderLeadMs)
}
