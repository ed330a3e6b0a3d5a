import * as z from 'zod'
import type { SpaceIdentity, UserContext } from '../context'
import { utf8 } from '../platform/crypto/bytes'
import { detectType } from '../platform/uploads/detect-type'
import { isDocumentKind } from '../platform/uploads/file-kinds'
import { fileName, textName } from '../platform/uploads/file-name'
import { refuseFile } from '../platform/uploads/refuse-file'
import { isoOf } from '../time'
import { documentTitle } from '../wire/fields'
import { askSpace } from './ask-space'

export const SpaceTextIn = z.object({
  title: documentTitle,
  text: z.string().min(1).max(900_000),
})
export type SpaceTextIn = z.output<typeof SpaceTextIn>

/** What the space's object says of a document; the object itself is not known here. */
interface DocumentFacts {
  id: string
  name: string
  mime: string
  sizeBytes: number
  status: 'queued' | 'parsing' | 'ready' | 'failed'
  progress: number
  error: string | null
  attempts: number
  chunkCount: number
  createdAt: number
  updatedAt: number
}

/** Stores a file as a document of the space and queues its reading. @throws ApiError 415; conflict when the space is full. */
export async function addSpaceFile(
  ctx: UserContext,
  space: SpaceIdentity,
  file: { name: string; bytes: Uint8Array<ArrayBuffer> },
): Promise<DocumentFacts> {
  const { bytes } = file
  const type = detectType(bytes, file.name)
  if (!type.ok || !isDocumentKind(type.kind)) throw refuseFile(type)
  const { kind, mime } = type
  const name = fileName(file.name)
  return askSpace(ctx, space, 'documents', 'add', { name, kind, mime, bytes })
}

export function addSpaceText(
  ctx: UserContext,
  space: SpaceIdentity,
  { title, text }: SpaceTextIn,
): Promise<DocumentFacts> {
  return askSpace(ctx, space, 'documents', 'add', {
    name: textName(title),
    kind: 'txt',
    mime: 'text/plain',
    bytes: utf8(text),
  })
}

export function presentSpaceDocument(view: DocumentFacts, spaceId: string) {
  return {
    id: view.id,
    name: view.name,
    path: view.name,
    mime: view.mime,
    size_bytes: view.sizeBytes,
    status: view.status,
    progress: view.progress,
    error: view.error,
    attempts: view.attempts,
    chunk_count: view.chunkCount,
    source_url: null,
    gone_at: null,
    // Compared by their letters when asked; no vector of them is stored.
    vectors: 'none' as const,
    kb_name: null,
    space_id: spaceId,
    created_at: isoOf(view.createdAt),
    updated_at: isoOf(view.updatedAt),
  }
}
