import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { audit, auditAnchors } from '../db/tables'
import { unavailable } from '../errors'
import type { OperatorContext } from '../http/context'
import { newId } from '../platform/ids'
import { dropCallerCaches } from '../users/resolve-caller'
import { dropAgentCache } from '../agents/resolve-agent'
import { type AuditFacts, GENESIS_HASH, hashEntry } from './entry'

export type AuditAction =
  | 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'restore' | 'clone' | 'import' | 'approve' | 'reject' | 'revoke' | 'rotate'

export interface Change {
  action: AuditAction
  /** `agent`, `skill`, `knowledge_base`, `document`, `api_key`, `tenant`… */
  entity: string
  entityId: string | null
  entityName: string | null
  /** Already through the entity's allow-list presenter: no secrets, no message content, no e-mail. */
  before: unknown
  after: unknown
  /** The entry is written only where this holds after the statements: for writes that may turn out to change nothing. */
  onlyIf?: SQL
}

const TRIES = 5
const SEQ_TAKEN = /UNIQUE constraint failed: audit\./

/**
 * Runs the statements and their audit entry in one D1 batch: both or neither (rule AT1). The entry builds on the tenant's
 * last one; when two changes race for a number, the later one reads again, at most five times.
 * @returns the batch's results without the entry's. @throws what a statement throws; 503 after five lost races.
 */
export async function commitChange<T extends BatchItem<'sqlite'>[]>(
  ctx: OperatorContext,
  tenantId: string,
  statements: T,
  change: Change,
): Promise<unknown[]> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const last = await lastEntry(ctx, tenantId)
    const entry = await buildEntry(ctx, tenantId, last, change)
    // Columns in the table's order: Drizzle's batch takes no raw statement with parameters.
    const insert = ctx.db.insert(audit).select(sql`
      SELECT ${entry.tenantId}, ${entry.seq}, ${entry.id}, ${entry.createdAt}, ${entry.actor}, ${entry.actorType}, ${entry.via}, ${entry.action},
        ${entry.entity}, ${entry.entityId}, ${entry.entityName}, ${entry.before}, ${entry.after}, ${entry.requestId}, ${entry.hash}
      WHERE ${change.onlyIf ?? sql`1`}`)
    try {
      const results = await ctx.db.batch([...statements, insert] as unknown as [BatchItem<'sqlite'>])
      dropCallerCaches()
      dropAgentCache()
      return results.slice(0, -1)
    } catch (error) {
      if (!SEQ_TAKEN.test(messageOf(error))) throw error
    }
  }
  throw unavailable()
}

/** Drizzle wraps what D1 says. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return `${error instanceof Error ? error.message : String(error)} ${cause instanceof Error ? cause.message : ''}`
}

async function lastEntry(ctx: OperatorContext, tenantId: string): Promise<{ seq: number; hash: string }> {
  const [[entry], [anchor]] = await ctx.db.batch([
    ctx.db.select({ seq: audit.seq, hash: audit.hash }).from(audit).where(eq(audit.tenantId, tenantId)).orderBy(desc(audit.seq)).limit(1),
    ctx.db.select({ seq: auditAnchors.seq, hash: auditAnchors.hash }).from(auditAnchors).where(eq(auditAnchors.tenantId, tenantId)),
  ])
  return entry ?? anchor ?? { seq: 0, hash: GENESIS_HASH }
}

async function buildEntry(ctx: OperatorContext, tenantId: string, last: { seq: number; hash: string }, change: Change) {
  const facts: AuditFacts = {
    tenantId,
    seq: last.seq + 1,
    id: newId(ctx.now),
    createdAt: ctx.now,
    actor: ctx.actor.name,
    actorType: ctx.actor.type,
    via: ctx.via,
    action: change.action,
    entity: change.entity,
    entityId: change.entityId,
    entityName: change.entityName,
    before: change.before === null || change.before === undefined ? null : JSON.stringify(change.before),
    after: change.after === null || change.after === undefined ? null : JSON.stringify(change.after),
    requestId: ctx.requestId,
  }
  return { ...facts, hash: await hashEntry(last.hash, facts) }
}
