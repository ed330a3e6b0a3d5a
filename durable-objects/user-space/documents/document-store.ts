import type { Chunk } from '../../../src/knowledge/types'
import type { DocumentKind } from '../../../src/platform/uploads/file-kinds'

export type DocumentState = 'queued' | 'parsing' | 'ready' | 'failed'

export interface SpaceDocumentRow extends Record<string, SqlStorageValue> {
  id: string
  name_sealed: string
  kind: DocumentKind
  mime: string
  size_bytes: number
  wrapped_key: string
  title_sealed: string | null
  common_sealed: string | null
  status: DocumentState
  progress: number
  error: string | null
  attempts: number
  chunk_count: number
  progressed_at: number
  created_at: number
  updated_at: number
}

/** What the envelope of a chunk holds. */
export type ChunkBody = Pick<Chunk, 'text' | 'heading' | 'phrasings' | 'page' | 'start' | 'end'>

/** The tables of a space's own documents. Knows nothing of keys: what it stores is sealed already. */
export class DocumentStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(row: {
    id: string
    nameSealed: string
    kind: DocumentKind
    mime: string
    size: number
    wrappedKey: string
    now: number
  }): void {
    this.#sql.exec(
      `INSERT INTO space_documents (id, name_sealed, kind, mime, size_bytes, wrapped_key, status, progressed_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)`,
      row.id,
      row.nameSealed,
      row.kind,
      row.mime,
      row.size,
      row.wrappedKey,
      row.now,
      row.now,
      row.now,
    )
  }

  get(id: string): SpaceDocumentRow | undefined {
    return this.#sql
      .exec<SpaceDocumentRow>('SELECT * FROM space_documents WHERE id = ?', id)
      .toArray()[0]
  }

  /** Newest first; `before` excludes that document and everything newer. */
  list(before: string | null, limit: number): SpaceDocumentRow[] {
    return this.#sql
      .exec<SpaceDocumentRow>(
        'SELECT * FROM space_documents WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2',
        before,
        limit,
      )
      .toArray()
  }

  withStatus(...states: DocumentState[]): SpaceDocumentRow[] {
    return this.#sql
      .exec<SpaceDocumentRow>(
        'SELECT * FROM space_documents WHERE status IN (SELECT value FROM json_each(?)) ORDER BY id',
        JSON.stringify(states),
      )
      .toArray()
  }

  count(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM space_documents').one().n
  }

  /** Documents, and the chunks of all of them. */
  held(): { documents: number; chunks: number } {
    return this.#sql
      .exec<{ documents: number; chunks: number }>(
        'SELECT (SELECT count(*) FROM space_documents) AS documents, (SELECT count(*) FROM space_chunks) AS chunks',
      )
      .one()
  }

  ids(): string[] {
    return this.#sql
      .exec<{ id: string }>('SELECT id FROM space_documents')
      .toArray()
      .map((row) => row.id)
  }

  /** Chunks of all documents but one. */
  chunksBeside(id: string): number {
    return this.#sql
      .exec<{ n: number }>('SELECT count(*) AS n FROM space_chunks WHERE document_id <> ?', id)
      .one().n
  }

  begin(id: string, now: number): void {
    this.#dropContent(id)
    this.#sql.exec(
      "UPDATE space_documents SET status = 'parsing', progress = 0, error = NULL, attempts = attempts + 1, chunk_count = 0, progressed_at = ?, updated_at = ? WHERE id = ?",
      now,
      now,
      id,
    )
  }

  addPart(
    id: string,
    part: number,
    chunks: readonly { n: number; sealed: string }[],
    index: ArrayBuffer,
    progress: number,
    now: number,
  ): void {
    for (const { n, sealed } of chunks) {
      this.#sql.exec(
        'INSERT OR REPLACE INTO space_chunks (document_id, n, body_sealed) VALUES (?, ?, ?)',
        id,
        n,
        sealed,
      )
    }
    this.#sql.exec(
      'INSERT OR REPLACE INTO space_indexes (document_id, part, index_sealed) VALUES (?, ?, ?)',
      id,
      part,
      index,
    )
    this.#sql.exec(
      'UPDATE space_documents SET progress = ?, progressed_at = ?, updated_at = ? WHERE id = ?',
      progress,
      now,
      now,
      id,
    )
  }

  finish(id: string, titleSealed: string, commonSealed: string, chunks: number, now: number): void {
    this.#sql.exec(
      "UPDATE space_documents SET status = 'ready', progress = 100, error = NULL, title_sealed = ?, common_sealed = ?, chunk_count = ?, progressed_at = ?, updated_at = ? WHERE id = ?",
      titleSealed,
      commonSealed,
      chunks,
      now,
      now,
      id,
    )
  }

  fail(id: string, reason: string, now: number): void {
    this.#dropContent(id)
    this.#sql.exec(
      "UPDATE space_documents SET status = 'failed', error = ?, progressed_at = ?, updated_at = ? WHERE id = ?",
      reason,
      now,
      now,
      id,
    )
  }

  remove(id: string): void {
    this.#dropContent(id)
    this.#sql.exec('DELETE FROM space_documents WHERE id = ?', id)
  }

  #dropContent(id: string): void {
    this.#sql.exec('DELETE FROM space_chunks WHERE document_id = ?', id)
    this.#sql.exec('DELETE FROM space_indexes WHERE document_id = ?', id)
  }

  indexesOf(id: string): { part: number; index: ArrayBuffer }[] {
    return this.#sql
      .exec<{ part: number; index: ArrayBuffer }>(
        'SELECT part, index_sealed AS "index" FROM space_indexes WHERE document_id = ? ORDER BY part',
        id,
      )
      .toArray()
  }

  chunk(id: string, n: number): string | undefined {
    return this.#sql
      .exec<{ body_sealed: string }>(
        'SELECT body_sealed FROM space_chunks WHERE document_id = ? AND n = ?',
        id,
        n,
      )
      .toArray()[0]?.body_sealed
  }
}
