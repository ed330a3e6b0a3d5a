import type { Scored } from '../../src/knowledge/fusion'
import { cosineAt, normalize, quantize } from '../../src/knowledge/quantize'
import { readPhrasings } from '../../src/text/phrasings'
import { searchTitle } from '../../src/text/search-title'
import { embedOffline, OFFLINE_EMBEDDER } from '../../src/text/statistical-vectors'
import { splitRow } from './rows'
import type { Tables } from './tables'

/**
 * Cosines of these visible rows with a question by their letters alone. Where an embedder is set no such vectors are stored:
 * those of rows that have no vector yet are made here, and rows that have another embedder's are left out.
 */
export function compareLetters(
  { chunks, vectors, versions }: Pick<Tables, 'chunks' | 'vectors' | 'versions'>,
  query: string,
  rows: readonly number[],
): Scored[] {
  const asked = embedOffline(query)
  const scored = vectors.compare(OFFLINE_EMBEDDER, asked, rows)
  if (scored.length === rows.length) return scored
  const known = new Set(scored.map(({ row }) => row))
  const bare = vectors.withoutAny(rows.filter((row) => !known.has(row)))
  if (bare.length === 0) return scored
  const unit = normalize(asked)
  const documents = versions.byIds(bare.map((row) => splitRow(row).versionId))
  for (const [row, { heading, text, phrasings }] of chunks.read(bare)) {
    const { title = '', name = '' } = documents.get(splitRow(row).versionId) ?? {}
    const others = readPhrasings(phrasings).map((one) => one.text)
    const vector = embedOffline(
      [searchTitle(title, name), heading ?? '', text, ...others].join('\n'),
    )
    // Rounded as stored ones are, so that both kinds compare.
    const { bytes, scale } = quantize(vector)
    scored.push({ row, score: cosineAt(unit, new Int8Array(bytes.buffer), 0, scale) })
  }
  return scored
}
