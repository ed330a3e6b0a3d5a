import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { OperatorContext } from '../context'
import { messageOf } from '../db/sql-errors'
import { audit } from '../db/tables/audit'
import { newId } from '../platform/ids'
import { dropIsolateCaches } from '../platform/isolate-caches'
import { foresee, forgetEnd } from './chain-end'
import { type AuditFacts, digestFacts } from './entry'
import { sealSoon } from './seal'

const AUDIT_ACTIONS = [
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

const REFUSED = /NOT NULL constraint failed: audit\.seq/

/**
 * Runs the statements and their audit entry in one D1 batch: both or neither (rule AT1). The entry's number is the
 * tenant's next one, computed by the INSERT itself, so that changes need no lock. Its hash builds on the entry before it,
 * which this isolate can only guess: where the guess is right the entry is sealed at once, else by `sealSoon`.
 * @returns false when `change.requires` does not hold: then nothing was written. @throws what a statement throws.
 */
export async function commitChange(
  ctx: OperatorContext,
  tenantId: string,
  statements: readonly BatchItem<'sqlite'>[],
  change: Change,
): Promise<boolean> {
  const facts: AuditFacts = {
    tenantId,
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
  const seq = nextSeq(tenantId, change.requires)
  const digest = digestFacts(facts)
  const sealedAt = Date.now()
  const { hash, ifFollowed } = foresee(facts, digest, sealedAt)
  const entry = ctx.db
    .insert(audit)
    .values({
      ...facts,
      seq,
      digest,
      hash: ifFollowed(hash, ''),
      sealedAt: ifFollowed<number | null>(sealedAt, null),
    })
    .returning({ hash: audit.hash })
  let isSealed: boolean
  try {
    const [written] = await ctx.db.batch([entry, ...statements] as [typeof entry])
    isSealed = written[0]?.hash === hash
  } catch (error) {
    forgetEnd(tenantId)
    if (REFUSED.test(messageOf(error))) return false
    throw error
  }
  dropIsolateCaches()
  if (!isSealed) {
    forgetEnd(tenantId)
    sealSoon(ctx, tenantId)
  }
  return true
}

/** The entry's number; NULL where `requires` does not hold. The table refuses that, and so the whole batch rolls back. */
function nextSeq(tenantId: string, requires: SQL | undefined): SQL<number> {
  const next = sql<number>`1 + coalesce(
    (SELECT max(seq) FROM audit WHERE tenant_id = ${tenantId}),
    (SELECT seq FROM audit_anchors WHERE tenant_id = ${tenantId}),
    0)`
  return requires ? sql<number>`CASE WHEN ${requires} THEN ${next} END` : next
}

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
