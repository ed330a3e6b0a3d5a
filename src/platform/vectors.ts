import { byteLength, holdTo, inParts, VECTORIZE_LIMITS } from '../config/platform-limits'
import { sha256, toHex } from './crypto/bytes'

/** What of a vector index outside the objects one base sees with one embedder. Ids are chunk ids. */
export interface VectorIndex {
  /** Adds or replaces; accepted for good when it returns, searchable once the index has processed the mutation. */
  upsert(items: readonly { id: string; values: number[] }[]): Promise<string | null>
  /** Nearest first, at most 100. */
  query(values: Iterable<number>, limit: number): Promise<{ id: string; cosine: number }[]>
}

export interface IndexState {
  dimensions: number
  /** The last mutation that can be searched, and a time before which every accepted one can. */
  mutation: string
  processedAt: number
}

type Bound = Pick<Env, 'VECTORS'>

// The generated type is that of the binding's first version; the binding answers with the present one.
const bound = (env: Bound) => (env.VECTORS as unknown as Vectorize | undefined) ?? null

/**
 * Rule AZ8: a base's vectors of one embedder are a namespace, so those of two never meet. An id is in an index once: the
 * vector of a new embedder takes the place of the old one.
 */
export async function vectorNamespace(baseId: string, embedder: string): Promise<string> {
  return `${baseId}/${toHex(await sha256(embedder)).slice(0, 8)}`
}

/** Null where the deployment has none. Chooses the index: today there is one for all bases. */
export async function openVectors(
  env: Bound,
  baseId: string,
  embedder: string,
): Promise<VectorIndex | null> {
  const index = bound(env)
  return index && vectorizeIndex(index, await vectorNamespace(baseId, embedder))
}

/** Ids that are not there are no error; which embedder's they are does not matter. */
export async function removeVectors(env: Bound, ids: readonly string[]): Promise<void> {
  for (const part of inParts(ids, VECTORIZE_LIMITS.deletedIds)) await bound(env)?.deleteByIds(part)
}

export async function readIndex(env: Bound): Promise<IndexState | null> {
  const index = bound(env)
  if (!index) return null
  const { dimensions, processedUpToMutation, processedUpToDatetime } = await index.describe()
  return {
    dimensions,
    mutation: String(processedUpToMutation),
    processedAt: new Date(processedUpToDatetime).getTime() || 0,
  }
}

function vectorizeIndex(index: Vectorize, namespace: string): VectorIndex {
  holdTo('bytes of a namespace', byteLength(namespace), VECTORIZE_LIMITS.namespaceBytes)
  return {
    async upsert(items) {
      let mutation: string | null = null
      for (const part of inParts(items, VECTORIZE_LIMITS.upserted)) {
        const vectors = part.map(({ id, values }) => ({ id, values, namespace }))
        mutation = (await index.upsert(vectors)).mutationId
      }
      return mutation
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
  }
}
