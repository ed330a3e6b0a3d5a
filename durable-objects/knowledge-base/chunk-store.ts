import type { PreparedPassage } from '../../src/knowledge/prepare-passage'
import type { Chunk } from '../../src/knowledge/types'
import { wordTokens } from '../../src/text/analyze'
import { readPhrasings } from '../../src/text/phrasings'
import { type ChunkRow, chunkRow, rowRange } from './rows'

const COLUMNS = 'id, page, start_at AS start, end_at AS "end", heading, phrasings, text'

/** Sketches that are kept in memory, some 300 bytes each. */
const MOST_SKETCHES = 1000

type RawChunk = ChunkRow & Record<string, SqlStorageValue>

/** Chunks of a base with their entries in both indexes. Callers wrap writes into one transaction. */
export class ChunkStore {
  readonly #sql: SqlStorage
  /** Goes up whenever a chunk comes or goes. */
  changes = 0
  /** What searches have read since the last change. */
  #read = nothingRead(0)

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(row: number, chunk: Chunk, passage: PreparedPassage): void {
    this.changes++
    this.#sql.exec(
      'INSERT INTO chunks (id, sketch, page, start_at, end_at, heading, phrasings, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      row,
      passage.sketch,
      chunk.page,
      chunk.start,
      chunk.end,
      chunk.heading,
      chunk.phrasings ?? null,
      chunk.text,
    )
    const { words, letters } = passage
    const values = 'VALUES (CAST(? AS INTEGER), ?, ?)'
    this.#sql.exec(`INSERT INTO kb_a (rowid, title, body) ${values}`, row, words.title, words.body)
    this.#sql.exec(
      `INSERT INTO kb_b (rowid, title, body) ${values}`,
      row,
      letters.title,
      letters.body,
    )
  }

  /** Removes the chunks of a range of rowids, from the indexes too. */
  remove(first: number, last: number): void {
    this.changes++
    const ids = 'SELECT id FROM chunks WHERE id BETWEEN ? AND ?'
    this.#sql.exec(`DELETE FROM kb_a WHERE rowid IN (${ids})`, first, last)
    this.#sql.exec(`DELETE FROM kb_b WHERE rowid IN (${ids})`, first, last)
    this.#sql.exec('DELETE FROM chunks WHERE id BETWEEN ? AND ?', first, last)
  }

  /** How many of a version's first `total` chunks are there. */
  countUpTo(versionId: number, total: number): number {
    return this.#sql
      .exec<{ count: number }>(
        'SELECT count(*) AS count FROM chunks WHERE id BETWEEN ? AND ?',
        chunkRow(versionId, 0),
        chunkRow(versionId, total - 1),
      )
      .one().count
  }

  read(rows: readonly number[]): Map<number, ChunkRow> {
    const found = this.#sql.exec<RawChunk>(
      `SELECT ${COLUMNS} FROM chunks WHERE id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(rows),
    )
    return new Map(found.toArray().map((row) => [row.id, row]))
  }

  readSketches(rows: readonly number[]): Map<number, ArrayBuffer> {
    if (this.#read.changes !== this.changes || this.#read.sketches.size > MOST_SKETCHES)
      this.#read = nothingRead(this.changes)
    const { sketches, ways } = this.#read
    const unread = rows.filter((row) => !sketches.has(row))
    if (unread.length > 0) {
      const found = this.#sql.exec<{ id: number; sketch: ArrayBuffer; phrasings: string | null }>(
        'SELECT id, sketch, phrasings FROM chunks WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(unread),
      )
      for (const { id, sketch, phrasings } of found) {
        sketches.set(id, sketch)
        if (phrasings !== null)
          ways.set(
            id,
            readPhrasings(phrasings).map(({ text }) => new Set(wordTokens(text))),
          )
      }
    }
    return new Map(
      rows.flatMap((row) => {
        const sketch = sketches.get(row)
        return sketch ? [[row, sketch]] : []
      }),
    )
  }

  /** Of a row whose sketch was read: the other ways to ask for it, in tokens. Most passages have none. */
  waysOf(row: number): readonly ReadonlySet<string>[] {
    return this.#read.ways.get(row) ?? []
  }

  /** A version's chunks in order, after number `after`. */
  list(versionId: number, after: number, limit: number): ChunkRow[] {
    return this.#sql
      .exec<RawChunk>(
        `SELECT ${COLUMNS} FROM chunks WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
        chunkRow(versionId, after),
        rowRange(versionId)[1],
        limit,
      )
      .toArray()
  }
}

const nothingRead = (changes: number) => ({
  changes,
  sketches: new Map<number, ArrayBuffer>(),
  ways: new Map<number, readonly ReadonlySet<string>[]>(),
})
