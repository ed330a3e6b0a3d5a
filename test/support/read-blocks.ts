import { readDocument } from '../../src/knowledge/read/read-document'
import type { ParsedDocument } from '../../src/knowledge/types'
import type { DocumentKind } from '../../src/platform/uploads/file-kinds'

const loadPdfLibrary = () => import('../../src/knowledge/read/pdf.lazy')

/** Reads a document that must be readable. */
export async function readWell(
  bytes: Uint8Array | string,
  kind: DocumentKind,
): Promise<ParsedDocument> {
  const read = await readDocument(toBytes(bytes), kind, loadPdfLibrary)
  if (!read.ok) throw new Error(`refused: ${read.reason}`)
  return read.document
}

/** A document's blocks as `kind: text`, headings with their level. */
export async function readBlocks(
  bytes: Uint8Array | string,
  kind: DocumentKind,
): Promise<string[]> {
  const { blocks, text } = await readWell(bytes, kind)
  return blocks.map((block) => {
    const name = block.kind === 'heading' ? `h${block.level}` : block.kind
    return `${name}: ${text.slice(block.start, block.end)}`
  })
}

/** Why a document is refused. */
export async function readRefusal(bytes: Uint8Array | string, kind: DocumentKind): Promise<string> {
  const read = await readDocument(toBytes(bytes), kind, loadPdfLibrary)
  if (read.ok) throw new Error(`read: ${read.document.text.slice(0, 200)}`)
  return read.reason
}

function toBytes(source: Uint8Array | string): Uint8Array {
  return typeof source === 'string' ? new TextEncoder().encode(source) : source
}
