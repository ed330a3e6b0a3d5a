import { loadPdf, loadReaders } from '../lazy'
import type { DocumentKind } from '../platform/uploads/file-kinds'
import type { Chunk } from './types'

export type ReadChunks =
  | { ok: true; title: string; chunks: Chunk[] }
  /** Why it cannot be read, for whoever uploaded it. */
  | { ok: false; reason: string }

/**
 * A document cut into chunks, by readers that are compiled for the first one, the parser of PDF files for the first PDF.
 * @param name of the file, which gives the title where the document has none
 */
export async function readChunks(
  bytes: Uint8Array,
  kind: DocumentKind,
  name: string,
): Promise<ReadChunks> {
  const { readDocument, chunkDocument } = await loadReaders()
  const read = await readDocument(bytes, kind, loadPdf)
  if (!read.ok) return read
  const title = read.document.title ?? name.replace(/\.[a-z0-9]{1,5}$/i, '')
  return { ok: true, title, chunks: chunkDocument(read.document) }
}
