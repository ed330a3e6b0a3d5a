import type { DocumentRow } from '../db/tables/knowledge'
import { chunkDocument } from '../knowledge/chunk-document'
import { readDocument } from '../knowledge/read-late'
import type { Chunk } from '../knowledge/types'
import { documentPath } from '../platform/files'
import type { DocumentKind } from '../platform/uploads/file-kinds'

export type ReadOriginal =
  | { ok: true; title: string; chunks: Chunk[] }
  /** Why it cannot be read, for whoever uploaded it. */
  | { ok: false; reason: string }

/** A document's stored original, cut into chunks. */
export async function readOriginal(env: Env, row: DocumentRow): Promise<ReadOriginal> {
  const object = await env.FILES.get(documentPath(row))
  if (!object) return { ok: false, reason: 'The stored file is missing. Upload it again.' }
  const bytes = new Uint8Array(await object.arrayBuffer())
  const read = await readDocument(bytes, row.kind as DocumentKind)
  if (!read.ok) return read
  const title = read.document.title ?? row.name.replace(/\.[a-z0-9]{1,5}$/i, '')
  return { ok: true, title, chunks: chunkDocument(read.document) }
}
