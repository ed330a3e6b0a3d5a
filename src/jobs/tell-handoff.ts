import { and, eq } from 'drizzle-orm'
import { configOf } from '../config/read-config'
import { type Db, openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { handoffs } from '../db/tables/handoffs'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import type { HandoffNotice } from '../handoffs/handoff'
import { noteHandoff, sealSummary } from '../handoffs/note-handoff'
import { renderHandoffMail } from '../handoffs/render-handoff-mail'
import { createLog } from '../log'
import { isUnreadable } from '../platform/crypto/read-sealed'
import { mayMail } from '../platform/mail/may-mail'
import { MailError, sendMail } from '../platform/mail/send-mail'
import { tenantKey } from '../platform/secrets'
import { workIn } from '../platform/stubs'
import { findSmtp } from '../tenants/smtp'
import { emitEvent } from '../webhooks/emit-event'
import type { JobOf } from './job'

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u

/** A handoff changed: the inbox, the webhooks and the people who are asked hear of it. Safe to run twice. */
export async function tellHandoff(env: Env, job: JobOf<'handoff.tell'>): Promise<void> {
  const { tenantId, userId, handoffId } = job
  const db = openPrimary(env.DB)
  const own = and(eq(handoffs.tenantId, tenantId), eq(handoffs.id, handoffId))
  const notice = await workIn(env, job, 'handoffs', 'notice', handoffId)
  const tenant = await db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1).get()
  // Its session, its user or its tenant is gone.
  if (!notice || !tenant) {
    await db.delete(handoffs).where(own)
    return
  }
  const config = configOf(env)
  const key = await tenantKey(config, tenant)
  const row = { tenantId, id: handoffId }
  const summary = notice.summary === null ? null : await sealSummary(key, row, notice.summary)
  await noteHandoff(db, job, notice, summary)
  await emitEvent(env, tenantId, {
    type: 'handoff.requested',
    key: handoffId,
    at: notice.createdAt,
    data: {
      handoff_id: handoffId,
      session_id: notice.sessionId,
      space_id: job.spaceId,
      user_id: userId,
      agent: notice.agentName,
      reason: notice.reason,
    },
  })
  await workIn(env, job, 'handoffs', 'told', handoffId, notice.n)
  const known = await findOwn(db, handoffs, tenantId, eq(handoffs.id, handoffId))
  if (known?.mailedAt !== null || notice.status !== 'requested') return
  if (await mayMail(env, tenantId, userId)) await mailPeople(env, db, tenant, notice)
  else createLog('handoffs', { tenant_id: tenantId, handoff_id: handoffId }).warn('mail_spared')
  await db.update(handoffs).set({ mailedAt: Date.now() }).where(own)
}

/** By the tenant's own server: to those whom the storyline names, else to the tenant's contact. @throws what a repeat may mend. */
async function mailPeople(
  env: Env,
  db: Db,
  tenant: TenantRow,
  notice: HandoffNotice,
): Promise<void> {
  const config = configOf(env)
  const log = createLog('handoffs', { tenant_id: tenant.id, handoff_id: notice.id })
  const smtp = await findSmtp({ db, config }, tenant).catch((error: unknown) => {
    if (isUnreadable(error)) return null
    throw error
  })
  if (tenant.status !== 'active' || smtp === null) return log.warn('no_mail_settings')
  const contact = tenant.profile.contact_email
  const own = typeof contact === 'string' && EMAIL.test(contact) ? contact : smtp.fromAddr
  let failure: MailError | null = null
  for (const [at, to] of (notice.notify.length > 0 ? notice.notify : [own]).entries()) {
    try {
      await sendMail(egressContext(env), smtp, {
        from: { name: tenant.name, address: smtp.fromAddr },
        to,
        content: renderHandoffMail(notice),
        // A repeat after a crash is the same message to a mail program.
        messageId: `handoff-${notice.id}-${at}`,
      })
    } catch (error) {
      // One whose mailbox is gone or full keeps it from nobody else.
      if (!(error instanceof MailError)) throw error
      if (error.code === 'not_sent') failure = error
      else log.warn('mail_refused', { reason: error.reason })
    }
  }
  if (failure) throw failure
}
