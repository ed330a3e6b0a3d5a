import { desc, eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { dropAgentCache } from '../agents/resolve-agent'
import { audit, auditAnchors } from '../db/tables'
import { unavailable } from '../errors'
import type { OperatorContext } from '../http/context'
import { newId } from '../platform/ids'
import { inTurn } from '../platform/in-turn'
import { dropCallerCaches } from '../users/resolve-caller'
import { type AuditFacts, GENESIS_HASH, hashEntry } from './entry'

export const AUDIT_ACTIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'restore',
  'clone',
  'import',
  'approve',
  'reject',
  'revoke',
  'rotate',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface Change {
  action: AuditAction
  /** `agent`, `skill`, `knowledge_base`, `document`, `api_key`, `tenant`… */
  entity: string
  entityId: string | null
  entityName: string | null
  /** Already through the entity's allow-list presenter: no secrets, no message content, no e-mail. */
  before: unknown
  after: unknown
  /** Read in the same transaction, before any statement: where it does not hold, nothing at all is written. */
  requires?: SQL
}

const TRIES = 5
const RETRY_MS = 20
const SEQ_TAKEN = /audit entries follow one another|UNIQUE constraint failed: audit\./
const REFUSED = /NOT NULL constraint failed: audit\.seq/

/**
 * Runs the statements and their audit entry in one D1 batch: both or neither (rule AT1). The entry builds on the tenant's
 * last one; changes of one isolate take turns, and when another isolate takes the number first, this one reads again, at
 * most five times.
 * @returns false when `requires` does not hold. @throws what a statement throws; 503 after five lost races.
 */
export function commitChange(
  ctx: OperatorContext,
  tenantId: string,
  statements: readonly BatchItem<'sqlite'>[],
  change: Change,
): Promise<boolean> {
  return inTurn(`audit ${tenantId}`, async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const entry = insertEntry(
        ctx,
        await buildEntry(ctx, tenantId, await lastEntry(ctx, tenantId), change),
        change.requires,
      )
      try {
        await ctx.db.batch([entry, ...statements] as unknown as [BatchItem<'sqlite'>])
        dropCallerCaches()
        dropAgentCache()
        return true
      } catch (error) {
        const message = messageOf(error)
        if (REFUSED.test(message)) return false
        if (!SEQ_TAKEN.test(message)) throw error
        await new Promise((resolve) => setTimeout(resolve, Math.random() * RETRY_MS * 2 ** attempt))
      }
    }
    throw unavailable()
  })
}

/** A condition that does not hold leaves the entry without its number, which the table refuses: the batch rolls back. */
function insertEntry(
  ctx: OperatorContext,
  entry: AuditFacts & { hash: string },
  requires: SQL | undefined,
) {
  const seq = requires ? sql<number>`CASE WHEN ${requires} THEN ${entry.seq} END` : entry.seq
  return ctx.db.insert(audit).values({ ...entry, seq })
}

/** Drizzle wraps what D1 says. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return `${error instanceof Error ? error.message : String(error)} ${cause instanceof Error ? cause.message : ''}`
}

async function lastEntry(
  ctx: OperatorContext,
  tenantId: string,
): Promise<{ seq: number; hash: string }> {
  const [[entry], [anchor]] = await ctx.db.batch([
    ctx.db
      .select({ seq: audit.seq, hash: audit.hash })
      .from(audit)
      .where(eq(audit.tenantId, tenantId))
      .orderBy(desc(audit.seq))
      .limit(1),
    ctx.db
      .select({ seq: auditAnchors.seq, hash: auditAnchors.hash })
      .from(auditAnchors)
      .where(eq(auditAnchors.tenantId, tenantId)),
  ])
  return entry ?? anchor ?? { seq: 0, hash: GENESIS_HASH }
}

async function buildEntry(
  ctx: OperatorContext,
  tenantId: string,
  last: { seq: number; hash: string },
  change: Change,
) {
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
    before: toText(change.before),
    after: toText(change.after),
    requestId: ctx.requestId,
  }
  return { ...facts, hash: await hashEntry(last.hash, facts) }
}

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
