import { eq } from 'drizzle-orm'
import { configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { tenants } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import { loadSmtp } from '../lazy'
import { isUnreadable } from '../platform/crypto/read-sealed'
import { mayMail } from '../platform/mail/may-mail'
import { MailError, sendMail } from '../platform/mail/send-mail'
import { DeliveryRefused } from '../reminders/delivery-refused'
import { findSmtp } from '../tenants/smtp'
import { mailFacts, mailLanguage, publicName } from '../tenants/tenant-facts'
import { findAccountOf } from '../users/find-account'
import { UserFields } from '../users/user-fields'
import type { Delivery, ReminderChannel } from './reminder-channels'

/** Mail by the tenant's own server to the confirmed address of an account, while its user is away. */
export const mailChannel: ReminderChannel = {
  name: 'mail',
  wants: ({ away, finds }) => away && finds,
  async deliver(env, { tenantId, userId }, notice): Promise<Delivery> {
    const config = configOf(env)
    const db = openPrimary(env.DB)
    const tenant = await db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1).get()
    const known = await findAccountOf(db, tenantId, userId)
    if (tenant?.status !== 'active' || !known?.account.emailVerified) return 'none'
    const smtp = await findSmtp({ db, config }, tenant).catch((error: unknown) => {
      throw isUnreadable(error) ? new DeliveryRefused('password') : error
    })
    if (smtp === null) return 'none'
    const fields = await UserFields.load({ env, config }, tenant, userId)
    const to = await fields.read('accounts', 'email', known.account.email)
    if (to === null) return 'none'
    if (!(await mayMail(env, tenantId, userId))) throw new DeliveryRefused('too many')
    const lang = mailLanguage(known.user, tenant)
    const { renderReminderMail } = await loadSmtp()
    try {
      await sendMail(egressContext(env), smtp, {
        from: { name: publicName(tenant), address: smtp.fromAddr },
        to,
        content: renderReminderMail(lang, { ...notice, ...mailFacts(tenant) }),
        // A repeat after a crash is the same message to a mail program.
        messageId: `reminder-${notice.id}`,
      })
    } catch (error) {
      const isFinal = error instanceof MailError && error.code !== 'not_sent'
      if (isFinal) throw new DeliveryRefused(error.reason)
      throw error
    }
    return 'sent'
  },
}
