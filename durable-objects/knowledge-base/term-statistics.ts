import { type Frequencies, inverseFrequency } from '../../src/knowledge/query-terms'
import type { IdfTable } from '../../src/knowledge/types'

/** Terms of index A whose idf is handed to callers. */
const COMMON_TERMS = 400
/** Terms of index B that a question may have to drop are in at least this share of the passages. */
const FREQUENT_SHARE = 0.15
const FREQUENT_TERMS = 4000
/** Statistics are taken anew when the base has grown or shrunk by this share. */
const DRIFT = 0.1

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
  #counted: {
    passages: number
    a: Map<string, number>
    b: Map<string, number>
    idf: IdfTable
  } | null = null

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  forget(): void {
    this.#counted = null
  }

  /** Counts anew when the base has changed by a tenth since the last time. */
  refresh(passages: number): void {
    const last = this.#load().passages
    if (Math.abs(passages - last) <= last * DRIFT) return
    const counted: Counted = {
      passages,
      a: this.#count('kb_a_df', 1, COMMON_TERMS),
      b: this.#count('kb_b_df', Math.max(2, passages * FREQUENT_SHARE), FREQUENT_TERMS),
    }
    this.#sql.exec(
      "INSERT OR REPLACE INTO meta (key, value) VALUES ('terms', ?)",
      JSON.stringify(counted),
    )
    this.#counted = null
  }

  idf(): IdfTable {
    return this.#load().idf
  }

  /** Frequencies of these tokens of index A: from memory, the rare ones from the index in one statement. */
  lookUpA(tokens: readonly string[]): Frequencies {
    const { passages, a } = this.#load()
    const rare = tokens.filter((token) => !a.has(token))
    const found = new Map<string, number>()
    if (rare.length > 0) {
      const rows = this.#sql.exec<{ term: string; doc: number }>(
        'SELECT term, doc FROM kb_a_df WHERE term IN (SELECT value FROM json_each(?))',
        JSON.stringify(rare),
      )
      for (const row of rows) found.set(row.term, row.doc)
    }
    return { passages, of: (token) => a.get(token) ?? found.get(token) ?? 0 }
  }

  /** Frequencies of the frequent tokens of index B; 0 for all others. */
  frequentB(): Frequencies {
    const { passages, b } = this.#load()
    return { passages, of: (token) => b.get(token) ?? 0 }
  }

  #load() {
    if (this.#counted) return this.#counted
    const stored = this.#sql
      .exec<{ value: string }>("SELECT value FROM meta WHERE key = 'terms'")
      .toArray()[0]
    const counted: Counted = stored ? JSON.parse(stored.value) : { passages: 0, a: [], b: [] }
    const { passages } = counted
    const common: Record<string, number> = {}
    for (const [term, frequency] of counted.a) common[term] = inverseFrequency(passages, frequency)
    this.#counted = {
      passages,
      a: new Map(counted.a),
      b: new Map(counted.b),
      idf: { common, rest: inverseFrequency(passages, 1) },
    }
    return this.#counted
  }

  #count(vocabulary: 'kb_a_df' | 'kb_b_df', least: number, limit: number): [string, number][] {
    return this.#sql
      .exec<{ term: string; doc: number }>(
        `SELECT term, doc FROM ${vocabulary} WHERE doc >= ? ORDER BY doc DESC LIMIT ?`,
        least,
        limit,
      )
      .toArray()
      .map((row) => [row.term, row.doc])
  }
}
