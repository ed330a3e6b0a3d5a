import { describe, expect, it } from 'vitest'
import { ChunkStore } from '../../../durable-objects/knowledge-base/chunk-store'
import { compareLetters } from '../../../durable-objects/knowledge-base/compare-letters'
import { IndexCopy } from '../../../durable-objects/knowledge-base/index-copy'
import { MetaStore } from '../../../durable-objects/knowledge-base/meta-store'
import { chunkRow } from '../../../durable-objects/knowledge-base/rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import { prepareChunks, stageChunks } from '../../../durable-objects/knowledge-base/stage-chunks'
import type { Tables } from '../../../durable-objects/knowledge-base/tables'
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

const documentOf = (
  name: string,
  version: string,
  texts: string[],
  edition = 0,
): WholeDocument => ({
  documentId: name,
  version,
  edition,
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
async function takeInSteps({ tables, removal }: Base, document: WholeDocument): Promise<void> {
  const { versions, vectors } = tables
  const { documentId, version, chunks, searchedTitle } = document
  const row = versions.open(documentId, version, document.edition, version)
  stageChunks(tables, row, await prepareChunks(searchedTitle, chunks), EMBEDDER)
  const staged = versions.find(documentId, version) ?? row
  publishVersion(tables, removal, staged, document, chunks.length)
  const items = chunks.map(({ n }, i) => ({
    row: chunkRow(staged.id, n),
    vector: document.vectors?.[i] ?? [],
  }))
  vectors.put(EMBEDDER, items)
}

async function take(
  { tables, removal }: Base,
  document: WholeDocument,
  embedder: string | null = EMBEDDER,
) {
  const prepared = await prepareChunks(document.searchedTitle, document.chunks)
  return takeDocument(tables, removal, document, prepared, document.version, embedder)
}

describe('a document that is taken in one step', () => {
  const first = documentOf('keys', 'one', ['The key hangs by the door.', 'The safe is blue.'])
  const other = documentOf('lamps', 'two', ['Three lamps stand in the hall.'])
  const shorter = documentOf('keys', 'three', ['The key hangs in the hall.'])
  const emptied = documentOf('lamps', 'four', [])

  it('leaves the base as the steps of a job do: new, again, replaced and emptied', async () => {
    const whole = openBase()
    const stepped = openBase()
    for (const document of [first, other, first, shorter, emptied]) {
      expect((await take(whole, document)).refusal).toBeNull()
      await takeInSteps(stepped, document)
      expect(contentOf(whole)).toEqual(contentOf(stepped))
    }
    expect(whole.tables.versions.count()).toMatchObject({ chunks: 1, staged: 0 })
  })

  it('is refused once a later one is searched, in whichever order they come', async () => {
    const base = openBase()
    const older = documentOf('keys', 'one', ['The key hangs by the door.'])
    const later = documentOf('keys', 'two', ['The key is lost.'], 1)
    const { versions } = base.tables
    for (const late of [older, documentOf('keys', 'empty', [])]) {
      expect(await take(base, later)).toMatchObject({ refusal: null })
      expect(await take(base, late)).toEqual({ refusal: 'superseded', rows: [] })
      expect(versions.listAll().map(({ version, live }) => [version, live])).toEqual([
        ['two', true],
      ])
    }
    // Staged before the later one, and published after it.
    const staged = openBase()
    const row = staged.tables.versions.open('keys', 'two', 1, 'two')
    stageChunks(staged.tables, row, await prepareChunks('', later.chunks), EMBEDDER)
    expect(await take(staged, older)).toMatchObject({ refusal: null })
    const found = staged.tables.versions.find('keys', 'two')
    expect(publishVersion(staged.tables, staged.removal, found ?? row, later, 1)).toBe(true)
    expect(staged.tables.versions.listAll().map(({ version }) => version)).toEqual(['two'])
  })

  it('that is empty by now keeps an earlier text from coming back', async () => {
    const base = openBase()
    const emptied = documentOf('keys', 'two', [], 1)
    expect(await take(base, emptied)).toMatchObject({ refusal: null })
    expect(await take(base, documentOf('keys', 'one', ['The key hangs by the door.']))).toEqual({
      refusal: 'superseded',
      rows: [],
    })
    expect(base.tables.versions.count()).toEqual({ documents: 1, chunks: 0, staged: 0 })
    expect(await take(base, documentOf('keys', 'three', ['The key is found.'], 2))).toMatchObject({
      refusal: null,
    })
    expect(base.tables.versions.count()).toEqual({ documents: 1, chunks: 1, staged: 0 })
  })

  it('has statistical vectors only where no embedder gives it others', async () => {
    const base = openBase()
    await take(base, { ...first, vectors: null }, null)
    expect(base.tables.vectors.count()).toEqual([{ embedder: 'offline-ngrams-512', count: 2 }])
    await take(base, first)
    expect(base.tables.vectors.count()).toEqual([{ embedder: EMBEDDER, count: 2 }])
    await take(base, { ...other, vectors: null })
    expect(base.tables.vectors.count()).toEqual([{ embedder: EMBEDDER, count: 2 }])
  })

  it('is not there at all when it is refused', async () => {
    const base = openBase()
    const huge = documentOf('huge', 'five', ['Fine.', 'x'.repeat(200_000)])
    expect(await take(base, huge)).toEqual({ refusal: 'chunk_too_large', rows: [] })
    expect(contentOf(base)).toMatchObject({ versions: [], chunks: [], vectors: [], a: [], b: [] })
  })
})

describe('a passage whose vector is not there yet', () => {
  const first = documentOf('keys', 'one', ['The key hangs by the door.', 'The safe is blue.'])
  const rows = [chunkRow(1, 0), chunkRow(1, 1)]
  const question = 'Where do you hang keys?'
  const inOrder = (found: { row: number; score: number }[]) => found.sort((a, b) => a.row - b.row)

  it('is compared by its letters to the same result as where they are stored', async () => {
    const stored = openBase()
    await take(stored, { ...first, title: 'keys notes', vectors: null }, null)
    const bare = openBase()
    await take(bare, { ...first, title: 'keys notes', vectors: null })
    const expected = inOrder(compareLetters(stored.tables, question, rows))
    expect(expected.map(({ score }) => score > 0)).toEqual([true, true])
    expect(inOrder(compareLetters(bare.tables, question, rows))).toEqual(expected)
  })

  it('is left out once the embedder gave it one', async () => {
    const base = openBase()
    await take(base, first)
    expect(compareLetters(base.tables, question, rows)).toEqual([])
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
