import { KNOWLEDGE } from '../../src/config/limits'
import { isWorthMerging } from '../../src/knowledge/index-segments'

const INDEXES = ['kb_a', 'kb_b'] as const

/**
 * Keeps each lexical index in few segments. Every change leaves one of its own, each term of a question is looked up in
 * all of them, and the index merges them by itself only when there are many: a hundred short documents are searched eight
 * times as fast in one segment.
 */
export class IndexUpkeep {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /**
   * Merges what is worth it, some pages at a time, so that searches come in between. Safe to end anywhere.
   * @param isOpen false once the base was destroyed in between
   */
  async run(isOpen: () => boolean): Promise<void> {
    for (const index of INDEXES) {
      if (!isOpen() || !isWorthMerging(this.#segments(index))) continue
      for (let step = 0; step < KNOWLEDGE.mergeSteps && isOpen(); step++) {
        // A negative number of pages: all segments into one, however many steps it takes.
        this.#sql.exec(
          `INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${-KNOWLEDGE.mergePages})`,
        )
        if (this.#segments(index).length <= 1) break
        await scheduler.wait(0)
      }
    }
  }

  /** Of both indexes together. */
  countSegments(): number {
    return INDEXES.reduce((sum, index) => sum + this.#segments(index).length, 0)
  }

  /** Pages of each segment. */
  #segments(index: (typeof INDEXES)[number]): number[] {
    return this.#sql
      .exec<{ pages: number }>(`SELECT count(*) AS pages FROM ${index}_idx GROUP BY segid`)
      .toArray()
      .map((row) => row.pages)
  }
}
