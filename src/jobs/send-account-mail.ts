import { eq } from 'drizzle-orm'
import { type Config, configOf } from '../config/read-config'
import { type Db, openPrimary } from '../db/client'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import { loadSmtp } from '../lazy'
import { createLog } from '../log'
import { isUnreadable } from '../platform/crypto/read-sealed'
import type { MailKind } from '../platform/mail/mail-text'
import { MailError, sendMail } from '../platform/mail/send-mail'
import { findSmtp } from '../tenants/smtp'
import { mailFacts, mailLanguage, publicName } from '../tenants/tenant-facts'
import { findAccount, findAccountOf, indexEmail } from '../users/find-account'
import { findLink, markSent, mintLinkToken } from '../users/one-time-tokens'
import { wantedEmail } from '../users/take-email'
import { UserFields } from '../users/user-fields'
import type { JobOf } from './job'

/**
 * Makes the link that was asked for and mails it. Nothing happens when there is no such account, or nothing to confirm. The
 * token exists in the mail alone; without mail settings a local run logs the link, and production only says that it has none.
 */
export async function sendAccountMail(env: Env, job: JobOf<'account.mail'>): Promise<void> {
  const config = configOf(env)
  const db = openPrimary(env.DB)
  const log = createLog('mail', { job: job.id, tenant_id: job.tenantId, purpose: job.purpose })
  const tenant = await db.select().from(tenants).where(eq(tenants.id, job.tenantId)).limit(1).get()
  const known = await findAccountOf(db, job.tenantId, job.userId)
  if (!known || tenant?.status !== 'active' || tenant.authMode !== 'native') return
  if (job.purpose === 'verify' && known.account.emailVerified) return

  const origin = linkOrigin(config)
  const smtp = await findSmtp({ db, config }, tenant).catch((error: unknown) => {
    if (isUnreadable(error)) return 'unreadable' as const
    throw error
  })
  if (smtp === 'unreadable') return log.warn('mail_password_unreadable')
  if (origin === null || (smtp === null && config.environment !== 'local')) {
    return log.warn(origin === null ? 'no_public_base' : 'no_mail_settings')
  }
  const { id, tenantId, userId, purpose } = job
  const fields = await UserFields.load({ env, config }, tenant, userId)
  const own = await fields.read('accounts', 'email', known.account.email)
  const to = purpose === 'email' ? await freeAddress({ db, config }, tenant, fields, id) : own
  if (to === null) return
  const token = await mintLinkToken(db, { id, tenantId, userId, purpose }, Date.now())
  if (token === null) return
  const link = linkTo(origin, tenant, purpose, token)
  if (smtp === null) {
    log.info('mail_not_sent', { link })
  } else {
    const { renderMail } = await loadSmtp()
    const send = (kind: MailKind, address: string, to: string | null) =>
      sendMail(egressContext(env), smtp, {
        from: { name: publicName(tenant), address: smtp.fromAddr },
        to: address,
        content: renderMail(kind, mailLanguage(known.user, tenant), {
          ...mailFacts(tenant),
          link: to,
        }),
      })
    if (purpose === 'email' && own !== null)
      await send('moving', own, null).catch((error: unknown) => {
        // People leave an address because it is no more.
        if (!(error instanceof MailError) || error.code === 'not_sent') throw error
      })
    await send(purpose, to, link)
  }
  await markSent(db, id, Date.now())
}

/** The address that the account is to have; null when somebody has it, which nobody is told. */
async function freeAddress(
  base: { db: Db; config: Config },
  tenant: TenantRow,
  fields: UserFields,
  linkId: string,
): Promise<string | null> {
  const link = await findLink(base.db, tenant.id, linkId)
  const address = link && (await wantedEmail(fields, link))
  if (address === null) return null
  const index = await indexEmail(base, tenant, address)
  return (await findAccount(base.db, tenant.id, index)) ? null : address
}

function linkOrigin(config: Config): string | null {
  return config.publicBase || (config.environment === 'local' ? config.localOrigin : null)
}

/** The token stands in the fragment: no server, log or referrer sees it, and a scanner that opens links uses nothing up. */
function linkTo(origin: string, tenant: TenantRow, purpose: string, token: string): string {
  const view = purpose === 'reset' ? 'reset' : 'verify'
  return `${origin}/login/${tenant.alias ?? tenant.id}#${view}=${token}`
}
