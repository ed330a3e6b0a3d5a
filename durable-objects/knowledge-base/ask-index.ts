import { KNOWLEDGE } from '../../src/config/limits'
import { parseChunkId } from '../../src/knowledge/chunk-id'
import { sortScored } from '../../src/knowledge/fusion'
import type { Vector } from '../../src/knowledge/quantize'
import { createLog } from '../../src/log'
import { openVectors } from '../../src/platform/vectors'
import type { IndexCopy } from './index-copy'
import { chunkRow } from './rows'
import type { QuestionVector } from './search'
import type { Tables } from './tables'
import type { VersionStore } from './version-store'

/**
 * What the vector index finds near a question, and what it does not have yet by the object's own vectors. Without a copy
 * there, or when it does not answer, the object's own are all that is asked.
 */
export async function askIndex(
  env: Env,
  baseId: string,
  { versions, vectors }: Tables,
  copy: IndexCopy,
  vector: { embedder: string; values: Vector },
): Promise<QuestionVector> {
  const own = { ...vector, nearest: null }
  // Read before the index is asked: what it processes meanwhile may be in both.
  const behind = copy.backlog()
  if (behind === null) return own
  const index = await openVectors(env, baseId, vector.embedder)
  if (!index) return own
  try {
    const found = await index.query(vector.values, KNOWLEDGE.vectorHits)
    const cosines = new Map(found.map(({ id, cosine }) => [id, cosine]))
    const scores = new Map<number, number>()
    for (const { id, row } of visibleRows(versions, [...cosines.keys()])) {
      scores.set(row, cosines.get(id) ?? 0)
    }
    for (const { row, score } of vectors.compare(vector.embedder, vector.values, behind)) {
      if (versions.isVisible(row)) scores.set(row, score)
    }
    const nearest = sortScored([...scores].map(([row, score]) => ({ row, score })))
    return { ...vector, nearest: nearest.slice(0, KNOWLEDGE.vectorHits) }
  } catch (error) {
    createLog('knowledge').error('vector_search_failed', error)
    return own
  }
}

/** Rows of these chunk ids, without those that are gone or not visible. */
export function visibleRows(
  store: VersionStore,
  ids: readonly string[],
): { id: string; row: number }[] {
  const parsed = ids.map((id) => ({ id, ...parseChunkId(id) }))
  const prefixes = new Set(parsed.flatMap(({ prefix }) => (prefix ? [prefix] : [])))
  const versions = store.byPrefixes([...prefixes])
  return parsed.flatMap(({ id, prefix, n }) => {
    const version = versions.get(prefix ?? '')
    return version && n !== undefined && n < version.chunks
      ? [{ id, row: chunkRow(version.id, n) }]
      : []
  })
}
