import type { DocumentRow } from '../db/tables/knowledge'
import { type ReadChunks, readChunks } from '../knowledge/read-late'
import { documentPath } from '../platform/files'
import type { DocumentKind } from '../platform/uploads/file-kinds'

/** A document's stored original, cut into chunks. */
export async function readOriginal(env: Env, row: DocumentRow): Promise<ReadChunks> {
  const object = await env.FILES.get(documentPath(row))
  if (!object) return { ok: false, reason: 'The stored file is missing. Upload it again.' }
  const bytes = new Uint8Array(await object.arrayBuffer())
  return readChunks(bytes, row.kind as DocumentKind, row.name)
}
