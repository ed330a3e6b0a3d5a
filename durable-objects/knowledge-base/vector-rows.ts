import { KNOWLEDGE } from '../../src/config/limits'
import { BestScored, type Scored } from '../../src/knowledge/fusion'
import {
  cosineAt,
  normalize,
  type QuantizedVector,
  quantize,
  type Vector,
} from '../../src/knowledge/quantize'
import { MemoryBudget } from './memory-budget'

/** Shared by all bases of an isolate. */
const vectorMemory = new MemoryBudget(KNOWLEDGE.vectorMemory)
/** What a vector takes in memory beside its bytes: its row and its scale. */
const ROW_BYTES = 16
/** What grows gets room for half as many more. */
const GROWTH = 1.5

/** Vectors of one embedder, one after another; `bytes` may have room for more. */
interface Matrix {
  embedder: string
  rows: number[]
  scales: number[]
  bytes: Int8Array
  dimensions: number
}

interface RawVector {
  [column: string]: SqlStorageValue
  row: number
  scale: number
  bytes: ArrayBuffer
}

/** Vectors of a base in its own tables, compared one by one: exact, and quick enough unless the base is large. */
export class VectorRows {
  readonly #sql: SqlStorage
  #matrix: Matrix | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  forget(): void {
    this.#matrix = null
    vectorMemory.release(this)
  }

  put(embedder: string, items: readonly { row: number; vector: Vector }[]): void {
    this.#sql.exec('INSERT OR IGNORE INTO embedders (name) VALUES (?)', embedder)
    const { id } = this.#sql
      .exec<{ id: number }>('SELECT id FROM embedders WHERE name = ?', embedder)
      .one()
    const vectors = items.map(({ row, vector }) => ({ row, ...quantize(vector) }))
    for (const { row, bytes, scale } of vectors) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO vectors (chunk_id, embedder_id, scale, bytes) VALUES (?, ?, ?, ?)',
        row,
        id,
        scale,
        bytes,
      )
    }
    if (!this.#keep(embedder, vectors)) this.forget()
  }

  /**
   * Adds new rows to what memory holds, so that a search beside an import does not read all of them anew.
   * @returns false when that cannot be
   */
  #keep(embedder: string, added: readonly (QuantizedVector & { row: number })[]): boolean {
    const matrix = this.#matrix
    if (matrix === null) return true
    const { rows, scales, dimensions } = matrix
    const news = new Set(added.map(({ row }) => row))
    if (rows.some((row) => news.has(row))) return false
    if (matrix.embedder !== embedder) return true
    const fitting = added.filter(({ bytes }) => bytes.length === dimensions)
    if (!this.#makeRoom(matrix, rows.length + fitting.length)) return false
    for (const { row, bytes, scale } of fitting) {
      matrix.bytes.set(new Int8Array(bytes.buffer), rows.length * dimensions)
      rows.push(row)
      scales.push(scale)
    }
    return true
  }

  #makeRoom(matrix: Matrix, count: number): boolean {
    const { bytes, dimensions } = matrix
    if (count * dimensions <= bytes.length) return true
    const room = Math.ceil(count * GROWTH)
    if (!this.#hold(room, dimensions)) return false
    matrix.bytes = new Int8Array(room * dimensions)
    matrix.bytes.set(bytes)
    return true
  }

  #hold(count: number, dimensions: number): boolean {
    return vectorMemory.hold(this, count * (dimensions + ROW_BYTES), () => {
      this.#matrix = null
    })
  }

  /** Removes the vectors of a range of rowids. */
  remove(first: number, last: number): void {
    this.#sql.exec('DELETE FROM vectors WHERE chunk_id BETWEEN ? AND ?', first, last)
    if (this.#matrix) closeUp(this.#matrix, (row) => row < first || row > last)
  }

  count(): { embedder: string; count: number }[] {
    return this.#sql
      .exec<{ embedder: string; count: number }>(
        `SELECT name AS embedder, count(*) AS count FROM vectors JOIN embedders ON embedders.id = embedder_id
         GROUP BY name ORDER BY name`,
      )
      .toArray()
  }

  /** Cosines of these rows with the query; rows without a vector of this embedder are left out. */
  compare(embedder: string, query: Vector, rows: readonly number[]): Scored[] {
    const unit = normalize(query)
    const found = this.#sql.exec<RawVector>(
      `SELECT chunk_id AS row, scale, bytes FROM vectors
       WHERE chunk_id IN (SELECT value FROM json_each(?))
         AND embedder_id = (SELECT id FROM embedders WHERE name = ?)`,
      JSON.stringify(rows),
      embedder,
    )
    const scored: Scored[] = []
    for (const { row, scale, bytes } of found) {
      if (bytes.byteLength === unit.length) {
        scored.push({ row, score: cosineAt(unit, new Int8Array(bytes), 0, scale) })
      }
    }
    return scored
  }

  /** Those of these rows that have no vector of any embedder. */
  withoutAny(rows: readonly number[]): number[] {
    return this.#sql
      .exec<{ row: number }>(
        `SELECT value AS row FROM json_each(?) AS asked
         WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE chunk_id = asked.value)`,
        JSON.stringify(rows),
      )
      .toArray()
      .map(({ row }) => row)
  }

  /** The nearest rows that `visible` lets through. */
  nearest(
    embedder: string,
    query: Vector,
    limit: number,
    visible: (row: number) => boolean,
  ): Scored[] {
    const unit = normalize(query)
    const matrix = this.#load(embedder, unit.length)
    const best = new BestScored(limit)
    if (matrix) {
      for (const [i, row] of matrix.rows.entries()) {
        const score = cosineAt(unit, matrix.bytes, i * unit.length, matrix.scales[i] ?? 0)
        if (best.takes(row, score) && visible(row)) best.add(row, score)
      }
    } else {
      for (const { row, scale, bytes } of this.#scan(embedder)) {
        if (bytes.byteLength !== unit.length) continue
        const score = cosineAt(unit, new Int8Array(bytes), 0, scale)
        if (best.takes(row, score) && visible(row)) best.add(row, score)
      }
    }
    return best.list()
  }

  #load(embedder: string, dimensions: number): Matrix | null {
    if (this.#matrix?.embedder === embedder && this.#matrix.dimensions === dimensions) {
      vectorMemory.touch(this)
      return this.#matrix
    }
    this.#matrix = null
    const count = this.count().find((one) => one.embedder === embedder)?.count ?? 0
    if (!this.#hold(count, dimensions)) return null
    const matrix: Matrix = {
      embedder,
      rows: [],
      scales: [],
      bytes: new Int8Array(count * dimensions),
      dimensions,
    }
    for (const { row, scale, bytes } of this.#scan(embedder)) {
      if (bytes.byteLength !== dimensions) continue
      matrix.bytes.set(new Int8Array(bytes), matrix.rows.length * dimensions)
      matrix.rows.push(row)
      matrix.scales.push(scale)
    }
    this.#matrix = matrix
    return matrix
  }

  #scan(embedder: string): Iterable<RawVector> {
    return this.#sql.exec<RawVector>(
      `SELECT chunk_id AS row, scale, bytes FROM vectors
       WHERE embedder_id = (SELECT id FROM embedders WHERE name = ?)`,
      embedder,
    )
  }
}

/** Leaves only the rows that stay, in their order. */
function closeUp(
  { rows, scales, bytes, dimensions }: Matrix,
  stays: (row: number) => boolean,
): void {
  let kept = 0
  for (const [i, row] of rows.entries()) {
    if (!stays(row)) continue
    rows[kept] = row
    scales[kept] = scales[i] ?? 0
    bytes.copyWithin(kept * dimensions, i * dimensions, (i + 1) * dimensions)
    kept++
  }
  rows.length = kept
  scales.length = kept
}
