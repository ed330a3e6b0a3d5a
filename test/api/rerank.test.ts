import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { byWords, type RerankServer, startReranker } from '../support/rerank-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

const GUIDE = {
  Refunds: 'Refunds are paid within five working days.',
  Fees: 'A fee is paid for refunds of gift cards, three euros each.',
  Shops: 'Shops open at nine; refunds are not paid there.',
}
const QUESTION = 'When are refunds paid?'

describe('a base whose hits a model puts in order (#10.3)', () => {
  let parley: Parley
  let reranker: RerankServer
  let tenant: SeededTenant
  beforeAll(async () => {
    reranker = await startReranker()
    parley = await startParley({ RERANK_URL: reranker.url, RERANK_MODEL: 'rerank-1' })
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], public_sources: true })
  })
  afterAll(async () => {
    await parley.close()
    await reranker.close()
  })
  beforeEach(() => {
    reranker.calls.length = 0
    reranker.script = reversed
  })

  /** What the search put last comes first. */
  const reversed: RerankServer['script'] = ({ body: { documents } }) => ({
    text: JSON.stringify({
      results: documents.map((_, index) => ({ index, relevance_score: index })),
      usage: { total_tokens: 40 },
    }),
  })
  const path = '/v1/knowledge-bases/guide'
  const turn = (on: boolean | null) => expectOk(tenant.call('PATCH', path, { rerank: on }))
  const search = async () => {
    const { json } = await expectOk(tenant.call('POST', `${path}/search`, { query: QUESTION }))
    return json.hits.map(({ document_name }: { document_name: string }) => document_name)
  }
  const booked = async () => {
    const { json } = await tenant.call('GET', '/v1/manage/usage?group=kind')
    return json.rows.find(({ key }: { key: string }) => key === 'rerank') ?? null
  }

  it('is off by default, and nobody is asked', async () => {
    const { json } = await expectOk(tenant.call('GET', path))
    expect(json.rerank).toBe(false)
    expect(await search()).toHaveLength(3)
    expect(reranker.calls).toEqual([])
    expect(await booked()).toBeNull()
  })

  it('orders a search and a turn, and books what it took', async () => {
    const plain = await search()
    const { json } = await turn(true)
    expect(json.rerank).toBe(true)
    expect(await search()).toEqual(plain.toReversed())
    expect(reranker.calls[0]?.body).toMatchObject({ model: 'rerank-1', query: QUESTION, top_n: 3 })
    await waitFor(async () => ((await booked())?.total_tokens === 40 ? true : null))
    reranker.calls.length = 0
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: QUESTION, agent: 'desk' }))
    expect(reranker.calls).toHaveLength(1)
    const row = await waitFor(async () => {
      const found = await booked()
      return found?.requests === 2 ? found : null
    })
    expect(row).toMatchObject({ input_tokens: 80, output_tokens: 0, estimated_tokens: 0 })
    expect((await turn(null)).json.rerank).toBe(false)
    expect(await search()).toEqual(plain)
  })

  it('keeps the order of the search when the answer is late, wrong or broken', async () => {
    const plain = await search()
    await turn(true)
    const answers: RerankServer['script'][] = [
      () => null,
      () => ({ status: 500, text: '{}' }),
      () => ({ text: 'not JSON' }),
      () => ({ text: '{"results":[{"index":99,"relevance_score":1}]}' }),
      ({ body }) => ({ text: JSON.stringify(byWords(body)).slice(0, 40) }),
    ]
    for (const script of answers) {
      reranker.script = script
      expect(await search()).toEqual(plain)
    }
    expect(reranker.calls).toHaveLength(answers.length)
    reranker.script = reversed
    expect(await search()).toEqual(plain.toReversed())
    await turn(null)
  })
})
