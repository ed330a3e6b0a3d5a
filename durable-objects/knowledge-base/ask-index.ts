import { KNOWLEDGE } from '../../src/config/limits'
import { parseChunkId } from '../../src/knowledge/chunk-id'
import { createLog } from '../../src/log'
import { openVectors } from '../../src/platform/vectors'
import { chunkRow } from './rows'
import type { QuestionVector, Tables } from './search'
import type { VersionStore } from './version-store'

/** What the vector index finds near a question. Null when it does not answer: then the words alone are searched. */
export async function askIndex(
  env: Env,
  baseId: string,
  { versions }: Tables,
  vector: { embedder: string; values: number[] },
): Promise<QuestionVector | null> {
  const index = await openVectors(env, baseId, vector.embedder)
  if (!index) return { ...vector, nearest: null }
  try {
    const found = await index.query(vector.values, KNOWLEDGE.vectorHits)
    const cosines = new Map(found.map(({ id, cosine }) => [id, cosine]))
    const visible = visibleRows(versions, [...cosines.keys()])
    return {
      ...vector,
      nearest: visible.map(({ id, row }) => ({ row, score: cosines.get(id) ?? 0 })),
    }
  } catch (error) {
    createLog('knowledge').error('vector_search_failed', error)
    return null
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
