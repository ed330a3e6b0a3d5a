/** Bounds of one knowledge base's object. */
export const KNOWLEDGE = {
  /** Characters of one chunk; keeps every row far below the platform's 2 MB. */
  chunkLength: 128 * 1024,
  /** Characters of a question that are looked at. */
  queryLength: 2000,
  /** Hits asked of the vector index, the most that one call gives. */
  vectorHits: 100,
  removalBatch: 1000,
  removalDelayMs: 1000,
} as const
