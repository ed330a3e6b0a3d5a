import { LIMITS } from '../../../src/config/limits'
import { spaceDocumentPath } from '../../../src/platform/files'
import type { DocumentKind } from '../../../src/platform/uploads/file-kinds'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { DocumentState, DocumentStore, SpaceDocumentRow } from './document-store'
import { type Ingestion, UNREADABLE } from './ingestion'
import { withName } from './named'
import { readOriginal } from './read-original'

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
  readonly #ingestion: Ingestion
  /** Being sealed and stored: no row counts them yet. */
  #coming = 0

  constructor(core: SpaceCore, ingestion: Ingestion) {
    this.#core = core
    this.#ingestion = ingestion
  }

  get #store(): DocumentStore {
    return this.#core.stores.documents
  }

  /**
   * @returns the document as it was queued, or the one of that name that holds the same. Another content takes the place
   * of what has its name once it is read, and of one that could not be read at once. Refused when the space holds as many
   * as it may.
   */
  async add(visit: Visit, document: NewSpaceDocument): Promise<Answer<SpaceDocumentView>> {
    const { keys } = visit
    const named = await withName(keys, this.#store.list(null, LIMITS.spaceDocuments), document.name)
    const [same] = named
    if (same && (await this.#holds(visit, same, document.bytes)))
      return ok(await viewDocument(keys, same))
    if (!same && this.#store.count() + this.#coming >= LIMITS.spaceDocuments)
      return refuse('documents_full')
    const failed = named.filter(({ status }) => status === 'failed').map(({ id }) => id)
    this.#coming++
    return this.#put(visit, document, failed).finally(() => this.#coming--)
  }

  async #put(
    { caller, keys }: Visit,
    document: NewSpaceDocument,
    failed: readonly string[],
  ): Promise<Answer<SpaceDocumentView>> {
    const now = Date.now()
    const id = this.#core.mint(now)
    const { sealed, wrappedKey } = await keys.sealAttachment(id, document.bytes)
    await this.#core.putFile(spaceDocumentPath(caller.address, id), sealed)
    const nameSealed = await keys.seal('space_documents', 'name', id, document.name)
    if (this.#core.isClosed) return refuse('user_gone')
    const { kind, mime } = document
    const size = document.bytes.length
    this.#core.storage.transactionSync(() => {
      for (const old of failed) this.#store.remove(old)
      this.#store.add({ id, nameSealed, kind, mime, size, wrappedKey, now })
    })
    await this.#ingestion.expect(id, now)
    await this.#ingestion.removed(caller.address, failed)
    const row = this.#store.get(id)
    return row ? ok(await viewDocument(keys, row)) : refuse('document')
  }

  async #holds(
    { caller: { address }, keys }: Visit,
    row: SpaceDocumentRow,
    bytes: Uint8Array,
  ): Promise<boolean> {
    if (row.status === 'failed' || row.size_bytes !== bytes.length) return false
    const original = await readOriginal(this.#core.env.FILES, address, keys, row)
    return !!original && crypto.subtle.timingSafeEqual(original.bytes, bytes)
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

  async remove({ caller }: Visit, id: string): Promise<Answer<null>> {
    if (!this.#store.get(id)) return refuse('document')
    this.#core.storage.transactionSync(() => this.#store.remove(id))
    await this.#ingestion.removed(caller.address, [id])
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
