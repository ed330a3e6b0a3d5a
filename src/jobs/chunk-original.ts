import { MIB, MINUTE_MS } from '../config/limits'
import type { DocumentRow } from '../db/tables/knowledge'
import { type ReadChunks, readChunks } from '../knowledge/read-late'
import { documentPath } from '../platform/files'
import { inTurn } from '../platform/in-turn'
import type { DocumentKind } from '../platform/uploads/file-kinds'

/** A file of so many bytes may take half of the memory that an isolate has: one after the other is read. */
const ALONE_BYTES = MIB
/** Longer than the reading of any. */
const ALONE_MS = 5 * MINUTE_MS

/** A document's stored original, cut into chunks. */
export function chunkOriginal(env: Env, row: DocumentRow): Promise<ReadChunks> {
  const read = () => readFile(env, row)
  return row.sizeBytes < ALONE_BYTES ? read() : inTurn('large file', read, ALONE_MS)
}

async function readFile(env: Env, row: DocumentRow): Promise<ReadChunks> {
  const object = await env.FILES.get(documentPath(row))
  if (!object) return { ok: false, reason: 'The stored file is missing. Upload it again.' }
  const bytes = new Uint8Array(await object.arrayBuffer())
  return readChunks(bytes, row.kind as DocumentKind, row.name)
}
