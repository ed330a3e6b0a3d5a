import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { ErrorOut } from '../../src/api-description/errors-schema'
import { ARCHIVE_LIMITS, BODY_LIMITS, FORM_PARTS } from '../../src/config/limits'
import { type SeededTenant, seedTenant, waitFor, waitForBase } from '../support/seed'
import { model, parley, withModel } from '../support/with-model'
import { buildZip } from '../support/zip-builder'

const LATER_MS = 11 * 60_000
const WATCH = '*/5 * * * *'

describe('uploads', { timeout: 90_000 }, () => {
  let tenant: SeededTenant

  withModel({ EMBEDDING_MODEL: 'test-embedder' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
  })

  const newBase = async (name: string) => {
    await tenant.call('POST', '/v1/knowledge-bases', { name })
    return `/v1/knowledge-bases/${name}`
  }
  const upload = (path: string, bytes: Uint8Array | string, name: string) => {
    const form = new FormData()
    form.set('file', new File([bytes as never], name))
    return tenant.call('POST', `${path}/documents/upload`, form)
  }
  const search = async (path: string, query: string) =>
    (await tenant.call('POST', `${path}/search`, { query })).json.hits
  const settled = (path: string, id: string) =>
    waitFor(async () => {
      const { json } = await tenant.call('GET', `${path}/documents/${id}`)
      return ['ready', 'failed'].includes(json.status) ? json : null
    })

  const NAMED = {
    'quoted, as usual': ['name="file"; filename="plain.txt"', 'plain.txt'],
    'without quotes, by .NET': [
      "name=file; filename=a b.txt; filename*=utf-8''a%20b.txt",
      'a b.txt',
    ],
    'in other letters, by .NET': [
      `name=file; filename="=?utf-8?B?R3LDtsOfZS50eHQ=?="; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt`,
      'Größe.txt',
    ],
    'in other letters and quotes, by .NET': [
      `name="file"; filename="=?utf-8?B?R3LDtsOfZS50eHQ=?="; filename*=utf-8''Gr%C3%B6%C3%9Fe.txt`,
      'Größe.txt',
    ],
    'in the extended way alone, by older Python': [
      `name="file"; filename*=utf-8''Ma%C3%9Fe.txt`,
      'Maße.txt',
    ],
    'with a quote, by browsers': ['name="file"; filename="a %22b%22 100%.txt"', 'a "b" 100%.txt'],
    'with what looks like another name': ['name="file"; filename="x; name=y.txt"', 'x; name=y.txt'],
  }
  it.each(Object.entries(NAMED))('takes a file that is named %s', async (_, [named, name]) => {
    const path = await newBase(`named-${crypto.randomUUID()}`)
    const lines = ['--=_b', `Content-Disposition: form-data; ${named}`, '', 'Some\r\n--=_text.']
    const note = ['--=_b', 'Content-Disposition: form-data; name=note', '', 'n', '--=_b--', '']
    const { status, json } = await parley.call('POST', `${path}/documents/upload`, {
      headers: {
        'x-api-key': tenant.key,
        'content-type': 'multipart/form-data; boundary="=_b"',
        'idempotency-key': crypto.randomUUID(),
      },
      body: [...lines, ...note].join('\r\n'),
    })
    expect([status, json.documents?.[0]]).toMatchObject([200, { path: name, size_bytes: 15 }])
  })

  it('reads quotes that nobody closes in one pass', async () => {
    const path = await newBase('open-quotes')
    const head = `Content-Disposition: form-data; name=file; x="${'\\"'.repeat(2 ** 19)}`
    const { status } = await parley.call('POST', `${path}/documents/upload`, {
      headers: { 'x-api-key': tenant.key, 'content-type': 'multipart/form-data; boundary=b' },
      body: ['--b', head, '', 'text', '--b--', ''].join('\r\n'),
    })
    expect(status).toBe(422)
  })

  it('the largest file is taken as it is, and one byte more is not', async () => {
    const path = await newBase('large')
    const largest = new Uint8Array(BODY_LIMITS.files)
    largest.set(strToU8('%PDF-1.7'))
    expect((await upload(path, largest, 'scan.pdf')).status).toBe(200)
    const { status, json } = await upload(path, new Uint8Array(largest.length + 1), 'scan.pdf')
    expect([status, json]).toEqual([413, { detail: 'Request body too large' }])
  })

  it('uploads of one new path at the same moment end as one document that is read', async () => {
    const path = await newBase('race')
    for (let round = 0; round < 4; round++) {
      const name = `new-${round}.md`
      const answers = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          upload(path, `# Race\n\nRound ${round} text ${n}.`, name),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
      const ids = answers.flatMap(({ json }) => json.documents.map((d: { id: string }) => d.id))
      expect(new Set(ids).size).toBe(1)
      expect(await settled(path, ids[0])).toMatchObject({ status: 'ready', path: name })
    }
    const { json } = await tenant.call('GET', `${path}/documents`)
    expect(json.items).toHaveLength(4)
    expect((await search(path, 'Round 3 text')).length).toBeGreaterThan(0)
    // Nothing is left under the ids of those that came second.
    const { FILES } = await parley.worker.getEnv()
    const base = (await tenant.call('GET', path)).json
    const { objects } = await FILES.list({ prefix: `bases/${tenant.id}/${base.id}/` })
    const kept = new Set(objects.map(({ key }) => key.split('/')[3]))
    expect([...kept].sort()).toEqual(json.items.map((item: { id: string }) => item.id).sort())
  })

  it('walks the folders of a zip, imports what it can read and says why it skips the rest', async () => {
    const path = await newBase('folders')
    const zip = zipSync({
      'guide/refunds.md': strToU8('# Refunds\n\nRefunds are paid within five working days.'),
      'guide/deep/opening.txt': strToU8('The office opens at nine in the morning.'),
      'prices.csv': strToU8('item,price\nShoe,50\nHat,20\n'),
      'logo.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      'inner.zip': zipSync({ 'a.txt': strToU8('x') }),
      '__MACOSX/._refunds.md': strToU8('junk'),
    })
    const { status, json } = await upload(path, zip, 'guide.zip')
    expect(status).toBe(200)
    expect(json.imported).toBe(3)
    expect(json.documents.map((document: { path: string }) => document.path).toSorted()).toEqual([
      'guide/deep/opening.txt',
      'guide/refunds.md',
      'prices.csv',
    ])
    expect(json.skipped.map((entry: { path: string }) => entry.path).toSorted()).toEqual([
      'inner.zip',
      'logo.png',
    ])
    expect(json.skipped.every((entry: { reason: string }) => entry.reason.length > 10)).toBe(true)
    await waitForBase(tenant, 'folders')
    expect((await search(path, 'When are refunds paid?'))[0].document_name).toBe('refunds.md')
    expect((await search(path, 'price of a hat'))[0].document_name).toBe('prices.csv')
  })

  it('skips unchanged files and replaces changed ones in one step, searchable throughout', async () => {
    const path = await newBase('replace')
    const first = await upload(path, 'Parcels leave the warehouse on Mondays.', 'parcels.txt')
    await settled(path, first.json.documents[0].id)
    const same = await upload(path, 'Parcels leave the warehouse on Mondays.', 'parcels.txt')
    expect(same.json).toMatchObject({
      imported: 0,
      skipped: [{ path: 'parcels.txt', reason: 'unchanged' }],
    })
    const changed = await upload(path, 'Parcels leave the warehouse on Thursdays.', 'parcels.txt')
    expect(changed.json.documents[0].id).toBe(first.json.documents[0].id)
    for (;;) {
      const hits = await search(path, 'When do parcels leave the warehouse?')
      expect(hits).toHaveLength(1)
      if (hits[0].text.includes('Thursdays')) break
      expect(hits[0].text).toContain('Mondays')
    }
    const env = await parley.worker.getEnv()
    const base = (await tenant.call('GET', path)).json
    await settled(path, first.json.documents[0].id)
    const originals = await waitFor(async () => {
      const { objects } = await env.FILES.list({ prefix: `bases/${tenant.id}/${base.id}/` })
      return objects.length === 1 ? objects : null
    })
    expect(originals).toHaveLength(1)
  })

  it('refuses a single file that it cannot read with 415 and a broken archive with 422, and changes nothing', async () => {
    const path = await newBase('refused')
    expect((await upload(path, Uint8Array.of(0, 1, 2, 3), 'data.bin')).status).toBe(415)
    expect(
      (await upload(path, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg')).json.detail,
    ).toBe('Unsupported file type')
    const REASONS: [string, Uint8Array<ArrayBuffer> | string, string, RegExp][] = [
      ['empty.txt', '', 'unreadable_file', /empty/],
      ['latin.txt', Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65), 'unreadable_file', /UTF-8/],
      ['a.ods', zipSync({ mimetype: strToU8('application/x') }), 'unreadable_file', /Save it as/],
      ['a.gif', 'GIF89a', 'unsupported_type', /not supported.*pdf, docx/],
      ['a.exe', 'MZ', 'unsupported_type', /not supported.*pdf, docx/],
      ['a.docx', 'just text', 'unreadable_file', /not that of a \.docx/],
    ]
    for (const [name, content, code, reason] of REASONS) {
      const { status, json } = await upload(path, content, name)
      expect([name, status, json.detail, json.code]).toEqual([
        name,
        415,
        'Unsupported file type',
        code,
      ])
      expect(json.reason).toMatch(reason)
      expect(ErrorOut.strict().safeParse(json).error).toBeUndefined()
    }
    const zip = zipSync({ 'a.txt': strToU8('hello') })
    const broken = await upload(path, zip.slice(0, zip.length - 10), 'a.zip')
    expect(broken.status).toBe(422)
    expect(broken.json.detail[0].loc).toEqual(['body', 'file'])
    expect((await tenant.call('GET', path)).json.document_count).toBe(0)
    expect((await tenant.call('POST', `${path}/documents/upload`, { file: 'text' })).status).toBe(
      422,
    )
  })

  it('refuses together what one archive may not hold, and a form of countless parts', async () => {
    const path = await newBase('together')
    const send = (files: [name: string, bytes: Uint8Array<ArrayBuffer>][]) => {
      const form = new FormData()
      for (const [name, bytes] of files) form.append('file', new File([bytes], name))
      return tenant.call('POST', `${path}/documents/upload`, form)
    }
    const many = (count: number, at: string) =>
      zipSync(
        Object.fromEntries(
          Array.from({ length: count }, (_, n) => [`${at}${n}.txt`, strToU8('x')]),
        ),
      )
    const { entryBytes, ratio } = ARCHIVE_LIMITS
    const large = Array.from({ length: 3 }, (_, n) => ({
      name: `${n}.txt`,
      packed: new Uint8Array(entryBytes / ratio + 1),
      size: entryBytes,
    }))
    const refused = {
      'at most 1000 files in one upload': await send([
        ['a.zip', many(600, 'a')],
        ['b.zip', many(401, 'b')],
      ]),
      'the archives unpack to more than 100 MiB': await send([
        ['a.zip', buildZip(large)],
        ['b.zip', buildZip(large)],
      ]),
      'the multipart form cannot be read': await send(
        Array.from({ length: FORM_PARTS + 1 }, () => ['a.txt', strToU8('x')]),
      ),
    }
    for (const [reason, { status, json }] of Object.entries(refused))
      expect([status, json.detail[0].msg]).toEqual([422, `Value error, ${reason}`])
    expect((await tenant.call('GET', path)).json.document_count).toBe(0)
  })

  it('takes a long name, cut before its extension', async () => {
    const path = await newBase('long')
    const { status, json } = await upload(path, 'Parcels come at noon.', `${'x'.repeat(300)}.txt`)
    expect([status, json.imported, json.skipped]).toEqual([200, 1, []])
    expect(json.documents[0].path).toBe(`${'x'.repeat(196)}.txt`)
    const name = `a${'😀'.repeat(150)}.txt`
    const first = await upload(path, 'Letters come at ten.', name)
    expect(first.json.documents[0].path).toBe(`a${'😀'.repeat(97)}.txt`)
    expect((await upload(path, 'Letters come at ten.', name)).json.skipped[0].reason).toBe(
      'unchanged',
    )
    const replaced = await upload(path, 'Letters come at two.', name)
    expect(replaced.json.documents[0].id).toBe(first.json.documents[0].id)
  })

  it('says in a sentence why a document failed', async () => {
    const path = await newBase('broken')
    const { json } = await upload(path, '%PDF-1.4\nthis is no document\n%%EOF', 'broken.pdf')
    const document = await settled(path, json.documents[0].id)
    expect(document.status).toBe('failed')
    expect(document.error).toMatch(/^[A-Z].{20,}\.$/)
    expect((await tenant.call('GET', path)).json.status).toBe('failed')
  })

  it('tries three times when something outside fails, then gives up with a reason; the text is searchable meanwhile', async () => {
    const path = await newBase('flaky')
    model.embeddingStatus = 500
    try {
      const { json } = await upload(path, 'Umbrellas are lent at the front desk.', 'umbrellas.txt')
      const document = await settled(path, json.documents[0].id)
      expect(document).toMatchObject({ status: 'failed', attempts: 3 })
      expect(document.error).toContain('three attempts')
      expect((await search(path, 'Where are umbrellas lent?'))[0].text).toContain('front desk')
      model.embeddingStatus = 200
      const again = await tenant.call('POST', `${path}/documents/${json.documents[0].id}/reindex`)
      expect(again.json).toMatchObject({ status: 'queued', attempts: 0, error: null })
      expect(await settled(path, json.documents[0].id)).toMatchObject({
        status: 'ready',
        attempts: 1,
      })
    } finally {
      model.embeddingStatus = 200
    }
  })

  it('takes up a document whose job was lost, after ten minutes without progress', async () => {
    const path = await newBase('lost')
    const { json } = await upload(path, 'Keys are kept in the blue cabinet.', 'keys.txt')
    const id = json.documents[0].id
    await settled(path, id)
    const env = await parley.worker.getEnv()
    await env.DB.prepare(
      "UPDATE documents SET status = 'parsing', live_version = NULL, attempts = 1 WHERE id = ?",
    )
      .bind(id)
      .run()
    await parley.worker.scheduled({ cron: WATCH, scheduledTime: new Date() })
    expect((await tenant.call('GET', `${path}/documents/${id}`)).json.status).toBe('parsing')
    await parley.worker.scheduled({ cron: WATCH, scheduledTime: new Date(Date.now() + LATER_MS) })
    expect(await settled(path, id)).toMatchObject({ status: 'ready', attempts: 2, chunk_count: 1 })
  })

  it('redelivers without doubling: the same job twice leaves the same chunks', async () => {
    const path = await newBase('twice')
    const { json } = await upload(path, '# A\n\nFirst text.\n\n# B\n\nSecond text.', 'twice.md')
    const id = json.documents[0].id
    await settled(path, id)
    const chunks = (await tenant.call('GET', `${path}/documents/${id}/chunks`)).json
    const env = await parley.worker.getEnv()
    const row = await env.DB.prepare('SELECT tenant_id, version FROM documents WHERE id = ?')
      .bind(id)
      .first<{ tenant_id: string; version: string }>()
    await env.DB.prepare("UPDATE documents SET status = 'queued', live_version = NULL WHERE id = ?")
      .bind(id)
      .run()
    const job = {
      type: 'document.ingest',
      tenantId: row?.tenant_id,
      documentId: id,
      version: row?.version,
    }
    await env.INGEST.sendBatch([{ body: job }, { body: job }])
    await settled(path, id)
    expect((await tenant.call('GET', `${path}/documents/${id}/chunks`)).json).toEqual(chunks)
  })

  it('reads small texts of one upload together, to the chunks that each has alone', async () => {
    const alone = await newBase('alone')
    const together = await newBase('together')
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `note-${i}.md`,
        `# Note ${i}\n\n${`Drawer ${i} holds the papers of the year ${1900 + i}. `.repeat(60)}`,
      ]),
    )
    files['empty.md'] = ' '
    const zip = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    )
    const { json } = await upload(together, zip, 'notes.zip')
    await waitForBase(tenant, 'together')
    const { json: list } = await tenant.call('GET', `${together}/documents?limit=100`)
    expect(list.items).toHaveLength(json.documents.length)
    const chunksOf = async (path: string, id: string) =>
      (await tenant.call('GET', `${path}/documents/${id}/chunks`)).json.items.map(
        ({ id: _, ...chunk }: { id: string }) => chunk,
      )
    for (const item of list.items.slice(0, 5)) {
      const one = await upload(alone, files[item.path] ?? '', item.path)
      const single = await settled(alone, one.json.documents[0].id)
      const { status, progress, error, vectors, chunk_count } = single
      expect(item).toMatchObject({ status, progress, error, vectors, chunk_count })
      expect(await chunksOf(together, item.id)).toEqual(await chunksOf(alone, single.id))
    }
    const unready = list.items.filter(({ status }: { status: string }) => status !== 'ready')
    expect(
      unready.map(({ path }: { path: string }) => path).filter((p: string) => p !== 'empty.md'),
    ).toEqual([])
    const hits = await search(together, 'Which drawer holds the papers of 1933?')
    expect(hits[0]).toMatchObject({ document_name: 'note-33.md' })
    const jobs = parley.server
      .getLogs()
      .filter(
        ({ message }) => message.includes('"job_done"') && message.includes('"documents.ingest"'),
      )
    expect(jobs.length).toBeGreaterThan(0)
  })

  it('a text whose file is gone fails alone, and the others of its upload are ready', async () => {
    const path = await newBase('one-gone')
    const { FILES } = await parley.worker.getEnv()
    const base = (await tenant.call('GET', path)).json
    const bodies = ['One lamp.', 'Two lamps.', 'Three lamps.']
    const form = new FormData()
    for (const [i, text] of bodies.entries()) form.append('file', new File([text], `${i}.txt`))
    const { json } = await tenant.call('POST', `${path}/documents/upload`, form)
    await waitForBase(tenant, 'one-gone')
    const lost = json.documents[1].id
    const { objects } = await FILES.list({ prefix: `bases/${tenant.id}/${base.id}/${lost}/` })
    await FILES.delete(objects.map(({ key }) => key))
    const { INGEST: queue, DB } = await parley.worker.getEnv()
    await DB.prepare(
      `UPDATE documents SET status = 'queued', live_version = NULL, attempts = 0 WHERE base_id = ?`,
    )
      .bind(base.id)
      .run()
    const rows = await DB.prepare('SELECT id, version FROM documents WHERE base_id = ?')
      .bind(base.id)
      .all()
    await queue.send({
      type: 'documents.ingest',
      tenantId: tenant.id,
      baseId: base.id,
      documents: rows.results,
    })
    const states = await Promise.all(
      json.documents.map(async ({ id }: { id: string }) => (await settled(path, id)).status),
    )
    expect(states).toEqual(['ready', 'failed', 'ready'])
  })

  it('deletes a document from the search at once and its file in the background', async () => {
    const path = await newBase('gone')
    const { json } = await upload(path, 'The safe opens with a golden key.', 'safe.txt')
    await settled(path, json.documents[0].id)
    expect((await tenant.call('DELETE', `${path}/documents/${json.documents[0].id}`)).status).toBe(
      204,
    )
    expect(await search(path, 'golden key')).toEqual([])
    const env = await parley.worker.getEnv()
    const base = (await tenant.call('GET', path)).json
    await waitFor(async () =>
      (await env.FILES.list({ prefix: `bases/${tenant.id}/${base.id}/` })).objects.length === 0
        ? true
        : null,
    )
  })
})
