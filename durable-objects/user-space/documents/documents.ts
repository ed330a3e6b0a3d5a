import { LIMITS } from '../../../src/config/limits'
import { spaceDocumentPath } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import type { DocumentKind } from '../../../src/platform/uploads/file-kinds'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { DocumentSearch } from './document-search'
import type { DocumentState, DocumentStore, SpaceDocumentRow } from './document-store'
import { type Ingestion, UNREADABLE } from './ingestion'

/** A document of a space as its user sees it. Times in milliseconds since 1970. */
export interface SpaceDocumentView {
  id: string
  name: string
  mime: string
  sizeBytes: number
  status: DocumentState
  progress: number
  error: string | null
  attempts: number
  chunkCount: number
  createdAt: number
  updatedAt: number
}

export interface NewSpaceDocument {
  name: string
  kind: DocumentKind
  mime: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A space's own documents as its user sees them: originals sealed in the object store, all else sealed in the object. */
export class Documents {
  readonly #core: SpaceCore
  readonly #search: DocumentSearch
  readonly #ingestion: Ingestion
  readonly #onChange: (id: string, status: 'deleted') => void

  /** @param onChange hears of each document that is gone. */
  constructor(
    core: SpaceCore,
    search: DocumentSearch,
    ingestion: Ingestion,
    onChange: (id: string, status: 'deleted') => void,
  ) {
    this.#core = core
    this.#search = search
    this.#ingestion = ingestion
    this.#onChange = onChange
  }

  get #store(): DocumentStore {
    return this.#core.stores.documents
  }

  /** @returns the document as it was queued. Refused when the space holds as many as it may. */
  async add(
    { caller, keys }: Visit,
    document: NewSpaceDocument,
  ): Promise<Answer<SpaceDocumentView>> {
    if (this.#store.count() >= LIMITS.spaceDocuments) return refuse('documents_full')
    const now = Date.now()
    const id = this.#core.mint(now)
    const { sealed, wrappedKey } = await keys.sealAttachment(id, document.bytes)
    await this.#core.putFile(spaceDocumentPath(caller.address, id), sealed)
    const nameSealed = await keys.seal('space_documents', 'name', id, document.name)
    if (this.#core.isClosed) return refuse('user_gone')
    const { kind, mime } = document
    const size = document.bytes.length
    this.#store.add({ id, nameSealed, kind, mime, size, wrappedKey, now })
    await this.#ingestion.expect(id, now)
    const row = this.#store.get(id)
    return row ? ok(await viewDocument(keys, row)) : refuse('document')
  }

  /** Newest first, one more than `limit`. */
  async list(
    { keys }: Visit,
    before: string | null,
    limit: number,
  ): Promise<Answer<SpaceDocumentView[]>> {
    const rows = this.#store.list(before, limit + 1)
    return ok(await Promise.all(rows.map((row) => viewDocument(keys, row))))
  }

  /** Out of the search at once; the original follows in the background. */
  async remove({ caller }: Visit, id: string): Promise<Answer<null>> {
    if (!this.#store.get(id)) return refuse('document')
    this.#core.storage.transactionSync(() => this.#store.remove(id))
    this.#search.forgetOpened()
    const keys = [spaceDocumentPath(caller.address, id)]
    await sendJobs(this.#core.env, [
      { type: 'files.delete', tenantId: caller.address.tenantId, keys },
    ])
    this.#onChange(id, 'deleted')
    return ok(null)
  }

  count(): number {
    return this.#store.count()
  }

  /** Addresses of all originals. */
  files(): string[] {
    const { address } = this.#core
    return address ? this.#store.ids().map((id) => spaceDocumentPath(address, id)) : []
  }
}

async function viewDocument(keys: SpaceKeys, row: SpaceDocumentRow): Promise<SpaceDocumentView> {
  const name = await keys.read('space_documents', 'name', row.id, row.name_sealed)
  return {
    id: row.id,
    name: name ?? '',
    mime: row.mime,
    sizeBytes: row.size_bytes,
    status: name === null ? 'failed' : row.status,
    progress: row.progress,
    error: name === null ? UNREADABLE : row.error,
    attempts: row.attempts,
    chunkCount: row.chunk_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
