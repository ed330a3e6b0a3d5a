import type { SpaceKeys } from '../core/space-keys'
import type { ChunkBody, DocumentStore } from './document-store'

/** One passage of a document, opened; null when it is gone or does not open. */
export async function readChunk(
  store: DocumentStore,
  keys: SpaceKeys,
  documentId: string,
  n: number,
): Promise<ChunkBody | null> {
  const sealed = store.chunk(documentId, n)
  if (sealed === undefined) return null
  const opened = await keys.read('space_chunks', 'body', `${documentId}:${n}`, sealed)
  return opened === null ? null : (JSON.parse(opened) as ChunkBody)
}
