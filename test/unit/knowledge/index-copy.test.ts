import { describe, expect, it } from 'vitest'
import { askIndex } from '../../../durable-objects/knowledge-base/ask-index'
import { ChunkStore } from '../../../durable-objects/knowledge-base/chunk-store'
import { IndexCopy } from '../../../durable-objects/knowledge-base/index-copy'
import { MetaStore } from '../../../durable-objects/knowledge-base/meta-store'
import { chunkRow } from '../../../durable-objects/knowledge-base/rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import type { Tables } from '../../../durable-objects/knowledge-base/tables'
import { openScores } from '../../../durable-objects/knowledge-base/term-scores'
import { TermStatistics } from '../../../durable-objects/knowledge-base/term-statistics'
import { VectorRemovals } from '../../../durable-objects/knowledge-base/vector-removals'
import { VectorRows } from '../../../durable-objects/knowledge-base/vector-rows'
import { VersionRemoval } from '../../../durable-objects/knowledge-base/version-removal'
import { VersionStore } from '../../../durable-objects/knowledge-base/version-store'
import { migrate } from '../../../durable-objects/migrate'
import { KNOWLEDGE, LIMITS } from '../../../src/config/limits'
import { VECTORIZE_LIMITS } from '../../../src/config/platform-limits'
import { chunkId } from '../../../src/knowledge/chunk-id'
import { removeVectors } from '../../../src/platform/vectors'
import { OFFLINE_EMBEDDER } from '../../../src/text/statistical-vectors'
import { NodeStorage } from '../../support/node-object'

const BASE = 'base'
const FROM = 4
const EMBEDDER = 'embedder'
const UP = [1, 0, 0]
const ASIDE = [0, 1, 0]

class Crash extends Error {}

/** A vector index that outlives whoever talks to it. What it accepted can be searched once it has been processed. */
class Index {
  readonly stored = new Map<string, { values: number[]; namespace: string }>()
  readonly calls: string[] = []
  /** Each call is two steps: before it counts, and after. */
  steps = 0
  failAt = Number.POSITIVE_INFINITY
  held = false
  dimensions = 3
  #accepted: { id: string; apply: () => void }[] = []
  #processed = { id: '', at: 0 }

  readonly binding = {
    upsert: (entries: { id: string; values: number[]; namespace: string }[]) =>
      this.#call('upsert', () =>
        this.#accept(() => {
          for (const { id, values, namespace } of entries)
            this.stored.set(id, { values, namespace })
        }),
      ),
    deleteByIds: (ids: string[]) =>
      this.#call('deleteByIds', () =>
        this.#accept(() => {
          for (const id of ids) this.stored.delete(id)
        }),
      ),
    query: (values: number[], { namespace }: { namespace: string }) =>
      this.#call('query', () => {
        this.process()
        const matches = [...this.stored].filter(([, one]) => one.namespace === namespace)
        return {
          matches: matches.map(([id, one]) => ({
            id,
            score: one.values.reduce((sum, value, i) => sum + value * (values[i] ?? 0), 0),
          })),
        }
      }),
    describe: () =>
      this.#call('describe', () => {
        this.process()
        return {
          dimensions: this.dimensions,
          processedUpToMutation: this.#processed.id,
          processedUpToDatetime: new Date(this.#processed.at).toISOString(),
        }
      }),
  }

  process(): void {
    if (this.held) return
    for (const { id, apply } of this.#accepted.splice(0)) {
      apply()
      this.#processed = { id, at: Date.now() }
    }
  }

  #accept(apply: () => void): { mutationId: string } {
    const id = `m${this.calls.length}`
    this.#accepted.push({ id, apply })
    return { mutationId: id }
  }

  async #call<T>(name: string, work: () => T): Promise<T> {
    this.#step()
    this.calls.push(name)
    const answer = work()
    this.#step()
    return answer
  }

  #step(): void {
    this.steps += 1
    if (this.steps === this.failAt) throw new Crash(`step ${this.steps}`)
  }
}

/** A base's tables on storage that outlives them; `start` begins anew on it, as an object that was killed does. */
class Base {
  readonly index = new Index()
  readonly #disk = new NodeStorage()
  readonly env = { VECTORS: this.index.binding } as unknown as Env
  storage!: DurableObjectStorage
  tables!: Tables
  removals!: VectorRemovals
  copy!: IndexCopy
  removal!: VersionRemoval

  constructor() {
    this.start()
  }

  start(): void {
    this.storage = this.#disk.open(() => undefined)
    const { sql } = this.storage
    migrate(this.storage, KNOWLEDGE_BASE_MIGRATIONS)
    const meta = new MetaStore(sql)
    const versions = new VersionStore(sql)
    const chunks = new ChunkStore(sql)
    const terms = new TermStatistics(sql, meta)
    const scores = openScores(sql, chunks)
    this.tables = { sql, versions, chunks, terms, scores, vectors: new VectorRows(sql) }
    this.removals = new VectorRemovals(sql)
    this.copy = new IndexCopy(sql, meta, versions, this.removals)
    this.removal = new VersionRemoval(this.tables, this.copy)
  }

  /** A document of as many chunks, each with this vector. */
  add(document: string, count: number, vector = ASIDE): number {
    const { versions } = this.tables
    const { id } = versions.open(document, 'v1', 0, prefixOf(document))
    versions.grow(id, new Map([['english', count]]))
    versions.publish(id, document, document, null, count)
    this.embed(id, count, vector)
    return id
  }

  embed(version: number, count: number, vector: number[], embedder = EMBEDDER): void {
    const items = Array.from({ length: count }, (_, n) => ({ row: chunkRow(version, n), vector }))
    this.tables.vectors.put(embedder, items)
    this.copy.change(items.map(({ row }) => row))
  }

  drop(document: string): void {
    for (const version of this.tables.versions.listOf(document)) this.removal.remove(version)
  }

  /** What the object's alarm does between its own tables and the index. */
  async follow(isOpen = () => true): Promise<boolean> {
    this.storage.transactionSync(() => this.copy.decide(this.tables.versions.count().chunks, FROM))
    await this.removals.drain((ids) => removeVectors(this.env, ids))
    return this.copy.run(this.env, BASE, isOpen)
  }

  /** Until nothing is under way any more. */
  async settle(): Promise<void> {
    for (let round = 0; await this.follow(); round++) {
      if (round > 10) throw new Error('The index was never done')
    }
    this.index.process()
  }

  async nearest(values = UP): Promise<number[] | null> {
    const asked = { embedder: EMBEDDER, values }
    const { nearest } = await askIndex(this.env, BASE, this.tables, this.copy, asked)
    return nearest?.map(({ row }) => row) ?? null
  }

  ids(): string[] {
    return [...this.index.stored.keys()].sort()
  }
}

/** As chunk ids begin; in the order of the names. */
const prefixOf = (document: string) =>
  `${document.charCodeAt(0).toString(16).padStart(8, '0')}-0000-8000-8000-0000`
const idsOf = (document: string, count: number) =>
  Array.from({ length: count }, (_, n) => chunkId(prefixOf(document), n))

describe('a base below the size', () => {
  it('never calls the index, whatever becomes of it', async () => {
    const base = new Base()
    base.add('a', FROM - 1)
    await base.settle()
    expect(await base.nearest()).toBeNull()
    base.drop('a')
    await base.settle()
    base.copy.close()
    await base.settle()
    expect(base.index.calls).toEqual([])
  })
})

describe('a base that reaches the size', () => {
  it('lets go of a document of any size', async () => {
    const base = new Base()
    base.add('a', FROM)
    await base.settle()
    const { versions } = base.tables
    const { id } = versions.open('b', 'v1', 0, prefixOf('b'))
    versions.grow(id, new Map([['english', LIMITS.chunksPerBase - FROM]]))
    base.drop('b')
    await base.settle()
    expect(base.index.calls.filter((name) => name === 'deleteByIds').length).toBe(
      Math.ceil((LIMITS.chunksPerBase - FROM) / VECTORIZE_LIMITS.deletedIds),
    )
    expect(base.ids()).toEqual(idsOf('a', FROM))
  })

  it('is copied, whole and as it is, and the index answers', async () => {
    const base = new Base()
    base.add('a', FROM - 1)
    base.add('b', 1, [3, 4, 0])
    await base.settle()
    expect(base.ids()).toEqual([...idsOf('a', FROM - 1), ...idsOf('b', 1)])
    const [copied] = idsOf('b', 1).map((id) => base.index.stored.get(id)?.values)
    expect(copied?.map((value) => Math.round(value * 100) / 100)).toEqual([0.6, 0.8, 0])
    expect((await base.nearest())?.length).toBe(FROM)
    expect(base.index.calls).toContain('query')
  })

  it('is answered for by its own vectors until the index has processed them', async () => {
    const base = new Base()
    base.index.held = true
    base.add('a', KNOWLEDGE.indexBacklog + 1)
    expect(await base.follow()).toBe(true)
    expect(await base.nearest()).toBeNull()
    expect(base.index.calls).not.toContain('query')
    base.index.held = false
    await base.settle()
    expect(await base.nearest()).not.toBeNull()
    expect(base.index.calls).toContain('query')
  })

  it('is answered for by both while a little is on its way, each passage once and the newer vector', async () => {
    const base = new Base()
    const a = base.add('a', FROM)
    await base.settle()
    base.index.held = true
    const b = base.add('b', 1, UP)
    base.embed(a, 1, UP)
    await base.follow()
    const near = (await base.nearest()) ?? []
    expect(near.slice(0, 2)).toEqual([chunkRow(a, 0), chunkRow(b, 0)])
    expect(near.length).toBe(FROM + 1)
    expect(base.ids()).toEqual(idsOf('a', FROM))
  })

  it('is searched by its own vectors when the index does not answer', async () => {
    const base = new Base()
    base.add('a', FROM)
    await base.settle()
    base.index.failAt = base.index.steps + 1
    expect(await base.nearest()).toBeNull()
  })

  it('takes no vectors of the letters along, and none of other dimensions', async () => {
    const base = new Base()
    const a = base.add('a', FROM)
    base.embed(a, 2, UP, OFFLINE_EMBEDDER)
    await base.settle()
    expect(base.ids()).toEqual(idsOf('a', FROM).slice(2))
    base.embed(a, 1, [1, 0], 'narrow')
    expect(await base.follow()).toBe(false)
    expect(base.ids()).toEqual(idsOf('a', FROM).slice(2))
  })
})

describe('a copied base that shrinks', () => {
  it('stays down to half of the size, and leaves below', async () => {
    const base = new Base()
    for (const name of ['a', 'b', 'c', 'd']) base.add(name, 1)
    await base.settle()
    base.drop('a')
    base.drop('b')
    await base.settle()
    expect(base.ids()).toEqual([...idsOf('c', 1), ...idsOf('d', 1)])
    base.drop('c')
    await base.settle()
    expect(base.ids()).toEqual([])
    const before = base.index.calls.length
    expect(await base.nearest()).toBeNull()
    base.add('e', 1)
    await base.settle()
    expect(base.index.calls.length).toBe(before)
  })

  it('comes back whole when it grows again', async () => {
    const base = new Base()
    base.add('a', 1)
    base.add('b', FROM)
    await base.settle()
    base.drop('b')
    await base.settle()
    base.add('c', FROM)
    await base.settle()
    expect(base.ids()).toEqual([...idsOf('a', 1), ...idsOf('c', FROM)])
  })
})

describe('a base that is taken away', () => {
  it('is copied no more, and leaves the index although a call was under way', async () => {
    const base = new Base()
    base.add('a', FROM)
    const { upsert } = base.index.binding
    base.index.binding.upsert = async (entries) => {
      const answer = await upsert(entries)
      base.copy.close()
      return answer
    }
    expect(await base.follow()).toBe(false)
    await base.settle()
    expect(base.ids()).toEqual([])
    expect(base.copy.isKept()).toBe(false)
  })
})

describe('what a call adds meanwhile', () => {
  it('is sent after it, and what goes meanwhile does not stay', async () => {
    const base = new Base()
    const a = base.add('a', FROM)
    base.add('b', FROM)
    const { upsert } = base.index.binding
    base.index.binding.upsert = async (entries) => {
      base.index.binding.upsert = upsert
      const answer = await upsert(entries)
      base.embed(a, 1, UP)
      base.drop('b')
      return answer
    }
    await base.settle()
    expect(base.ids()).toEqual(idsOf('a', FROM))
    expect(base.index.stored.get(chunkId(prefixOf('a'), 0))?.values).toEqual([1, 0, 0])
  })
})

describe('killed at any call', () => {
  /** Grows over the size, changes, shrinks to half: each part once, or again from where it was killed. */
  async function live(failAt: number): Promise<{ base: Base; steps: number }> {
    const base = new Base()
    const parts: (() => void)[] = [
      () => base.add('a', KNOWLEDGE.indexBatch + 1),
      () => base.add('b', FROM),
      () => base.drop('a'),
      () => base.embed(base.add('c', 1), 1, UP, 'another'),
      () => base.drop('b'),
    ]
    base.index.failAt = failAt
    for (const part of parts) {
      part()
      try {
        await base.settle()
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        base.start()
        await base.settle()
      }
      const { versions } = base.tables
      const rows = versions
        .listAll()
        .flatMap(({ idPrefix, chunks }) =>
          Array.from({ length: chunks }, (_, n) => chunkId(idPrefix, n)),
        )
      const isKept = versions.count().chunks >= FROM / 2
      expect([failAt, base.ids()]).toEqual([failAt, isKept ? rows.sort() : []])
    }
    return { base, steps: base.index.steps }
  }

  it('ends with what a run without a kill ends with', async () => {
    const { steps } = await live(Number.POSITIVE_INFINITY)
    expect(steps).toBeGreaterThan(20)
    for (let failAt = 1; failAt <= steps; failAt++) await live(failAt)
  })
})
