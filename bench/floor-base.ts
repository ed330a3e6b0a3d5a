import { DurableObject } from 'cloudflare:workers'
import { preparePassage } from '../src/knowledge/prepare-passage'
import {
  analyzeQuery,
  buildMatch,
  dropFrequent,
  type Frequencies,
} from '../src/knowledge/query-terms'
import type { Chunk } from '../src/knowledge/types'
import { DIMENSIONS } from './workload'

const LIST_LENGTH = 100
/** Below the smallest share at which a term is dropped. */
const FREQUENT_SHARE = 0.15
const TOKENIZER =
  "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* Co M*' tokenchars '_'\""

interface Listed {
  row: number
  score: number
}

/** The recipe's search as bare SQL: list A with phrases, list B, nearest vectors, fused; then the texts. No rule more. */
export class FloorBase extends DurableObject<unknown> {
  readonly #sql: SqlStorage
  #frequent: { a: Frequencies; b: Frequencies } | null = null
  #vectors: Int8Array[] | null = null
  /** MATCH strings by question: timing them is no part of the bare statements. */
  readonly #matches = new Map<string, { a: string; b: string }>()

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS passages (id INTEGER PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL);
       CREATE VIRTUAL TABLE IF NOT EXISTS kb_a USING fts5(title, body, content='', contentless_delete=1, ${TOKENIZER});
       CREATE VIRTUAL TABLE IF NOT EXISTS kb_b USING fts5(title, body, content='', contentless_delete=1, ${TOKENIZER});
       CREATE VIRTUAL TABLE IF NOT EXISTS kb_a_df USING fts5vocab(kb_a, 'row');
       CREATE VIRTUAL TABLE IF NOT EXISTS kb_b_df USING fts5vocab(kb_b, 'row');`,
    )
  }

  async add(title: string, chunks: Chunk[], vectors: number[][]): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const [i, chunk] of chunks.entries()) {
        const vector = Int8Array.from(vectors[i] ?? [], (value) => Math.round(value * 127))
        const { id } = this.#sql
          .exec<{ id: number }>(
            'INSERT INTO passages (title, text, vector) VALUES (?, ?, ?) RETURNING id',
            title,
            chunk.text,
            vector,
          )
          .one()
        const { a, b } = preparePassage(title, chunk)
        this.#sql.exec(
          'INSERT INTO kb_a (rowid, title, body) VALUES (?, ?, ?)',
          id,
          a.title,
          a.body,
        )
        this.#sql.exec(
          'INSERT INTO kb_b (rowid, title, body) VALUES (?, ?, ?)',
          id,
          b.title,
          b.body,
        )
      }
    })
    this.#frequent = null
    this.#vectors = null
    this.#matches.clear()
  }

  /** Both indexes in one piece each: the floor is as fast as it can be. */
  async optimize(): Promise<void> {
    for (const table of ['kb_a', 'kb_b'])
      this.#sql.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`)
  }

  async search(question: string, vector: number[], k: number) {
    const rows = this.#rank(this.#match(question), vector).slice(0, k)
    const texts = this.#sql
      .exec<{ id: number; title: string; text: string }>(
        'SELECT id, title, text FROM passages WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(rows),
      )
      .toArray()
    const byId = new Map(texts.map((text) => [text.id, text]))
    return rows.flatMap((row) => byId.get(row) ?? [])
  }

  /** The lists alone, for questions whose MATCH strings are known. @returns how many rows they have. */
  async bareSearch(question: string, vector: number[] | null): Promise<number> {
    let match = this.#matches.get(question)
    if (!match) {
      match = this.#match(question)
      this.#matches.set(question, match)
    }
    return this.#rank(match, vector).length
  }

  #rank(match: { a: string; b: string }, vector: number[] | null): number[] {
    const scores = new Map<number, number>()
    const lists = [this.#list('kb_a', match.a), this.#list('kb_b', match.b)]
    if (vector) lists.push(this.#nearest(vector))
    for (const list of lists) {
      const top = list[0]?.score ?? 1
      for (const { row, score } of list) scores.set(row, (scores.get(row) ?? 0) + score / top)
    }
    return [...scores].sort((x, y) => y[1] - x[1]).map(([row]) => row)
  }

  #list(table: 'kb_a' | 'kb_b', match: string): Listed[] {
    return this.#sql
      .exec<{ row: number; s: number }>(
        `SELECT rowid AS row, bm25(${table}, 2.0, 1.0) AS s FROM ${table} WHERE ${table} MATCH ? ORDER BY s LIMIT ${LIST_LENGTH}`,
        match,
      )
      .toArray()
      .map(({ row, s }) => ({ row, score: -s }))
  }

  #nearest(vector: number[]): Listed[] {
    this.#vectors ??= this.#sql
      .exec<{ vector: ArrayBuffer }>('SELECT vector FROM passages ORDER BY id')
      .toArray()
      .map((row) => new Int8Array(row.vector))
    const query = Float32Array.from(vector)
    const list = this.#vectors.map((other, i) => {
      let score = 0
      for (let j = 0; j < DIMENSIONS; j++) score += (query[j] ?? 0) * (other[j] ?? 0)
      return { row: i + 1, score }
    })
    return list.sort((x, y) => y.score - x.score).slice(0, LIST_LENGTH)
  }

  #match(question: string): { a: string; b: string } {
    const { a, b, phrases } = analyzeQuery(question, ['english'])
    this.#frequent ??= { a: this.#countFrequent('kb_a_df'), b: this.#countFrequent('kb_b_df') }
    return {
      a: buildMatch(dropFrequent(a.flat(), this.#frequent.a), phrases),
      b: buildMatch(dropFrequent(b, this.#frequent.b)),
    }
  }

  /** Terms that a question may have to drop; any other counts as rare. */
  #countFrequent(table: 'kb_a_df' | 'kb_b_df'): Frequencies {
    const passages = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM passages').one().n
    const rows = this.#sql.exec<{ term: string; doc: number }>(
      `SELECT term, doc FROM ${table} WHERE doc > ?`,
      passages * FREQUENT_SHARE,
    )
    const known = new Map(rows.toArray().map(({ term, doc }) => [term, doc]))
    return { passages, of: (token) => known.get(token) ?? 0 }
  }
}
