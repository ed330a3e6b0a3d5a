import { DurableObject } from 'cloudflare:workers'
import { KNOWLEDGE } from '../../src/config/limits'
import { configOf } from '../../src/config/read-config'
import { chunkIdPrefix, parseChunkId } from '../../src/knowledge/chunk-id'
import type { Vector } from '../../src/knowledge/quantize'
import type { Chunk, FoundPassages, PassageInContext } from '../../src/knowledge/types'
import { loadThesaurus } from '../../src/language/thesaurus'
import { createLog } from '../../src/log'
import { embedderName } from '../../src/models/embedding'
import { giveWay, goFirst, isAwaited } from '../../src/platform/give-way'
import { removeVectors } from '../../src/platform/vectors'
import { migrate } from '../migrate'
import { askIndex, visibleRows } from './ask-index'
import { ChunkStore } from './chunk-store'
import { IndexCopy } from './index-copy'
import { IndexUpkeep } from './index-upkeep'
import { MetaStore } from './meta-store'
import { presentChunk, presentResult, readChunks, readInContext, type StoredChunk } from './present'
import { chunkRow } from './rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from './schema'
import { rankPassages } from './search'
import {
  type PreparedChunk,
  portionSize,
  prepareChunks,
  preparePortion,
  type StageResult,
  stageChunks,
} from './stage-chunks'
import type { Tables } from './tables'
import {
  inPortions,
  publishVersion,
  type Refusal,
  takeDocument,
  type WholeDocument,
} from './take-documents'
import { openScores } from './term-scores'
import { TermStatistics } from './term-statistics'
import { UpkeepAlarm } from './upkeep-alarm'
import { VectorRemovals } from './vector-removals'
import { VectorRows } from './vector-rows'
import { VersionRemoval } from './version-removal'
import { VersionStore } from './version-store'

export type { StageResult, StoredChunk }

export type CommitResult =
  | { ok: true; chunks: number }
  | { ok: false; reason: 'incomplete'; staged: number }
  /** A later edition is searched. */
  | { ok: false; reason: 'superseded' }

interface SearchInput {
  tenantId: string
  query: string
  k: number
  vector?: { embedder: string; values: Vector }
  /** Name of the table of word weights that the caller has already (`FoundPassages.edition`): then it is not sent again. */
  knownIdf?: string
}

export interface BaseStats {
  documents: number
  chunks: number
  /** Chunks of versions that are not committed yet. */
  staged: number
  vectors: { embedder: string; count: number }[]
  /** Whether the vector index (Vectorize) has a copy of them, or is getting it. */
  copied: boolean
  /** Pieces that the two lexical indexes are in: two at best, once upkeep has run. */
  segments: number
  bytes: number
}

/**
 * Passages of one knowledge base with their indexes. A document comes in as a version: `stageChunks`, in any number of
 * calls, writes its chunks, invisible; `commitDocument` shows them all at once and removes the version before. Small
 * documents come whole by `takeDocuments`. Every call names the tenant: the first that writes owns the base, another
 * tenant's call throws.
 */
export class KnowledgeBase extends DurableObject<Env> {
  readonly #tables: Tables
  readonly #meta: MetaStore
  readonly #removals: VectorRemovals
  readonly #copy: IndexCopy
  readonly #removal: VersionRemoval
  readonly #upkeep: IndexUpkeep
  readonly #alarm: UpkeepAlarm
  #owner: { tenantId: string; baseId: string } | null = null
  #ready = false
  /** The run that brings the vector index up to date, or the last one. */
  #following: Promise<unknown> = Promise.resolve()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    this.#meta = new MetaStore(sql)
    const chunks = new ChunkStore(sql)
    this.#tables = {
      sql,
      versions: new VersionStore(sql),
      chunks,
      terms: new TermStatistics(sql, this.#meta),
      scores: openScores(sql, chunks),
      vectors: new VectorRows(sql),
    }
    this.#removals = new VectorRemovals(sql)
    this.#copy = new IndexCopy(sql, this.#meta, this.#tables.versions, this.#removals)
    this.#removal = new VersionRemoval(this.#tables, this.#copy)
    this.#upkeep = new IndexUpkeep(sql)
    this.#alarm = new UpkeepAlarm(ctx.storage)
    void ctx.blockConcurrencyWhile(async () => this.#open())
  }

  /**
   * Adds chunks of a version, prepared and indexed but invisible. Safe to repeat. `title` is the document's, and is
   * searched with every chunk. A version's chunks are numbered from 0 without gaps. A refusal takes the version out.
   */
  async stageChunks(input: {
    tenantId: string
    baseId: string
    documentId: string
    version: string
    edition: number
    title: string
    from: number
    chunks: Chunk[]
  }): Promise<StageResult> {
    this.#claim(input.tenantId, input.baseId)
    const prefix = await chunkIdPrefix(input.baseId, input.documentId, input.version)
    const embedder = embedderName(this.env)
    const { versions } = this.#tables
    let result: StageResult = { ok: true, staged: 0 }
    for (let from = 0; from < input.chunks.length && result.ok; ) {
      const prepared = await preparePortion(input.title, input.chunks, from)
      await giveWay()
      // The base may have ended in between.
      this.#claim(input.tenantId, input.baseId)
      result = this.#write(() => {
        const version = versions.open(input.documentId, input.version, input.edition, prefix)
        const staged = stageChunks(this.#tables, version, prepared, embedder)
        if (!staged.ok && !version.live) this.#removal.remove(version)
        return staged
      })
      from += prepared.length
    }
    return result
  }

  /**
   * Makes a version the visible one of its document, and takes out every earlier one, in one step. Safe to repeat.
   * Refused as long as one of its `total` chunks is missing, and once a later edition is visible, whichever came first.
   */
  async commitDocument(input: {
    tenantId: string
    baseId: string
    documentId: string
    version: string
    edition: number
    name: string
    title: string
    url: string | null
    total: number
  }): Promise<CommitResult> {
    const prefix = await chunkIdPrefix(input.baseId, input.documentId, input.version)
    this.#claim(input.tenantId, input.baseId)
    const { versions, chunks, terms } = this.#tables
    const result = this.#write((): CommitResult => {
      // A text without a passage staged nothing, and yet a version must stand there: an earlier one may come later.
      const version =
        input.total === 0
          ? versions.open(input.documentId, input.version, input.edition, prefix)
          : versions.find(input.documentId, input.version)
      const staged = version ? chunks.countUpTo(version.id, input.total) : 0
      if (!version || staged < input.total) return { ok: false, reason: 'incomplete', staged }
      const isPublished = publishVersion(this.#tables, this.#removal, version, input, input.total)
      terms.refresh(versions.size())
      if (!isPublished) return { ok: false, reason: 'superseded' }
      return { ok: true, chunks: input.total }
    })
    await this.#alarm.changed()
    return result
  }

  /**
   * Takes small documents with all their chunks and vectors: each is visible at once and whole. Safe to repeat.
   * @returns for each why it was refused, or null
   */
  async takeDocuments(input: {
    tenantId: string
    baseId: string
    embedder: string | null
    documents: WholeDocument[]
  }): Promise<Refusal[]> {
    this.#claim(input.tenantId, input.baseId)
    const { versions, terms } = this.#tables
    const refusals: Refusal[] = []
    for (const part of inPortions(input.documents)) {
      // Searches come in between; so may the end of the base.
      await scheduler.wait(0)
      const prepared: { prefix: string; chunks: PreparedChunk[] }[] = []
      for (const { documentId, version, searchedTitle, chunks } of part) {
        const prefix = await chunkIdPrefix(input.baseId, documentId, version)
        prepared.push({ prefix, chunks: await prepareChunks(searchedTitle, chunks) })
      }
      this.#claim(input.tenantId, input.baseId)
      this.#write(() => {
        for (const [i, document] of part.entries()) {
          const { prefix = '', chunks = [] } = prepared[i] ?? {}
          const taken = takeDocument(
            this.#tables,
            this.#removal,
            document,
            chunks,
            prefix,
            input.embedder,
          )
          this.#copy.change(taken.rows)
          refusals.push(taken.refusal)
        }
        terms.refresh(versions.size())
      })
    }
    await this.#alarm.changed()
    return refusals
  }

  /** Stores vectors of a version's chunks. Safe to repeat; a chunk that is gone is skipped. Returns how many were stored. */
  async putVectors(input: {
    tenantId: string
    documentId: string
    version: string
    embedder: string
    items: { n: number; vector: Vector }[]
  }): Promise<{ stored: number }> {
    this.#enter(input.tenantId)
    const { versions, vectors } = this.#tables
    let stored = 0
    for (let from = 0; from < input.items.length; ) {
      const part = isAwaited() ? input.items.slice(from, from + portionSize()) : input.items
      await giveWay()
      this.#enter(input.tenantId)
      const version = versions.find(input.documentId, input.version)
      if (!version) return { stored: 0 }
      const items = part
        .filter((item) => item.n < version.chunks)
        .map(({ n, vector }) => ({ row: chunkRow(version.id, n), vector }))
      this.#write(() => {
        vectors.put(input.embedder, items)
        this.#copy.change(items.map(({ row }) => row))
      })
      stored += items.length
      from += part.length
    }
    await this.#alarm.changed()
    return { stored }
  }

  /** Takes a document out with all its versions; one that is not there is no error. */
  async deleteDocument(input: { tenantId: string; documentId: string }): Promise<void> {
    this.#enter(input.tenantId)
    const { versions, terms } = this.#tables
    this.#write(() => {
      for (const version of versions.listOf(input.documentId)) this.#removal.remove(version)
      terms.refresh(versions.size())
    })
    await this.#alarm.changed()
  }

  /** The `k` best visible passages for a question, at most 24; see `rankPassages`. */
  async search(input: SearchInput): Promise<FoundPassages> {
    return goFirst(() => this.#search(input))
  }

  /** Chunks of a document's visible version in order, after number `after`. */
  async listChunks(input: {
    tenantId: string
    documentId: string
    after?: number
    limit: number
  }): Promise<{ chunks: StoredChunk[]; next: number | null }> {
    this.#enter(input.tenantId)
    const version = this.#tables.versions.findLive(input.documentId)
    if (!version) return { chunks: [], next: null }
    const rows = this.#tables.chunks.list(version.id, input.after ?? -1, input.limit + 1)
    const chunks = rows.slice(0, input.limit).map((row) => presentChunk(version, row))
    return { chunks, next: rows.length > input.limit ? (chunks.at(-1)?.n ?? null) : null }
  }

  /** Visible chunks by id, in the order asked for; unknown ids are left out. */
  async readChunks(input: { tenantId: string; ids: string[] }): Promise<StoredChunk[]> {
    this.#enter(input.tenantId)
    const rows = visibleRows(this.#tables.versions, input.ids).map((found) => found.row)
    return readChunks(this.#tables, rows).map(({ row: _, ...chunk }) => chunk)
  }

  /** A document's visible chunk between its neighbours; null once its version is no longer searched. */
  async readInContext(input: {
    tenantId: string
    documentId: string
    chunkId: string
  }): Promise<PassageInContext | null> {
    this.#enter(input.tenantId)
    const { versions, chunks } = this.#tables
    const version = versions.findLive(input.documentId)
    const id = parseChunkId(input.chunkId)
    return version && id?.prefix === version.idPrefix ? readInContext(chunks, version, id.n) : null
  }

  async stats(input: { tenantId: string }): Promise<BaseStats> {
    this.#enter(input.tenantId)
    return {
      ...this.#tables.versions.count(),
      vectors: this.#tables.vectors.count(),
      copied: this.#copy.isKept(),
      segments: this.#upkeep.countSegments(),
      bytes: this.ctx.storage.sql.databaseSize,
    }
  }

  /** Removes everything, from the vector index too. Throws when that cannot be reached: call again. */
  async destroy(input: { tenantId: string }): Promise<void> {
    this.#enter(input.tenantId)
    this.#write(() => this.#copy.close())
    // Should nobody call again, the alarm takes the vectors out.
    await this.#alarm.changed()
    await this.#following
    await this.#drainRemovals()
    await this.#alarm.remove()
    await this.ctx.storage.deleteAll()
    this.#owner = null
    this.#ready = false
    this.#forget()
  }

  /** Merges the lexical indexes, counts their terms and brings the vector index up to date; comes again as long as that is not done. */
  override async alarm(): Promise<void> {
    this.#open()
    if (!(await this.#alarm.fired())) return
    await this.#upkeep.run(() => this.#ready)
    // Of a base in several languages the last tenth may be all that there is of one.
    if (this.#ready) this.#write(() => this.#tables.terms.refresh(this.#tables.versions.size(), 0))
    const following = this.#followIndex()
    this.#following = following
    const isDone = await following
    if (!isDone && this.#ready) {
      await this.#alarm.set(Date.now() + KNOWLEDGE.indexPauseMs)
    }
  }

  async #search(input: SearchInput): Promise<FoundPassages> {
    this.#enter(input.tenantId)
    await loadThesaurus()
    const query = input.query.slice(0, KNOWLEDGE.queryLength)
    const baseId = this.#owner?.baseId
    const vector =
      input.vector && baseId
        ? await askIndex(this.env, baseId, this.#tables, this.#copy, input.vector)
        : null
    const ranked = rankPassages(this.#tables, query, vector, input.k).slice(0, input.k)
    const embedder = vector?.embedder ?? null
    return presentResult(this.#tables, ranked, embedder, input.knownIdf)
  }

  async #followIndex(): Promise<boolean> {
    if (!this.#ready) return true
    const { env } = this
    try {
      if (env.VECTORS) {
        const { chunks } = this.#tables.versions.count()
        this.#write(() => this.#copy.decide(chunks, configOf(env).vectorizeFromChunks))
      }
      await this.#drainRemovals()
      const baseId = this.#owner?.baseId
      return !baseId || !(await this.#copy.run(env, baseId, () => this.#ready))
    } catch (error) {
      createLog('knowledge').error('vector_copy_failed', error)
      return false
    }
  }

  async #drainRemovals(): Promise<void> {
    await this.#removals.drain((ids) => removeVectors(this.env, ids))
  }

  #open(): void {
    if (this.#ready) return
    migrate(this.ctx.storage, KNOWLEDGE_BASE_MIGRATIONS)
    const tenantId = this.#meta.get('tenant')
    const baseId = this.#meta.get('base')
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
    this.ctx.storage.transactionSync(() => {
      this.#meta.set('tenant', tenantId)
      this.#meta.set('base', baseId)
    })
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
    this.#tables.versions.forget()
    this.#tables.terms.forget()
    this.#tables.scores.kb_a.forget()
    this.#tables.scores.kb_b.forget()
    this.#tables.vectors.forget()
    this.#copy.forget()
  }
}
