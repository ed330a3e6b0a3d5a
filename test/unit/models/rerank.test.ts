import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RERANKING } from '../../../src/config/limits'
import { rerank, rerankerName } from '../../../src/models/rerank'
import { byWords, type RerankServer, startReranker } from '../../support/rerank-server'

const QUERY = 'When are refunds paid?'
const TEXTS = ['The office opens at nine.', 'Refunds are paid on Friday.', 'Nobody paid.']
const signal = () => new AbortController().signal

describe('reranking', () => {
  let server: RerankServer
  beforeAll(async () => {
    server = await startReranker()
  })
  afterAll(() => server.close())
  beforeEach(() => {
    server.script = ({ body }) => ({ text: JSON.stringify(byWords(body)) })
  })
  const env = () => ({
    RERANK_URL: server.url,
    RERANK_API_KEY: 'key-1',
    RERANK_MODEL: 'rerank-v3.5',
  })
  const answer = (value: unknown, status = 200) => {
    server.script = () => ({ status, text: JSON.stringify(value) })
  }

  it('is nobody’s work where there is no reranker', async () => {
    expect(await rerank(QUERY, TEXTS, {}, signal())).toBeNull()
    const AI = {} as Ai
    expect(rerankerName({ MODEL_PROVIDER: 'offline', AI })).toBeNull()
    expect(rerankerName({ MODEL_PROVIDER: 'openai-compatible', AI })).toBeNull()
    expect(rerankerName({ AI })).toBe('@cf/baai/bge-reranker-base')
  })

  it('asks an endpoint of Cohere’s and Jina’s form', async () => {
    expect(await rerank(QUERY, TEXTS, env(), signal())).toEqual({
      order: [1, 2, 0],
      model: 'rerank-v3.5',
      tokens: 77,
      estimated: false,
    })
    expect(server.calls.at(-1)).toEqual({
      authorization: 'Bearer key-1',
      body: {
        model: 'rerank-v3.5',
        query: QUERY,
        documents: TEXTS,
        top_n: 3,
        return_documents: false,
      },
    })
  })

  it('does without a key and a model, and counts by itself what nobody counts', async () => {
    const { results } = byWords({ query: QUERY, documents: TEXTS })
    answer({ results, meta: { billed_units: { search_units: 1 } } })
    const reranked = await rerank(QUERY, TEXTS, { RERANK_URL: server.url }, signal())
    expect(reranked).toMatchObject({ order: [1, 2, 0], model: 'rerank', estimated: true })
    expect(reranked?.tokens).toBeGreaterThan(10)
    const { authorization, body } = server.calls.at(-1) ?? {}
    expect([authorization, body && 'model' in body]).toEqual([undefined, false])
  })

  it('asks the binding’s reranker', async () => {
    const calls: unknown[] = []
    const response = [
      { id: 2, score: 0.9 },
      { id: 0, score: 0.95 },
      { id: 1, score: 0.1 },
    ]
    const run = (...args: unknown[]) => {
      calls.push(args)
      return Promise.resolve({ response })
    }
    const AI = { run } as unknown as Ai
    expect(await rerank(QUERY, TEXTS, { AI }, signal())).toMatchObject({
      order: [0, 2, 1],
      model: RERANKING.workersAiModel,
      estimated: true,
    })
    const contexts = TEXTS.map((text) => ({ text }))
    expect(calls).toEqual([[RERANKING.workersAiModel, { query: QUERY, contexts, top_k: 3 }]])
  })

  it('keeps behind the best what the model leaves out', async () => {
    answer({ results: [{ index: 2, relevance_score: 0.4 }] })
    expect((await rerank(QUERY, TEXTS, env(), signal()))?.order).toEqual([2, 0, 1])
  })

  it.each([
    ['no results', { results: [] }],
    ['a position that no text has', { results: [{ index: 3, relevance_score: 1 }] }],
    ['a position twice', { results: [0, 0].map((index) => ({ index, relevance_score: 1 })) }],
    ['a negative position', { results: [{ index: -1, relevance_score: 1 }] }],
    ['a score that is none', { results: [{ index: 0, relevance_score: null }] }],
    ['something else', { data: [1, 2] }],
  ])('fails on %s', async (_, value) => {
    answer(value)
    await expect(rerank(QUERY, TEXTS, env(), signal())).rejects.toThrow()
  })

  it('fails without the endpoint’s words', async () => {
    answer({ message: 'secret detail' }, 500)
    const failure = rerank(QUERY, TEXTS, env(), signal())
    await expect(failure).rejects.toThrow('500')
    await expect(failure).rejects.not.toThrow('secret')
    server.script = () => ({ text: 'not JSON' })
    await expect(rerank(QUERY, TEXTS, env(), signal())).rejects.toThrow()
  })

  it('gives up with its caller', async () => {
    server.script = () => null
    const end = new AbortController()
    const failure = rerank(QUERY, TEXTS, env(), end.signal)
    end.abort(new Error('enough'))
    await expect(failure).rejects.toThrow('enough')
  })
})
