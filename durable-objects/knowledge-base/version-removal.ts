import { chunkId } from '../../src/knowledge/chunk-id'
import { chunkRow, type VersionRow } from './rows'
import type { Tables } from './search'
import type { VectorRemovals } from './vector-removals'

/** Takes versions out: their rows at once, their vectors in the index later. */
export class VersionRemoval {
  readonly #tables: Tables
  readonly #later: VectorRemovals | null

  /** @param later where ids wait that the vector index still has; null without one. */
  constructor(tables: Tables, later: VectorRemovals | null) {
    this.#tables = tables
    this.#later = later
  }

  remove(version: VersionRow): void {
    this.removeAfter(version, 0)
    this.#tables.versions.remove(version.id)
  }

  /** Removes a version's chunks from number `total` on. */
  removeAfter(version: VersionRow, total: number): void {
    if (version.chunks <= total) return
    this.note(version, total)
    const [first, last] = [chunkRow(version.id, total), chunkRow(version.id, version.chunks - 1)]
    this.#tables.vectors.remove(first, last)
    this.#tables.chunks.remove(first, last)
  }

  /** Has the vectors of chunks from number `from` on taken out of the index. */
  note(version: VersionRow, from: number): void {
    const count = Math.max(version.chunks - from, 0)
    this.#later?.add(Array.from({ length: count }, (_, i) => chunkId(version.idPrefix, from + i)))
  }
}
