import { loadPdf, loadReaders } from '../lazy'
import type { DocumentKind } from '../platform/uploads/file-kinds'
import type { ReadDocument } from './read/read-document'

/** `read/read-document.ts` with its readers compiled for the first document, the parser of PDF files for the first PDF. */
export async function readDocument(bytes: Uint8Array, kind: DocumentKind): Promise<ReadDocument> {
  const readers = await loadReaders()
  return readers.readDocument(bytes, kind, loadPdf)
}
