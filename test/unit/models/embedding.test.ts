import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EMBEDDING } from '../../../src/config/limits'
import { embed, embedderName } from '../../../src/models/embedding'
import { embedOverHttp } from '../../../src/models/openai-embedding'
import { startEmbedder } from '../../fakes/embedder'
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint'

describe('embedding', () => {
  let server: ModelEndpoint
  beforeAll(async () => {
    server = await startModelEndpoint()
  })
  afterAll(() => server.close())
  const env = () => ({
    MODEL_PROVIDER: 'openai-compatible',
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    EMBEDDING_MODEL: 'embed-1',
  })

  it('is null without an embedder: the base’s own statistics stand in', async () => {
    expect(await embed(['a'], {})).toBeNull()
    expect(
      embedderName({ MODEL_PROVIDER: 'openai-compatible', OPENAI_BASE_URL: 'http://x' }),
    ).toBeNull()
    expect(embedderName({ MODEL_PROVIDER: 'offline', EMBEDDING_MODEL: 'x' })).toBeNull()
  })

  it('keeps the order over many batches', async () => {
    const texts = Array.from({ length: EMBEDDING.batch * 2 + 5 }, (_, i) => 'x'.repeat(1 + (i % 7)))
    const before = server.requests.length
    const result = await embed(texts, env())
    expect(server.requests.length - before).toBe(3)
    expect(result?.model).toBe('embed-1')
    expect(result?.vectors.map((vector) => Math.max(...vector))).toEqual(
      texts.map((text) => text.length),
    )
  })

  it('sends a space for an empty text and cuts a long one', async () => {
    await embed(['', 'y'.repeat(20_000)], env())
    expect(server.requests.at(-1)?.body).toMatchObject({ input: [' ', 'y'.repeat(8189)] })
  })

  it.each([
    ['as bytes', Buffer.from(new Float32Array([0.5, -2]).buffer).toString('base64'), [0.5, -2]],
    ['as numbers', [0.1, 2], [0.1, 2]],
  ])('reads vectors that come %s', async (_name, embedding, vector) => {
    const fetch = () => Promise.resolve(Response.json({ data: [{ embedding }] }))
    const endpoint = { baseUrl: 'http://x/v1', apiKey: null, fetch }
    const { embeddings, usage } = await embedOverHttp(endpoint, 'm', { values: ['a'] })
    expect([embeddings, usage]).toEqual([[vector], undefined])
  })

  it.each([
    null,
    {},
    { data: 7 },
    { data: [{}] },
    { data: [{ embedding: [1, 'x'] }] },
    { data: [{ embedding: 'AAA=' }] },
  ])('takes %j for no vectors', async (answer) => {
    const fetch = () => Promise.resolve(Response.json(answer))
    const endpoint = { baseUrl: 'http://x/v1', apiKey: null, fetch }
    await expect(embedOverHttp(endpoint, 'm', { values: ['a'] })).rejects.toThrow('no vectors')
  })

  it('fails as the endpoint does', async () => {
    server.script({ type: 'error', status: 500 })
    await expect(embed(['a'], env())).rejects.toMatchObject({ statusCode: 500 })
  })

  it('speaks to the binding with one call a batch', async () => {
    const calls: unknown[] = []
    const AI = {
      run: (model: string, input: { text: string[] }) => {
        calls.push([model, input.text.length])
        return Promise.resolve({ data: input.text.map(() => [1, 0]) })
      },
    } as unknown as Ai
    const result = await embed(['a', 'b'], { AI })
    expect(calls).toEqual([[EMBEDDING.workersAiModel, 2]])
    expect(result).toEqual({
      vectors: [
        [1, 0],
        [1, 0],
      ],
      model: EMBEDDING.workersAiModel,
      tokens: 2,
      estimated: true,
    })
  })

  it.each([
    ['passages of a Chinese document', Array.from({ length: 100 }, () => '发'.repeat(1000)), 1000],
    ['many short ones and a long one', [...Array<string>(95).fill('a'), 'b c '.repeat(500)], 1999],
    ['one that is longer than the model reads', ['a', '发布'.repeat(8000)], 2729],
  ])('asks Workers AI for no more than it takes in a call: %s', async (_, texts, longest) => {
    const embedded = await embed(texts, startEmbedder())
    const lengths = embedded?.vectors.map(([length]) => length)
    expect(lengths).toEqual(texts.map(({ length }) => Math.min(length, longest)))
  })

  it('refuses vectors that do not fit the texts', async () => {
    const AI = { run: () => Promise.resolve({ data: [[1, 0]] }) } as unknown as Ai
    await expect(embed(['a', 'b'], { AI })).rejects.toThrow('wrong number or length')
  })
})
