import { eq } from 'drizzle-orm'
import { type Config, configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { type TenantRow, tenants } from '../db/tables'
import { loadSmtp } from '../lazy'
import { createLog } from '../log'
import { isUnreadable } from '../platform/crypto/read-sealed'
import { egressContext } from '../platform/egress-context'
import { sendMail } from '../platform/mail/send-mail'
import { findSmtp } from '../tenants/smtp'
import { mailFacts, mailLanguage, publicName } from '../tenants/tenant-facts'
import { findAccountOf } from '../users/find-account'
import { markSent, mintLinkToken } from '../users/one-time-tokens'
import { UserFields } from '../users/user-fields'
import type { JobOf } from './job'

/** Where a local run is reached when nothing else is said. */
const LOCAL_ORIGIN = 'http://localhost:8787'

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
  const fields = smtp && (await UserFields.load({ env, config }, tenant, job.userId))
  const to = fields && (await fields.read('accounts', 'email', known.account.email))
  if (smtp !== null && to === null) return
  const { id, tenantId, userId, purpose } = job
  const token = await mintLinkToken(db, { id, tenantId, userId, purpose }, Date.now())
  if (token === null) return
  const link = linkTo(origin, tenant, purpose, token)
  if (smtp === null || to === null) {
    log.info('mail_not_sent', { link })
  } else {
    const { renderMail } = await loadSmtp()
    await sendMail(egressContext(config), smtp, {
      from: { name: publicName(tenant), address: smtp.fromAddr },
      to,
      content: renderMail(purpose, mailLanguage(known.user, tenant), {
        ...mailFacts(tenant),
        link,
      }),
    })
  }
  await markSent(db, id, Date.now())
}

function linkOrigin(config: Config): string | null {
  return config.publicBase || (config.environment === 'local' ? LOCAL_ORIGIN : null)
}

/** The token stands in the fragment: no server, log or referrer sees it, and a scanner that opens links uses nothing up. */
function linkTo(origin: string, tenant: TenantRow, purpose: string, token: string): string {
  return `${origin}/login/${tenant.alias ?? tenant.id}#${purpose}=${token}`
}
