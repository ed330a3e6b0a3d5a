import { eq, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { commitChange } from '../audit/commit-change'
import { nextUpdate, untilCommitted } from '../audit/until-committed'
import type { Language } from '../config/names'
import type { Config } from '../config/read-config'
import type { TenantContext } from '../context'
import type { Db } from '../db/client'
import { findOwn } from '../db/own'
import { type SmtpRow, type TenantRow, tenantSmtp } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import { ApiError, conflict, invalid } from '../errors'
import { loadSmtp } from '../lazy'
import { sealField } from '../platform/crypto/field'
import { needTenantField } from '../platform/crypto/read-sealed'
import { assertHostAllowed } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { isMailPort, MailError, type SmtpServer, sendMail } from '../platform/mail/send-mail'
import { tenantKey } from '../platform/secrets'
import { auditSmtp } from './present-settings'
import type { SmtpIn } from './settings-schema'
import { mailFacts, publicName } from './tenant-facts'

export interface TenantSmtp extends SmtpServer {
  fromAddr: string
}

const sealContext = (tenantId: string) => [tenantId, 'tenant_smtp', 'password', tenantId] as const

/** The tenant's mail server with its opened password, or null when none is set. @throws conflict `unreadable`. */
export async function findSmtp(
  ctx: { db: Db; config: Config },
  tenant: TenantRow,
): Promise<TenantSmtp | null> {
  const row = await findRow(ctx.db, tenant.id)
  if (!row) return null
  const password =
    row.password === null
      ? null
      : await needTenantField(
          await tenantKey(ctx.config, tenant),
          sealContext(tenant.id),
          row.password,
        )
  const { host, port, user, starttls, fromAddr } = row
  return { host, port, user, starttls, fromAddr, password }
}

export async function findRow(db: Db, tenantId: string): Promise<SmtpRow | undefined> {
  return findOwn(db, tenantSmtp, tenantId)
}

/**
 * Stores the mail settings, or clears them (empty host). A password that is not sent is kept while the host stays.
 * @throws invalid for a host or port that may not be called.
 */
export async function putSmtp(ctx: TenantContext, input: SmtpIn): Promise<void> {
  const { db, tenant } = ctx
  const host = input.host.toLowerCase()
  if (host !== '') await requireHost(ctx, host, input.port)
  await untilCommitted(`smtp ${tenant.id}`, async () => {
    const before = await findRow(db, tenant.id)
    const after = host === '' ? null : await toRow(ctx, { ...input, host }, before)
    const statements: BatchItem<'sqlite'>[] = after
      ? [
          db
            .insert(tenantSmtp)
            .values(after)
            .onConflictDoUpdate({ target: tenantSmtp.tenantId, set: after }),
        ]
      : [db.delete(tenantSmtp).where(eq(tenantSmtp.tenantId, tenant.id))]
    const written = await commitChange(ctx, tenant.id, statements, {
      action: after ? (before ? 'update' : 'create') : 'delete',
      entity: 'smtp',
      entityId: tenant.id,
      entityName: after?.host ?? before?.host ?? null,
      before: before ? auditSmtp(before) : null,
      after: after && auditSmtp(after),
      requires: sql`coalesce((SELECT updated_at FROM tenant_smtp WHERE tenant_id = ${tenant.id}), 0) = ${before?.updatedAt ?? 0}`,
    })
    return written || null
  })
}

async function toRow(
  ctx: TenantContext,
  input: SmtpIn,
  before: SmtpRow | undefined,
): Promise<SmtpRow> {
  const { tenant } = ctx
  const { host } = input
  const kept = before?.host === host ? before.password : null
  const password =
    input.password === undefined || input.password === null
      ? kept
      : input.password === ''
        ? null
        : await sealField(
            await tenantKey(ctx.config, tenant),
            sealContext(tenant.id),
            input.password,
          )
  return {
    tenantId: tenant.id,
    host,
    port: input.port,
    user: input.user,
    password,
    fromAddr: input.from_addr,
    starttls: input.starttls,
    updatedAt: before ? nextUpdate(before, ctx.now) : ctx.now,
  }
}

/** A resolver that does not answer refuses nothing here: the host is checked again before every mail, and refused then. */
async function requireHost(ctx: TenantContext, host: string, port: number): Promise<void> {
  try {
    const { exempt } = await assertHostAllowed(egressContext(ctx.env), host, port)
    if (exempt) return
  } catch (error) {
    if (!(error instanceof EgressError) || error.code === 'url_not_allowed') {
      throw new ApiError('validation', [
        { type: 'value_error', loc: ['body', 'host'], msg: 'URL is not allowed' },
      ])
    }
  }
  if (!isMailPort(port)) {
    throw invalid(['body', 'port'], 'one of 465, 587 and 2525')
  }
}

/** Sends a test mail now. @throws conflict without settings, or with a password that cannot be read; ApiError 502 `smtp_failed`. */
export async function testSmtp(ctx: TenantContext, to: string, lang: Language): Promise<void> {
  const smtp = await findSmtp(ctx, ctx.tenant)
  if (!smtp) throw conflict('SMTP is not configured')
  const { renderMail } = await loadSmtp()
  try {
    await sendMail(egressContext(ctx.env), smtp, {
      from: { name: publicName(ctx.tenant), address: smtp.fromAddr },
      to,
      content: renderMail('test', lang, { ...mailFacts(ctx.tenant), link: null }),
    })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    ctx.log.warn('smtp_test_failed', { reason: error.reason })
    throw new ApiError('upstream', 'The test message could not be sent', {
      publicCode: 'smtp_failed',
    })
  }
}
