import { MERGE } from '../../../src/config/limits'
import { MOVABLE_PARTS, type MovablePart, type PartRow } from '../../../src/spaces/movable-parts'

/**
 * Rows of movable parts as they are, read from one space and written to another. The one writer beside the stores: it
 * changes nothing in a row, and works only while no part may.
 */
export class MovingRows {
  readonly #sql: SqlStorage
  readonly #wrote: () => void

  /** @param wrote what a store remembers of its rows is no longer so */
  constructor(sql: SqlStorage, wrote: () => void) {
    this.#sql = sql
    this.#wrote = wrote
  }

  /** Rows after the given one in the order of the key, as many as one step takes. */
  read(part: MovablePart, after: PartRow | null): PartRow[] {
    const keys = part.key.join(', ')
    const marks = part.key.map(() => '?').join(', ')
    const conditions = [
      ...(part.only ? [`(${part.only})`] : []),
      ...(after ? [`(${keys}) > (${marks})`] : []),
    ]
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
    const cursor = this.#sql.exec<PartRow>(
      `SELECT * FROM ${part.table} ${where} ORDER BY ${keys} LIMIT ${MERGE.rows}`,
      ...(after ? part.key.map((column) => after[column] ?? null) : []),
    )
    const rows: PartRow[] = []
    let bytes = 0
    for (const row of cursor) {
      rows.push(row)
      bytes += weigh(row)
      if (bytes >= MERGE.bytes) break
    }
    return rows
  }

  /** To its place at once. */
  place(part: MovablePart, row: PartRow): void {
    this.#wrote()
    const columns = Object.keys(row)
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${part.table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...columns.map((column) => row[column] ?? null),
    )
  }

  /** From where they waited. A row that is there already, such as one of the same repeated request, wins. */
  placeStaged(part: MovablePart, mergeId: string): void {
    this.#wrote()
    const columns = this.#sql
      .exec<{ name: string }>('SELECT name FROM pragma_table_info(?)', part.table)
      .toArray()
      .map(({ name }) => name)
    const values = columns.map((column) => part.instead?.[column] ?? `row->>'$.${column}'`)
    this.#sql.exec(
      `INSERT OR IGNORE INTO ${part.table} (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM staged WHERE merge_id = ? AND part = ? ORDER BY n`,
      mergeId,
      part.table,
    )
  }

  /** What went over. */
  removeAll(): void {
    this.#wrote()
    for (const part of MOVABLE_PARTS) {
      this.#sql.exec(`DELETE FROM ${part.table} ${part.only ? `WHERE ${part.only}` : ''}`)
    }
  }

  /** What was placed and is found through a row of `table`. */
  removeThrough(table: string, head: string | number | null): void {
    this.#wrote()
    for (const part of MOVABLE_PARTS) {
      if (part.foundThrough?.table !== table) continue
      this.#sql.exec(`DELETE FROM ${part.table} WHERE ${part.foundThrough.column} = ?`, head)
    }
  }
}

function weigh(row: PartRow): number {
  let bytes = 0
  for (const value of Object.values(row)) {
    if (typeof value === 'string') bytes += value.length
    else if (value instanceof ArrayBuffer) bytes += value.byteLength
  }
  return bytes
}
