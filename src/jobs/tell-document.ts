import type { DocumentRow } from '../db/tables/knowledge'
import { emitEvents } from '../webhooks/emit-event'

/** Tells of documents of one tenant. The moment is part of an event's name: a document that is read anew is ready anew. */
export async function tellDocuments(
  env: Env,
  tenantId: string,
  rows: readonly DocumentRow[],
  state: 'ready' | 'failed',
): Promise<void> {
  await emitEvents(
    env,
    tenantId,
    rows.map((row) => ({
      type: `document.${state}` as const,
      key: `${row.id} ${row.version} ${row.updatedAt}`,
      data: { document_id: row.id, knowledge_base_id: row.baseId },
      at: row.updatedAt,
    })),
  )
}
