import { describe, expect, it } from 'vitest'
import { ChunkStore } from '../../../durable-objects/knowledge-base/chunk-store'
import { IndexCopy } from '../../../durable-objects/knowledge-base/index-copy'
import { MetaStore } from '../../../durable-objects/knowledge-base/meta-store'
import { chunkRow } from '../../../durable-objects/knowledge-base/rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import type { Tables } from '../../../durable-objects/knowledge-base/search'
import { stageChunks } from '../../../durable-objects/knowledge-base/stage-chunks'
import {
  inPortions,
  publishVersion,
  takeDocument,
  type WholeDocument,
} from '../../../durable-objects/knowledge-base/take-documents'
import { openScores } from '../../../durable-objects/knowledge-base/term-scores'
import { TermStatistics } from '../../../durable-objects/knowledge-base/term-statistics'
import { VectorRemovals } from '../../../durable-objects/knowledge-base/vector-removals'
import { VectorRows } from '../../../durable-objects/knowledge-base/vector-rows'
import { VersionRemoval } from '../../../durable-objects/knowledge-base/version-removal'
import { VersionStore } from '../../../durable-objects/knowledge-base/version-store'
import { migrate } from '../../../durable-objects/migrate'
import { NodeStorage } from '../../support/node-object'

const EMBEDDER = 'embedder'

function openBase() {
  const storage = new NodeStorage().open(() => {})
  const { sql } = storage
  migrate(storage, KNOWLEDGE_BASE_MIGRATIONS)
  const meta = new MetaStore(sql)
  const chunks = new ChunkStore(sql)
  const tables: Tables = {
    sql,
    versions: new VersionStore(sql),
    chunks,
    terms: new TermStatistics(sql, meta),
    scores: openScores(sql, chunks),
    vectors: new VectorRows(sql),
  }
  const copy = new IndexCopy(sql, meta, tables.versions, new VectorRemovals(sql))
  return { sql, tables, removal: new VersionRemoval(tables, copy) }
}

type Base = ReturnType<typeof openBase>

const documentOf = (name: string, version: string, texts: string[]): WholeDocument => ({
  documentId: name,
  version,
  name: `${name}.md`,
  title: name,
  searchedTitle: `${name} notes`,
  url: null,
  chunks: texts.map((text, n) => ({ n, text, heading: null, page: null, start: n, end: n + 1 })),
  vectors: texts.map((_, n) => [n + 1, 2, 3]),
})

/** Everything that a base holds and searches. */
function contentOf({ sql }: Base): unknown {
  const all = (query: string) => sql.exec(query).toArray()
  return {
    versions: all('SELECT * FROM versions'),
    chunks: all('SELECT id, hex(sketch) AS sketch, heading, text FROM chunks'),
    vectors: all(
      `SELECT chunk_id, name, scale, hex(bytes) AS bytes
       FROM vectors JOIN embedders ON embedders.id = embedder_id ORDER BY chunk_id`,
    ),
    a: all('SELECT term, doc, cnt FROM kb_a_df'),
    b: all('SELECT term, doc, cnt FROM kb_b_df'),
    modes: all('SELECT * FROM modes'),
  }
}

/** As a document comes that has a job of its own: staged, published, then its vectors. */
function takeInSteps({ tables, removal }: Base, document: WholeDocument): void {
  const { versions, vectors } = tables
  const { documentId, version, chunks, searchedTitle } = document
  if (chunks.length > 0) {
    const row = versions.find(documentId, version) ?? versions.add(documentId, version, version)
    stageChunks(tables, row, searchedTitle, chunks)
  }
  const staged = versions.find(documentId, version)
  publishVersion(tables, removal, staged, document, chunks.length)
  if (!staged) return
  const items = chunks.map(({ n }, i) => ({
    row: chunkRow(staged.id, n),
    vector: document.vectors?.[i] ?? [],
  }))
  vectors.put(EMBEDDER, items)
}

const take = ({ tables, removal }: Base, document: WholeDocument) =>
  takeDocument(tables, removal, document, document.version, EMBEDDER)

describe('a document that is taken in one step', () => {
  const first = documentOf('keys', 'one', ['The key hangs by the door.', 'The safe is blue.'])
  const other = documentOf('lamps', 'two', ['Three lamps stand in the hall.'])
  const shorter = documentOf('keys', 'three', ['The key hangs in the hall.'])
  const emptied = documentOf('lamps', 'four', [])

  it('leaves the base as the steps of a job do: new, again, replaced and emptied', () => {
    const whole = openBase()
    const stepped = openBase()
    for (const document of [first, other, first, shorter, emptied]) {
      expect(take(whole, document).refusal).toBeNull()
      takeInSteps(stepped, document)
      expect(contentOf(whole)).toEqual(contentOf(stepped))
    }
    expect(whole.tables.versions.count()).toMatchObject({ chunks: 1, staged: 0 })
  })

  it('has the statistical vectors as long as there are no others', () => {
    const base = openBase()
    take(base, { ...first, vectors: null })
    expect(base.tables.vectors.count()).toEqual([{ embedder: 'offline-ngrams-512', count: 2 }])
    take(base, first)
    expect(base.tables.vectors.count()).toEqual([{ embedder: EMBEDDER, count: 2 }])
  })

  it('is not there at all when it is refused', () => {
    const base = openBase()
    const huge = documentOf('huge', 'five', ['Fine.', 'x'.repeat(200_000)])
    expect(take(base, huge)).toEqual({ refusal: 'chunk_too_large', rows: [] })
    expect(contentOf(base)).toMatchObject({ versions: [], chunks: [], vectors: [], a: [], b: [] })
  })
})

describe('inPortions', () => {
  it('keeps the order, and puts no more into a transaction than one may write', () => {
    const given = [30, 30, 10, 200, 1, 0].map((count, i) =>
      documentOf(`d${i}`, 'v', Array<string>(count).fill('text')),
    )
    const portions = inPortions(given)
    expect(portions.flat()).toEqual(given)
    expect(portions.map((portion) => portion.map(({ chunks }) => chunks.length))).toEqual([
      [30, 30],
      [10],
      [200],
      [1, 0],
    ])
  })
})
