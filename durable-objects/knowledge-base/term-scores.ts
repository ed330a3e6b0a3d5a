import { KNOWLEDGE } from '../../src/config/limits'
import { Bm25, type Hits } from '../../src/knowledge/bm25'
import { BestScored, type Scored } from '../../src/knowledge/fusion'
import type { ChunkStore } from './chunk-store'
import { MemoryBudget } from './memory-budget'

/** A passage's row and length in memory. */
const ROW_BYTES = 16
/** Rows whose lengths are read by one statement: they come as one text, which must stay far below the platform's 2 MB. */
const LENGTHS_AT_ONCE = 20_000

/** Places of one term that are read: they come as one text too. What stands in more is left to the index. */
const MOST_PLACES = 60_000

type Index = 'kb_a' | 'kb_b'

interface Passages {
  rows: Float64Array
  bm25: Bm25
}

/** Shared by all bases of an isolate. */
const termMemory = new MemoryBudget(KNOWLEDGE.termMemory)
/** Of one index: a base has two, which must not push each other out. */
const MOST_BYTES = KNOWLEDGE.termMemory / 2

/**
 * BM25 scores of one lexical index, computed here instead of by SQLite's `bm25`, with the same result. SQLite reads the
 * length of every matching passage for each question, which at 10,000 passages is most of a search's time. Here lengths
 * and the places of terms stay in memory from one question to the next, until a passage comes or goes.
 */
export class TermScores {
  readonly #sql: SqlStorage
  readonly #index: Index
  readonly #chunks: ChunkStore
  /** In the order of their last use, the latest last. */
  readonly #hits = new Map<string, Hits>()
  /** Terms that stand in more than `MOST_PLACES`. */
  readonly #wide = new Set<string>()
  #passages: Passages | null = null
  #bytes = 0
  /** `ChunkStore.changes` as it was at the last question. */
  #changes = -1

  constructor(sql: SqlStorage, index: Index, chunks: ChunkStore) {
    this.#sql = sql
    this.#index = index
    this.#chunks = chunks
  }

  forget(): void {
    this.#hits.clear()
    this.#wide.clear()
    this.#passages = null
    this.#bytes = 0
    termMemory.release(this)
  }

  /** False for the first question after a change: while documents come in, what is read would be thrown away at once. */
  isWorthIt(): boolean {
    const { changes } = this.#chunks
    if (this.#changes === changes) return true
    this.forget()
    this.#changes = changes
    return false
  }

  /**
   * The `limit` best passages, as `bm25(…, 2.0, 1.0)` of the index ranks them for these terms joined by OR. A term or
   * phrase that is given twice counts twice. Call it only while `isWorthIt`.
   * @param phrases in quotes, as FTS5 writes them
   * @param visible whether a row may be shown; asked only of rows that would be among the best
   * @returns null where a term stands in more than `MOST_PLACES`: then the index has to be asked
   */
  best(
    tokens: readonly string[],
    phrases: readonly string[],
    limit: number,
    visible: (row: number) => boolean,
  ): Scored[] | null {
    this.#passages ??= this.#readPassages()
    const { rows, bm25 } = this.#passages
    this.#readTokens(rows, tokens)
    if (tokens.some((token) => this.#wide.has(token))) return null
    for (const phrase of phrases) this.#readPhrase(this.#passages, phrase)
    const sums = new Float64Array(rows.length)
    for (const term of [...tokens, ...phrases]) bm25.add(sums, this.#use(term))
    const best = new BestScored(limit)
    for (const [at, sum] of sums.entries()) {
      const row = rows[at] ?? 0
      if (sum > 0 && best.takes(row, sum) && visible(row)) best.add(row, sum)
    }
    this.#trim()
    return best.list()
  }

  #use(term: string): Hits {
    const hits = this.#hits.get(term) ?? hitsOf([], [])
    this.#hits.delete(term)
    this.#hits.set(term, hits)
    return hits
  }

  #set(term: string, hits: Hits): void {
    this.#hits.set(term, hits)
    this.#bytes += bytesOf(hits)
  }

  /** Drops terms, those unused for longest first, until the rest fits the budget. */
  #trim(): void {
    for (const [term, hits] of this.#hits) {
      if (this.#bytes <= MOST_BYTES) break
      this.#hits.delete(term)
      this.#bytes -= bytesOf(hits)
    }
    if (!termMemory.hold(this, this.#bytes, () => this.forget())) this.forget()
  }

  #readPassages(): Passages {
    const sizes: number[] = []
    const ids: number[] = []
    for (;;) {
      const read = ids.length
      const { rows, lengths } = this.#sql
        .exec<{ rows: string | null; lengths: string | null }>(
          `SELECT group_concat(id) AS rows, group_concat(hex(sz)) AS lengths FROM
             (SELECT id, sz FROM ${this.#index}_docsize WHERE id > ? ORDER BY id LIMIT ?)`,
          ids.at(-1) ?? -1,
          LENGTHS_AT_ONCE,
        )
        .one()
      for (const id of numbersOf(rows)) ids.push(id)
      for (const length of lengthsOf(lengths)) sizes.push(length)
      if (ids.length - read < LENGTHS_AT_ONCE) break
    }
    this.#bytes += ids.length * ROW_BYTES
    return { rows: Float64Array.from(ids), bm25: new Bm25(this.#readTotals(), sizes) }
  }

  /** How many passages the index counts, and their tokens: the first record of its data. */
  #readTotals(): { passages: number; tokens: number } {
    const [record] = this.#sql
      .exec<{ block: ArrayBuffer }>(`SELECT block FROM ${this.#index}_data WHERE id = 1`)
      .toArray()
    const [passages = 0, ...tokens] = readVarints(new Uint8Array(record?.block ?? []))
    return { passages, tokens: tokens.reduce((sum, one) => sum + one, 0) }
  }

  #readTokens(rows: Float64Array, tokens: readonly string[]): void {
    const unknown = tokens.filter((token) => !this.#hits.has(token) && !this.#wide.has(token))
    if (unknown.length === 0) return
    // A place as its passage's row doubled, and one more where it is in the title.
    const found = this.#sql.exec<{ token: string; places: string | null }>(
      `SELECT value AS token, (SELECT group_concat(place) FROM (SELECT doc * 2 + (col = 'title') AS place
         FROM ${this.#index}_places WHERE term = value LIMIT ?)) AS places FROM json_each(?)`,
      MOST_PLACES + 1,
      JSON.stringify(unknown),
    )
    for (const { token, places } of found) {
      const hits = readPlaces(rows, places ?? '')
      if (hits === null) this.#wide.add(token)
      else this.#set(token, hits)
    }
  }

  #readPhrase({ rows, bm25 }: Passages, phrase: string): void {
    if (this.#hits.has(phrase)) return
    const found = this.#sql
      .exec<{ row: number; s: number }>(
        `SELECT rowid AS row, bm25(${this.#index}, 2.0, 1.0) AS s FROM ${this.#index} WHERE ${this.#index} MATCH ?`,
        phrase,
      )
      .toArray()
    const at: number[] = []
    const counts: number[] = []
    let next = 0
    for (const { row, s } of found) {
      while ((rows[next] ?? row) < row) next++
      at.push(next)
      counts.push(bm25.countOf(-s, next, found.length))
    }
    this.#set(phrase, hitsOf(at, counts))
  }
}

/** Those of both lexical indexes. */
export const openScores = (sql: SqlStorage, chunks: ChunkStore) => ({
  kb_a: new TermScores(sql, 'kb_a', chunks),
  kb_b: new TermScores(sql, 'kb_b', chunks),
})

/** Of a term itself, about: those that stand nowhere would else be kept without end, and they are the words of people who ask. */
const TERM_BYTES = 100

const bytesOf = ({ at, counts }: Hits): number => TERM_BYTES + at.byteLength + counts.byteLength

const SHORT = 0x10000

function hitsOf(at: readonly number[], counts: readonly number[]): Hits {
  const isShort = (at.at(-1) ?? 0) < SHORT
  return {
    at: isShort ? Uint16Array.from(at) : Uint32Array.from(at),
    counts: Uint8Array.from(counts, (count) => Math.min(count, MOST_COUNTED)),
  }
}

/** More often is as good as so often: a score hardly grows any more. */
const MOST_COUNTED = 255

/** Reads what `#readTokens` asks for: rows in their order, each as often as the term stands there; null where that is too much. */
function readPlaces(rows: Float64Array, places: string): Hits | null {
  const at: number[] = []
  const counts: number[] = []
  let read = 0
  let next = 0
  let last = -1
  let value = 0
  for (let i = 0; i <= places.length && places !== ''; i++) {
    const code = places.charCodeAt(i)
    if (code !== COMMA && i < places.length) {
      value = value * 10 + code - ZERO
      continue
    }
    if (++read > MOST_PLACES) return null
    const isTitle = value % 2
    const row = (value - isTitle) / 2
    value = 0
    if (row !== last) {
      last = row
      while ((rows[next] ?? row) < row) next++
      at.push(next)
      counts.push(0)
    }
    counts[counts.length - 1] = (counts[counts.length - 1] ?? 0) + 1 + isTitle
  }
  return hitsOf(at, counts)
}

const ZERO = 48
const NINE = 57
/** Of the digit A, which is ten. */
const TEN = 65 - 10
const COMMA = 44

/** @param text whole numbers with commas between them */
function numbersOf(text: string | null): number[] {
  return text === null ? [] : text.split(',').map(Number)
}

/** A byte whose highest bit is set goes on in the next one. */
const MORE = 0x80
const HEX = 16

/**
 * Tokens of each passage: numbers as SQLite writes them (seven bits a byte, the highest first), one a column, as hexadecimal
 * digits with commas between the passages.
 */
function lengthsOf(text: string | null): number[] {
  const lengths: number[] = []
  for (const one of text?.split(',') ?? []) {
    let sum = 0
    let value = 0
    for (let i = 0; i < one.length; i += 2) {
      const byte = digit(one.charCodeAt(i)) * HEX + digit(one.charCodeAt(i + 1))
      value = value * MORE + (byte & (MORE - 1))
      if (byte >= MORE) continue
      sum += value
      value = 0
    }
    lengths.push(sum)
  }
  return lengths
}

const digit = (code: number): number => (code <= NINE ? code - ZERO : code - TEN)

/** Numbers as SQLite writes them, below 2^53. */
function readVarints(bytes: Uint8Array): number[] {
  const values: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * MORE + (byte & (MORE - 1))
    if (byte >= MORE) continue
    values.push(value)
    value = 0
  }
  return values
}
