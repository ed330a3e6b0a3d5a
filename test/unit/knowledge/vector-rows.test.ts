import { describe, expect, it } from 'vitest'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import { VectorRows } from '../../../durable-objects/knowledge-base/vector-rows'
import { migrate } from '../../../durable-objects/migrate'
import { NodeStorage } from '../../support/node-object'

const UP = [1, 0, 0]
const ASIDE = [0, 1, 0]
const BETWEEN = [1, 1, 0]

/** A base's vectors, and how often all of them were read. */
function openVectors() {
  const storage = new NodeStorage().open(() => undefined)
  migrate(storage, KNOWLEDGE_BASE_MIGRATIONS)
  let scans = 0
  const exec = (query: string, ...values: SqlStorageValue[]) => {
    if (/SELECT chunk_id[\s\S]*WHERE embedder_id/u.test(query)) scans++
    return storage.sql.exec(query, ...values)
  }
  const vectors = new VectorRows({ exec } as SqlStorage)
  const nearest = (embedder = 'trained') =>
    vectors.nearest(embedder, UP, 10, () => true).map(({ row }) => row)
  return { vectors, nearest, scans: () => scans }
}

describe('vectors that come in beside searches', () => {
  it('are found without reading all of them anew', () => {
    const { vectors, nearest, scans } = openVectors()
    vectors.put('trained', [{ row: 5, vector: ASIDE }])
    expect(nearest()).toEqual([5])
    for (const [row, vector] of [
      [7, UP],
      [6, BETWEEN],
    ] as const) {
      // Staged with the base's own statistics first, then given the embedder's vector.
      vectors.put('offline', [{ row, vector: [1, 0] }])
      vectors.put('trained', [{ row: row + 10, vector }])
    }
    expect(nearest()).toEqual([17, 16, 5])
    expect(scans()).toBe(1)
  })

  it('replace those that were there, by whichever embedder', () => {
    const { vectors, nearest } = openVectors()
    vectors.put('trained', [
      { row: 1, vector: UP },
      { row: 2, vector: ASIDE },
    ])
    expect(nearest()).toEqual([1, 2])
    vectors.put('trained', [
      { row: 1, vector: ASIDE },
      { row: 2, vector: UP },
    ])
    expect(nearest()).toEqual([2, 1])
    vectors.put('other', [{ row: 2, vector: UP }])
    expect(nearest()).toEqual([1])
    expect(nearest('other')).toEqual([2])
  })

  it('take the place of those that go, which are found no more', () => {
    const { vectors, nearest, scans } = openVectors()
    vectors.put('trained', [
      { row: 1, vector: UP },
      { row: 2, vector: ASIDE },
      { row: 3, vector: BETWEEN },
      { row: 4, vector: [1, 2, 0] },
    ])
    expect(nearest()).toEqual([1, 3, 4, 2])
    vectors.remove(2, 3)
    expect(nearest()).toEqual([1, 4])
    vectors.put('trained', [{ row: 5, vector: BETWEEN }])
    expect(nearest()).toEqual([1, 5, 4])
    vectors.remove(1, 5)
    expect(nearest()).toEqual([])
    expect(scans()).toBe(1)
  })

  it('of another length than the question’s are not compared', () => {
    const { vectors, nearest } = openVectors()
    vectors.put('trained', [{ row: 1, vector: UP }])
    expect(nearest()).toEqual([1])
    vectors.put('trained', [{ row: 2, vector: [1, 0] }])
    expect(nearest()).toEqual([1])
  })
})
