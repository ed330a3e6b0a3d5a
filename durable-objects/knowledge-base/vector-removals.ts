import { inParts, VECTORIZE_LIMITS } from '../../src/config/platform-limits'

/** A value of a statement has at most two million bytes. */
const IDS_AT_ONCE = 10_000

/** Ids that must leave the vector index: noted with the change that removed their chunks, taken out later, repeatably. */
export class VectorRemovals {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(ids: readonly string[]): void {
    for (const part of inParts(ids, IDS_AT_ONCE))
      this.#sql.exec(
        'INSERT OR IGNORE INTO vector_removals (id) SELECT value FROM json_each(?)',
        JSON.stringify(part),
      )
  }

  /** For ids that are about to come back, or are gone. */
  drop(ids: readonly string[]): void {
    this.#sql.exec(
      'DELETE FROM vector_removals WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )
  }

  /** Takes everything noted out of the index. Throws what the index throws; what is left stays noted, call by call. */
  async drain(remove: (ids: string[]) => Promise<void>): Promise<void> {
    for (;;) {
      const ids = this.#sql
        .exec<{ id: string }>('SELECT id FROM vector_removals LIMIT ?', VECTORIZE_LIMITS.deletedIds)
        .toArray()
        .map((row) => row.id)
      if (ids.length === 0) return
      await remove(ids)
      this.drop(ids)
    }
  }
}
