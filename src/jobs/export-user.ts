import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import { readShownNames } from '../agents/shown-names'
import { EXPORTS } from '../config/limits'
import type { TenantContext } from '../context'
import { openPrimary } from '../db/client'
import { findOwn, listOwn } from '../db/own'
import { type ExportRow, exports } from '../db/tables/exports'
import { spaces } from '../db/tables/spaces'
import { type UserRow, users } from '../db/tables/users'
import { egressContext } from '../domains/egress-context'
import { collectAccount } from '../exports/collect-account'
import { exportJob } from '../exports/exports'
import type { ExportReader, FilledPart } from '../exports/fill-part'
import type { ExportPlace } from '../exports/place'
import { loadExport, loadSmtp } from '../lazy'
import { isUnreadable } from '../platform/crypto/read-sealed'
import { deleteFiles, exportPrefix, removeFiles, storeFile } from '../platform/files'
import { MailError, sendMail } from '../platform/mail/send-mail'
import { sendJobs } from '../platform/queue'
import { askPart, workIn } from '../platform/stubs'
import { createTenantContext } from '../platform/system-actor'
import type { Answer } from '../spaces/answer'
import { listOpenAgents } from '../spaces/spaces'
import { findSmtp } from '../tenants/smtp'
import { mailFacts, mailLanguage, publicName } from '../tenants/tenant-facts'
import { findAccountOf } from '../users/find-account'
import { UserFields } from '../users/user-fields'
import type { JobOf } from './job'

/** Exports that one run of the cron removes: each is a few calls of the platform. */
const BATCH = 50

/** A space went over to another one, which may have been read before. */
class SpaceMoved extends Error {
  override readonly name = 'SpaceMoved'
}

/**
 * The next parts of an archive, and the same again until it is done; then its user is told. What is stored after a part
 * says where the next one begins, so a run that is cut off is taken up there; of two at once one counts.
 */
export async function exportUser(env: Env, job: JobOf<'user.export'>): Promise<void> {
  const ctx = await createTenantContext(env, 'export', job.tenantId)
  if (!ctx) return
  for (let n = 0; n < EXPORTS.partsPerJob; n++) {
    const row = await findOwn(ctx.db, exports, job.tenantId, eq(exports.id, job.exportId))
    if (!row || row.toldAt !== null) return
    const user = await findUser(ctx, row.userId)
    // With a user who is gone all of this goes too.
    if (!user) return
    if (row.status !== 'running') return tell(ctx, row)
    await addPart(ctx, row, user)
  }
  await sendJobs(env, [job])
}

const findUser = ({ db, tenant }: TenantContext, userId: string) =>
  findOwn(db, users, tenant.id, eq(users.id, userId), eq(users.status, 'active'))

async function addPart(ctx: TenantContext, row: ExportRow, user: UserRow): Promise<void> {
  try {
    const filled = await makePart(ctx, row, user)
    if (filled) await keepPart(ctx, row, filled)
  } catch (error) {
    if (!(error instanceof SpaceMoved)) throw error
    await advance(ctx, row, { at: null, parts: [], files: 0, sizeBytes: 0 })
    await deleteFiles(ctx.env.FILES, filesOf(row, row.parts))
  }
}

/** Null when the user is gone: then the row goes with them. */
async function makePart(
  ctx: TenantContext,
  row: ExportRow,
  user: UserRow,
): Promise<FilledPart | null> {
  const { fillPart, firstPart } = await loadExport()
  const now = Date.now()
  if (row.at === null) {
    const found = await collectAccount(ctx, row.userId)
    const own = found?.spaces.map(({ id, tag }) => ({ id, tag }))
    return found && firstPart(found.account, own ?? [], now)
  }
  const [open, shownNames] = await Promise.all([
    listOpenAgents(ctx),
    readShownNames(ctx, mailLanguage(user, ctx.tenant)),
  ])
  const showsSources = (agent: string | null) => agent !== null && open.has(agent)
  return fillPart(readerFor(ctx, row), { showsSources, shownNames }, row.at, now)
}

function readerFor({ env, tenant }: TenantContext, { userId }: ExportRow): ExportReader {
  const callerAt = ({ id, tag }: ExportPlace['spaces'][number]) => ({
    address: { tenantId: tenant.id, userId, spaceId: id },
    tag,
    wrappedTenantKey: tenant.wrappedKey,
    tokenVersion: null,
  })
  return {
    rows: async (space, ...args) =>
      presentOr(await askPart(env, callerAt(space), 'exporting', 'rows', ...args)),
    file: async (space, ...args) =>
      presentOr(await askPart(env, callerAt(space), 'exporting', 'file', ...args)),
  }
}

/** Null for what was deleted meanwhile. @throws SpaceMoved; Error for what a repeat may mend. */
function presentOr<T>(answer: Answer<T>): T | null {
  if (answer.ok) return answer.value
  const { reason } = answer.refusal
  if (reason === 'moved') throw new SpaceMoved()
  if (reason === 'space_gone' || reason === 'session' || reason === 'user_gone') return null
  throw new Error(`A space cannot be exported (${reason})`)
}

/** Under a name of its own: a repeat never overwrites what is part of the archive. */
async function keepPart(ctx: TenantContext, row: ExportRow, filled: FilledPart): Promise<void> {
  const { env, tenant } = ctx
  const name = crypto.randomUUID()
  const fields = await UserFields.load(ctx, tenant, row.userId)
  const sealed = await fields.sealBlob('exports', 'part', filled.bytes, `${row.id}.${name}`)
  const files = row.files + filled.files
  const sizeBytes = row.sizeBytes + filled.size
  if (files > EXPORTS.files || sizeBytes > EXPORTS.bytes) {
    await end(ctx, row, { status: 'failed', error: 'too_large' })
    return
  }
  await storeFile(env.FILES, `${exportPrefix(row, row.id)}${name}`, sealed)
  const parts = [...row.parts, name]
  const place = { at: filled.next, parts, files, sizeBytes }
  const isKept = filled.next
    ? await advance(ctx, row, place)
    : await end(ctx, row, { status: 'ready', ...place })
  if (!isKept) await deleteFiles(env.FILES, filesOf(row, [name]))
}

const filesOf = (row: ExportRow, parts: readonly string[]) =>
  parts.map((part) => `${exportPrefix(row, row.id)}${part}`)

/** @returns whether nobody else was here before. */
async function advance(
  { db }: TenantContext,
  row: ExportRow,
  set: Partial<ExportRow>,
): Promise<boolean> {
  const asRead = and(
    eq(exports.tenantId, row.tenantId),
    eq(exports.id, row.id),
    eq(exports.status, 'running'),
    eq(exports.parts, row.parts),
  )
  const changed = await db
    .update(exports)
    .set({ updatedAt: Date.now(), ...set })
    .where(asRead)
    .returning({ id: exports.id })
  return changed.length > 0
}

async function end(ctx: TenantContext, row: ExportRow, set: Partial<ExportRow>): Promise<boolean> {
  const now = Date.now()
  const isEnded = await advance(ctx, row, {
    ...set,
    finishedAt: now,
    expiresAt: now + EXPORTS.keptMs,
  })
  if (isEnded && set.status === 'failed')
    await removeFiles(ctx.env.FILES, exportPrefix(row, row.id))
  return isEnded
}

/** The open pages of the user hear of it, and where the address is confirmed a mail says so. Safe to run twice. */
async function tell(ctx: TenantContext, row: ExportRow): Promise<void> {
  const { db, env } = ctx
  const { tenantId, userId, id, status } = row
  if (status === 'running') return
  const own = await listOwn(db, spaces, tenantId, [eq(spaces.userId, userId)])
  for (const { id: spaceId } of own) {
    await workIn(env, { tenantId, userId, spaceId }, 'space', 'tellExport', id, status)
  }
  if (status === 'ready') await mail(ctx, row)
  await db
    .update(exports)
    .set({ toldAt: Date.now() })
    .where(and(eq(exports.tenantId, tenantId), eq(exports.id, id)))
}

/** @throws what a repeat may mend. */
async function mail(ctx: TenantContext, { id, userId }: ExportRow): Promise<void> {
  const { tenant } = ctx
  const known = await findAccountOf(ctx.db, tenant.id, userId)
  if (!known?.account.emailVerified) return
  const smtp = await findSmtp(ctx, tenant).catch((error: unknown) => {
    if (isUnreadable(error)) return null
    throw error
  })
  if (smtp === null) return ctx.log.warn('no_mail_settings')
  const fields = await UserFields.load(ctx, tenant, userId)
  const to = await fields.read('accounts', 'email', known.account.email)
  if (to === null) return
  const { renderMail } = await loadSmtp()
  const facts = { ...mailFacts(tenant), link: null }
  try {
    await sendMail(egressContext(ctx.env), smtp, {
      from: { name: publicName(tenant), address: smtp.fromAddr },
      to,
      content: renderMail('export', mailLanguage(known.user, tenant), facts),
      // A repeat after a crash is the same message to a mail program.
      messageId: `export-${id}`,
    })
  } catch (error) {
    if (!(error instanceof MailError) || error.code === 'not_sent') throw error
    ctx.log.warn('mail_refused', { reason: error.reason })
  }
}

/** Takes up exports that stand still: their job was lost with its worker. Those that never end are given up. */
export async function watchExports(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  await db
    .update(exports)
    .set({ status: 'failed', error: 'failed', finishedAt: now, updatedAt: 0 })
    .where(and(eq(exports.status, 'running'), lt(exports.createdAt, now - EXPORTS.longestMs)))
  const isOpen = and(isNull(exports.toldAt), gt(exports.createdAt, now - 2 * EXPORTS.longestMs))
  const still = await db
    .update(exports)
    .set({ updatedAt: now })
    .where(and(isOpen, lt(exports.updatedAt, now - EXPORTS.stallMs)))
    .returning({ id: exports.id, tenantId: exports.tenantId })
  await sendJobs(env, still.map(exportJob))
}

/** What was exported a week ago goes, the archive first. */
export async function purgeExports(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  const old = await db.select().from(exports).where(lt(exports.expiresAt, now)).limit(BATCH)
  for (const row of old) {
    if (!(await removeFiles(env.FILES, exportPrefix(row, row.id)))) continue
    await db.delete(exports).where(eq(exports.id, row.id))
  }
}
