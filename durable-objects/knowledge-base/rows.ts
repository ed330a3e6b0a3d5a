/** Chunks a version may have: the lower bits of a chunk's rowid. */
export const CHUNKS_PER_VERSION = 2 ** 20

export function chunkRow(versionId: number, n: number): number {
  return versionId * CHUNKS_PER_VERSION + n
}

export function splitRow(row: number): { versionId: number; n: number } {
  const versionId = Math.floor(row / CHUNKS_PER_VERSION)
  return { versionId, n: row - versionId * CHUNKS_PER_VERSION }
}

/** First and last rowid a version can have. */
export function rowRange(versionId: number): [number, number] {
  return [chunkRow(versionId, 0), chunkRow(versionId, CHUNKS_PER_VERSION - 1)]
}

export interface VersionRow {
  id: number
  documentId: string
  version: string
  /** Higher in a later version of the same document. */
  edition: number
  live: boolean
  chunks: number
  idPrefix: string
  name: string
  title: string
  url: string | null
}

export interface ChunkRow {
  id: number
  page: number | null
  start: number
  end: number
  heading: string | null
  phrasings: string | null
  text: string
}
