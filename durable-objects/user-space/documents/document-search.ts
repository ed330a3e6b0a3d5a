import { chunkId, chunkIdPrefix } from '../../../src/knowledge/chunk-id'
import {
  type CommonTokens,
  decodePassages,
  type IndexedPassage,
  idfOfPassages,
  rankPassages,
} from '../../../src/knowledge/passage-index'
import type { IdfTable, SearchHit, SearchResult } from '../../../src/knowledge/types'
import type { SpaceKeys } from '../core/space-keys'
import type { DocumentStore } from './document-store'
import { readChunk } from './read-chunk'

/** The name and id under which a turn sees a space's own documents beside the agent's bases. */
export const SPACE_BASE = { id: 'space', name: 'Your documents', instructions: '' } as const

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

/** Finds passages of a space's own documents. The opened index lives in memory alone. */
export class DocumentSearch {
  readonly #store: DocumentStore
  #index: Promise<SpaceIndex> | null = null
  #ready: boolean | null = null

  constructor(store: DocumentStore) {
    this.#store = store
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

  /** The best `k` passages for a question, as a base would find them. */
  async search(keys: SpaceKeys, query: string, k: number): Promise<SearchResult> {
    const { passages, places, idf } = await this.#load(keys)
    const best = rankPassages(passages, query).slice(0, k)
    const hits = await Promise.all(
      best.map(async ({ at, score, coverage }): Promise<SearchHit[]> => {
        const place = places[at]
        if (!place) return []
        const { document, n } = place
        const body = await readChunk(this.#store, keys, document.id, n)
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
    const body = await readChunk(this.#store, keys, id, n)
    if (body === null) return null
    const { text, heading, page } = body
    return { documentId: id, documentName: name, n, text, heading, page, createdAt }
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
}
