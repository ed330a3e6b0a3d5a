import { DAY_MS, MERGE } from '../../../src/config/limits'
import { keyText, type MovablePart, type PartRow } from '../../../src/spaces/movable-parts'

const CLOSED_KEPT_MS = DAY_MS

/** Merges that come from other spaces, and their rows that wait to become visible in one step. */
export class StagingStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  open(mergeId: string, now: number): void {
    this.#sql.exec(
      "DELETE FROM incoming WHERE state = 'closed' AND created_at < ?",
      now - CLOSED_KEPT_MS,
    )
    this.#sql.exec(
      "INSERT INTO incoming (id, state, created_at) VALUES (?, 'open', ?) ON CONFLICT DO NOTHING",
      mergeId,
      now,
    )
  }

  isOpen(mergeId: string): boolean {
    const open = this.#sql.exec("SELECT 1 FROM incoming WHERE id = ? AND state = 'open'", mergeId)
    return open.toArray().length > 0
  }

  /** Nothing of it that is still on its way is taken any more. */
  close(mergeId: string, now: number): void {
    this.#sql.exec(
      "INSERT INTO incoming (id, state, created_at) VALUES (?, 'closed', ?) ON CONFLICT (id) DO UPDATE SET state = 'closed'",
      mergeId,
      now,
    )
  }

  /** The same row again replaces itself. */
  add(mergeId: string, part: MovablePart, row: PartRow): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO staged (merge_id, part, key, row) VALUES (?, ?, ?, ?)',
      mergeId,
      part.table,
      keyText(part, row),
      JSON.stringify(row),
    )
  }

  rows(mergeId: string, table: string): PartRow[] {
    return this.#sql
      .exec<{ row: string }>(
        'SELECT row FROM staged WHERE merge_id = ? AND part = ? ORDER BY n',
        mergeId,
        table,
      )
      .toArray()
      .map(({ row }) => JSON.parse(row) as PartRow)
  }

  /** Some rows by what others are found through. */
  heads(mergeId: string): { n: number; part: string; head: string | number | null }[] {
    return this.#sql
      .exec<{ n: number; part: string; key: string }>(
        'SELECT n, part, key FROM staged WHERE merge_id = ? ORDER BY n LIMIT ?',
        mergeId,
        MERGE.heads,
      )
      .toArray()
      .map(({ n, part, key }) => ({
        n,
        part,
        head: (JSON.parse(key) as (string | number)[])[0] ?? null,
      }))
  }

  remove(n: number): void {
    this.#sql.exec('DELETE FROM staged WHERE n = ?', n)
  }

  removeAll(mergeId: string): void {
    this.#sql.exec('DELETE FROM staged WHERE merge_id = ?', mergeId)
  }
}
