import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REFRESH } from '../../src/config/limits'
import { type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

interface Page {
  text: string
  status?: number
  etag?: string
  modified?: string
}

/** Documents that were fetched from an address stay as fresh as their base says (#13.13). */
describe('documents that are fetched again', () => {
  let parley: Parley
  let db: D1Database
  let site: Loopback
  let tenant: SeededTenant
  const pages = new Map<string, Page>()
  const asked: { path: string; etag?: string; since?: string; agent?: string }[] = []
  let bases = 0

  beforeAll(async () => {
    site = await startLoopback((request, response) => {
      const path = request.url ?? '/'
      const {
        'if-none-match': etag,
        'if-modified-since': since,
        'user-agent': agent,
      } = request.headers
      asked.push({ path, ...(etag && { etag }), ...(since && { since }), ...(agent && { agent }) })
      const page = pages.get(path)
      const headers = {
        'content-type': 'text/html',
        ...(page?.etag && { etag: page.etag }),
        ...(page?.modified && { 'last-modified': page.modified }),
      }
      if (!page || page.status) response.writeHead(page?.status ?? 404).end()
      else if (page.etag && page.etag === etag) response.writeHead(304, headers).end()
      else response.writeHead(200, headers).end(`<h1>Page</h1><p>${page.text}</p>`)
    })
    parley = await startParley({ EGRESS_ALLOW: site.pair })
    db = (await parley.worker.getEnv()).DB as D1Database
    tenant = await seedTenant(parley)
  })
  afterAll(async () => {
    await parley.close()
    await site.close()
  })

  async function makeBase(refresh: string) {
    const name = `fresh-${++bases}`
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name, refresh }))
    return `/v1/knowledge-bases/${name}`
  }
  async function add(base: string, path: string) {
    const body = { url: `${site.origin}${path}` }
    const { json } = await expectOk(tenant.call('POST', `${base}/documents/url`, body))
    const [{ id }] = json.documents
    await waitFor(async () => ((await read(base, id)).status === 'ready' ? true : null))
    return id as string
  }
  const read = async (base: string, id: string) =>
    (await expectOk(tenant.call('GET', `${base}/documents/${id}`))).json
  const asksFor = (path: string) => asked.filter((one) => one.path === path)
  /** The duty, as if so much time had passed, up to the end of what it started: no job has a document to itself. */
  async function pass(ms: number) {
    const claimed = Date.now() + REFRESH.periodMs.daily + REFRESH.claimMs
    const scheduledTime = new Date(Date.now() + ms)
    await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime })
    await waitFor(async () => {
      const held = 'SELECT count(*) AS n FROM documents WHERE fetch_after >= ?'
      return (await db.prepare(held).bind(claimed).first('n')) === 0 ? true : null
    })
  }
  async function passAndAsk(path: string, ms: number) {
    const before = asksFor(path).length
    await pass(ms)
    expect(asksFor(path)).toHaveLength(before + 1)
  }
  const DAY = REFRESH.periodMs.daily + 60_000
  const found = async (base: string, query: string) =>
    (await expectOk(tenant.call('POST', `${base}/search`, { query }))).json.hits.map(
      ({ text }: { text: string }) => text,
    )

  it('takes the new text of a page that changed, and asks by what the last answer said of itself', async () => {
    const modified = 'Tue, 17 Nov 2026 10:00:00 GMT'
    pages.set('/fees', { text: 'The fee is 10 euros.', etag: '"one"', modified })
    const base = await makeBase('daily')
    const id = await add(base, '/fees')
    expect(asksFor('/fees')[0]?.agent).toMatch(/^Parley\b/)

    await passAndAsk('/fees', DAY)
    expect(asksFor('/fees').at(-1)).toMatchObject({ etag: '"one"', since: modified })
    expect(await found(base, 'What is the fee?')).toEqual([expect.stringContaining('10 euros')])

    pages.set('/fees', { text: 'The fee is 12 euros.', etag: '"two"' })
    await passAndAsk('/fees', DAY)
    await expect
      .poll(() => found(base, 'What is the fee?'), { timeout: 20_000 })
      .toEqual([expect.stringContaining('12 euros')])
    expect(await read(base, id)).toMatchObject({ id, gone_at: null })
    const { items } = (await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=document'))).json
    expect(items[0]).toMatchObject({ action: 'import', actor: 'system', entity_id: id })
  })

  it('keeps the text of a page that is gone, and marks it from the second time on until it is back', async () => {
    pages.set('/rooms', { text: 'There are 40 rooms.' })
    const base = await makeBase('daily')
    const id = await add(base, '/rooms')
    const marked = async () => (await read(base, id)).gone_at !== null

    pages.delete('/rooms')
    await passAndAsk('/rooms', DAY)
    expect(await marked()).toBe(false)
    await passAndAsk('/rooms', DAY)
    expect(await marked()).toBe(true)
    expect(await found(base, 'How many rooms are there?')).toEqual([
      expect.stringContaining('40 rooms'),
    ])
    pages.set('/rooms', { text: 'There are 40 rooms.' })
    await passAndAsk('/rooms', DAY)
    expect(await marked()).toBe(false)
  })

  it('changes nothing when the site fails, and asks again within the period', async () => {
    pages.set('/bus', { text: 'The bus leaves at nine.' })
    const base = await makeBase('daily')
    const id = await add(base, '/bus')
    pages.set('/bus', { text: '', status: 503 })
    await passAndAsk('/bus', DAY)
    const times = asksFor('/bus').length
    await db.prepare('UPDATE documents SET fetched_at = 1 WHERE id = ?').bind(id).run()
    await pass(0)
    expect(asksFor('/bus')).toHaveLength(times)
    await passAndAsk('/bus', REFRESH.periodMs.daily / REFRESH.retriesInPeriod + 60_000)
    expect(await read(base, id)).toMatchObject({ status: 'ready', gone_at: null, error: null })
    expect(await found(base, 'When does the bus leave?')).toEqual([
      expect.stringContaining('at nine'),
    ])
  })

  it('asks by the week, not at all, or no more, as the base says; and never for what was uploaded', async () => {
    for (const path of ['/weekly', '/off', '/switched']) pages.set(path, { text: `Of ${path}.` })
    const weekly = await makeBase('weekly')
    await add(weekly, '/weekly')
    const off = await makeBase('off')
    await add(off, '/off')
    const switched = await makeBase('daily')
    await add(switched, '/switched')
    await expectOk(tenant.call('PATCH', switched, { refresh: null }))
    expect((await tenant.call('GET', switched)).json.refresh).toBe('off')
    const typed = { title: 'Typed', text: 'Typed in.', source_url: `${site.origin}/typed` }
    await expectOk(tenant.call('POST', `${weekly}/documents/text`, typed))

    pages.set('/last', { text: 'Asked last.' })
    const last = await makeBase('daily')
    await add(last, '/last')
    await passAndAsk('/last', DAY)
    expect(['/weekly', '/off', '/switched'].map((path) => asksFor(path).length)).toEqual([1, 1, 1])
    await passAndAsk('/weekly', 7 * DAY)
    expect(['/off', '/switched'].map((path) => asksFor(path).length)).toEqual([1, 1])
    expect(asksFor('/typed')).toEqual([])
  })

  it('refuses another rhythm', async () => {
    const { status, json } = await tenant.call('POST', '/v1/knowledge-bases', {
      name: 'hourly',
      refresh: 'hourly',
    })
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'refresh']])
  })
})
