import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
  waitForBase,
} from '../support/seed'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const ABSENT = '01890a5d-ac96-774b-bcce-b302099a8057'
const REFUNDS =
  '# Refunds\n\nRefunds are paid within five working days.\n\n# Shipping\n\nShipping is free above 50 euros.'

describe('knowledge bases', { timeout: 60_000 }, () => {
  let parley: Parley
  let site: Loopback
  let tenant: SeededTenant
  beforeAll(async () => {
    site = await startLoopback((request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'http://x')
      if (pathname === '/gone') return response.writeHead(404).end()
      if (pathname === '/moved') return response.writeHead(302, { location: '/page' }).end()
      if (pathname === '/away')
        return response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      if (pathname === '/round') return response.writeHead(302, { location: '/round' }).end()
      if (pathname === '/cut') return response.destroy()
      if (pathname === '/large') return response.writeHead(200).end('x'.repeat(1_100_000))
      if (pathname === '/windows') {
        // Windows-1251, as the answer says; the page would say something else.
        response.writeHead(200, { 'content-type': 'text/html; charset=windows-1251' })
        return response.end(
          Buffer.concat([
            Buffer.from('<meta charset="koi8-r"><p>'),
            Buffer.from('cff0e8e2e5f220e8e720cceef1eae2fb', 'hex'),
          ]),
        )
      }
      if (pathname === '/sjis') {
        response.writeHead(200, { 'content-type': 'text/html' })
        return response.end(
          Buffer.concat([
            Buffer.from('<html><head><meta http-equiv="a" content="text/html; charset=Shift_JIS">'),
            Buffer.from('</head><p>', 'utf8'),
            Buffer.from('95d4956982cd8e4f8f5c93fa88c893e082c582b78142', 'hex'),
          ]),
        )
      }
      if (pathname === '/image')
        return response
          .writeHead(200, { 'content-type': 'image/png' })
          .end(Buffer.from('89504e470d0a1a0a', 'hex'))
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<html><title>Visitors</title><h1>Parking</h1><p>Visitors of ${search || 'us'} park in hall seven.</p></html>`,
        )
    })
    parley = await startParley({ EGRESS_ALLOW: site.pair })
    tenant = await seedTenant(parley)
  })
  afterAll(async () => {
    await parley.close()
    await site.close()
  })

  const path = (name: string) => `/v1/knowledge-bases/${encodeURIComponent(name)}`
  const newBase = async (name: string) => {
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name }))
    return path(name)
  }
  const upload = (base: string, content: Uint8Array | string, name: string, mime = '') => {
    const form = new FormData()
    form.set('file', new File([content as never], name, { type: mime }))
    return tenant.call('POST', `${base}/documents/upload`, form)
  }
  const ready = (base: string, id: string): Promise<Answer['json']> =>
    waitFor(async () => {
      const { json } = await tenant.call('GET', `${base}/documents/${id}`)
      return json.status === 'ready' ? json : null
    })
  const search = (base: string, query: string, k?: number) =>
    tenant.call('POST', `${base}/search`, { query, ...(k === undefined ? {} : { k }) })

  it('creates one with exactly the record’s fields, refuses a second of the name, lists by name', async () => {
    const own = await seedTenant(parley)
    const created = await own.call('POST', '/v1/knowledge-bases', {
      name: 'guide',
      instructions: 'Quote it.',
      id: 'mine',
      status: 'ready',
    })
    expect([created.status, created.json]).toEqual([
      200,
      {
        id: expect.any(String),
        name: 'guide',
        instructions: 'Quote it.',
        document_count: 0,
        chunk_count: 0,
        status: 'empty',
        progress: 0,
        embedding_model: expect.stringMatching(/\w/),
        downloads: false,
        rerank: false,
        refresh: 'off',
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    ])
    const again = await own.call('POST', '/v1/knowledge-bases', { name: 'guide' })
    expect([again.status, again.json]).toEqual([409, { detail: 'Knowledge base already exists' }])
    await expectOk(own.call('POST', '/v1/knowledge-bases', { name: 'a first' }))
    const { json: list } = await own.call('GET', '/v1/knowledge-bases')
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['a first', 'guide'])
    expect(list[1]).toEqual(created.json)
    expect((await own.call('GET', path('guide'))).json).toEqual(created.json)
    expect((await own.call('GET', path('a first'))).json.instructions).toBe('')
    const missing = await own.call('POST', '/v1/knowledge-bases', {})
    expect(missing.json.detail).toEqual([
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required' },
    ])
  })

  it('changes name and instructions; agents and skills follow', async () => {
    const base = await newBase('before')
    await newBase('taken')
    await seedAgent(tenant, 'holder', { knowledge_bases: ['taken', 'before'] })
    await expectOk(tenant.call('POST', '/v1/skills/holder', { knowledge_bases: ['before'] }))
    const taken = await tenant.call('PATCH', base, { name: 'taken' })
    expect([taken.status, taken.json.detail]).toEqual([409, 'Knowledge base already exists'])
    const renamed = await tenant.call('PATCH', base, { name: 'after', instructions: 'New.' })
    expect(renamed.json).toMatchObject({ name: 'after', instructions: 'New.' })
    expect((await tenant.call('PATCH', path('after'), { instructions: null })).json).toMatchObject({
      name: 'after',
      instructions: '',
    })
    expect((await tenant.call('GET', base)).json).toEqual({ detail: 'Knowledge base not found' })
    for (const kind of ['agents', 'skills'])
      expect((await tenant.call('GET', `/v1/${kind}/holder`)).json.knowledge_bases.at(-1)).toBe(
        'after',
      )
  })

  it('is listed once where its new name was listed before anything had it', async () => {
    const base = await newBase('had')
    const lists = { knowledge_bases: ['wanted', 'between', 'had'] }
    await seedAgent(tenant, 'foresees', lists)
    await expectOk(tenant.call('POST', '/v1/skills/foresees', lists))
    await expectOk(tenant.call('PATCH', base, { name: 'wanted' }))
    for (const kind of ['agents', 'skills'])
      expect((await tenant.call('GET', `/v1/${kind}/foresees`)).json.knowledge_bases).toEqual([
        'wanted',
        'between',
      ])
  })

  it('deletes one with its documents and files and detaches it everywhere', async () => {
    await seedBase(tenant, 'doomed', { Text: 'A doomed text.' })
    const { json: base } = await tenant.call('GET', path('doomed'))
    await seedAgent(tenant, 'left', { knowledge_bases: ['doomed', 'other'] })
    expect((await tenant.call('DELETE', path('doomed'))).status).toBe(204)
    expect((await tenant.call('DELETE', path('doomed'))).status).toBe(404)
    expect((await tenant.call('GET', '/v1/agents/left')).json.knowledge_bases).toEqual(['other'])
    const { DB, FILES } = await parley.worker.getEnv()
    await waitFor(async () => {
      const { objects } = await FILES.list({ prefix: `bases/${tenant.id}/${base.id}/` })
      const rows = await DB.prepare('SELECT count(*) AS n FROM documents WHERE base_id = ?')
        .bind(base.id)
        .first('n')
      return objects.length === 0 && rows === 0 ? true : null
    })
  })

  it('takes one document and shows it with exactly the contract’s fields', async () => {
    const base = await newBase('one file')
    const { status, json } = await upload(base, REFUNDS, 'docs/Refunds.md', 'application/pdf')
    expect([status, Object.keys(json).sort()]).toEqual([
      200,
      ['documents', 'failed', 'imported', 'skipped'],
    ])
    expect([json.imported, json.skipped, json.failed]).toEqual([1, [], []])
    const document = await ready(base, json.documents[0].id)
    expect(document).toEqual({
      id: json.documents[0].id,
      name: 'Refunds.md',
      path: 'Refunds.md',
      mime: 'text/markdown',
      size_bytes: REFUNDS.length,
      status: 'ready',
      progress: 100,
      error: null,
      attempts: 1,
      chunk_count: expect.any(Number),
      vectors: 'confirmed',
      source_url: null,
      gone_at: null,
      kb_name: 'one file',
      space_id: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    })
    expect((await tenant.call('GET', base)).json).toMatchObject({
      document_count: 1,
      chunk_count: document.chunk_count,
      status: 'ready',
      progress: 100,
    })
    const { json: chunks } = await tenant.call('GET', `${base}/documents/${document.id}/chunks`)
    expect(chunks.next_cursor).toBeNull()
    expect(chunks.items).toHaveLength(document.chunk_count)
    for (const [n, chunk] of chunks.items.entries())
      expect(chunk).toEqual({
        id: expect.any(String),
        n,
        text: expect.any(String),
        heading: expect.anything(),
        page: null,
        start: expect.any(Number),
        end: expect.any(Number),
      })
  })

  it('walks a zip: folders, what is skipped and why; the same again is unchanged, what changed is replaced', async () => {
    const base = await newBase('folders')
    const zip = (refunds: string) =>
      zipSync({
        'guide/refunds.md': strToU8(refunds),
        'guide/deep/opening.txt': strToU8('The office opens at nine.'),
        'logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
        'inner.zip': zipSync({ 'a.txt': strToU8('x') }),
      })
    const first = await upload(base, zip(REFUNDS), 'guide.zip')
    expect(first.json.imported).toBe(2)
    const paths = (items: { path: string }[]) => items.map((item) => item.path).sort()
    expect(paths(first.json.documents)).toEqual(['guide/deep/opening.txt', 'guide/refunds.md'])
    expect(paths(first.json.skipped)).toEqual(['inner.zip', 'logo.png'])
    for (const { reason } of first.json.skipped) expect(reason).toMatch(/\w{3}/)
    await waitForBase(tenant, 'folders')
    const second = await upload(base, zip(REFUNDS.replace('five', 'nine')), 'guide.zip')
    expect(paths(second.json.documents)).toEqual(['guide/refunds.md'])
    expect(second.json.skipped).toContainEqual({
      path: 'guide/deep/opening.txt',
      reason: 'unchanged',
    })
    const idOf = (answer: Answer) =>
      answer.json.documents.find((one: { path: string }) => one.path === 'guide/refunds.md').id
    expect(idOf(second)).toBe(idOf(first))
    await ready(base, idOf(second))
    const { json } = await search(base, 'When are refunds paid?')
    expect(json.hits[0].text).toContain('nine working days')
    expect(JSON.stringify(json.hits)).not.toContain('five working days')
  })

  it('searches with exactly the contract’s fields; positions are those of the text', async () => {
    const base = await newBase('searched')
    const { json: uploaded } = await upload(base, REFUNDS, 'refunds.md')
    await ready(base, uploaded.documents[0].id)
    const { status, json } = await search(base, 'When are refunds paid?', 1)
    expect([status, Object.keys(json).sort(), json.query]).toEqual([
      200,
      ['gate', 'hits', 'query', 'took_ms'],
      'When are refunds paid?',
    ])
    expect(json.gate).toEqual({ open: true, reasons: ['covered'] })
    expect(json.took_ms).toBeGreaterThanOrEqual(0)
    expect(json.hits).toEqual([
      {
        document_id: uploaded.documents[0].id,
        document_name: 'refunds.md',
        chunk_id: expect.any(String),
        text: expect.stringContaining('five working days'),
        score: expect.any(Number),
        distance: expect.any(Number),
        page: null,
        heading: expect.any(String),
        source_url: null,
        start: expect.any(Number),
        end: expect.any(Number),
      },
    ])
    expect(json.hits[0].end - json.hits[0].start).toBe(json.hits[0].text.length)
    for (const k of [0, 21, 1.5]) expect((await search(base, 'x', k)).status).toBe(422)
    expect((await search(base, '')).status).toBe(422)
    expect((await search(path('no such'), 'x')).json).toEqual({
      detail: 'Knowledge base not found',
    })
    expect((await search(await newBase('nothing in it'), 'refunds')).json.hits).toEqual([])
  })

  it('takes a text under a title; the same title replaces it', async () => {
    const base = await newBase('texts')
    const add = (text: string, more = {}) =>
      tenant.call('POST', `${base}/documents/text`, { title: 'House / rules', text, ...more })
    const first = await add('Doors close at ten.', { source_url: 'https://house.example/rules' })
    expect(first.json.documents[0]).toMatchObject({
      source_url: 'https://house.example/rules',
      kb_name: 'texts',
    })
    expect(first.json.documents[0].path).not.toContain('/')
    await ready(base, first.json.documents[0].id)
    expect((await add('Doors close at ten.')).json.skipped).toEqual([
      { path: first.json.documents[0].path, reason: 'unchanged' },
    ])
    const second = await add('Doors close at noon.')
    expect(second.json.documents[0].id).toBe(first.json.documents[0].id)
    await ready(base, second.json.documents[0].id)
    expect((await search(base, 'When do doors close?')).json.hits[0]).toMatchObject({
      text: expect.stringContaining('noon'),
      source_url: 'https://house.example/rules',
    })
    for (const body of [
      { title: 'x' },
      { text: 'x' },
      { title: '', text: 'x' },
      { title: ' ', text: 'x' },
      { title: '/ \\', text: 'x' },
      { title: 'x', text: '' },
    ])
      expect((await tenant.call('POST', `${base}/documents/text`, body)).status).toBe(422)
    const secret = { title: 'x', text: 'y', source_url: 'https://ann:pass@house.example/rules' }
    const script = { title: 'x', text: 'y', source_url: 'javascript:alert(1)' }
    for (const body of [secret, script])
      expect((await tenant.call('POST', `${base}/documents/text`, body)).status).toBe(422)
  })

  it('fetches a page by its address; another query is another document, the same replaces', async () => {
    const base = await newBase('pages')
    const add = (url: string) => tenant.call('POST', `${base}/documents/url`, { url })
    const one = await add(`${site.origin}/page?of=one`)
    const two = await add(`${site.origin}/page?of=two`)
    expect([one.json.imported, two.json.imported]).toEqual([1, 1])
    expect(one.json.documents[0].id).not.toBe(two.json.documents[0].id)
    expect(one.json.documents[0]).toMatchObject({
      source_url: `${site.origin}/page?of=one`,
      mime: 'text/html',
    })
    await waitForBase(tenant, 'pages')
    expect((await add(`${site.origin}/page?of=one`)).json.skipped[0].reason).toBe('unchanged')
    const { json } = await search(base, 'Where do visitors park?')
    expect(json.hits[0].text).toContain('hall seven')
    expect((await add(`${site.origin}/moved`)).json.imported).toBe(1)
    expect((await add(`${site.origin}/odd%E0%A4%A%00`)).json.imported).toBe(1)
    expect((await add(`${site.origin}/image`)).json).toMatchObject({ imported: 0 })
    const gone = await add(`${site.origin}/gone`)
    expect([gone.status, gone.json.detail[0].loc]).toEqual([422, ['body', 'url']])
    const refused = {
      detail: [{ type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' }],
    }
    for (const url of [
      `${site.origin}/away`,
      'http://127.0.0.1:1/',
      'file:///etc/passwd',
      'nonsense',
    ])
      expect([url, (await add(url)).json]).toEqual([url, refused])
  })

  it('keeps the query of an address, which may be a key, out of the trail', async () => {
    const base = await newBase('keyed')
    const url = `${site.origin}/page?of=key`
    const { json } = await expectOk(tenant.call('POST', `${base}/documents/url`, { url }))
    const { id } = json.documents[0]
    await expectOk(tenant.call('POST', `${base}/documents/${id}/reindex`))
    await expectOk(tenant.call('DELETE', `${base}/documents/${id}`))
    await expectOk(tenant.call('POST', `${base}/documents/site`, { url, limit: 1 }))
    const title = 'What is new? All of it'
    const text = { title, text: 'Nothing.', source_url: `${site.origin}/news?of=key` }
    await expectOk(tenant.call('POST', `${base}/documents/text`, text))
    const trail = (await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=document'))).text
    expect(trail).toContain(`${new URL(site.origin).host}/page`)
    expect(trail).toContain(title)
    expect(trail).not.toContain('of=key')
  })

  it('reads a page in the encoding that it is said to be in', async () => {
    const base = await newBase('encodings')
    for (const [page, text] of [
      ['windows', 'Привет из Москвы'],
      ['sjis', '返品は三十日以内です。'],
    ]) {
      const { json } = await expectOk(
        tenant.call('POST', `${base}/documents/url`, { url: `${site.origin}/${page}` }),
      )
      expect([json.imported, json.skipped]).toEqual([1, []])
      await ready(base, json.documents[0].id)
      const chunks = await tenant.call('GET', `${base}/documents/${json.documents[0].id}/chunks`)
      expect(chunks.json.items.map((chunk: { text: string }) => chunk.text)).toEqual([text])
    }
  })

  it('says what keeps an address from being read', async () => {
    const base = await newBase('unread')
    const add = async (page: string) => {
      const url = `${site.origin}/${page}`
      const { status, json } = await tenant.call('POST', `${base}/documents/url`, { url })
      return [status, json]
    }
    const invalid = (msg: string) => [
      422,
      { detail: [{ type: 'value_error', loc: ['body', 'url'], msg: `Value error, ${msg}` }] },
    ]
    expect(await add('large')).toEqual(
      invalid('the page is larger than 1 MiB; upload it as a file'),
    )
    expect(await add('round')).toEqual(invalid('the address leads on more than three times'))
    expect(await add('cut')).toEqual([502, { detail: 'Upstream error', code: 'unreachable' }])
  })

  it('pages through documents, newest first, and through the passages of one', async () => {
    const base = await newBase('many')
    for (let n = 0; n < 5; n++) await expectOk(upload(base, `Text number ${n}.`, `${n}.txt`))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { json } = await expectOk(tenant.call('GET', `${base}/documents?limit=2${query}`))
      expect(json.items.length).toBeLessThanOrEqual(2)
      seen.push(...json.items.map(({ name }: { name: string }) => name))
      cursor = json.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(['4.txt', '3.txt', '2.txt', '1.txt', '0.txt'])
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=nonsense'])
      expect([query, (await tenant.call('GET', `${base}/documents?${query}`)).status]).toEqual([
        query,
        422,
      ])
  })

  it('finds documents by letters of their path in any case, script and way of writing accents', async () => {
    const base = await newBase('scripts')
    for (const name of ['Été à Москва.md', 'straße.md'])
      await expectOk(upload(base, REFUNDS.replace('five', name), name))
    const found = async (q: string) => {
      const { json } = await expectOk(
        tenant.call('GET', `${base}/documents?q=${encodeURIComponent(q)}`),
      )
      return json.items.map(({ name }: { name: string }) => name)
    }
    for (const q of ['été', 'ÉTÉ À М', 'москва', 'E\u0301t', 'Été à Москва'])
      expect([q, await found(q)]).toEqual([q, ['Été à Москва.md']])
    expect(await found('STRAß')).toEqual(['straße.md'])
    // More letters than are folded: as they are written they are found.
    const letters = String.fromCodePoint(...Array.from({ length: 96 }, (_, n) => 0x400 + n))
    await expectOk(upload(base, REFUNDS, `${letters}.md`))
    expect(await found(letters)).toEqual([`${letters}.md`])
  })

  it('finds documents by state and by letters of path or address, each with its own pages', async () => {
    const base = await newBase('filtered')
    for (const name of ['Fees.md', 'late fees.md', 'parking.md'])
      await expectOk(upload(base, REFUNDS.replace('five', name), name))
    const body = { title: 'Hours', text: 'Open.', source_url: 'https://town.example/Fees/hours' }
    await expectOk(tenant.call('POST', `${base}/documents/text`, body))
    await waitForBase(tenant, 'filtered')
    const names = async (query: string) => {
      const { json } = await expectOk(tenant.call('GET', `${base}/documents?${query}`))
      return json.items.map(({ name }: { name: string }) => name)
    }
    expect(await names('q=FEES')).toEqual(['Hours.txt', 'late fees.md', 'Fees.md'])
    expect(await names('q=100%25')).toEqual([])
    expect(await names('status=failed')).toEqual([])
    expect(await names('status=ready&q=parking')).toEqual(['parking.md'])
    const { json } = await tenant.call('GET', `${base}/documents?q=fees&limit=2`)
    const next = `cursor=${encodeURIComponent(json.next_cursor)}`
    expect(await names(`q=fees&limit=2&${next}`)).toEqual(['Fees.md'])
    for (const query of ['status=lost', `q=${'x'.repeat(201)}`, next])
      expect([query, (await tenant.call('GET', `${base}/documents?${query}`)).status]).toEqual([
        query,
        422,
      ])
  })

  it('gives a tenant the file of a document, the latest one that was uploaded', async () => {
    const base = await newBase('files')
    const { json } = await upload(base, REFUNDS, 'fees für alle.md')
    const { id } = await ready(base, json.documents[0].id)
    await expectOk(upload(base, 'Now free.', 'fees für alle.md'))
    const file = await expectOk(tenant.call('GET', `${base}/documents/${id}/original`))
    expect(file.text).toBe('Now free.')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''fees%20f%C3%BCr%20alle.md",
    )
    const { DB, FILES } = await parley.worker.getEnv()
    const row = await DB.prepare('SELECT * FROM documents WHERE id = ?').bind(id).first()
    await FILES.delete(`bases/${row?.tenant_id}/${row?.base_id}/${id}/${row?.version}`)
    const gone = await tenant.call('GET', `${base}/documents/${id}/original`)
    expect([gone.status, gone.json]).toEqual([404, { detail: 'File not found' }])
  })

  it('reads a stored file again on demand, and deletes a document at once', async () => {
    const base = await newBase('again')
    const { json } = await upload(base, REFUNDS, 'refunds.md')
    const { id } = await ready(base, json.documents[0].id)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      "UPDATE documents SET status = 'failed', error = 'x', attempts = 3 WHERE id = ?",
    )
      .bind(id)
      .run()
    const reindexed = await tenant.call('POST', `${base}/documents/${id}/reindex`)
    expect(reindexed.json).toMatchObject({ id, status: 'queued', progress: 0, error: null })
    expect(await ready(base, id)).toMatchObject({ attempts: 1, error: null })
    expect((await tenant.call('DELETE', `${base}/documents/${id}`)).status).toBe(204)
    expect((await search(base, 'refunds')).json.hits).toEqual([])
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/chunks'],
      ['GET', '/original'],
      ['POST', '/reindex'],
    ] as const) {
      const { status, json: body } = await tenant.call(method, `${base}/documents/${id}${suffix}`)
      expect([method + suffix, status, body]).toEqual([
        method + suffix,
        404,
        { detail: 'Document not found' },
      ])
    }
    expect((await tenant.call('GET', `${base}/documents/${ABSENT}`)).status).toBe(404)
    expect((await tenant.call('GET', `${base}/documents/nine`)).status).toBe(422)
  })

  it('takes every file of one upload, and reports what it cannot take', async () => {
    const base = await newBase('several')
    const folder = zipSync({ 'guide/shipping.txt': strToU8('Shipping takes two days.') })
    const form = new FormData()
    form.append('file', new File([REFUNDS], 'refunds.md'))
    form.append('file', new File([folder as never], 'folder.zip'))
    form.append('file', new File(['PK\u0003\u0004 broken'], 'x.zip'))
    form.append('file', new File(['Another text.'], 'refunds.md'))
    const { status, json } = await tenant.call('POST', `${base}/documents/upload`, form)
    expect([status, json.imported]).toEqual([200, 2])
    expect(json.documents.map(({ path }: { path: string }) => path).sort()).toContain('refunds.md')
    expect(json.skipped.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['x.zip', 'refunds.md']),
    )
    form.append('file', 'a text')
    const wrong = await tenant.call('POST', `${base}/documents/upload`, form)
    expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ['body', 'file']])
  })

  it('refuses what it cannot read and what is no upload', async () => {
    const base = await newBase('refusing')
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
    const image = await upload(base, png, 'refunds.pdf')
    expect([image.status, image.json.detail]).toEqual([415, 'Unsupported file type'])
    const broken = await upload(base, 'PK\u0003\u0004 broken', 'x.zip')
    expect([415, 422]).toContain(broken.status)
    for (const body of [new FormData(), {}, 'x']) {
      const { status, json } = await tenant.call('POST', `${base}/documents/upload`, body)
      expect([status, json.detail[0]]).toEqual([
        422,
        { type: 'missing', loc: ['body', 'file'], msg: 'Field required' },
      ])
    }
    expect((await tenant.call('GET', base)).json.document_count).toBe(0)
  })

  it('its instructions stand before its sources in the prompt, and every change is in the trail', async () => {
    const own = await seedTenant(parley)
    await expectOk(own.call('POST', '/v1/knowledge-bases', { name: 'kb', instructions: 'One.' }))
    await expectOk(own.call('PATCH', '/v1/knowledge-bases/kb', { instructions: 'Two.' }))
    const form = new FormData()
    form.set('file', new File(['Secret body text.'], 'a.txt'))
    const { json } = await expectOk(
      own.call('POST', '/v1/knowledge-bases/kb/documents/upload', form),
    )
    await expectOk(own.call('DELETE', `/v1/knowledge-bases/kb/documents/${json.documents[0].id}`))
    await expectOk(own.call('DELETE', '/v1/knowledge-bases/kb'))
    const { json: trail, text } = await own.call('GET', '/v1/tenant/audit')
    expect(
      trail.items.map(
        ({ entity, action }: { entity: string; action: string }) => `${entity} ${action}`,
      ),
    ).toEqual([
      'knowledge_base delete',
      'document delete',
      'document import',
      'knowledge_base update',
      'knowledge_base create',
      'tenant create',
    ])
    expect(text).not.toContain('Secret body')
  })

  it('a tenant has at most 100', async () => {
    const crowded = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
       INSERT INTO knowledge_bases (id, tenant_id, name, embedding_model, created_at, updated_at) SELECT ?1 || i, ?1, 'base ' || i, 'x', 0, 0 FROM n`,
    )
      .bind(crowded.id)
      .run()
    const answers = await Promise.all(
      ['one', 'two'].map((name) => crowded.call('POST', '/v1/knowledge-bases', { name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('are found by a number in the digits of the question or of the document', async () => {
    await seedBase(tenant, 'rooms', {
      First: 'कमरा 512 का किराया 900 रुपये है।',
      Second: 'कमरा 613 का किराया 1200 रुपये है।',
      Third: 'कमरा ७१४ का किराया १५०० रुपये है।',
    })
    await seedAgent(tenant, 'rooms-desk', { knowledge_bases: ['rooms'] })
    for (const [asked, rent] of [
      ['कमरा ६१३ का किराया?', '1200'],
      ['कमरा 714 का किराया कितना है?', '१५००'],
    ]) {
      const message = { message: asked, agent: 'rooms-desk' }
      expect((await expectOk(tenant.as('ann', 'POST', '/v1/chat', message))).json.reply).toContain(
        rent,
      )
    }
  })
})
