import { detectMode, wordTokens } from '../../src/text/analyze'
import { likenessTo } from '../../src/text/hold-term'
import { readQuestion } from '../../src/text/question'
import type { ChunkStore } from './chunk-store'

/** Less than this is what any two questions have in common. */
const LEAST = 0.5

/**
 * How alike a question is said to what an author wrote down as other ways to ask for a passage, 0 to 1: all words count, so
 * "the bot does not answer" is not "what does the bot answer", and words that mean the same are one.
 * @param rows whose sketches were read
 * @returns by row, of rows where it is more than by chance
 */
export function likeQuestions(
  chunks: Pick<ChunkStore, 'waysOf'>,
  query: string,
  rows: readonly number[],
): ReadonlyMap<number, number> {
  const likeness = new Map<number, number>()
  const phrased = rows.filter((row) => chunks.waysOf(row).length > 0)
  if (phrased.length === 0) return likeness
  const clauses = readQuestion(query)
  const mode = detectMode(query)
  const asked = new Set([query, ...clauses.flatMap(({ text, told = text }) => [text, told])])
  const likenessOf = likenessTo(
    Array.from(asked, (text) => new Set(wordTokens(text, mode))),
    clauses.flatMap(({ terms }) => terms),
    mode,
  )
  for (const row of phrased) {
    const most = Math.max(...chunks.waysOf(row).map(likenessOf))
    if (most > LEAST) likeness.set(row, most)
  }
  return likeness
}
