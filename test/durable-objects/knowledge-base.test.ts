import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness, type TestHarness } from 'wrangler'
import type { KnowledgeBase } from '../../durable-objects/knowledge-base/knowledge-base'
import { VECTORIZE_LIMITS } from '../../src/config/platform-limits'
import type { ObjectCall } from '../fakes/knowledge-worker'
import type { VectorsOrder } from '../fakes/vectors-worker'
import { ROOT } from '../support/build-once'
import { SECRETS } from '../support/harness'

/** The object's methods, with results as plain data. */
type Calls = Pick<
  KnowledgeBase,
  | 'stageChunks'
  | 'commitDocument'
  | 'putVectors'
  | 'deleteDocument'
  | 'search'
  | 'listChunks'
  | 'readChunks'
  | 'stats'
  | 'destroy'
>

const BASE = {
  compatibility_date: '2026-11-01',
  compatibility_flags: ['nodejs_compat'],
}
const HOLDER = {
  ...BASE,
  main: 'test/fakes/knowledge-worker.ts',
  alias: { '../lazy': './test/fakes/eager-lists.ts' },
  durable_objects: { bindings: [{ name: 'KNOWLEDGE_BASE', class_name: 'KnowledgeBase' }] },
  migrations: [{ tag: 'v1', new_sqlite_classes: ['KnowledgeBase'] }],
}

let server: TestHarness

beforeAll(async () => {
  server = createTestHarness({
    root: ROOT,
    workers: [
      { config: { ...HOLDER, name: 'lexical' } },
      {
        config: {
          ...HOLDER,
          name: 'with-index',
          services: [{ binding: 'VECTORS', service: 'vectors' }],
          vars: { ...SECRETS, VECTORIZE_FROM_CHUNKS: '2' },
        },
      },
      {
        config: {
          ...BASE,
          name: 'vectors',
          main: 'test/fakes/vectors-worker.ts',
          vars: { DIMENSIONS: '3' },
        },
      },
    ],
  })
  await server.listen()
})
afterAll(() => server.close())

let made = 0

/** A base of the test's own, with the calls that every test makes. */
async function openBase(worker = 'lexical') {
  const tenantId = 't1'
  const baseId = `b${++made}`
  const name = `${tenantId}/${baseId}`
  const handle = server.getWorker<Env>(worker)
  const stub = new Proxy({} as Calls, {
    get: (_, method) => async (input: unknown) => {
      const body: ObjectCall = { name, method: String(method), args: [input] }
      const answer = await handle.fetch('/', { method: 'POST', body: JSON.stringify(body) })
      const { value, error } = (await answer.json()) as { value?: unknown; error?: string }
      if (error) throw new Error(error)
      return value
    },
  })
  const stage = (
    documentId: string,
    version: string,
    texts: string[],
    from = 0,
    title = '',
    edition = 0,
  ) =>
    stub.stageChunks({
      tenantId,
      baseId,
      documentId,
      version,
      edition,
      title,
      from,
      chunks: texts.map((text, i) => ({
        n: from + i,
        text,
        heading: null,
        page: i + 1,
        start: i * 10,
        end: i * 10 + text.length,
      })),
    })
  const commit = (documentId: string, version: string, total: number, edition = 0) =>
    stub.commitDocument({
      tenantId,
      baseId,
      documentId,
      version,
      edition,
      name: `${documentId}.md`,
      title: '',
      url: 'https://acme.example/d',
      total,
    })
  const search = (query: string, k = 6, vector?: { embedder: string; values: number[] }) =>
    stub.search({ tenantId, query, k, ...(vector ? { vector } : {}) })
  return {
    tenantId,
    baseId,
    stub,
    stage,
    commit,
    search,
    texts: async (query: string) => (await search(query)).hits.map((hit) => hit.text),
    add: async (documentId: string, texts: string[], title = '') => {
      await stage(documentId, 'v1', texts, 0, title)
      await commit(documentId, 'v1', texts.length)
    },
    stats: () => stub.stats({ tenantId }),
    evict: () => handle.evictDurableObject('KNOWLEDGE_BASE', { name }),
  }
}

const PANTHERS = 'The Panthers defense gave up just 308 points and ranked sixth in the league.'
const RIVER = 'The river Danube rises in the Black Forest and flows through ten countries.'
const HEIBAO = '黑豹队的防守只丢了308分，在联赛中排名第六。'
const DONAU = '多瑙河发源于德国的黑林山，流经十个国家。'

describe('documents', () => {
  it('are found only once they are committed, and all at once', async () => {
    const base = await openBase()
    expect(await base.stage('d1', 'v1', [PANTHERS])).toEqual({ ok: true, staged: 1 })
    expect(await base.texts('Panthers defense')).toEqual([])
    expect(await base.stage('d1', 'v1', [RIVER], 1)).toEqual({ ok: true, staged: 2 })
    expect(await base.commit('d1', 'v1', 3)).toEqual({ ok: false, reason: 'incomplete', staged: 2 })
    expect(await base.texts('Panthers defense')).toEqual([])
    expect(await base.commit('d1', 'v1', 2)).toEqual({ ok: true, chunks: 2 })
    expect((await base.texts('Panthers defense'))[0]).toBe(PANTHERS)
  })

  it('are the same after any call is delivered again', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER])
    const before = await base.search('river Danube')
    await base.stage('d1', 'v1', [PANTHERS, RIVER])
    await base.stage('d1', 'v1', [RIVER], 1)
    expect(await base.commit('d1', 'v1', 2)).toEqual({ ok: true, chunks: 2 })
    expect(await base.search('river Danube')).toEqual(before)
    expect(await base.stats()).toMatchObject({ documents: 1, chunks: 2, staged: 0 })
  })

  it('are replaced in one step and stay searchable meanwhile', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER])
    await base.stage('d1', 'v2', ['The Panthers defense gave up 400 points.'])
    expect((await base.texts('Panthers defense'))[0]).toBe(PANTHERS)
    await base.commit('d1', 'v2', 1)
    expect(await base.texts('Panthers defense')).toEqual([
      'The Panthers defense gave up 400 points.',
    ])
    expect(await base.texts('river Danube countries')).toEqual([])
    expect(await base.stats()).toMatchObject({ documents: 1, chunks: 1, staged: 0 })
  })

  it('come back whole when the object dies between staging and commit', async () => {
    const base = await openBase()
    await base.add('d0', [RIVER])
    await base.stage('d1', 'v1', [PANTHERS])
    await base.evict()
    expect(await base.texts('Panthers defense points')).toEqual([])
    expect(await base.stats()).toMatchObject({ chunks: 1, staged: 1 })
    await base.stage('d1', 'v1', [PANTHERS, 'Ten countries.'])
    await base.evict()
    expect(await base.commit('d1', 'v1', 2)).toEqual({ ok: true, chunks: 2 })
    await base.evict()
    expect((await base.texts('Panthers defense points'))[0]).toBe(PANTHERS)
  })

  it('read anew with other chunks under the same version end as that reading', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER, 'Ten countries.'])
    await base.stage('d1', 'v1', [PANTHERS, 'The Rhine is shorter.'])
    await base.commit('d1', 'v1', 2)
    expect(await base.texts('river Danube countries Rhine')).toEqual(['The Rhine is shorter.'])
    expect(await base.stats()).toMatchObject({ chunks: 2, staged: 0 })
  })

  it('an older upload that ends late does not come back after one without a passage', async () => {
    const base = await openBase()
    await base.stage('d1', 'v1', [PANTHERS])
    expect(await base.commit('d1', 'v2', 0, 1)).toEqual({ ok: true, chunks: 0 })
    await base.stage('d1', 'v1', [PANTHERS])
    expect(await base.commit('d1', 'v1', 1)).toMatchObject({ ok: false, reason: 'superseded' })
    expect(await base.texts('Panthers defense')).toEqual([])
    expect(await base.stats()).toMatchObject({ chunks: 0, staged: 0 })
  })

  it('an older upload that ends late does not replace a newer one', async () => {
    const base = await openBase()
    await base.stage('d1', 'v1', [PANTHERS])
    await base.stage('d1', 'v2', [RIVER])
    await base.commit('d1', 'v2', 1)
    expect(await base.commit('d1', 'v1', 1)).toMatchObject({ ok: false, reason: 'incomplete' })
    expect(await base.texts('river Danube')).toEqual([RIVER])
  })

  it('an older upload that is only begun when a newer one is searched does not replace it', async () => {
    const base = await openBase()
    await base.stage('d1', 'v2', [RIVER], 0, '', 1)
    await base.commit('d1', 'v2', 1, 1)
    await base.stage('d1', 'v1', [PANTHERS])
    expect(await base.commit('d1', 'v1', 1)).toEqual({ ok: false, reason: 'superseded' })
    expect(await base.texts('river Danube Panthers')).toEqual([RIVER])
    expect(await base.stats()).toMatchObject({ documents: 1, chunks: 1, staged: 0 })
    // The older text is uploaded once more: now it is the later one.
    await base.stage('d1', 'v1', [PANTHERS], 0, '', 2)
    expect(await base.commit('d1', 'v1', 1, 2)).toEqual({ ok: true, chunks: 1 })
    expect(await base.texts('river Danube Panthers')).toEqual([PANTHERS])
  })

  it('are gone after deletion, with their staged versions', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS])
    await base.add('d2', [RIVER])
    await base.stage('d1', 'v2', [PANTHERS])
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd1' })
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd1' })
    expect(await base.texts('Panthers defense')).toEqual([])
    expect(await base.texts('river Danube')).toEqual([RIVER])
    expect(await base.stats()).toMatchObject({ documents: 1, chunks: 1, staged: 0 })
  })

  it('list their chunks in pages', async () => {
    const base = await openBase()
    await base.add('d1', ['one', 'two', 'three'])
    const page = (after: number, limit: number) =>
      base.stub.listChunks({ tenantId: base.tenantId, documentId: 'd1', after, limit })
    const first = await page(-1, 2)
    expect(first.chunks.map((chunk) => [chunk.n, chunk.text, chunk.page])).toEqual([
      [0, 'one', 1],
      [1, 'two', 2],
    ])
    expect(first.next).toBe(1)
    expect(await page(1, 2)).toMatchObject({ chunks: [{ n: 2, text: 'three' }], next: null })
  })

  it('are refused whole when a chunk is too large for a row', async () => {
    const base = await openBase()
    await base.stage('d1', 'v1', [PANTHERS])
    expect(await base.stage('d1', 'v1', ['x'.repeat(200_000)], 1)).toEqual({
      ok: false,
      reason: 'chunk_too_large',
    })
    expect(await base.stats()).toMatchObject({ staged: 0 })
  })
})

describe('upkeep', () => {
  it('merges the indexes after the last change, and searches find the same', async () => {
    const base = await openBase()
    for (let i = 0; i < 6; i++) await base.add(`d${i}`, [`${PANTHERS} Season ${i}.`, RIVER])
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd3' })
    const rank = async () => (await base.search('Panthers defense season 4', 12)).hits
    const before = await rank()
    expect((await base.stats()).segments).toBeGreaterThan(2)
    await expect
      .poll(async () => (await base.stats()).segments, { timeout: 15_000, interval: 250 })
      .toBe(2)
    expect(await rank()).toEqual(before)
    expect(before[0]?.text).toContain('Season 4')
  })
})

describe('search', () => {
  it('finds the same when a large base answers from memory, and what comes or goes afterwards', async () => {
    const base = await openBase()
    const texts = Array.from(
      { length: 600 },
      (_, n) => `${n % 7 === 0 ? PANTHERS : RIVER} Season ${n}, page ${n % 13} of the ${n % 5}.`,
    )
    await base.add('d1', texts, 'The river and the Panthers')
    const question = 'How many points of the season did the Panthers defense concede on page 7?'
    const rank = async () => (await base.search(question, 24)).hits
    const first = await rank()
    expect(first).toHaveLength(24)
    expect(await rank()).toEqual(first)
    expect(await rank()).toEqual(first)
    const better = `${PANTHERS} How many points of the season did they concede? See page 7.`
    await base.add('d2', [better])
    for (let asked = 0; asked < 3; asked++) expect((await rank())[0]?.text).toBe(better)
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd2' })
    for (let asked = 0; asked < 3; asked++) expect(await rank()).toEqual(first)
  })

  it('finds Latin and Chinese passages of one base', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER, HEIBAO, DONAU])
    expect((await base.texts('How many points did the Panthers concede?'))[0]).toBe(PANTHERS)
    expect((await base.texts('黑豹队丢了多少分？'))[0]).toBe(HEIBAO)
    expect((await base.texts('多瑙河流经几个国家'))[0]).toBe(DONAU)
  })

  it('finds inflected words, and words typed without their accents', async () => {
    const base = await openBase()
    await base.add('d1', [
      'Las informaciones sobre los pagos están en la página de facturación de la empresa.',
      'Die Häuser der Gemeinde werden von der Verwaltung mit Wärme versorgt.',
      'Город расположен на берегу большой реки, и в нём живёт миллион человек.',
      RIVER,
    ])
    expect((await base.texts('pagina informacion pago'))[0]).toContain('facturación')
    expect((await base.texts('Haus Gemeinden Waerme Verwaltungen'))[0]).toContain('Häuser')
    expect((await base.texts('города на реке'))[0]).toContain('Город')
  })

  it('answers with where the passage is and how well it fits', async () => {
    const base = await openBase()
    await base.add('d1', [RIVER, PANTHERS])
    const result = await base.search('Panthers defense points', 1)
    expect(result.hits).toHaveLength(1)
    expect(result.hits[0]).toMatchObject({
      documentId: 'd1',
      documentName: 'd1.md',
      title: 'd1.md',
      url: 'https://acme.example/d',
      page: 2,
      start: 10,
      end: 10 + PANTHERS.length,
      text: PANTHERS,
      coverage: 1,
      distance: 0,
    })
    expect(result).toMatchObject({ coverage: 1, cosine: null, embedder: null })
    const { idf, edition } = result
    if (!idf) throw new Error('nobody had the table')
    expect(idf.rest).toBeGreaterThan(0)
    expect(idf.common.the).toBeLessThan(idf.rest)
    const again = (knownIdf: string) =>
      base.stub.search({
        tenantId: base.tenantId,
        query: 'Panthers defense points',
        k: 1,
        knownIdf,
      })
    expect(await again(edition)).toMatchObject({ hits: result.hits, idf: null, edition })
    expect(await again('of another state')).toMatchObject({ idf, edition })
  })

  it('takes anything as a question', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS])
    for (const query of [
      '',
      ' ',
      '?!',
      '"',
      '" OR "',
      '\u0000',
      'a'.repeat(4000),
      '😀',
      'the',
      'NEAR(x)',
    ]) {
      expect(Array.isArray((await base.search(query)).hits)).toBe(true)
    }
    const empty = await openBase()
    expect(await empty.texts('anything')).toEqual([])
  })

  it('reads passages by id, and forgets ids of replaced versions', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER])
    const [first, second] = (await base.search('Panthers river')).hits.map((hit) => hit.chunkId)
    const read = (ids: (string | undefined)[]) =>
      base.stub.readChunks({ tenantId: base.tenantId, ids: ids.map((id) => id ?? '') })
    expect((await read([second, 'nonsense', first])).map((chunk) => chunk.chunkId)).toEqual([
      second,
      first,
    ])
    await base.stage('d1', 'v2', [PANTHERS])
    await base.commit('d1', 'v2', 1)
    expect(await read([first, second])).toEqual([])
  })
})

describe('tenants', () => {
  it('another tenant is refused by every call', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS])
    const stub = base.stub
    const tenantId = 't2'
    const doc = { tenantId, documentId: 'd1', version: 'v1', edition: 0 }
    const calls = [
      () => stub.search({ tenantId, query: 'Panthers', k: 6 }),
      () => stub.listChunks({ tenantId, documentId: 'd1', limit: 5 }),
      () => stub.readChunks({ tenantId, ids: [] }),
      () => stub.stats({ tenantId }),
      () => stub.stageChunks({ ...doc, baseId: base.baseId, title: '', from: 0, chunks: [] }),
      () =>
        stub.commitDocument({
          ...doc,
          baseId: base.baseId,
          name: '',
          title: '',
          url: null,
          total: 0,
        }),
      () => stub.putVectors({ ...doc, embedder: 'e', items: [] }),
      () => stub.deleteDocument({ tenantId, documentId: 'd1' }),
      () => stub.destroy({ tenantId }),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow('another tenant')
    expect(await base.texts('Panthers')).toEqual([PANTHERS])
  })

  it('a destroyed base is empty and can be used again', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS])
    await base.stub.destroy({ tenantId: base.tenantId })
    expect(await base.texts('Panthers')).toEqual([])
    await base.add('d1', [RIVER])
    expect(await base.texts('river')).toEqual([RIVER])
  })
})

const EMBEDDER = 'test-embedder'
const vectors = [
  { n: 0, vector: [1, 0, 0] },
  { n: 1, vector: [0, 1, 0] },
]

describe('vectors in the object', () => {
  it('find what shares no word with the question', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER])
    const doc = { tenantId: base.tenantId, documentId: 'd1', version: 'v1' }
    expect(await base.stub.putVectors({ ...doc, embedder: EMBEDDER, items: vectors })).toEqual({
      stored: 2,
    })
    const values = [0.1, 0.9, 0]
    const result = await base.search('Wasserstraße', 6, { embedder: EMBEDDER, values })
    expect(result.hits[0]?.text).toBe(RIVER)
    expect(result.cosine).toBeCloseTo(0.994, 2)
    expect(result.hits[0]?.distance).toBeCloseTo(0.006, 2)
    expect(result.embedder).toBe(EMBEDDER)
    const other = await base.search('Wasserstraße', 6, { embedder: 'another', values })
    expect(other).toMatchObject({ hits: [], cosine: null })
  })

  it('go with their chunks', async () => {
    const base = await openBase()
    await base.add('d1', [PANTHERS, RIVER])
    const doc = { tenantId: base.tenantId, documentId: 'd1', version: 'v1' }
    await base.stub.putVectors({ ...doc, embedder: EMBEDDER, items: vectors })
    await base.search('x', 1, { embedder: EMBEDDER, values: [0, 1, 0] })
    await base.stage('d1', 'v2', [PANTHERS])
    await base.commit('d1', 'v2', 1)
    const result = await base.search('x', 6, { embedder: EMBEDDER, values: [0, 1, 0] })
    expect(result.hits).toEqual([])
    expect(await base.stub.putVectors({ ...doc, embedder: EMBEDDER, items: vectors })).toEqual({
      stored: 0,
    })
  })
})

describe('vectors in an index', { timeout: 60_000 }, () => {
  async function ask(order: VectorsOrder): Promise<unknown> {
    const body = JSON.stringify(order)
    const answer = await server.getWorker('vectors').fetch('/', { method: 'POST', body })
    return answer.json()
  }
  const stored = (fail?: number) => ask(fail === undefined ? {} : { fail }) as Promise<string[]>
  const calls = () => ask({ count: true }) as Promise<number>
  const until = { timeout: 30_000, interval: 200 }
  type Base = Awaited<ReturnType<typeof openBase>>
  const docOf = (base: Base) => ({ tenantId: base.tenantId, documentId: 'd1', version: 'v1' })
  const near = (base: Base, values = [0, 1, 0]) =>
    base.search('Wasserstraße', 6, { embedder: EMBEDDER, values })
  /** A base whose vectors the index has; the index is shared by this file's bases. */
  async function openCopied(texts = [PANTHERS, RIVER], items = vectors) {
    const base = await openBase('with-index')
    const before = await stored()
    const mine = async () => (await stored()).filter((id) => !before.includes(id))
    await base.add('d1', texts)
    await base.stub.putVectors({ ...docOf(base), embedder: EMBEDDER, items })
    await expect.poll(async () => (await mine()).length, until).toBe(texts.length)
    return { base, mine }
  }

  it('are the object’s alone below the size: the index is never called', async () => {
    const base = await openBase('with-index')
    const before = await calls()
    await base.add('d1', [RIVER])
    const [one] = vectors
    if (!one) throw new Error('no vector')
    for (let from = 0; from < 3; from++) await base.stage('d2', 'v1', [PANTHERS], from)
    await base.stub.putVectors({ ...docOf(base), embedder: EMBEDDER, items: [one] })
    // The alarm has run when the lexical indexes are merged.
    await expect.poll(async () => (await base.stats()).segments, until).toBe(2)
    expect((await near(base, [1, 0, 0])).hits[0]?.text).toBe(RIVER)
    await base.stub.destroy({ tenantId: base.tenantId })
    expect(await calls()).toBe(before)
  })

  it('are searched in the namespace of the base, and hits without a row are dropped', async () => {
    const { base } = await openCopied()
    const { base: foreign } = await openCopied([DONAU, HEIBAO])
    const result = await near(base)
    expect(result.hits.map((hit) => hit.text)).toEqual([RIVER, PANTHERS])
    expect(result.hits[0]?.distance).toBeCloseTo(0, 5)
    expect((await near(foreign)).hits.map((hit) => hit.text)).toEqual([HEIBAO, DONAU])
    expect((await base.stats()).copied).toBe(true)
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd1' })
    expect((await near(base)).hits).toEqual([])
  })

  it('are taken out until the index confirms it, and the object’s own answer meanwhile', async () => {
    const { base, mine } = await openCopied()
    await base.add('d2', [DONAU])
    const doc = { ...docOf(base), documentId: 'd2' }
    const items = [{ n: 0, vector: [0, 0, 1] }]
    await base.stub.putVectors({ ...doc, embedder: EMBEDDER, items })
    expect((await near(base, [0, 0, 1])).hits[0]?.text).toBe(DONAU)
    await expect.poll(async () => (await mine()).length, until).toBe(3)
    await stored(1)
    await base.stub.deleteDocument({ tenantId: base.tenantId, documentId: 'd1' })
    await expect.poll(async () => (await mine()).length, until).toBe(1)
  })

  it('leave with the larger part of the base, and the object’s own answer', async () => {
    const { base, mine } = await openCopied(
      [PANTHERS, RIVER, DONAU],
      [...vectors, { n: 2, vector: [0, 0, 1] }],
    )
    await base.stage('d1', 'v2', [])
    await base.commit('d1', 'v2', 0)
    await expect.poll(mine, until).toEqual([])
    await expect.poll(async () => (await base.stats()).copied, until).toBe(false)
    const before = await calls()
    expect((await near(base)).hits).toEqual([])
    expect(await calls()).toBe(before)
  })

  it('of a large base are taken out in calls that the index takes', async () => {
    const count = 2 * VECTORIZE_LIMITS.deletedIds + 1
    const texts = Array.from({ length: count }, (_, n) => `Passage ${n}.`)
    const { base, mine } = await openCopied(
      texts,
      texts.map((_, n) => ({ n, vector: [1, n, 0] })),
    )
    await base.stub.destroy({ tenantId: base.tenantId })
    expect(await mine()).toEqual([])
  })

  it('are refused beyond the limits of the index, and taken at them', async () => {
    const call = async (method: 'upsert' | 'deleteByIds' | 'query', ...args: unknown[]) =>
      (await ask({ call: { method, args } })) as { value?: unknown; error?: string }
    const entry = (change: object) => [{ id: 'x', values: [1, 0, 0], namespace: 'n', ...change }]
    const entries = (count: number) => Array.from({ length: count }, () => entry({})[0])
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `none${n}`)
    const metadata = (bytes: number) => ({ metadata: { a: 'x'.repeat(bytes - 8) } })
    const query = (options: object) => [[1, 0, 0], options]
    const limits: ['upsert' | 'deleteByIds' | 'query', unknown[], unknown[]][] = [
      ['upsert', [entries(1000)], [entries(1001)]],
      ['upsert', [entry({ id: 'é'.repeat(32) })], [entry({ id: `${'é'.repeat(32)}x` })]],
      ['upsert', [entry({ namespace: 'n'.repeat(64) })], [entry({ namespace: 'n'.repeat(65) })]],
      ['upsert', [entry(metadata(10_240))], [entry(metadata(10_241))]],
      ['upsert', [entry({ values: [1, 0, 0] })], [entry({ values: [1, 0, 0, 0] })]],
      ['deleteByIds', [ids(100)], [ids(101)]],
      ['query', query({ topK: 100 }), query({ topK: 101 })],
      [
        'query',
        query({ topK: 50, returnMetadata: 'all' }),
        query({ topK: 51, returnMetadata: 'all' }),
      ],
      ['query', query({ topK: 50, returnValues: true }), query({ topK: 51, returnValues: true })],
      ['query', query({}), [[1, 0], {}]],
    ]
    for (const [method, fits, tooMuch] of limits) {
      const taken = await call(method, ...fits)
      expect([method, taken.error]).toEqual([method, undefined])
      const refused = await call(method, ...tooMuch)
      expect([method, typeof refused.error]).toEqual([method, 'string'])
    }
    await call('deleteByIds', ['x', 'é'.repeat(32)])
  })

  it('are all copied although the object dies on the way', async () => {
    const base = await openBase('with-index')
    const before = await stored()
    await base.add('d1', [PANTHERS, RIVER])
    await ask({ hold: true })
    await base.stub.putVectors({ ...docOf(base), embedder: EMBEDDER, items: vectors })
    await base.evict()
    await expect.poll(async () => (await base.stats()).copied, until).toBe(true)
    await base.evict()
    expect((await near(base)).hits[0]?.text).toBe(RIVER)
    await ask({ hold: false })
    const mine = async () => (await stored()).filter((id) => !before.includes(id))
    await expect.poll(async () => (await mine()).length, until).toBe(2)
    expect((await near(base)).hits[0]?.text).toBe(RIVER)
  })

  it('go with the base, or the base stays', async () => {
    const { base, mine } = await openCopied()
    await stored(1)
    await expect(base.stub.destroy({ tenantId: base.tenantId })).rejects.toThrow('not reachable')
    expect(await base.texts('river')).toEqual([RIVER])
    await base.stub.destroy({ tenantId: base.tenantId })
    expect(await mine()).toEqual([])
    expect(await base.texts('river')).toEqual([])
  })
})
