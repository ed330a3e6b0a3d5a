export const GRAPH_SOURCES = ['memory', 'knowledge', 'all'] as const
export type GraphSource = (typeof GRAPH_SOURCES)[number]

/** One thing that is known of a user: a memory, or a passage of a document in one of the user's spaces. Opened. */
export interface GraphItem {
  /** A memory's id, or `{document id}.{number of the passage}`. */
  id: string
  source: 'memory' | 'knowledge'
  /** The memory's kind; `chunk`. */
  kind: string
  text: string
  /** 0 to 1: how much it matters. */
  weight: number
  /** Last change, milliseconds since 1970. */
  at: number
  meta: Record<string, string | number | null>
  /** By a trained embedder, where there is one and the item is a memory. */
  vector: { embedder: string; values: Float32Array } | null
}

/** Items of one space, the most wanted first, and how many there are in all. */
export interface GraphItems {
  items: GraphItem[]
  total: number
}

export interface GraphEdge {
  a: number
  b: number
  weight: number
}

/** Where the items of one selection lie, in their order. */
export interface Geometry {
  /** x, y, z of each item, -1 to 1. */
  points: Float32Array
  clusters: Uint8Array
  edges: GraphEdge[]
}
