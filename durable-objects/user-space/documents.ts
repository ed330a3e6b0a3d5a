import { INGEST, LIMITS } from '../../src/config/limits'
import { chunkId, chunkIdPrefix, parseChunkId } from '../../src/knowledge/chunk-id'
import {
  type CommonTokens,
  decodePassages,
  type IndexedPassage,
  idfOfPassages,
  rankPassages,
} from '../../src/knowledge/passage-index'
import type {
  Chunk,
  IdfTable,
  PassageInContext,
  PlacedPassage,
  SearchHit,
  SearchResult,
} from '../../src/knowledge/types'
import { spaceDocumentPath } from '../../src/platform/files'
import { sendJobs } from '../../src/platform/queue'
import type { SpaceAddress } from '../../src/platform/stubs'
import type { DocumentKind } from '../../src/platform/uploads/file-kinds'
import type { SpaceCaller } from '../../src/spaces/caller'
import {
  type ChunkBody,
  type DocumentState,
  DocumentStore,
  type SpaceDocumentRow,
} from './document-store'
import type { Access } from './freeze'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'

/** The name and id under which a turn sees a space's own documents beside the agent's bases. */
export const SPACE_BASE = { id: 'space', name: 'Your documents', instructions: '' } as const

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

/** A document as it was uploaded, opened. */
export type Original = Pick<NewSpaceDocument, 'name' | 'bytes'>

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

/** A passage of a space's own document, opened. */
export interface SpacePassage {
  documentId: string
  documentName: string
  n: number
  text: string
  heading: string | null
  page: number | null
  /** Of its document, milliseconds since 1970. */
  createdAt: number
}

export type PartStored = { ok: true } | { ok: false; reason: 'gone' | 'full' }

type Refusable<T> = { ok: true; value: T } | { ok: false; refusal: { reason: string } }

interface SpaceIndex {
  passages: IndexedPassage[]
  /** Where the passage of the same position comes from. */
  places: { document: OpenDocument; n: number }[]
  idf: IdfTable
}

interface OpenDocument {
  id: string
  name: string
  title: string
  idPrefix: string
}

const GIVEN_UP =
  'The document could not be processed after three attempts. Upload it again, perhaps in another format.'

/**
 * A space's own documents: originals sealed in the object store, texts and index sealed in the object, the index that a
 * search reads in memory alone.
 */
export class Documents {
  readonly #core: SpaceCore
  readonly #store: DocumentStore
  readonly #onChange: (id: string, status: string) => void
  #index: Promise<SpaceIndex> | null = null
  #ready: boolean | null = null

  /** @param onChange hears of each new state of a document. */
  constructor(core: SpaceCore, onChange: (id: string, status: string) => void) {
    this.#core = core
    this.#store = new DocumentStore(core.storage.sql)
    this.#onChange = onChange
  }

  /** Nothing opened stays: a document came or went, or the user's key is gone. */
  forgetOpened(): void {
    this.#index = null
    this.#ready = null
  }

  /** Whether there is anything to search. */
  get searchable(): boolean {
    this.#ready ??= this.#store.withStatus('ready').length > 0
    return this.#ready
  }

  /** @returns the document as it was queued. Refused when the space holds as many as it may. */
  add(caller: SpaceCaller, document: NewSpaceDocument): Promise<Refusable<SpaceDocumentView>> {
    return this.#with(caller, 'write', async (keys) => {
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
      // Whatever becomes of the job, the alarm looks after it.
      await this.#core.wakeAt(now + INGEST.stallMs)
      await this.#queue(id)
      const row = this.#store.get(id)
      return row ? { ok: true, value: await viewDocument(keys, row) } : refuse('document')
    })
  }

  async #queue(documentId: string): Promise<void> {
    const { address, env } = this.#core
    if (address) await sendJobs(env, [{ type: 'space-document.ingest', ...address, documentId }])
  }

  /** Newest first, one more than `limit`. */
  list(
    caller: SpaceCaller,
    before: string | null,
    limit: number,
  ): Promise<Refusable<SpaceDocumentView[]>> {
    return this.#with(caller, 'read', async (keys) => {
      const rows = this.#store.list(before, limit + 1)
      return { ok: true, value: await Promise.all(rows.map((row) => viewDocument(keys, row))) }
    })
  }

  /** Out of the search at once; the original follows in the background. */
  remove(caller: SpaceCaller, id: string): Promise<Refusable<null>> {
    return this.#with(caller, 'write', async () => {
      if (!this.#store.get(id)) return refuse('document')
      this.#core.storage.transactionSync(() => this.#store.remove(id))
      this.forgetOpened()
      const keys = [spaceDocumentPath(caller.address, id)]
      await sendJobs(this.#core.env, [
        { type: 'files.delete', tenantId: caller.address.tenantId, keys },
      ])
      this.#onChange(id, 'deleted')
      return { ok: true, value: null }
    })
  }

  count(): number {
    return this.#store.count()
  }

  /** Addresses of all originals. */
  files(): string[] {
    const { address } = this.#core
    return address ? this.#store.ids().map((id) => spaceDocumentPath(address, id)) : []
  }

  /** Begins an attempt. @returns the opened original, or null when there is nothing left to do. */
  async begin(id: string): Promise<BegunDocument | null> {
    const keys = await this.#core.keys()
    const { address } = this.#core
    const row = keys ? this.#store.get(id) : undefined
    if (!row || !keys || !address || row.status === 'ready' || row.status === 'failed') return null
    if (row.attempts >= INGEST.attempts) {
      this.fail(id, GIVEN_UP)
      return null
    }
    this.#core.storage.transactionSync(() => this.#store.begin(id, Date.now()))
    this.#onChange(id, 'parsing')
    const opened = await this.#openOriginal(keys, address, row)
    if (!opened) {
      const missing = opened === undefined
      this.fail(id, missing ? 'The stored file is missing. Upload it again.' : UNREADABLE)
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
      chunks.map(async ({ n, text, heading, page, start, end }) => {
        const body: ChunkBody = { text, heading, page, start, end }
        return {
          n,
          sealed: await keys.seal('space_chunks', 'body', `${id}:${n}`, JSON.stringify(body)),
        }
      }),
    )
    const sealedIndex = await keys.sealBlob('space_indexes', 'index', `${id}:${part}`, index)
    if (this.#store.get(id)?.status !== 'parsing') return { ok: false, reason: 'gone' }
    this.#core.storage.transactionSync(() =>
      this.#store.addPart(id, part, sealed, sealedIndex.buffer, progress, Date.now()),
    )
    return { ok: true }
  }

  /** All parts are there: from now on the document is searched. */
  async finish(id: string, title: string, common: CommonTokens, chunks: number): Promise<void> {
    const keys = await this.#core.keys()
    if (!keys) return
    const [titleSealed, commonSealed] = await Promise.all([
      keys.seal('space_documents', 'title', id, title),
      keys.seal('space_documents', 'common', id, JSON.stringify(common)),
    ])
    if (this.#store.get(id)?.status !== 'parsing') return
    this.#store.finish(id, titleSealed, commonSealed, chunks, Date.now())
    this.forgetOpened()
    this.#onChange(id, 'ready')
  }

  /** @param reason a sentence for the person who uploaded it; nothing of the document. */
  fail(id: string, reason: string): void {
    if (this.#core.isClosed) return
    const row = this.#store.get(id)
    if (!row || row.status === 'ready') return
    this.#core.storage.transactionSync(() => this.#store.fail(id, reason, Date.now()))
    this.#onChange(id, 'failed')
  }

  giveUp(id: string): void {
    this.fail(id, GIVEN_UP)
  }

  /** Takes up jobs that made no progress for ten minutes. Safe to run twice. */
  async recover(): Promise<void> {
    const now = Date.now()
    const working = this.#store.withStatus('queued', 'parsing')
    for (const row of working) {
      if (row.progressed_at > now - INGEST.stallMs) continue
      if (row.attempts >= INGEST.attempts) this.fail(row.id, GIVEN_UP)
      else await this.#queue(row.id)
    }
    if (working.length > 0) await this.#core.wakeAt(now + INGEST.stallMs)
  }

  /** The best `k` passages for a question, as a base would find them. */
  async search(keys: SpaceKeys, query: string, k: number): Promise<SearchResult> {
    const started = Date.now()
    const { passages, places, idf } = await this.#load(keys)
    const best = rankPassages(passages, query).slice(0, k)
    const hits = await Promise.all(
      best.map(async ({ at, score, coverage }): Promise<SearchHit[]> => {
        const place = places[at]
        if (!place) return []
        const { document, n } = place
        const body = await this.#openChunk(keys, document.id, n)
        if (body === null) return []
        return [
          {
            ...body,
            documentId: document.id,
            documentName: document.name,
            chunkId: chunkId(document.idPrefix, n),
            title: document.title,
            url: null,
            score,
            distance: 1 - coverage,
            coverage,
          },
        ]
      }),
    )
    return {
      hits: hits.flat(),
      idf,
      coverage: Math.max(0, ...best.map((hit) => hit.coverage)),
      cosine: null,
      embedder: null,
      tookMs: Date.now() - started,
    }
  }

  /** Passages of the searchable documents, opened: the best for a query first, then in reading order; and how many there are. */
  async passages(
    keys: SpaceKeys,
    limit: number,
    query: string,
  ): Promise<{ passages: SpacePassage[]; total: number }> {
    const { passages, places } = await this.#load(keys)
    const found = query === '' ? [] : rankPassages(passages, query).map(({ at }) => at)
    const order = [...new Set([...found, ...places.keys()])].slice(0, limit)
    const times = new Map(this.#store.withStatus('ready').map((row) => [row.id, row.created_at]))
    const opened = await Promise.all(
      order.map((at) => {
        const place = places[at]
        const createdAt = times.get(place?.document.id ?? '')
        return place && createdAt !== undefined
          ? this.#openPassage(keys, place.document, place.n, createdAt)
          : null
      }),
    )
    return { passages: opened.filter((passage) => passage !== null), total: places.length }
  }

  /** One passage of a searchable document, or null. */
  async passage(keys: SpaceKeys, documentId: string, n: number): Promise<SpacePassage | null> {
    const row = this.#store.get(documentId)
    if (row?.status !== 'ready') return null
    const { places } = await this.#load(keys)
    const place = places.find(({ document }) => document.id === documentId)
    return place ? this.#openPassage(keys, place.document, n, row.created_at) : null
  }

  async #openPassage(
    keys: SpaceKeys,
    { id, name }: OpenDocument,
    n: number,
    createdAt: number,
  ): Promise<SpacePassage | null> {
    const body = await this.#openChunk(keys, id, n)
    if (body === null) return null
    const { text, heading, page } = body
    return { documentId: id, documentName: name, n, text, heading, page, createdAt }
  }

  async #openChunk(keys: SpaceKeys, documentId: string, n: number): Promise<ChunkBody | null> {
    const sealed = this.#store.chunk(documentId, n)
    if (sealed === undefined) return null
    const opened = await keys.read('space_chunks', 'body', `${documentId}:${n}`, sealed)
    return opened === null ? null : (JSON.parse(opened) as ChunkBody)
  }

  /** A searchable document's passage between its neighbours, null when the space has no such document or passage. */
  inContext(
    caller: SpaceCaller,
    documentId: string,
    id: string,
  ): Promise<Refusable<PassageInContext | null>> {
    return this.#with(caller, 'read', async (keys) => {
      const row = this.#store.get(documentId)
      const wanted = parseChunkId(id)
      const idPrefix = await chunkIdPrefix(SPACE_BASE.id, documentId, documentId)
      if (row?.status !== 'ready' || wanted?.prefix !== idPrefix) return { ok: true, value: null }
      const title =
        row.title_sealed &&
        (await keys.read('space_documents', 'title', documentId, row.title_sealed))
      const { n } = wanted
      const [previous = null, passage, next = null] = await Promise.all(
        [n - 1, n, n + 1].map((at) => this.#placePassage(keys, documentId, idPrefix, at)),
      )
      const document = { version: documentId, title: title ?? '' }
      return { ok: true, value: passage ? { ...document, passage, previous, next } : null }
    })
  }

  async #placePassage(
    keys: SpaceKeys,
    documentId: string,
    idPrefix: string,
    n: number,
  ): Promise<PlacedPassage | null> {
    const body = await this.#openChunk(keys, documentId, n)
    if (body === null) return null
    const { text, heading, page, start, end } = body
    return { chunkId: chunkId(idPrefix, n), text, heading, page, start, end }
  }

  /** A document as it was uploaded. */
  original(caller: SpaceCaller, id: string): Promise<Refusable<Original>> {
    return this.#with(caller, 'read', async (keys) => {
      const row = this.#store.get(id)
      const opened = row && (await this.#openOriginal(keys, caller.address, row))
      return opened ? { ok: true, value: opened } : refuse('document')
    })
  }

  /** Null when what is stored does not open; undefined when it is not there. */
  async #openOriginal(
    keys: SpaceKeys,
    address: SpaceAddress,
    { id, name_sealed, wrapped_key }: SpaceDocumentRow,
  ): Promise<Original | null | undefined> {
    const object = await this.#core.env.FILES.get(spaceDocumentPath(address, id))
    if (!object) return undefined
    const sealed = new Uint8Array(await object.arrayBuffer())
    const [name, bytes] = await Promise.all([
      keys.read('space_documents', 'name', id, name_sealed),
      keys.readAttachment(id, wrapped_key, sealed),
    ])
    return name === null || bytes === null ? null : { name, bytes }
  }

  #load(keys: SpaceKeys): Promise<SpaceIndex> {
    if (this.#index) return this.#index
    const loading = this.#open(keys)
    this.#index = loading
    loading.catch(() => {
      if (this.#index === loading) this.#index = null
    })
    return loading
  }

  async #open(keys: SpaceKeys): Promise<SpaceIndex> {
    const index: SpaceIndex = { passages: [], places: [], idf: { common: {}, rest: 1 } }
    const common: CommonTokens[] = []
    for (const row of this.#store.withStatus('ready')) {
      const { id } = row
      const parts = this.#store.indexesOf(id)
      const [name, title, tokens, idPrefix, ...blobs] = await Promise.all([
        keys.read('space_documents', 'name', id, row.name_sealed),
        row.title_sealed && keys.read('space_documents', 'title', id, row.title_sealed),
        row.common_sealed && keys.read('space_documents', 'common', id, row.common_sealed),
        chunkIdPrefix(SPACE_BASE.id, id, id),
        ...parts.map(({ part, index: sealed }) =>
          keys.readBlob('space_indexes', 'index', `${id}:${part}`, new Uint8Array(sealed)),
        ),
      ])
      // Passages are counted through a document's parts: without one of them, none can be told from another.
      const whole = blobs.filter((blob) => blob !== null)
      if (whole.length < blobs.length) continue
      const document = { id, name: name ?? '', title: title ?? '', idPrefix }
      common.push(JSON.parse(tokens ?? '[]') as CommonTokens)
      let n = 0
      for (const passage of whole.flatMap(decodePassages)) {
        index.passages.push(passage)
        index.places.push({ document, n: n++ })
      }
    }
    index.idf = idfOfPassages(index.passages.length, common)
    return index
  }

  #with<T>(
    caller: SpaceCaller,
    access: Access,
    work: (keys: SpaceKeys) => Promise<Refusable<T>>,
  ): Promise<Refusable<T>> {
    return this.#core.freeze.during(async () => {
      const refusal = await this.#core.enter(caller, access)
      if (refusal) return { ok: false, refusal }
      const keys = await this.#core.keys()
      return keys ? work(keys) : refuse('user_gone')
    })
  }
}

const UNREADABLE = 'The stored document cannot be read. Upload it again.'

const refuse = (reason: string): Refusable<never> => ({ ok: false, refusal: { reason } })

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
