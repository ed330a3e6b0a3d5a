import type { IndexCopy } from './index-copy'
import { chunkRow, type VersionRow } from './rows'
import type { Tables } from './tables'

/** Takes versions out: their rows at once, their vectors in the index later. */
export class VersionRemoval {
  readonly #tables: Tables
  readonly #copy: IndexCopy

  constructor(tables: Tables, copy: IndexCopy) {
    this.#tables = tables
    this.#copy = copy
  }

  remove(version: VersionRow): void {
    this.removeAfter(version, 0)
    this.#tables.versions.remove(version.id)
  }

  /** Removes a version's chunks from number `total` on. */
  removeAfter(version: VersionRow, total: number): void {
    if (version.chunks <= total) return
    this.#copy.remove(version, total)
    const [first, last] = [chunkRow(version.id, total), chunkRow(version.id, version.chunks - 1)]
    this.#tables.vectors.remove(first, last)
    this.#tables.chunks.remove(first, last)
  }
}
