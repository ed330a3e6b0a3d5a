import { describe, expect, it, vi } from 'vitest'
import { ChunkStore } from '../../../durable-objects/knowledge-base/chunk-store'
import { MetaStore } from '../../../durable-objects/knowledge-base/meta-store'
import { chunkRow } from '../../../durable-objects/knowledge-base/rows'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../../durable-objects/knowledge-base/schema'
import { readLists } from '../../../durable-objects/knowledge-base/search'
import { openScores, TermScores } from '../../../durable-objects/knowledge-base/term-scores'
import { TermStatistics } from '../../../durable-objects/knowledge-base/term-statistics'
import { VectorRows } from '../../../durable-objects/knowledge-base/vector-rows'
import { VersionStore } from '../../../durable-objects/knowledge-base/version-store'
import { migrate } from '../../../durable-objects/migrate'
import { preparePassage } from '../../../src/knowledge/prepare-passage'
import { buildMatch } from '../../../src/knowledge/query-terms'
import { NodeStorage } from '../../support/node-object'

const WORDS = 'parcel refund garden the of hedge ferry island refund the the bicycle wind'.split(
  ' ',
)
const LIMIT = 40

/** Versions of one to five passages made of few words, so that they repeat in one passage and stand in titles. */
function openBase() {
  const storage = new NodeStorage().open(() => undefined)
  migrate(storage, KNOWLEDGE_BASE_MIGRATIONS)
  const { sql } = storage
  const chunks = new ChunkStore(sql)
  let seed = 7
  const pick = (count: number) => {
    seed = (seed * 48_271) % 0x7fffffff
    return seed % count
  }
  const wordsOf = (count: number) =>
    Array.from({ length: count }, () => WORDS[pick(WORDS.length)]).join(' ')
  const add = (version: number) => {
    for (let n = 0; n <= version % 5; n++) {
      const chunk = { n, text: wordsOf(3 + pick(60)), heading: null, page: null, start: 0, end: 1 }
      chunks.add(chunkRow(version, n), chunk, preparePassage(wordsOf(2), chunk))
    }
  }
  for (let version = 1; version <= 80; version++) add(version)
  return { sql, chunks, add }
}

/** What the index's own `bm25` finds. */
function askIndex(sql: SqlStorage, match: string) {
  return sql
    .exec<{ row: number; s: number }>(
      'SELECT rowid AS row, bm25(kb_a, 2.0, 1.0) AS s FROM kb_a WHERE kb_a MATCH ? ORDER BY s, rowid LIMIT ?',
      match,
      LIMIT,
    )
    .toArray()
    .map(({ row, s }) => ({ row, score: expect.closeTo(-s, 9) }))
}

const TOKENS = ['refund', 'ferri', 'island', 'refund', 'nowhere']
const PHRASE: [string, string] = ['of', 'the']
const MATCH = buildMatch(TOKENS, [PHRASE])
const QUOTED = buildMatch([], [PHRASE])
const everything = () => true

describe('scores of terms that are kept', () => {
  it("are those of the index's own bm25, in its order, asked for once or again", () => {
    const { sql, chunks } = openBase()
    const scores = new TermScores(sql, 'kb_a', chunks)
    const expected = askIndex(sql, MATCH)
    expect(expected).toHaveLength(LIMIT)
    scores.isWorthIt()
    for (let asked = 0; asked < 2; asked++) {
      expect(scores.best(TOKENS, [QUOTED], LIMIT, everything)).toEqual(expected)
    }
  })

  it('are worth it from the second question after a change on, and are read anew then', () => {
    const { sql, chunks, add } = openBase()
    const scores = new TermScores(sql, 'kb_a', chunks)
    expect([scores.isWorthIt(), scores.isWorthIt()]).toEqual([false, true])
    scores.best(TOKENS, [QUOTED], LIMIT, everything)
    add(99)
    expect([scores.isWorthIt(), scores.isWorthIt()]).toEqual([false, true])
    expect(scores.best(TOKENS, [QUOTED], LIMIT, everything)).toEqual(askIndex(sql, MATCH))
    chunks.remove(chunkRow(4, 0), chunkRow(30, 0))
    expect([scores.isWorthIt(), scores.isWorthIt()]).toEqual([false, true])
    expect(scores.best(TOKENS, [QUOTED], LIMIT, everything)).toEqual(askIndex(sql, MATCH))
  })

  it('leave out what is not visible, and find nothing for words that nobody wrote', () => {
    const { sql, chunks } = openBase()
    const scores = new TermScores(sql, 'kb_a', chunks)
    scores.isWorthIt()
    const all = scores.best(TOKENS, [], LIMIT, everything) ?? []
    const [first] = all
    expect(first).toBeDefined()
    const others = scores.best(TOKENS, [], LIMIT, (row) => row !== first?.row) ?? []
    expect(others.slice(0, LIMIT - 1)).toEqual(all.slice(1))
    expect(
      scores.best(['nowhere'], [buildMatch([], [['no', 'where']])], LIMIT, everything),
    ).toEqual([])
  })

  it('are left to the index for a word that stands nearly everywhere, and kept for the others', () => {
    const { sql, chunks } = openBase()
    const text = 'hedge '.repeat(200)
    for (let n = 0; n < 350; n++) {
      const chunk = { n, text, heading: null, page: null, start: 0, end: 1 }
      chunks.add(chunkRow(5000, n), chunk, preparePassage('', chunk))
    }
    const scores = new TermScores(sql, 'kb_a', chunks)
    scores.isWorthIt()
    for (let asked = 0; asked < 2; asked++) {
      expect(scores.best(['refund', 'hedg'], [], LIMIT, everything)).toBe(null)
      expect(scores.best(TOKENS, [QUOTED], LIMIT, everything)).toEqual(askIndex(sql, MATCH))
    }
    chunks.remove(chunkRow(5000, 0), chunkRow(5000, 349))
    scores.isWorthIt()
    expect(scores.isWorthIt()).toBe(true)
    expect(scores.best(['hedg'], [], LIMIT, everything)).toEqual(askIndex(sql, 'hedg'))
  })

  it('keep no end of words that stand nowhere', () => {
    const { sql, chunks } = openBase()
    const scores = new TermScores(sql, 'kb_a', chunks)
    scores.isWorthIt()
    scores.isWorthIt()
    const exec = vi.spyOn(sql, 'exec')
    const readsFor = (tokens: string[]) => {
      exec.mockClear()
      scores.best(tokens, [], LIMIT, everything)
      return exec.mock.calls.filter(([query]) => query.includes('json_each')).length
    }
    expect([readsFor(['nowhere']), readsFor(['nowhere'])]).toEqual([1, 0])
    readsFor(Array.from({ length: 50_000 }, (_, n) => `nowhere${n}`))
    expect(readsFor(['nowhere'])).toBe(1)
  })

  it('answer for a small base, too: what was asked before asks nothing of its indexes', () => {
    const { sql, chunks } = openBase()
    const asked: string[] = []
    const exec = sql.exec.bind(sql)
    sql.exec = ((query: string, ...bindings: SqlStorageValue[]) => {
      asked.push(query)
      return exec(query, ...bindings)
    }) as typeof sql.exec
    const tables = {
      sql,
      chunks,
      versions: new VersionStore(sql),
      terms: new TermStatistics(sql, new MetaStore(sql)),
      scores: openScores(sql, chunks),
      vectors: new VectorRows(sql),
    }
    const ask = () => {
      const { words, letters } = readLists(tables, 'Is there a refund for the ferry?', null)
      return {
        words,
        letters,
        statements: asked.splice(0).filter((query) => query.includes('bm25')).length,
      }
    }
    const first = ask()
    expect(first.words.length).toBeGreaterThan(0)
    expect(first.statements).toBe(2)
    ask()
    expect(ask()).toEqual({
      words: first.words.map(({ row, score }) => ({ row, score: expect.closeTo(score, 9) })),
      letters: first.letters.map(({ row, score }) => ({ row, score: expect.closeTo(score, 9) })),
      statements: 0,
    })
  })
})
