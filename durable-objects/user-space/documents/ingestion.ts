import { INGEST, LIMITS } from '../../../src/config/limits'
import type { CommonTokens } from '../../../src/knowledge/passage-index'
import type { Chunk } from '../../../src/knowledge/types'
import { createLog } from '../../../src/log'
import { spaceDocumentPath } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { DocumentKind } from '../../../src/platform/uploads/file-kinds'
import type { SpaceCore } from '../core/space-core'
import type { DocumentSearch } from './document-search'
import type { ChunkBody, DocumentStore } from './document-store'
import { withName } from './named'
import { type Original, readOriginal } from './read-original'

/** An original as the job that reads it gets it. */
export type BegunDocument = Original & { kind: DocumentKind }

/** Some chunks of a document with their index, made by the job that read the file. */
export interface DocumentPart {
  part: number
  chunks: Chunk[]
  index: Uint8Array<ArrayBuffer>
  /** 0 to 99. */
  progress: number
}

export type PartStored = { ok: true } | { ok: false; reason: 'gone' | 'full' }

const GIVEN_UP =
  'The document could not be processed after three attempts. Upload it again, perhaps in another format.'
const MISSING = 'The stored file is missing. Upload it again.'
export const UNREADABLE = 'The stored document cannot be read. Upload it again.'

/** A document on its way into the search: the job that reads it asks and reports here. */
export class Ingestion {
  readonly #core: SpaceCore
  readonly #search: DocumentSearch
  readonly #onChange: (id: string, status: 'parsing' | 'ready' | 'failed' | 'deleted') => void

  /** @param onChange hears of each new state of a document. */
  constructor(
    core: SpaceCore,
    search: DocumentSearch,
    onChange: (id: string, status: 'parsing' | 'ready' | 'failed' | 'deleted') => void,
  ) {
    this.#core = core
    this.#search = search
    this.#onChange = onChange
  }

  get #store(): DocumentStore {
    return this.#core.stores.documents
  }

  /** A document was added: a job reads it, and whatever becomes of that, the alarm looks after it. */
  async expect(id: string, now: number): Promise<void> {
    await this.#core.wakeAt(now + INGEST.stallMs)
    await this.#queue(id).catch((error: unknown) =>
      createLog('ingestion', { document_id: id }).error('document_not_queued', error),
    )
  }

  async #queue(documentId: string): Promise<void> {
    const { address, env } = this.#core
    if (address) await sendJobs(env, [{ type: 'space-document.ingest', ...address, documentId }])
  }

  /** Tells webhooks how reading a document ended. Safe to repeat: the same end is delivered once. */
  async #tell(id: string): Promise<void> {
    const { address, env } = this.#core
    const row = this.#store.get(id)
    if (!address || (row?.status !== 'ready' && row?.status !== 'failed')) return
    const { tenantId, userId, spaceId } = address
    const { status, progressed_at: at } = row
    const data = { document_id: id, space_id: spaceId, user_id: userId }
    const event = { type: `document.${status}`, key: `${id} ${at}`, data, at } as const
    await sendJobs(env, [{ type: 'event.emit', tenantId, event }])
  }

  /**
   * Begins an attempt. @returns the opened original, or null when there is nothing left to do. An end that was stored is told
   * again: the job may come back because telling it failed.
   */
  async begin(id: string): Promise<BegunDocument | null> {
    const keys = await this.#core.keys()
    const { address, env } = this.#core
    const row = keys ? this.#store.get(id) : undefined
    if (!row || !keys || !address) return null
    if (row.status === 'ready' || row.status === 'failed') {
      await this.#tell(id)
      return null
    }
    if (row.attempts >= INGEST.attempts) {
      await this.fail(id, GIVEN_UP)
      return null
    }
    this.#core.storage.transactionSync(() => this.#store.begin(id, Date.now()))
    this.#onChange(id, 'parsing')
    const opened = await readOriginal(env.FILES, address, keys, row)
    if (!opened) {
      await this.fail(id, opened === null ? UNREADABLE : MISSING)
      return null
    }
    return { kind: row.kind, ...opened }
  }

  /** Stores some chunks. The same part again replaces itself. */
  async addPart(id: string, { part, chunks, index, progress }: DocumentPart): Promise<PartStored> {
    const keys = await this.#core.keys()
    if (!keys || this.#store.get(id)?.status !== 'parsing') return { ok: false, reason: 'gone' }
    const last = chunks.at(-1)?.n ?? 0
    if (this.#store.chunksBeside(id) + last + 1 > LIMITS.chunksPerSpace) {
      return { ok: false, reason: 'full' }
    }
    const sealed = await Promise.all(
      chunks.map(async ({ n, ...body }: Chunk) => ({
        n,
        sealed: await keys.seal(
          'space_chunks',
          'body',
          `${id}:${n}`,
          JSON.stringify(body satisfies ChunkBody),
        ),
      })),
    )
    const sealedIndex = await keys.sealBlob('space_indexes', 'index', `${id}:${part}`, index)
    if (this.#store.get(id)?.status !== 'parsing') return { ok: false, reason: 'gone' }
    this.#core.storage.transactionSync(() =>
      this.#store.addPart(id, part, sealed, sealedIndex.buffer, progress, Date.now()),
    )
    return { ok: true }
  }

  /** All parts are there: from now on the document is searched, in place of what had its name. */
  async finish(
    id: string,
    title: string,
    common: CommonTokens,
    chunks: number,
    name: string,
  ): Promise<void> {
    const keys = await this.#core.keys()
    const { address } = this.#core
    if (!keys || !address) return
    const [rivals, titleSealed, commonSealed] = await Promise.all([
      withName(keys, this.#store.withStatus('ready'), name),
      keys.seal('space_documents', 'title', id, title),
      keys.seal('space_documents', 'common', id, JSON.stringify(common)),
    ])
    if (this.#store.get(id)?.status !== 'parsing') return
    // Of two that were read at once the one that came last stays, whichever was read first.
    const [, ...outdated] = [id, ...rivals.map((rival) => rival.id)].sort().reverse()
    this.#core.storage.transactionSync(() => {
      this.#store.finish(id, titleSealed, commonSealed, chunks, Date.now())
      for (const old of outdated) this.#store.remove(old)
    })
    this.#onChange(id, 'ready')
    await this.removed(address, outdated)
    await this.#tell(id)
  }

  /** What was removed is out of the search at once; the originals follow in the background. */
  async removed(address: SpaceAddress, ids: readonly string[]): Promise<void> {
    this.#search.forgetOpened()
    const { tenantId } = address
    const jobs = ids.map((id) => {
      this.#onChange(id, 'deleted')
      return { type: 'files.delete' as const, tenantId, keys: [spaceDocumentPath(address, id)] }
    })
    await sendJobs(this.#core.env, jobs)
  }

  /** @param reason a sentence for the person who uploaded it; nothing of the document. */
  async fail(id: string, reason: string): Promise<void> {
    if (this.#core.isClosed) return
    const row = this.#store.get(id)
    if (!row || row.status === 'ready') return
    if (row.status !== 'failed') {
      this.#core.storage.transactionSync(() => this.#store.fail(id, reason, Date.now()))
      this.#onChange(id, 'failed')
    }
    await this.#tell(id)
  }

  giveUp(id: string): Promise<void> {
    return this.fail(id, GIVEN_UP)
  }

  /** Takes up jobs that made no progress for ten minutes. Safe to run twice. */
  async recover(): Promise<void> {
    const now = Date.now()
    const working = this.#store.withStatus('queued', 'parsing')
    for (const row of working) {
      if (row.progressed_at > now - INGEST.stallMs) continue
      await this.#queue(row.id)
    }
    if (working.length > 0) await this.#core.wakeAt(now + INGEST.stallMs)
  }
}
