import { type Frequencies, inverseFrequency } from '../../src/knowledge/query-terms'
import type { IdfTable } from '../../src/knowledge/types'
import type { MetaStore } from './meta-store'

/** Terms of the word index whose idf is handed to callers. */
const COMMON_TERMS = 400
/**
 * From which share of the passages on a term's frequency is stored. Of words: looking one up costs time in proportion to
 * its frequency. Of letters: terms that are so frequent may be dropped from a question.
 */
const FREQUENT_SHARE = { words: 0.01, letters: 0.15 }
const FREQUENT_TERMS = 5000
/** Statistics are taken anew when the base has grown or shrunk by this share. */
const DRIFT = 0.1
/** Rare terms remembered after a look-up. */
const REMEMBERED_TERMS = 20_000

/** As it is stored: `a` of the word index (`kb_a`), `b` of the letter index (`kb_b`). */
interface Counted {
  passages: number
  a: [string, number][]
  b: [string, number][]
}

/**
 * Document frequencies of a base's most frequent terms: stored, because counting reads the whole vocabulary, and
 * close enough until the base has changed by a tenth. Rarer terms are looked up.
 */
export class TermStatistics {
  readonly #sql: SqlStorage
  readonly #meta: MetaStore
  #counted: {
    passages: number
    a: Map<string, number>
    b: Map<string, number>
    idf: IdfTable
    edition: string
  } | null = null

  readonly #rare = new Map<string, number>()

  constructor(sql: SqlStorage, meta: MetaStore) {
    this.#sql = sql
    this.#meta = meta
  }

  forget(): void {
    this.#counted = null
    this.#rare.clear()
  }

  /** Counts anew when the base has changed by a tenth since the last time, or by another share. */
  refresh(passages: number, drift = DRIFT): void {
    const last = this.#load().passages
    if (Math.abs(passages - last) <= last * drift) return
    const counted: Counted = {
      passages,
      a: this.#count('kb_a_df', passages * FREQUENT_SHARE.words),
      b: this.#count('kb_b_df', passages * FREQUENT_SHARE.letters),
    }
    this.#meta.set('terms', JSON.stringify(counted))
    this.forget()
  }

  /** The table, and the name of its present state: as long as the name is the same, so is the table. */
  idf(): { idf: IdfTable; edition: string } {
    const { idf, edition } = this.#load()
    return { idf, edition }
  }

  /** Frequencies of these tokens of the word index: from memory, the unknown ones from the index in one statement. */
  lookUpWords(tokens: readonly string[]): Frequencies {
    const { passages, a } = this.#load()
    const rare = this.#rare
    const unknown = tokens.filter((token) => !a.has(token) && !rare.has(token))
    if (unknown.length > 0) {
      if (rare.size > REMEMBERED_TERMS) rare.clear()
      for (const token of unknown) rare.set(token, 0)
      const rows = this.#sql.exec<{ term: string; doc: number }>(
        'SELECT term, doc FROM kb_a_df WHERE term IN (SELECT value FROM json_each(?))',
        JSON.stringify(unknown),
      )
      for (const row of rows) rare.set(row.term, row.doc)
    }
    return { passages, of: (token) => a.get(token) ?? rare.get(token) ?? 0 }
  }

  /** Frequencies of the frequent tokens of the letter index; 0 for all others. */
  frequentLetters(): Frequencies {
    const { passages, b } = this.#load()
    return { passages, of: (token) => b.get(token) ?? 0 }
  }

  #load() {
    if (this.#counted) return this.#counted
    const stored = this.#meta.get('terms')
    const counted: Counted = stored ? JSON.parse(stored) : { passages: 0, a: [], b: [] }
    const { passages } = counted
    const common: Record<string, number> = {}
    for (const [term, frequency] of counted.a.slice(0, COMMON_TERMS))
      common[term] = inverseFrequency(passages, frequency)
    this.#counted = {
      passages,
      a: new Map(counted.a),
      b: new Map(counted.b),
      idf: { common, rest: inverseFrequency(passages, 1) },
      edition: crypto.randomUUID(),
    }
    return this.#counted
  }

  #count(vocabulary: 'kb_a_df' | 'kb_b_df', least: number): [string, number][] {
    return this.#sql
      .exec<{ term: string; doc: number }>(
        `SELECT term, doc FROM ${vocabulary} WHERE doc >= ? ORDER BY doc DESC, term LIMIT ?`,
        Math.max(1, least),
        FREQUENT_TERMS,
      )
      .toArray()
      .map((row) => [row.term, row.doc])
  }
}
