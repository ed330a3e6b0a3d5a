import { LATIN_MODES, type LatinMode } from '../../src/knowledge/latin-language'
import type { PreparedPassage } from '../../src/knowledge/prepare-passage'
import type { Chunk } from '../../src/knowledge/types'
import { type ChunkRow, chunkRow, rowRange, splitRow, type VersionRow } from './rows'

const VERSION_COLUMNS = 'id, document_id, version, live, chunks, id_prefix, name, title, url'
const CHUNK_COLUMNS = 'id, page, start_at AS start, end_at AS "end", heading, text'
/** A mode with a smaller share of the passages is taken into account only when the question itself is in it. */
const MODE_SHARE = 0.02

interface RawVersion {
  [column: string]: SqlStorageValue
  id: number
  document_id: string
  version: string
  live: number
  chunks: number
  id_prefix: string
  name: string
  title: string
  url: string | null
}

/** Chunks and versions of a base in its tables. Callers wrap writes into one transaction. */
export class ChunkStore {
  readonly #sql: SqlStorage
  /** Everything `versions` says, kept in memory: a hit's document is found without a query. */
  #versions: Map<number, VersionRow> | null = null
  #prefixes: Map<string, number> | null = null
  #modes: Map<LatinMode, number> | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Forgets what memory holds; after a failed transaction it may be ahead of the tables. */
  forget(): void {
    this.#versions = null
    this.#prefixes = null
    this.#modes = null
  }

  versions(): Map<number, VersionRow> {
    this.#versions ??= new Map(
      this.#sql
        .exec<RawVersion>(`SELECT ${VERSION_COLUMNS} FROM versions`)
        .toArray()
        .map((row) => [row.id, presentVersion(row)]),
    )
    return this.#versions
  }

  /** Versions in the indexes that no search may show. */
  hiddenVersions(): number[] {
    const hidden: number[] = []
    for (const version of this.versions().values()) if (!version.live) hidden.push(version.id)
    return hidden
  }

  isVisible(row: number): boolean {
    return this.versions().get(splitRow(row).versionId)?.live === true
  }

  visibleByPrefix(prefix: string): VersionRow | null {
    this.#prefixes ??= new Map(
      [...this.versions().values()].map((version) => [version.idPrefix, version.id]),
    )
    const version = this.versions().get(this.#prefixes.get(prefix) ?? -1)
    return version?.live ? version : null
  }

  findVersion(documentId: string, version: string): VersionRow | null {
    const row = this.#sql
      .exec<RawVersion>(
        `SELECT ${VERSION_COLUMNS} FROM versions WHERE document_id = ? AND version = ?`,
        documentId,
        version,
      )
      .toArray()[0]
    return row ? presentVersion(row) : null
  }

  liveVersion(documentId: string): VersionRow | null {
    return this.versionsOf(documentId).find((row) => row.live) ?? null
  }

  versionsOf(documentId: string): VersionRow[] {
    return this.#sql
      .exec<RawVersion>(
        `SELECT ${VERSION_COLUMNS} FROM versions WHERE document_id = ? ORDER BY id`,
        documentId,
      )
      .toArray()
      .map(presentVersion)
  }

  /** Chunks in the tables, staged ones included. */
  size(): number {
    let sum = 0
    for (const version of this.versions().values()) sum += version.chunks
    return sum
  }

  addVersion(documentId: string, version: string, idPrefix: string): VersionRow {
    const row = this.#sql
      .exec<RawVersion>(
        `INSERT INTO versions (document_id, version, id_prefix) VALUES (?, ?, ?) RETURNING ${VERSION_COLUMNS}`,
        documentId,
        version,
        idPrefix,
      )
      .one()
    const added = presentVersion(row)
    this.versions().set(added.id, added)
    this.#prefixes = null
    return added
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

  addChunk(row: number, chunk: Chunk, passage: PreparedPassage): void {
    this.#sql.exec(
      'INSERT INTO chunks (id, sketch, page, start_at, end_at, heading, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
      row,
      passage.sketch,
      chunk.page,
      chunk.start,
      chunk.end,
      chunk.heading,
      chunk.text,
    )
    this.#sql.exec(
      'INSERT INTO kb_a (rowid, title, body) VALUES (CAST(? AS INTEGER), ?, ?)',
      row,
      passage.a.title,
      passage.a.body,
    )
    this.#sql.exec(
      'INSERT INTO kb_b (rowid, title, body) VALUES (CAST(? AS INTEGER), ?, ?)',
      row,
      passage.b.title,
      passage.b.body,
    )
  }

  /** Notes that a version got more chunks, by mode of their Latin words. Returns how many it has now. */
  countChunks(versionId: number, added: ReadonlyMap<LatinMode, number>): number {
    const before = this.#sql
      .exec<{ chunks: number; modes: string }>(
        'SELECT chunks, modes FROM versions WHERE id = ?',
        versionId,
      )
      .one()
    if (added.size === 0) return before.chunks
    const modes = JSON.parse(before.modes) as Record<string, number>
    let chunks = before.chunks
    for (const [mode, count] of added) {
      modes[mode] = (modes[mode] ?? 0) + count
      chunks += count
    }
    this.#sql.exec(
      'UPDATE versions SET chunks = ?, modes = ? WHERE id = ?',
      chunks,
      JSON.stringify(modes),
      versionId,
    )
    const kept = this.versions().get(versionId)
    if (kept) kept.chunks = chunks
    this.#modes = null
    return chunks
  }

  /** Makes a version visible with its first `total` chunks; the caller has taken out what must go. */
  publish(version: VersionRow, name: string, title: string, url: string | null, total: number) {
    this.#sql.exec(
      'UPDATE versions SET live = 1, name = ?, title = ?, url = ?, chunks = ? WHERE id = ?',
      name,
      title,
      url,
      total,
      version.id,
    )
    this.versions().set(version.id, { ...version, live: true, name, title, url, chunks: total })
  }

  /** Removes the chunks of a range of rowids, from the indexes too. */
  removeChunks(first: number, last: number): void {
    const ids = 'SELECT id FROM chunks WHERE id BETWEEN ? AND ?'
    this.#sql.exec(`DELETE FROM kb_a WHERE rowid IN (${ids})`, first, last)
    this.#sql.exec(`DELETE FROM kb_b WHERE rowid IN (${ids})`, first, last)
    this.#sql.exec('DELETE FROM chunks WHERE id BETWEEN ? AND ?', first, last)
  }

  removeVersion(versionId: number): void {
    this.#sql.exec('DELETE FROM versions WHERE id = ?', versionId)
    this.versions().delete(versionId)
    this.#modes = null
  }

  /** Chunks by rowid, in no particular order. */
  readRows(rows: readonly number[]): ChunkRow[] {
    return this.#sql
      .exec<ChunkRow & Record<string, SqlStorageValue>>(
        `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(rows),
      )
      .toArray()
  }

  readSketches(rows: readonly number[]): Map<number, ArrayBuffer> {
    const found = this.#sql.exec<{ id: number; sketch: ArrayBuffer }>(
      'SELECT id, sketch FROM chunks WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(rows),
    )
    return new Map(found.toArray().map((row) => [row.id, row.sketch]))
  }

  listRows(versionId: number, after: number, limit: number): ChunkRow[] {
    return this.#sql
      .exec<ChunkRow & Record<string, SqlStorageValue>>(
        `SELECT ${CHUNK_COLUMNS} FROM chunks WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
        chunkRow(versionId, after),
        rowRange(versionId)[1],
        limit,
      )
      .toArray()
  }

  /** Modes to prepare a question in: those of a fair part of the base, and the question's own where the base has it. */
  modesFor(question: LatinMode): LatinMode[] {
    const counts = this.#countModes()
    let sum = 0
    for (const count of counts.values()) sum += count
    const modes = LATIN_MODES.filter((mode) => {
      const count = counts.get(mode) ?? 0
      return count > 0 && (mode === question || count >= sum * MODE_SHARE)
    })
    return modes.length > 0 ? modes : ['english']
  }

  #countModes(): Map<LatinMode, number> {
    this.#modes ??= new Map(
      this.#sql
        .exec<{ mode: LatinMode; chunks: number }>(
          'SELECT key AS mode, sum(value) AS chunks FROM versions, json_each(versions.modes) GROUP BY key',
        )
        .toArray()
        .map((row) => [row.mode, row.chunks]),
    )
    return this.#modes
  }
}

function presentVersion(row: RawVersion): VersionRow {
  return {
    id: row.id,
    documentId: row.document_id,
    version: row.version,
    live: row.live === 1,
    chunks: row.chunks,
    idPrefix: row.id_prefix,
    name: row.name,
    title: row.title,
    url: row.url,
  }
}
