import type { DocumentRow } from '../db/tables/knowledge'
import { emitEvents } from '../webhooks/emit-event'

/** Tells webhooks of documents of one tenant. The key has the time in it, so a document that is read anew is told anew. */
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
