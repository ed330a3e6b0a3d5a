import { chunkDocument } from '../../src/knowledge/chunk-document'
import { readDocument } from '../../src/knowledge/read/read-document'
import { detectType } from '../../src/platform/uploads/detect-type'
import { isDocumentKind } from '../../src/platform/uploads/file-kinds'

const loadPdfLibrary = () => import('../../src/knowledge/read/pdf.lazy')

/** Detects, reads and cuts the posted file, named by the path, as the ingestion job does. */
export default {
  async fetch(request: Request): Promise<Response> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
    const bytes = new Uint8Array(await request.arrayBuffer())
    const type = detectType(bytes, name)
    if (!type.ok || !isDocumentKind(type.kind)) return Response.json({ type })
    const read = await readDocument(bytes, type.kind, loadPdfLibrary)
    if (!read.ok) return Response.json({ type, read })
    return Response.json({ type, document: read.document, chunks: chunkDocument(read.document) })
  },
}
