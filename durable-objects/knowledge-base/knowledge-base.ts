import { DurableObject } from 'cloudflare:workers'
import { LIMITS } from '../../src/config'
import { chunkId, chunkIdPrefix, parseChunkId } from '../../src/knowledge/chunk-id'
import { isOffline } from '../../src/knowledge/fusion'
import type { LatinMode } from '../../src/knowledge/latin-language'
import { KNOWLEDGE } from '../../src/knowledge/limits'
import { preparePassage } from '../../src/knowledge/prepare-passage'
import type { Chunk, SearchHit, SearchResult } from '../../src/knowledge/types'
import { openVectors, type VectorIndex } from '../../src/platform/vectors'
import { migrate } from '../migrate'
import { ChunkStore } from './chunk-store'
import { CHUNKS_PER_VERSION, type ChunkRow, chunkRow, splitRow, type VersionRow } from './rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from './schema'
import { type QuestionVector, type RankedRow, rankPassages } from './search'
import { TermStatistics } from './term-statistics'
import { VectorRows } from './vector-rows'

/** A stored chunk with its document, as search, citation checks and listings see it. */
export type StoredChunk = Omit<SearchHit, 'score' | 'distance' | 'coverage'> & { n: number }

export type StageResult =
  | { ok: true; staged: number }
  | { ok: false; reason: 'base_full' | 'chunk_too_large' }
export type CommitResult =
  | { ok: true; chunks: number }
  | { ok: false; reason: 'incomplete'; staged: number }

export interface BaseStats {
  documents: number
  chunks: number
  /** Chunks of versions that are not committed yet. */
  staged: number
  vectors: { embedder: string; count: number }[]
  bytes: number
}

/**
 * Passages of one knowledge base with their indexes. A document comes in as a version: its chunks are staged in any
 * number of calls, invisible, and become visible all at once by `commitDocument`, which takes the version before out.
 * Every call names the tenant; the first one that writes fixes it, and any other tenant is refused with an error.
 */
export class KnowledgeBase extends DurableObject<Env> {
  readonly #chunks: ChunkStore
  readonly #terms: TermStatistics
  readonly #vectors: VectorRows
  #owner: { tenantId: string; baseId: string } | null = null
  #ready = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    this.#chunks = new ChunkStore(sql)
    this.#terms = new TermStatistics(sql)
    this.#vectors = new VectorRows(sql)
    void ctx.blockConcurrencyWhile(async () => this.#open())
  }

  /**
   * Adds chunks of a version, prepared and indexed but invisible. Safe to repeat: a chunk that is there stays as it is.
   * `title` is the document's, and is searched with every chunk. A version's chunks must be contiguous from 0.
   */
  async stageChunks(input: {
    tenantId: string
    baseId: string
    documentId: string
    version: string
    title: string
    from: number
    chunks: Chunk[]
  }): Promise<StageResult> {
    this.#claim(input.tenantId, input.baseId)
    const prefix = await chunkIdPrefix(input.documentId, input.version)
    return this.#write((): StageResult => {
      const version =
        this.#chunks.findVersion(input.documentId, input.version) ??
        this.#chunks.addVersion(input.documentId, input.version, prefix)
      const last = input.from + input.chunks.length - 1
      const known = this.#chunks.stagedNumbers(version.id, input.from, last)
      const fresh = input.chunks.filter((chunk) => !known.has(chunk.n))
      const replaced = this.#chunks.liveVersion(input.documentId)?.chunks ?? 0
      const full = this.#chunks.size() - replaced + fresh.length > LIMITS.chunksPerBase
      if (full || last >= CHUNKS_PER_VERSION) return { ok: false, reason: 'base_full' }
      if (fresh.some((chunk) => chunk.text.length > KNOWLEDGE.chunkLength)) {
        return { ok: false, reason: 'chunk_too_large' }
      }
      const modes = new Map<LatinMode, number>()
      for (const chunk of fresh) {
        const passage = preparePassage(input.title, chunk)
        this.#chunks.addChunk(version.id, chunk, passage)
        modes.set(passage.mode, (modes.get(passage.mode) ?? 0) + 1)
      }
      if (fresh.length > 0) this.#chunks.countChunks(version, modes)
      return { ok: true, staged: version.chunks + fresh.length }
    })
  }

  /**
   * Makes a version the visible one of its document, and takes out every earlier one, in one step. Safe to repeat.
   * Refused as long as fewer (or more) than `total` chunks are staged.
   */
  async commitDocument(input: {
    tenantId: string
    documentId: string
    version: string
    name: string
    title: string
    url: string | null
    total: number
  }): Promise<CommitResult> {
    this.#enter(input.tenantId)
    const result = this.#write((): CommitResult => {
      const version = this.#chunks.findVersion(input.documentId, input.version)
      if (version?.chunks !== input.total) {
        return { ok: false, reason: 'incomplete', staged: version?.chunks ?? 0 }
      }
      for (const other of this.#chunks.versionsOf(input.documentId)) {
        if (other.id < version.id) this.#removeVersion(other)
      }
      this.#chunks.publish(version, input.name, input.title, input.url)
      this.#terms.refresh(this.#chunks.size())
      return { ok: true, chunks: version.chunks }
    })
    await this.#armAlarm()
    return result
  }

  /**
   * Stores vectors of a version's chunks: in the vector index where the deployment has one, else in the object. Safe
   * to repeat; a chunk that is gone is skipped. Returns how many were stored.
   */
  async putVectors(input: {
    tenantId: string
    documentId: string
    version: string
    embedder: string
    items: { n: number; vector: number[] }[]
  }): Promise<{ stored: number }> {
    this.#enter(input.tenantId)
    const version = this.#chunks.findVersion(input.documentId, input.version)
    if (!version) return { stored: 0 }
    const known = this.#chunks.stagedNumbers(version.id, 0, CHUNKS_PER_VERSION - 1)
    const items = input.items.filter((item) => known.has(item.n))
    const index = this.#index(input.embedder)
    if (index) {
      const entries = items.map(({ n, vector }) => ({
        id: chunkId(version.idPrefix, n),
        values: vector,
      }))
      const ids = entries.map((entry) => entry.id)
      this.#cancelRemovals(ids)
      await index.upsert(entries)
      // A version removed meanwhile may have left the index before these went in.
      if (!this.#chunks.findVersion(input.documentId, input.version)) {
        this.#queueRemovals(ids)
        await this.#armAlarm()
      }
    } else {
      this.#write(() =>
        this.#vectors.put(
          input.embedder,
          items.map(({ n, vector }) => ({ row: chunkRow(version.id, n), vector })),
        ),
      )
    }
    return { stored: items.length }
  }

  /** Takes a document out with all its versions; one that is not there is no error. */
  async deleteDocument(input: { tenantId: string; documentId: string }): Promise<void> {
    this.#enter(input.tenantId)
    this.#write(() => {
      for (const version of this.#chunks.versionsOf(input.documentId)) this.#removeVersion(version)
      this.#terms.refresh(this.#chunks.size())
    })
    await this.#armAlarm()
  }

  /** The `k` best visible passages for a question; see `rankPassages`. */
  async search(input: {
    tenantId: string
    query: string
    k: number
    vector?: { embedder: string; values: number[] }
  }): Promise<SearchResult> {
    const started = Date.now()
    this.#enter(input.tenantId)
    const query = input.query.slice(0, KNOWLEDGE.queryLength)
    const vector = input.vector ? await this.#askIndex(input.vector) : null
    const ranked = rankPassages(
      {
        sql: this.ctx.storage.sql,
        chunks: this.#chunks,
        terms: this.#terms,
        vectors: this.#vectors,
      },
      query,
      vector,
    ).slice(0, input.k)
    return this.#presentResult(ranked, input.vector?.embedder ?? null, started)
  }

  /** Chunks of a document's visible version in order, after number `after`. */
  async listChunks(input: {
    tenantId: string
    documentId: string
    after?: number
    limit: number
  }): Promise<{ chunks: StoredChunk[]; next: number | null }> {
    this.#enter(input.tenantId)
    const version = this.#chunks.liveVersion(input.documentId)
    if (!version) return { chunks: [], next: null }
    const rows = this.#chunks.listRows(version.id, input.after ?? -1, input.limit + 1)
    const chunks = rows.slice(0, input.limit).map((row) => presentChunk(version, row))
    return { chunks, next: rows.length > input.limit ? (chunks.at(-1)?.n ?? null) : null }
  }

  /** Visible chunks by id, in the order asked for; unknown ids are left out. */
  async readChunks(input: { tenantId: string; ids: string[] }): Promise<StoredChunk[]> {
    this.#enter(input.tenantId)
    const rows = this.#visibleRows(input.ids)
    const stored = new Map(this.#chunks.readRows(rows).map((row) => [row.id, row]))
    const chunks: StoredChunk[] = []
    for (const id of rows) {
      const row = stored.get(id)
      const version = this.#chunks.versions().get(splitRow(id).versionId)
      if (row && version) chunks.push(presentChunk(version, row))
    }
    return chunks
  }

  async stats(input: { tenantId: string }): Promise<BaseStats> {
    this.#enter(input.tenantId)
    const stats: BaseStats = {
      documents: 0,
      chunks: 0,
      staged: 0,
      vectors: this.#vectors.count(),
      bytes: this.ctx.storage.sql.databaseSize,
    }
    for (const version of this.#chunks.versions().values()) {
      if (version.live) {
        stats.documents++
        stats.chunks += version.chunks
      } else stats.staged += version.chunks
    }
    return stats
  }

  /** Removes everything, from the vector index too. Throws when that cannot be reached: call again. */
  async destroy(input: { tenantId: string }): Promise<void> {
    this.#enter(input.tenantId)
    this.#write(() => {
      for (const version of this.#chunks.versions().values()) this.#queueRemovalsOf(version)
    })
    await this.#removeFromIndex()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.#owner = null
    this.#ready = false
    this.#forget()
  }

  /** Takes removed chunks out of the vector index; the platform repeats it until it goes through. */
  override async alarm(): Promise<void> {
    this.#open()
    await this.#removeFromIndex()
  }

  #open(): void {
    if (this.#ready) return
    migrate(this.ctx.storage, KNOWLEDGE_BASE_MIGRATIONS)
    const rows = this.ctx.storage.sql
      .exec<{ key: string; value: string }>(
        "SELECT key, value FROM meta WHERE key IN ('tenant', 'base')",
      )
      .toArray()
    const stored = new Map(rows.map((row) => [row.key, row.value]))
    const tenantId = stored.get('tenant')
    const baseId = stored.get('base')
    this.#owner = tenantId && baseId ? { tenantId, baseId } : null
    this.#ready = true
  }

  #enter(tenantId: string): void {
    this.#open()
    if (this.#owner && this.#owner.tenantId !== tenantId)
      throw new Error('knowledge base of another tenant')
  }

  #claim(tenantId: string, baseId: string): void {
    this.#enter(tenantId)
    if (this.#owner) return
    this.ctx.storage.sql.exec(
      "INSERT INTO meta (key, value) VALUES ('tenant', ?), ('base', ?)",
      tenantId,
      baseId,
    )
    this.#owner = { tenantId, baseId }
  }

  #write<T>(change: () => T): T {
    try {
      return this.ctx.storage.transactionSync(change)
    } catch (error) {
      this.#forget()
      throw error
    }
  }

  #forget(): void {
    this.#chunks.forget()
    this.#terms.forget()
    this.#vectors.forget()
  }

  #index(embedder: string): VectorIndex | null {
    if (!this.#owner || isOffline(embedder)) return null
    return openVectors(this.env, this.#owner.baseId)
  }

  async #askIndex(vector: { embedder: string; values: number[] }): Promise<QuestionVector> {
    const index = this.#index(vector.embedder)
    if (!index) return { ...vector, nearest: null }
    const nearest = await index.query(vector.values, KNOWLEDGE.vectorHits)
    const scored = nearest.flatMap(({ id, cosine }) =>
      this.#visibleRows([id]).map((row) => ({ row, score: cosine })),
    )
    return { ...vector, nearest: scored }
  }

  #visibleRows(ids: readonly string[]): number[] {
    const rows: number[] = []
    for (const id of ids) {
      const parsed = parseChunkId(id)
      const version = parsed && this.#chunks.visibleByPrefix(parsed.prefix)
      if (version && parsed.n < version.chunks) rows.push(chunkRow(version.id, parsed.n))
    }
    return rows
  }

  #presentResult(
    ranked: readonly RankedRow[],
    embedder: string | null,
    started: number,
  ): SearchResult {
    const stored = new Map(
      this.#chunks.readRows(ranked.map((one) => one.row)).map((row) => [row.id, row]),
    )
    const hits: SearchHit[] = []
    let coverage = 0
    let cosine: number | null = null
    for (const one of ranked) {
      const row = stored.get(one.row)
      const version = this.#chunks.versions().get(splitRow(one.row).versionId)
      if (!row || !version) continue
      coverage = Math.max(coverage, one.coverage)
      if (one.cosine !== null) cosine = Math.max(cosine ?? -1, one.cosine)
      const { n: _, ...chunk } = presentChunk(version, row)
      hits.push({
        ...chunk,
        score: one.score,
        distance: 1 - (one.cosine ?? one.coverage),
        coverage: one.coverage,
      })
    }
    return {
      hits,
      idf: this.#terms.idf(),
      coverage,
      cosine,
      embedder,
      tookMs: Date.now() - started,
    }
  }

  #removeVersion(version: VersionRow): void {
    this.#queueRemovalsOf(version)
    this.#vectors.removeVersion(version.id)
    this.#chunks.removeVersion(version.id)
  }

  #queueRemovalsOf(version: VersionRow): void {
    if (!this.env.VECTORS) return
    this.#queueRemovals(
      Array.from({ length: version.chunks }, (_, n) => chunkId(version.idPrefix, n)),
    )
  }

  #queueRemovals(ids: readonly string[]): void {
    this.ctx.storage.sql.exec(
      'INSERT OR IGNORE INTO vector_removals (id) SELECT value FROM json_each(?)',
      JSON.stringify(ids),
    )
  }

  #cancelRemovals(ids: readonly string[]): void {
    this.ctx.storage.sql.exec(
      'DELETE FROM vector_removals WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )
  }

  async #armAlarm(): Promise<void> {
    if (this.env.VECTORS) await this.ctx.storage.setAlarm(Date.now() + KNOWLEDGE.removalDelayMs)
  }

  async #removeFromIndex(): Promise<void> {
    const { sql } = this.ctx.storage
    const index = this.#owner && openVectors(this.env, this.#owner.baseId)
    if (!index) return
    for (;;) {
      const ids = sql
        .exec<{ id: string }>('SELECT id FROM vector_removals LIMIT ?', KNOWLEDGE.removalBatch)
        .toArray()
        .map((row) => row.id)
      if (ids.length === 0) return
      await index.remove(ids)
      this.#cancelRemovals(ids)
    }
  }
}

function presentChunk(version: VersionRow, row: ChunkRow): StoredChunk {
  const { n } = splitRow(row.id)
  return {
    n,
    documentId: version.documentId,
    documentName: version.name,
    chunkId: chunkId(version.idPrefix, n),
    title: version.title || version.name,
    url: version.url,
    heading: row.heading,
    page: row.page,
    text: row.text,
    start: row.start,
    end: row.end,
  }
}
