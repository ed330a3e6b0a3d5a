import { LATIN_MODES, type LatinMode } from '../../src/text/latin-language'
import { splitRow, type VersionRow } from './rows'

const COLUMNS = 'id, document_id, version, edition, live, chunks, id_prefix, name, title, url'
/** Most versions that memory holds. */
const FOUND_KEPT = 2_000
/** A mode (how Latin words are stemmed) with a smaller share of the passages counts only for questions in that mode. */
const MODE_SHARE = 0.02

interface RawVersion {
  [column: string]: SqlStorageValue
  id: number
  document_id: string
  version: string
  edition: number
  live: number
  chunks: number
  id_prefix: string
  name: string
  title: string
  url: string | null
}

/** Versions of a base's documents. Callers wrap writes into one transaction; memory holds only what every search asks. */
export class VersionStore {
  readonly #sql: SqlStorage
  #hidden: Set<number> | null = null
  #size: number | null = null
  #modes: Map<LatinMode, number> | null = null
  /** Versions that searches found, by id; each goes when it changes. */
  #found = new Map<number, VersionRow>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Forgets what memory holds; after a failed transaction it may be ahead of the tables. */
  forget(): void {
    this.#hidden = null
    this.#size = null
    this.#modes = null
    this.#found.clear()
  }

  /** Ids of versions that are in the indexes but that no search may show. */
  hidden(): ReadonlySet<number> {
    this.#hidden ??= new Set(
      this.#sql
        .exec<{ id: number }>('SELECT id FROM versions WHERE live = 0')
        .toArray()
        .map((row) => row.id),
    )
    return this.#hidden
  }

  /** Whether a search may show this chunk. Only for rows that exist: of others it says true. */
  isVisible(row: number): boolean {
    return !this.hidden().has(splitRow(row).versionId)
  }

  find(documentId: string, version: string): VersionRow | null {
    return this.#select('document_id = ? AND version = ?', documentId, version)[0] ?? null
  }

  findLive(documentId: string): VersionRow | null {
    return this.#select('document_id = ? AND live = 1', documentId)[0] ?? null
  }

  /** All versions of a document, oldest first. */
  listOf(documentId: string): VersionRow[] {
    return this.#select('document_id = ?', documentId)
  }

  listAll(): VersionRow[] {
    return this.#select('true')
  }

  /** Versions by id: all of these that exist, and perhaps others. */
  byIds(ids: readonly number[]): ReadonlyMap<number, VersionRow> {
    if (this.#found.size > FOUND_KEPT) this.#found.clear()
    const missing = ids.filter((id) => !this.#found.has(id))
    if (missing.length === 0) return this.#found
    const rows = this.#select('id IN (SELECT value FROM json_each(?))', JSON.stringify(missing))
    for (const row of rows) this.#found.set(row.id, row)
    return this.#found
  }

  /** Visible versions, by what the ids of their chunks begin with. */
  byPrefixes(prefixes: readonly string[]): Map<string, VersionRow> {
    const rows = this.#select(
      'live = 1 AND id_prefix IN (SELECT value FROM json_each(?))',
      JSON.stringify(prefixes),
    )
    return new Map(rows.map((row) => [row.idPrefix, row]))
  }

  /** Chunks in the tables, staged ones included. */
  size(): number {
    this.#size ??= this.#sql
      .exec<{ size: number }>('SELECT coalesce(sum(chunks), 0) AS size FROM versions')
      .one().size
    return this.#size
  }

  count(): { documents: number; chunks: number; staged: number } {
    return this.#sql
      .exec<{ documents: number; chunks: number; staged: number }>(
        `SELECT coalesce(sum(live), 0) AS documents,
           coalesce(sum(chunks) FILTER (WHERE live = 1), 0) AS chunks,
           coalesce(sum(chunks) FILTER (WHERE live = 0), 0) AS staged
         FROM versions`,
      )
      .one()
  }

  /** Finds the version or adds it, invisible. The same text uploaded again raises its edition. */
  open(documentId: string, version: string, edition: number, idPrefix: string): VersionRow {
    const row = this.#sql
      .exec<RawVersion>(
        `INSERT INTO versions (document_id, version, edition, id_prefix) VALUES (?, ?, ?, ?)
         ON CONFLICT (document_id, version) DO UPDATE SET edition = max(edition, excluded.edition)
         RETURNING ${COLUMNS}`,
        documentId,
        version,
        edition,
        idPrefix,
      )
      .one()
    this.#hidden = null
    this.#found.delete(row.id)
    return presentVersion(row)
  }

  /** Notes that a version got more chunks, by mode of their Latin words. Returns how many it has now. */
  grow(versionId: number, added: ReadonlyMap<LatinMode, number>): number {
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
      this.#addToMode(mode, count)
    }
    this.#sql.exec(
      'UPDATE versions SET chunks = ?, modes = ? WHERE id = ?',
      chunks,
      JSON.stringify(modes),
      versionId,
    )
    this.#size = null
    this.#found.delete(versionId)
    return chunks
  }

  /** Makes a version visible with its first `total` chunks; the caller has taken out what must go. */
  publish(versionId: number, name: string, title: string, url: string | null, total: number): void {
    this.#sql.exec(
      'UPDATE versions SET live = 1, name = ?, title = ?, url = ?, chunks = ? WHERE id = ?',
      name,
      title,
      url,
      total,
      versionId,
    )
    this.#hidden = null
    this.#size = null
    this.#found.delete(versionId)
  }

  remove(versionId: number): void {
    const gone = this.#sql
      .exec<{ modes: string }>('DELETE FROM versions WHERE id = ? RETURNING modes', versionId)
      .toArray()
    for (const { modes } of gone) {
      for (const [mode, count] of Object.entries(JSON.parse(modes) as Record<string, number>)) {
        this.#addToMode(mode, -count)
      }
    }
    this.#hidden = null
    this.#size = null
    this.#found.delete(versionId)
  }

  /** Modes to prepare a question in: those of a fair part of the base, and the question's own where the base has it. */
  modesFor(question: LatinMode): LatinMode[] {
    this.#modes ??= new Map(
      this.#sql
        .exec<{ mode: LatinMode; chunks: number }>('SELECT mode, chunks FROM modes')
        .toArray()
        .map((row) => [row.mode, row.chunks]),
    )
    const counts = this.#modes
    let sum = 0
    for (const count of counts.values()) sum += count
    const modes = LATIN_MODES.filter((mode) => {
      const count = counts.get(mode) ?? 0
      return count > 0 && (mode === question || count >= sum * MODE_SHARE)
    })
    return modes.length > 0 ? modes : ['english']
  }

  #addToMode(mode: string, count: number): void {
    this.#sql.exec(
      `INSERT INTO modes (mode, chunks) VALUES (?, ?)
       ON CONFLICT (mode) DO UPDATE SET chunks = chunks + excluded.chunks`,
      mode,
      count,
    )
    this.#modes = null
  }

  #select(where: string, ...values: SqlStorageValue[]): VersionRow[] {
    return this.#sql
      .exec<RawVersion>(`SELECT ${COLUMNS} FROM versions WHERE ${where} ORDER BY id`, ...values)
      .toArray()
      .map(presentVersion)
  }
}

function presentVersion(row: RawVersion): VersionRow {
  return {
    id: row.id,
    documentId: row.document_id,
    version: row.version,
    edition: row.edition,
    live: row.live === 1,
    chunks: row.chunks,
    idPrefix: row.id_prefix,
    name: row.name,
    title: row.title,
    url: row.url,
  }
}
