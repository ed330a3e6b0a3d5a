import type { ChunkStore } from './chunk-store'
import type { TermScores } from './term-scores'
import type { TermStatistics } from './term-statistics'
import type { VectorRows } from './vector-rows'
import type { VersionStore } from './version-store'

/** What a base stores and keeps in memory of it: each store alone writes its tables. */
export interface Tables {
  sql: SqlStorage
  versions: VersionStore
  chunks: ChunkStore
  terms: TermStatistics
  scores: { kb_a: TermScores; kb_b: TermScores }
  vectors: VectorRows
}
