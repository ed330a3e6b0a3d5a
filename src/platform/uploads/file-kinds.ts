/** Kinds of file this product recognises; everything else is refused. */
export const DOCUMENT_KINDS = [
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'csv',
  'html',
  'md',
  'txt',
  'json',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

export const IMAGE_KINDS = ['png', 'jpeg', 'webp', 'gif', 'ico'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

export const AUDIO_KINDS = ['wav', 'mp3', 'ogg', 'webm', 'm4a'] as const
export type AudioKind = (typeof AUDIO_KINDS)[number]

export type FileKind = DocumentKind | ImageKind | 'zip'

/** The MIME type we store and serve for a kind; the client's own claim is never used. */
export const MIME: Record<FileKind | AudioKind, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  html: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  zip: 'application/zip',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  ico: 'image/x-icon',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  webm: 'audio/webm',
  m4a: 'audio/mp4',
}

/** Whether a detected file can become a document of a knowledge base. */
export function isDocumentKind(kind: FileKind): kind is DocumentKind {
  return (DOCUMENT_KINDS as readonly string[]).includes(kind)
}
