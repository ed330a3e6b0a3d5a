/** A vector search outside the knowledge base's own object. Ids are chunk ids; a base sees only its namespace. */
export interface VectorIndex {
  /** Adds or replaces; accepted for good when it returns, searchable some seconds later. */
  upsert(items: readonly { id: string; values: number[] }[]): Promise<void>
  /** Nearest first, at most 100. */
  query(values: readonly number[], limit: number): Promise<{ id: string; cosine: number }[]>
  /** Ids that are not there are no error. */
  remove(ids: readonly string[]): Promise<void>
}

/** The platform's limit for one call from a Worker. */
const BATCH = 1000
const MAX_RESULTS = 100

/** The index of a base, or null where the deployment has none. Chooses the index: today there is one for all bases. */
export function openVectors(env: Pick<Env, 'VECTORS'>, baseId: string): VectorIndex | null {
  // The generated type is that of the binding's first version; the binding answers with the present one.
  return env.VECTORS ? vectorizeIndex(env.VECTORS as unknown as Vectorize, baseId) : null
}

function vectorizeIndex(index: Vectorize, namespace: string): VectorIndex {
  return {
    async upsert(items) {
      for (let i = 0; i < items.length; i += BATCH) {
        await index.upsert(
          items.slice(i, i + BATCH).map(({ id, values }) => ({ id, values, namespace })),
        )
      }
    },
    async query(values, limit) {
      const found = await index.query([...values], {
        topK: Math.min(limit, MAX_RESULTS),
        namespace,
        returnValues: false,
        returnMetadata: 'none',
      })
      return found.matches.map(({ id, score }) => ({ id, cosine: score }))
    },
    async remove(ids) {
      for (let i = 0; i < ids.length; i += BATCH) await index.deleteByIds(ids.slice(i, i + BATCH))
    },
  }
}
