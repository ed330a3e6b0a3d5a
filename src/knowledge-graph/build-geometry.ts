import { KNOWLEDGE_GRAPH } from '../config/limits'
import { loadLayout } from '../lazy'
import { similarityOf } from '../memory/rank-memories'
import { embedOffline } from '../text/statistical-vectors'
import type { Geometry, GraphItem } from './types'

/** Vectors of length one that compare with each other. */
export interface ItemVectors {
  vectors: Float32Array[]
  /** Trained cosines crowd in a narrow band. */
  similarity: (cosine: number) => number
}

export type Stage = 'embedding' | 'projecting' | 'connecting'

/** Items are embedded so many at a time, so that a stream's progress gets out between. */
const STEP = 200

/**
 * The items' own vectors when all of them come from one trained embedder; else vectors of their letters alone, which need
 * no model and are the same everywhere.
 */
export async function vectorsOf(
  items: readonly GraphItem[],
  onProgress: (done: number) => Promise<void>,
): Promise<ItemVectors> {
  const embedder = items[0]?.vector?.embedder
  const length = items[0]?.vector?.values.length
  const trained = items.flatMap(({ vector }) =>
    vector !== null && vector.embedder === embedder && vector.values.length === length
      ? [vector.values]
      : [],
  )
  if (embedder !== undefined && trained.length === items.length) {
    return { vectors: trained, similarity: (cosine) => similarityOf(cosine, true) }
  }
  const vectors: Float32Array[] = []
  for (const item of items) {
    vectors.push(Float32Array.from(embedOffline(item.text.slice(0, KNOWLEDGE_GRAPH.textLength))))
    if (vectors.length % STEP === 0) await onProgress(vectors.length)
  }
  return { vectors, similarity: (cosine) => similarityOf(cosine, false) }
}

/** Places, groups and connects items. Deterministic: the same items in the same order give the same geometry. */
export async function buildGeometry(
  items: readonly GraphItem[],
  onStage: (stage: Stage, done: number) => Promise<void>,
): Promise<Geometry> {
  const { clusterItems, connectItems, projectVectors } = await loadLayout()
  const { vectors, similarity } = await vectorsOf(items, (done) => onStage('embedding', done))
  await onStage('projecting', 0)
  const projection = projectVectors(vectors)
  await onStage('connecting', 0)
  return {
    points: projection.points,
    clusters: clusterItems(projection.factors, items.length, projection.rank),
    edges: connectItems(vectors, projection, {
      perItem: KNOWLEDGE_GRAPH.edgesPerItem,
      least: KNOWLEDGE_GRAPH.leastSimilarity,
      similarity,
    }),
  }
}
