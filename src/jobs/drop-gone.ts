import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../db/client'
import { findOwn, listOwn } from '../db/own'
import { documents, knowledgeBases } from '../db/tables/knowledge'
import { knowledgeBase } from '../platform/stubs'

/**
 * Takes out of a base what a job put in of documents that were deleted while it read them, and everything where the base
 * was: deleting and ingesting are jobs of their own, and either may come last. At most 100 documents.
 */
export async function dropGone(
  env: Env,
  db: Db,
  { tenantId, baseId }: { tenantId: string; baseId: string },
  documentIds: readonly string[],
): Promise<void> {
  if (documentIds.length === 0) return
  const stub = knowledgeBase(env, tenantId, baseId)
  const base = await findOwn(db, knowledgeBases, tenantId, eq(knowledgeBases.id, baseId))
  if (!base) return stub.destroy({ tenantId })
  const rows = await listOwn(db, documents, tenantId, [inArray(documents.id, [...documentIds])])
  const there = new Set(rows.map((row) => row.id))
  for (const documentId of documentIds) {
    if (!there.has(documentId)) await stub.deleteDocument({ tenantId, documentId })
  }
}
