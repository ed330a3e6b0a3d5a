import { DurableObject } from 'cloudflare:workers'
import { KNOWLEDGE } from '../../src/config'
import { chunkId, chunkIdPrefix, parseChunkId } from '../../src/knowledge/chunk-id'
import type { Chunk, SearchResult } from '../../src/knowledge/types'
import { openVectors, type VectorIndex } from '../../src/platform/vectors'
import { migrate } from '../migrate'
import { ChunkStore } from './chunk-store'
import { presentChunk, presentResult, type StoredChunk } from './present'
import { chunkRow, splitRow, type VersionRow } from './rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from './schema'
import { type QuestionVector, rankPassages, type Tables } from './search'
import { type StageResult, stageChunks } from './stage-chunks'
import { TermStatistics } from './term-statistics'
import { VectorRemovals } from './vector-removals'
import { VectorRows } from './vector-rows'

export type { StageResult, StoredChunk }

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
  readonly #tables: Tables
  readonly #removals: VectorRemovals
  #owner: { tenantId: string; baseId: string } | null = null
  #ready = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    this.#tables = {
      sql,
      chunks: new ChunkStore(sql),
      terms: new TermStatistics(sql),
      vectors: new VectorRows(sql),
    }
    this.#removals = new VectorRemovals(sql)
    void ctx.blockConcurrencyWhile(async () => this.#open())
  }

  /**
   * Adds chunks of a version, prepared and indexed but invisible. Safe to repeat. `title` is the document's, and is
   * searched with every chunk. A version's chunks are numbered from 0 without gaps.
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
    const prefix = await chunkIdPrefix(input.baseId, input.documentId, input.version)
    return this.#write(() => {
      const { chunks } = this.#tables
      const version =
        chunks.findVersion(input.documentId, input.version) ??
        chunks.addVersion(input.documentId, input.version, prefix)
      return stageChunks(this.#tables, version, input.title, input.chunks)
    })
  }

  /**
   * Makes a version the visible one of its document, and takes out every earlier one, in one step. Safe to repeat.
   * Refused as long as one of its `total` chunks is missing.
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
    const { chunks, terms } = this.#tables
    const result = this.#write((): CommitResult => {
      const version = chunks.findVersion(input.documentId, input.version)
      const staged = version ? chunks.countUpTo(version.id, input.total) : 0
      if (staged < input.total) return { ok: false, reason: 'incomplete', staged }
      for (const other of chunks.versionsOf(input.documentId)) {
        if (!version || other.id < version.id) this.#removeVersion(other)
      }
      if (version) {
        this.#removeAfter(version, input.total)
        chunks.publish(version, input.name, input.title, input.url, input.total)
      }
      terms.refresh(chunks.size())
      return { ok: true, chunks: input.total }
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
    const { chunks, vectors } = this.#tables
    const version = chunks.findVersion(input.documentId, input.version)
    if (!version) return { stored: 0 }
    const items = input.items.filter((item) => item.n < version.chunks)
    const index = this.#index()
    if (!index) {
      const rows = items.map(({ n, vector }) => ({ row: chunkRow(version.id, n), vector }))
      this.#write(() => vectors.put(input.embedder, rows))
      return { stored: items.length }
    }
    const entries = items.map(({ n, vector }) => ({
      id: chunkId(version.idPrefix, n),
      values: vector,
    }))
    const ids = entries.map((entry) => entry.id)
    this.#removals.drop(ids)
    await index.upsert(entries)
    // A version removed meanwhile may have left the index before these went in.
    if (!chunks.findVersion(input.documentId, input.version)) {
      this.#removals.add(ids)
      await this.#armAlarm()
    }
    return { stored: items.length }
  }

  /** Takes a document out with all its versions; one that is not there is no error. */
  async deleteDocument(input: { tenantId: string; documentId: string }): Promise<void> {
    this.#enter(input.tenantId)
    const { chunks, terms } = this.#tables
    this.#write(() => {
      for (const version of chunks.versionsOf(input.documentId)) this.#removeVersion(version)
      terms.refresh(chunks.size())
    })
    await this.#armAlarm()
  }

  /** The `k` best visible passages for a question, at most 20; see `rankPassages`. */
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
    const ranked = rankPassages(this.#tables, query, vector).slice(0, input.k)
    return presentResult(this.#tables, ranked, vector?.embedder ?? null, started)
  }

  /** Chunks of a document's visible version in order, after number `after`. */
  async listChunks(input: {
    tenantId: string
    documentId: string
    after?: number
    limit: number
  }): Promise<{ chunks: StoredChunk[]; next: number | null }> {
    this.#enter(input.tenantId)
    const version = this.#tables.chunks.liveVersion(input.documentId)
    if (!version) return { chunks: [], next: null }
    const rows = this.#tables.chunks.listRows(version.id, input.after ?? -1, input.limit + 1)
    const chunks = rows.slice(0, input.limit).map((row) => presentChunk(version, row))
    return { chunks, next: rows.length > input.limit ? (chunks.at(-1)?.n ?? null) : null }
  }

  /** Visible chunks by id, in the order asked for; unknown ids are left out. */
  async readChunks(input: { tenantId: string; ids: string[] }): Promise<StoredChunk[]> {
    this.#enter(input.tenantId)
    const { chunks } = this.#tables
    const rows = this.#visibleRows(input.ids)
    const stored = new Map(chunks.readRows(rows).map((row) => [row.id, row]))
    return rows.flatMap((id) => {
      const row = stored.get(id)
      const version = chunks.versions().get(splitRow(id).versionId)
      return row && version ? [presentChunk(version, row)] : []
    })
  }

  async stats(input: { tenantId: string }): Promise<BaseStats> {
    this.#enter(input.tenantId)
    const stats: BaseStats = {
      documents: 0,
      chunks: 0,
      staged: 0,
      vectors: this.#tables.vectors.count(),
      bytes: this.ctx.storage.sql.databaseSize,
    }
    for (const version of this.#tables.chunks.versions().values()) {
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
      for (const version of this.#tables.chunks.versions().values()) this.#noteRemoval(version, 0)
    })
    await this.alarm()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    this.#owner = null
    this.#ready = false
    this.#forget()
  }

  /** Takes removed chunks out of the vector index; the platform repeats it until it goes through. */
  override async alarm(): Promise<void> {
    this.#open()
    const index = this.#index()
    if (index) await this.#removals.drain(index)
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
    if (this.#owner && this.#owner.tenantId !== tenantId) {
      throw new Error('knowledge base of another tenant')
    }
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
    this.#tables.chunks.forget()
    this.#tables.terms.forget()
    this.#tables.vectors.forget()
  }

  #index(): VectorIndex | null {
    return this.#owner && openVectors(this.env, this.#owner.baseId)
  }

  async #askIndex(vector: { embedder: string; values: number[] }): Promise<QuestionVector> {
    const found = await this.#index()?.query(vector.values, KNOWLEDGE.vectorHits)
    if (!found) return { ...vector, nearest: null }
    const nearest = found.flatMap(({ id, cosine }) =>
      this.#visibleRows([id]).map((row) => ({ row, score: cosine })),
    )
    return { ...vector, nearest }
  }

  #visibleRows(ids: readonly string[]): number[] {
    const rows: number[] = []
    for (const id of ids) {
      const parsed = parseChunkId(id)
      const version = parsed && this.#tables.chunks.visibleByPrefix(parsed.prefix)
      if (version && parsed.n < version.chunks) rows.push(chunkRow(version.id, parsed.n))
    }
    return rows
  }

  #removeVersion(version: VersionRow): void {
    this.#removeAfter(version, 0)
    this.#tables.chunks.removeVersion(version.id)
  }

  /** Removes a version's chunks from number `total` on. */
  #removeAfter(version: VersionRow, total: number): void {
    if (version.chunks <= total) return
    this.#noteRemoval(version, total)
    const [first, last] = [chunkRow(version.id, total), chunkRow(version.id, version.chunks - 1)]
    this.#tables.vectors.remove(first, last)
    this.#tables.chunks.removeChunks(first, last)
  }

  #noteRemoval(version: VersionRow, from: number): void {
    if (!this.env.VECTORS) return
    const count = Math.max(version.chunks - from, 0)
    this.#removals.add(Array.from({ length: count }, (_, i) => chunkId(version.idPrefix, from + i)))
  }

  async #armAlarm(): Promise<void> {
    if (!this.env.VECTORS || this.#removals.isEmpty()) return
    await this.ctx.storage.setAlarm(Date.now() + KNOWLEDGE.removalDelayMs)
  }
}
