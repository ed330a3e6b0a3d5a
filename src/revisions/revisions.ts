import { and, desc, eq, sql } from 'drizzle-orm'
import { LIMITS } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import { findOwn, selectOwn } from '../db/own'
import { type RevisionRow, revisions } from '../db/tables/revisions'
import { notFound } from '../errors'
import { newId } from '../platform/ids'
import { isoOf } from '../time'

type Entity = RevisionRow['entity']

/**
 * Statements for a write's batch: the state after it becomes the newest revision, and only the newest hundred stay.
 * @param row its `updatedAt` rises with every write, and so do the revisions' ids.
 */
export function addRevision(
  ctx: OperatorContext,
  entity: Entity,
  row: { tenantId: string; id: string; updatedAt: number },
  snapshot: Record<string, unknown>,
) {
  const { tenantId, id: entityId } = row
  const own = and(
    eq(revisions.tenantId, tenantId),
    eq(revisions.entity, entity),
    eq(revisions.entityId, entityId),
  )
  return [
    ctx.db.insert(revisions).values({
      id: newId(row.updatedAt),
      tenantId,
      entity,
      entityId,
      actor: ctx.actor.name,
      snapshot,
      createdAt: row.updatedAt,
    }),
    ctx.db
      .delete(revisions)
      .where(
        and(
          own,
          sql`${revisions.id} < (SELECT id FROM revisions WHERE tenant_id = ${tenantId} AND entity = ${entity} AND entity_id = ${entityId} ORDER BY id DESC LIMIT 1 OFFSET ${LIMITS.revisionsKept - 1})`,
        ),
      ),
  ]
}

/** Newest first. */
export function listRevisions(
  ctx: TenantContext,
  entity: Entity,
  entityId: string,
): Promise<RevisionRow[]> {
  return selectOwn(
    ctx.db,
    revisions,
    ctx.tenant.id,
    eq(revisions.entity, entity),
    eq(revisions.entityId, entityId),
  )
    .orderBy(desc(revisions.id))
    .limit(LIMITS.revisionsKept)
}

/** @throws notFound, also for a revision of another object. */
export async function getRevision(
  ctx: TenantContext,
  entity: Entity,
  entityId: string,
  id: string,
): Promise<RevisionRow> {
  const row = await findOwn(
    ctx.db,
    revisions,
    ctx.tenant.id,
    eq(revisions.entity, entity),
    eq(revisions.entityId, entityId),
    eq(revisions.id, id),
  )
  if (!row) throw notFound('Revision')
  return row
}

export function presentRevision(row: RevisionRow) {
  return { id: row.id, created_at: isoOf(row.createdAt), actor: row.actor, snapshot: row.snapshot }
}
