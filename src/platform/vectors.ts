import { byteLength, holdTo, inParts, VECTORIZE_LIMITS } from './platform-limits'

/** A vector search outside the knowledge base's own object. Ids are chunk ids; a base sees only its namespace. */
export interface VectorIndex {
  /** Adds or replaces; accepted for good when it returns, searchable some seconds later. */
  upsert(items: readonly { id: string; values: number[] }[]): Promise<void>
  /** Nearest first, at most 100. */
  query(values: readonly number[], limit: number): Promise<{ id: string; cosine: number }[]>
  /** Ids that are not there are no error. */
  remove(ids: readonly string[]): Promise<void>
}

/** The index of a base, or null where the deployment has none. Chooses the index: today there is one for all bases. */
export function openVectors(env: Pick<Env, 'VECTORS'>, baseId: string): VectorIndex | null {
  // The generated type is that of the binding's first version; the binding answers with the present one.
  return env.VECTORS ? vectorizeIndex(env.VECTORS as unknown as Vectorize, baseId) : null
}

export function vectorizeIndex(index: Vectorize, namespace: string): VectorIndex {
  holdTo('bytes of a namespace', byteLength(namespace), VECTORIZE_LIMITS.namespaceBytes)
  return {
    async upsert(items) {
      for (const part of inParts(items, VECTORIZE_LIMITS.upserted)) {
        await index.upsert(part.map(({ id, values }) => ({ id, values, namespace })))
      }
    },
    async query(values, limit) {
      const found = await index.query([...values], {
        topK: Math.min(limit, VECTORIZE_LIMITS.topK),
        namespace,
        returnValues: false,
        returnMetadata: 'none',
      })
      return found.matches.map(({ id, score }) => ({ id, cosine: score }))
    },
    async remove(ids) {
      for (const part of inParts(ids, VECTORIZE_LIMITS.deletedIds)) await index.deleteByIds(part)
    },
  }
}
