import { decodeText } from './decode-text'
import { DOCUMENT_KINDS, type FileKind, MIME } from './file-kinds'
import { hasAscii, hasBytes, otherArchiveFormat, startsLikeZip } from './magic'
import { findOfficeKind } from './office-kind'

export type DetectedType =
  | { ok: true; kind: FileKind; mime: string }
  /** `isUnknown`: nothing that anybody could do to this file would make it one that is read. */
  | { ok: false; reason: string; isUnknown?: true }

/** What is said of a file that holds no text which is read here. */
export const NO_DOCUMENT = `This type of file is not supported. Supported are ${DOCUMENT_KINDS.join(', ')}.`

/** Extensions that tell text formats apart; binary formats are known by their content alone. */
const TEXT_EXTENSIONS: Record<string, FileKind> = {
  csv: 'csv',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'md',
  markdown: 'md',
  txt: 'txt',
  text: 'txt',
  json: 'json',
}

/**
 * Decides what a file is by its bytes; the name's extension only tells text formats apart and the client's MIME type is never
 * asked. A refusal's reason is a sentence for the person who uploaded the file.
 */
export function detectType(bytes: Uint8Array, name: string): DetectedType {
  if (bytes.length === 0) return refuse('The file is empty.')
  const image = findImageKind(bytes)
  if (image) return accept(image)
  if (isPdf(bytes)) return accept('pdf')
  if (startsLikeZip(bytes)) return detectZip(bytes)
  const archive = otherArchiveFormat(bytes)
  if (archive) return refuse(`Archives of type ${archive} are not supported. Pack a ZIP file.`)
  if (hasBytes(bytes, 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) {
    return refuse(
      'The file is in an old Office format or has a password. Save it as .docx, .xlsx or .pptx without a password.',
    )
  }
  return detectText(bytes, name)
}

/** The image format the bytes start with, or null. SVG is a document with scripts, not an image, and never accepted. */
export function findImageKind(bytes: Uint8Array): 'png' | 'jpeg' | 'webp' | 'gif' | 'ico' | null {
  if (hasBytes(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (hasBytes(bytes, 0, [0xff, 0xd8, 0xff])) return 'jpeg'
  if (hasAscii(bytes, 0, 'RIFF') && hasAscii(bytes, 8, 'WEBP')) return 'webp'
  if (hasAscii(bytes, 0, 'GIF87a') || hasAscii(bytes, 0, 'GIF89a')) return 'gif'
  if (hasBytes(bytes, 0, [0, 0, 1, 0]) && (bytes[4] ?? 0) + (bytes[5] ?? 0) > 0) return 'ico'
  return null
}

function isPdf(bytes: Uint8Array): boolean {
  let at = hasBytes(bytes, 0, [0xef, 0xbb, 0xbf]) ? 3 : 0
  while (at < 64 && [0x09, 0x0a, 0x0d, 0x20].includes(bytes[at] ?? 0)) at++
  return hasAscii(bytes, at, '%PDF-')
}

function detectZip(bytes: Uint8Array): DetectedType {
  const office = findOfficeKind(bytes)
  if (office === 'unsupported') {
    return refuse('This document format is not supported. Save it as .docx, .xlsx, .pptx or PDF.')
  }
  return accept(office ?? 'zip')
}

function detectText(bytes: Uint8Array, name: string): DetectedType {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const kind = name.includes('.') ? TEXT_EXTENSIONS[extension] : undefined
  if (!kind) {
    // Binary formats are known by their content, so this is one by its name alone.
    return name.includes('.') && Object.hasOwn(MIME, extension)
      ? refuse(`The content is not that of a .${extension} file, whatever its name says.`)
      : { ok: false, reason: NO_DOCUMENT, isUnknown: true }
  }
  const decoded = decodeText(bytes)
  if (!decoded.ok) return decoded
  if (kind === 'html' && isSvg(decoded.text)) return refuse('SVG files are not supported.')
  return accept(kind)
}

/** Looks for an `<svg` root behind the prolog, comments and DOCTYPE, within the first characters. */
function isSvg(text: string): boolean {
  const head = text.slice(0, 4096).toLowerCase()
  const root = /<([a-z][a-z0-9:-]*)/.exec(head.replace(/<!--.*?(?:-->|$)/gs, ''))
  return root?.[1] === 'svg'
}

function accept(kind: FileKind): DetectedType {
  return { ok: true, kind, mime: MIME[kind] }
}

function refuse(reason: string): DetectedType {
  return { ok: false, reason }
}
