import { describe, expect, it } from 'vitest'
import { RERANKING } from '../../../src/config/limits'
import { type RankTexts, searchReranked } from '../../../src/knowledge/rerank-hits'
import type { SearchHit, SearchResult } from '../../../src/knowledge/types'

const hit = (name: string, score: number): SearchHit => ({
  documentId: name,
  documentName: name,
  chunkId: name,
  title: `Title ${name}`,
  url: null,
  heading: name === 'b' ? 'Heading' : null,
  page: null,
  text: `Text ${name}`,
  start: 0,
  end: 6,
  score,
  distance: 0.5,
  coverage: 0.5,
})
const HITS = [hit('a', 0.9), hit('b', 0.6), hit('c', 0.3)]
const rest = { idf: { common: {}, rest: 1 }, coverage: 1, cosine: null, embedder: null }

const search = async (rank: RankTexts, hits = HITS, k = 2) => {
  const asked: number[] = []
  const find = async (most: number): Promise<SearchResult> => {
    asked.push(most)
    return { ...rest, hits }
  }
  const result = await searchReranked(find, 'q', k, rank)
  expect(asked).toEqual([RERANKING.candidates])
  return result.hits.map(({ chunkId, score }) => [chunkId, score])
}

describe('searchReranked', () => {
  it('puts more hits than are wanted in the model’s order; each place keeps its score', async () => {
    const texts: string[][] = []
    const rank: RankTexts = async (_, given) => {
      texts.push(given)
      return [2, 0, 1]
    }
    expect(await search(rank)).toEqual([
      ['c', 0.9],
      ['a', 0.6],
    ])
    expect(texts).toEqual([['Title a\nText a', 'Title b\nHeading\nText b', 'Title c\nText c']])
  })

  it('keeps the order of the search where there is no other', async () => {
    expect(await search(async () => null)).toEqual([
      ['a', 0.9],
      ['b', 0.6],
    ])
  })

  it('asks nobody about one hit or none', async () => {
    const never: RankTexts = () => Promise.reject(new Error('asked'))
    expect(await search(never, HITS.slice(0, 1))).toEqual([['a', 0.9]])
    expect(await search(never, [])).toEqual([])
  })
})
