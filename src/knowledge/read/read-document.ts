import { DOCUMENT_LIMITS } from '../../config/limits'
import { decodeText } from '../../platform/uploads/decode-text'
import type { DocumentKind } from '../../platform/uploads/file-kinds'
import type { ParsedDocument } from '../types'
import { dropContents } from './drop-contents'
import { readCsv } from './read-csv'
import { readDocx } from './read-docx'
import { readHtml } from './read-html'
import { readJson } from './read-json'
import { readMd } from './read-md'
import { type LoadPdfLibrary, readPdf } from './read-pdf'
import { readPptx } from './read-pptx'
import { ReadRefusal } from './read-refusal'
import { readTxt } from './read-txt'
import { readXlsx } from './read-xlsx'

export type ReadDocument = { ok: true; document: ParsedDocument } | { ok: false; reason: string }

const TOO_COMPLEX = 'The document is too large or too complex. Split it into smaller files.'

/**
 * Extracts a document's text and structure. A refusal's reason is a sentence for the person who uploaded the file.
 * Takes the bytes over: the caller must not use them afterwards.
 */
export async function readDocument(
  bytes: Uint8Array,
  kind: DocumentKind,
  loadPdfLibrary: LoadPdfLibrary,
): Promise<ReadDocument> {
  try {
    const document = dropContents(await read(bytes, kind, loadPdfLibrary))
    if (document.text !== '') return { ok: true, document }
    return { ok: false, reason: 'The document holds no text.' }
  } catch (error) {
    if (error instanceof ReadRefusal) return { ok: false, reason: error.message }
    // The engine's own bounds on strings, arrays and recursion: the same file would meet them again.
    if (error instanceof RangeError) return { ok: false, reason: TOO_COMPLEX }
    throw error
  }
}

async function read(
  bytes: Uint8Array,
  kind: DocumentKind,
  loadPdfLibrary: LoadPdfLibrary,
): Promise<ParsedDocument> {
  switch (kind) {
    case 'csv':
      return readCsv(decode(bytes))
    case 'html':
      return readHtml(decode(bytes, DOCUMENT_LIMITS.markupLength))
    case 'json':
      return readJson(decode(bytes))
    case 'md':
      return readMd(decode(bytes))
    case 'txt':
      return readTxt(decode(bytes))
    case 'docx':
      return readDocx(bytes)
    case 'pptx':
      return readPptx(bytes)
    case 'xlsx':
      return readXlsx(bytes)
    case 'pdf':
      return readPdf(bytes, loadPdfLibrary)
  }
}

function decode(bytes: Uint8Array, maxLength: number = DOCUMENT_LIMITS.sourceLength): string {
  const decoded = decodeText(bytes)
  if (!decoded.ok) throw new ReadRefusal(decoded.reason)
  if (decoded.text.length > maxLength || hasMoreLines(decoded.text, DOCUMENT_LIMITS.lines)) {
    throw new ReadRefusal('The document is too long. Split it into smaller files.')
  }
  return decoded.text
}

function hasMoreLines(text: string, max: number): boolean {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines > max) return true
  }
  return false
}
