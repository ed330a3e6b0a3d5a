import { describe, expect, it } from 'vitest'
import type { DocumentRow } from '../../../src/db/tables/knowledge'
import { NO_VECTORS, stateOfVectors } from '../../../src/knowledge/embed-version'

const document = (change: Partial<DocumentRow>) =>
  ({ liveVersion: 'v1', ...NO_VECTORS, ...change }) as DocumentRow

describe('how far the vectors of a document are', () => {
  it.each([
    ['no text is searched', document({ liveVersion: null }), 'e', 'none'],
    ['the base’s own statistics are all there is', document({}), null, 'confirmed'],
    ['none were made', document({ embedder: 'e' }), 'e', 'none'],
    ['some were made', document({ embedder: 'e', embedded: 64 }), 'e', 'pending'],
    [
      'all were made',
      document({ embedder: 'e', embedded: 64, vectors: 'confirmed' }),
      'e',
      'confirmed',
    ],
    [
      'another embedder made them',
      document({ embedder: 'd', embedded: 64, vectors: 'confirmed' }),
      'e',
      'none',
    ],
  ] as const)('%s', (_what, row, embedder, state) => {
    expect(stateOfVectors(row, embedder)).toBe(state)
  })
})
