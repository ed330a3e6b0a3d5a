import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vectorNamespace } from '../../src/platform/vectors'
import type { VectorsOrder } from '../fakes/vectors-worker'
import { changeVars, type Parley, startParley, vectorsBeside } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedBase, seedTenant, waitFor } from '../support/seed'

const TEXTS = {
  Refunds: 'Refunds are paid within five working days.',
  Shipping: 'Parcels leave the warehouse every morning.',
}
const documentsOf = async (tenant: SeededTenant) =>
  (await expectOk(tenant.call('GET', '/v1/knowledge-bases/guide/documents'))).json.items as {
    id: string
    status: string
    vectors: string
  }[]
const statesOf = async (tenant: SeededTenant) => [
  ...new Set((await documentsOf(tenant)).map(({ vectors }) => vectors)),
]
/** Documents that the words of a question lead to. */
const found = async (tenant: SeededTenant, query: string): Promise<number> =>
  (await expectOk(tenant.call('POST', '/v1/knowledge-bases/guide/search', { query }))).json.hits
    .length

describe('a document without a trained embedder', () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await startParley()
  })
  afterAll(() => parley.close())

  it('has vectors with its text', async () => {
    const tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', TEXTS)
    expect(await statesOf(tenant)).toEqual(['confirmed'])
  })
})

describe('a document and its vectors in an index', { timeout: 120_000 }, () => {
  let parley: Parley
  let openai: OpenAiServer
  let tenant: SeededTenant
  let baseId: string

  const ask = async (order: VectorsOrder): Promise<unknown> => {
    const body = JSON.stringify(order)
    return (await parley.server.getWorker('vectors').fetch('/', { method: 'POST', body })).json()
  }
  const inNamespace = async (embedder: string): Promise<number> => {
    const namespace = await vectorNamespace(baseId, embedder)
    const values = [1, ...Array.from({ length: 63 }, () => 0)]
    const call = { method: 'query' as const, args: [values, { topK: 100, namespace }] }
    return ((await ask({ call })) as { value: { count: number } }).value.count
  }
  const watch = (aheadMs = 0) =>
    parley.worker.scheduled({
      cron: '*/5 * * * *',
      scheduledTime: new Date(Date.now() + aheadMs),
    })
  const untilAll = (state: string) =>
    waitFor(async () => ((await statesOf(tenant)).join() === state ? true : null))
  const untilCopied = (embedder: string, count: number) =>
    expect.poll(() => inNamespace(embedder), { timeout: 30_000, interval: 250 }).toBe(count)

  beforeAll(async () => {
    openai = await startOpenAi()
    const vars = {
      ...openai.vars,
      OPENAI_API_KEY: 'sk-test',
      EMBEDDING_MODEL: 'first-embedder',
      VECTORIZE_FROM_CHUNKS: '2',
    }
    parley = await startParley(vars, vectorsBeside(64))
    tenant = await seedTenant(parley)
  })
  afterAll(async () => {
    await parley.close()
    await openai.close()
  })

  it('has them at once, and the index later', async () => {
    await ask({ hold: true })
    await seedBase(tenant, 'guide', TEXTS)
    baseId = (await expectOk(tenant.call('GET', '/v1/knowledge-bases/guide'))).json.id
    expect(await statesOf(tenant)).toEqual(['confirmed'])
    expect(await found(tenant, 'When are refunds paid?')).toBeGreaterThan(0)
    await ask({ hold: false })
    await untilCopied('first-embedder', 2)
  })

  it('gets those of a changed embedder, is found by its words meanwhile, and never mixes the two', async () => {
    await changeVars(parley, { EMBEDDING_MODEL: 'second-embedder' })
    expect(await statesOf(tenant)).toEqual(['none'])
    expect(await found(tenant, 'When are refunds paid?')).toBeGreaterThan(0)
    expect(await inNamespace('second-embedder')).toBe(0)
    openai.embeddingStatus = 503
    await watch()
    openai.embeddingStatus = 200
    // Whatever became of the first attempt, the cron asks again.
    await watch(11 * 60_000)
    await untilAll('confirmed')
    await untilCopied('second-embedder', 2)
    expect(await inNamespace('first-embedder')).toBe(0)
    const base = await expectOk(tenant.call('GET', '/v1/knowledge-bases/guide'))
    expect(base.json.embedding_model).toBe('second-embedder')
  })

  it('keeps them to itself when the index does not take them, and both are gone with the base', async () => {
    await expectOk(tenant.call('DELETE', '/v1/knowledge-bases/guide'))
    await untilCopied('second-embedder', 0)
    openai.dimensions = 32
    await seedBase(tenant, 'guide', TEXTS)
    expect(await statesOf(tenant)).toEqual(['confirmed'])
    expect(await found(tenant, 'When are refunds paid?')).toBeGreaterThan(0)
    expect(await ask({})).toEqual([])
  })

  it('leaves the index with its tenant', async () => {
    openai.dimensions = 64
    const other = await seedTenant(parley)
    await seedBase(other, 'guide', TEXTS)
    const stored = async () => ((await ask({})) as string[]).length
    await expect.poll(stored, { timeout: 30_000, interval: 250 }).toBe(2)
    await expectOk(parley.admin('DELETE', `/v1/admin/tenants/${other.id}`))
    await expect.poll(stored, { timeout: 60_000, interval: 250 }).toBe(0)
  })
})
