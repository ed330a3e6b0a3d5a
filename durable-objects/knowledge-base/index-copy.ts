import { KNOWLEDGE } from '../../src/config/limits'
import { chunkId } from '../../src/knowledge/chunk-id'
import { createLog } from '../../src/log'
import { type IndexState, openVectors, readIndex } from '../../src/platform/vectors'
import { OFFLINE_EMBEDDER } from '../../src/text/statistical-vectors'
import type { MetaStore } from './meta-store'
import { chunkRow, rowRange, splitRow, type VersionRow } from './rows'
import type { VectorRemovals } from './vector-removals'
import type { VersionStore } from './version-store'

/** Closed: the base is about to go, and is not copied any more. */
type State = 'none' | 'kept' | 'closed'

interface Waiting {
  [column: string]: SqlStorageValue
  seq: number
  row: number
  scale: number
  bytes: ArrayBuffer
  embedder: string
  prefix: string
}

/**
 * The copy of a large base's vectors in the vector index (Vectorize), which takes changes in order but shows them only
 * some time later. The object's own vectors are the truth. A changed row waits in `index_backlog` until the index has
 * processed it, and until then the object compares it itself. Each batch that was sent leaves a mark (`index_marks`: up to
 * which place of the backlog, when, as which mutation), so that a run that was cut off goes on there; sending twice
 * changes nothing. Callers open the transaction.
 */
export class IndexCopy {
  readonly #sql: SqlStorage
  readonly #meta: MetaStore
  readonly #versions: VersionStore
  readonly #removals: VectorRemovals
  #state: State | null = null

  constructor(sql: SqlStorage, meta: MetaStore, versions: VersionStore, removals: VectorRemovals) {
    this.#sql = sql
    this.#meta = meta
    this.#versions = versions
    this.#removals = removals
  }

  /** Forgets what memory holds; after a failed transaction it may be ahead of the tables. */
  forget(): void {
    this.#state = null
  }

  isKept(): boolean {
    return this.#read() === 'kept'
  }

  /** Begins the copy at `from` chunks and ends it below half of them, so that a base near the edge does not switch all the time. */
  decide(chunks: number, from: number): void {
    const state = this.#read()
    if (state === 'none' && chunks >= from) this.#begin()
    else if (state === 'kept' && chunks < from / 2) this.#end()
  }

  /** Ends for good: the base is about to go. */
  close(): void {
    if (this.isKept()) this.#end()
    this.#set('closed')
  }

  /** These rows have other vectors now. */
  change(rows: readonly number[]): void {
    if (!this.isKept()) return
    this.#sql.exec(
      'INSERT OR REPLACE INTO index_backlog (chunk_id) SELECT value FROM json_each(?)',
      JSON.stringify(rows),
    )
  }

  /** Has the vectors of a version's chunks from number `from` on taken out of the index. */
  remove(version: VersionRow, from: number): void {
    if (!this.isKept()) return
    this.#removals.add(idsOf(version, from))
    this.#sql.exec(
      'DELETE FROM index_backlog WHERE chunk_id BETWEEN ? AND ?',
      chunkRow(version.id, from),
      rowRange(version.id)[1],
    )
  }

  /** Rows that the index does not answer for yet; null when it is no use to ask it. */
  backlog(): number[] | null {
    if (!this.isKept()) return null
    const rows = this.#sql
      .exec<{ row: number }>(
        'SELECT chunk_id AS row FROM index_backlog LIMIT ?',
        KNOWLEDGE.indexBacklog + 1,
      )
      .toArray()
    return rows.length > KNOWLEDGE.indexBacklog ? null : rows.map(({ row }) => row)
  }

  /**
   * Sends what waits and takes note of what the index has processed. Throws what the index throws.
   * @param isOpen false once the base was destroyed in between
   * @returns whether the index has yet to process something
   */
  async run(env: Pick<Env, 'VECTORS'>, baseId: string, isOpen: () => boolean): Promise<boolean> {
    const goesOn = () => isOpen() && this.isKept()
    const state = goesOn() ? await readIndex(env) : null
    if (!state || !goesOn()) return false
    this.#settle(state)
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
      if (batch.some(({ bytes }) => bytes.byteLength !== state.dimensions)) {
        createLog('knowledge').warn('vectors_not_copied', { reason: 'dimensions' })
        return false
      }
      const mutation = await this.#send(env, baseId, batch)
      // The copy ended while this was sent: `#end` has noted these ids for removal, which follows.
      if (!goesOn()) return false
      this.#sql.exec(
        'INSERT INTO index_marks (seq, sent_at, mutation) VALUES (?, ?, ?)',
        batch.at(-1)?.seq ?? 0,
        Date.now(),
        mutation,
      )
    }
    return this.#sql.exec('SELECT 1 FROM index_marks LIMIT 1').toArray().length > 0
  }

  /** @returns the last mutation: the index works off what it accepted in order. */
  async #send(env: Pick<Env, 'VECTORS'>, baseId: string, batch: Waiting[]): Promise<string> {
    // Some may have been removed and come back.
    this.#removals.drop(batch.map(idOf))
    let mutation = ''
    for (const [embedder, items] of Map.groupBy(batch, (one) => one.embedder)) {
      const index = await openVectors(env, baseId, embedder)
      mutation = (await index?.upsert(items.map(entryOf))) ?? mutation
    }
    return mutation
  }

  #begin(): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO index_backlog (chunk_id)
       SELECT chunk_id FROM vectors WHERE embedder_id NOT IN (SELECT id FROM embedders WHERE name = ?)`,
      OFFLINE_EMBEDDER,
    )
    this.#set('kept')
  }

  /** Has everything taken out of the index. */
  #end(): void {
    for (const version of this.#versions.listAll()) this.#removals.add(idsOf(version, 0))
    this.#sql.exec('DELETE FROM index_backlog')
    this.#sql.exec('DELETE FROM index_marks')
    this.#set('none')
  }

  #read(): State {
    this.#state ??= (this.#meta.get('copy') ?? 'none') as State
    return this.#state
  }

  #set(state: State): void {
    this.#meta.set('copy', state)
    this.#state = state
  }

  #next(): Waiting[] {
    return this.#sql
      .exec<Waiting>(
        `SELECT b.seq, b.chunk_id AS row, v.scale, v.bytes, e.name AS embedder, o.id_prefix AS prefix
         FROM index_backlog b
         CROSS JOIN vectors v ON v.chunk_id = b.chunk_id
         CROSS JOIN embedders e ON e.id = v.embedder_id
         CROSS JOIN versions o ON o.id = b.chunk_id >> 20
         WHERE b.seq > coalesce((SELECT max(seq) FROM index_marks), 0) AND e.name != ?
         ORDER BY b.seq LIMIT ?`,
        OFFLINE_EMBEDDER,
        KNOWLEDGE.indexBatch,
      )
      .toArray()
  }

  #settle({ processedAt, mutation }: IndexState): void {
    const { mark } = this.#sql
      .exec<{ mark: number }>(
        'SELECT coalesce(max(seq), 0) AS mark FROM index_marks WHERE sent_at <= ? OR mutation = ?',
        processedAt,
        mutation,
      )
      .one()
    this.#sql.exec('DELETE FROM index_backlog WHERE seq <= ?', mark)
    this.#sql.exec('DELETE FROM index_marks WHERE seq <= ?', mark)
  }
}

const idOf = ({ row, prefix }: Waiting): string => chunkId(prefix, splitRow(row).n)

const entryOf = (one: Waiting) => ({
  id: idOf(one),
  values: Array.from(new Int8Array(one.bytes), (byte) => byte * one.scale),
})

function idsOf(version: VersionRow, from: number): string[] {
  const count = Math.max(version.chunks - from, 0)
  return Array.from({ length: count }, (_, i) => chunkId(version.idPrefix, from + i))
}
