import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SITES } from '../../src/config/limits'
import { type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

type Serve = Record<
  string,
  { body: string | Uint8Array; type?: string; status?: number; location?: string }
>
interface Site extends Loopback {
  asked: { path: string; at: number }[]
}

const page = (text: string, ...links: string[]) => ({
  body: `<h1>A page</h1><p>${text}</p>${links.map((href) => `<a href="${href}">more</a>`).join('')}`,
})
const map = (kind: 'urlset' | 'sitemapindex', ...addresses: string[]) => {
  const item = kind === 'urlset' ? 'url' : 'sitemap'
  const items = addresses.map((loc) => `<${item}><loc>${loc}</loc></${item}>`)
  return { body: `<?xml version="1.0"?><${kind}>${items.join('')}</${kind}>`, type: 'text/xml' }
}

/** Whole sites become documents, politely and in the background (#13.13). */
describe('imports of sites', { timeout: 90_000 }, () => {
  let parley: Parley
  let db: D1Database
  let tenant: SeededTenant
  const sites: Site[] = []
  const served: Serve[] = Array.from({ length: 11 }, () => ({}))

  beforeAll(async () => {
    for (const pages of served) sites.push(await startSite(pages))
    parley = await startParley({
      EGRESS_ALLOW: sites.map(({ pair }) => pair).join(','),
      // Nobody answers there.
      DOH_URL: 'http://127.0.0.1:9/dns-query',
    })
    db = (await parley.worker.getEnv()).DB as D1Database
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'site' }))
  })
  afterAll(async () => {
    await parley.close()
    for (const site of sites) await site.close()
  })

  async function startSite(pages: Serve): Promise<Site> {
    const asked: Site['asked'] = []
    const site = await startLoopback((request, response) => {
      const path = request.url ?? '/'
      asked.push({ path, at: Date.now() })
      const found = pages[path]
      const headers = {
        'content-type': found?.type ?? 'text/html',
        ...(found?.location && { location: found.location }),
      }
      response.writeHead(found?.status ?? (found ? 200 : 404), headers).end(found?.body)
    })
    return Object.assign(site, { asked })
  }
  /** A site of these pages that no other test asks. */
  let used = 0
  function siteOf(pages: (origin: string) => Serve): Site {
    const site = sites[used] as Site
    Object.assign(served[used++] as Serve, pages(site.origin))
    return site
  }
  const begin = (url: string, more: Record<string, unknown> = {}) =>
    tenant.call('POST', '/v1/knowledge-bases/site/documents/site', { url, ...more })
  const stateOf = async (id: string) =>
    (await expectOk(tenant.call('GET', `/v1/knowledge-bases/site/imports/${id}`))).json
  async function finished(id: string) {
    for (;;) {
      const state = await waitFor(async () => {
        const now = await stateOf(id)
        return now.status !== 'running' || now.queued < queuedBefore ? now : null
      })
      if (state.status !== 'running') return state
      queuedBefore = state.queued
    }
  }
  let queuedBefore = Number.POSITIVE_INFINITY
  async function importSite(url: string, more: Record<string, unknown> = {}) {
    queuedBefore = Number.POSITIVE_INFINITY
    const { status, json } = await begin(url, more)
    expect(status).toBe(202)
    return finished(json.job_id)
  }
  const pathsOf = (state: { pages: { url: string }[] }) =>
    state.pages.map(({ url }) => new URL(url).pathname)

  it('takes what the site map names and what pages link to, within the site, one request a second', async () => {
    const site = siteOf((origin) => ({
      '/robots.txt': {
        body: `User-agent: *\nDisallow: /\n\nUser-agent: parley\nDisallow: /private\nSitemap: ${origin}/maps.xml`,
        type: 'text/plain',
      },
      '/maps.xml': map('sitemapindex', `${origin}/map.xml`, 'https://elsewhere.example/map.xml'),
      '/map.xml': map('urlset', `${origin}/fees`, `${origin}/private/plans`),
      '/': page(
        'We lend boats.',
        '/fees#today',
        'terms',
        '/logo.png',
        'https://elsewhere.example/',
      ),
      '/fees': page('An hour costs 10 euros.', '/'),
      '/terms': page('Boats are back by eight.', '/private/plans', 'mailto:a@b.example', '/moved'),
      '/moved': { body: '', status: 302, location: 'https://elsewhere.example/' },
    }))
    const state = await importSite(`${site.origin}/`)
    expect(state).toMatchObject({ status: 'done', error: null, imported: 3, queued: 0, failed: 1 })
    expect(pathsOf(state)).toEqual(['/', '/fees', '/terms', '/moved'])
    const paths = site.asked.map(({ path }) => path)
    expect(paths).toEqual([
      '/robots.txt',
      '/maps.xml',
      '/map.xml',
      '/',
      '/fees',
      '/terms',
      '/moved',
    ])
    const pauses = site.asked.slice(1).map(({ at }, i) => at - (site.asked[i]?.at ?? 0))
    // A lower bound only: a busy machine makes pauses longer, never shorter. Timers may be some ms early.
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(SITES.leastDelayS * 1000 - 50)

    const search = { query: 'What does an hour cost?' }
    await expect
      .poll(
        async () =>
          (await expectOk(tenant.call('POST', '/v1/knowledge-bases/site/search', search))).json
            .hits[0]?.source_url,
        { timeout: 20_000 },
      )
      .toBe(`${site.origin}/fees`)
    const again = await importSite(`${site.origin}/`)
    expect(again).toMatchObject({ status: 'done', imported: 0, unchanged: 3 })
  })

  it('reads site maps that are packed, and of one that swells only its beginning', async () => {
    const packed = ({ body }: { body: string }) => ({
      body: gzipSync(body),
      type: 'application/gzip',
    })
    const site = siteOf((origin) => ({
      '/robots.txt': { body: `Sitemap: ${origin}/maps.xml.gz`, type: 'text/plain' },
      '/maps.xml.gz': packed(map('sitemapindex', `${origin}/map.xml.gz`, `${origin}/bomb.xml.gz`)),
      '/map.xml.gz': packed(map('urlset', `${origin}/oars`)),
      '/bomb.xml.gz': packed({
        body: `${map('urlset', `${origin}/rudders`).body}${' '.repeat(64 * 1024 * 1024)}`,
      }),
      '/': page('We sell gear.'),
      '/oars': page('Two oars cost 80 euros.'),
      '/rudders': page('A rudder costs 60 euros.'),
    }))
    const state = await importSite(`${site.origin}/`)
    expect(state).toMatchObject({ status: 'done', imported: 3, failed: 0 })
    expect(pathsOf(state)).toEqual(['/', '/oars', '/rudders'])
  })

  it('begins where the address leads within its host, and stays there', async () => {
    const there = siteOf((origin) => ({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /closed', type: 'text/plain' },
      '/en/': page('We rent tents.', `${origin}/en/rent`, '/closed', '/back'),
      '/en/rent': page('A tent costs 9 euros a night.'),
      '/back': { body: '', status: 302, location: `${sites[used]?.origin}/away` },
    }))
    const here = siteOf(() => ({
      '/': { body: '', status: 301, location: `${there.origin}/en/` },
      '/away': page('We sell tents.'),
    }))
    const state = await importSite(`${here.origin}/`, { limit: 3 })
    expect(state).toMatchObject({ url: `${there.origin}/en/`, status: 'done', imported: 2 })
    expect(state.pages.map(({ url, reason }: Record<string, string>) => [url, reason])).toEqual([
      [`${there.origin}/en/`, null],
      [`${there.origin}/en/rent`, null],
      [`${there.origin}/back`, 'It leads to another site.'],
    ])
  })

  it('keeps pages apart whose paths would be one, and finds each again', async () => {
    const site = siteOf(() => ({
      '/': page('We mend sails.', '/sails', '/sails.html', '/sails/'),
      '/sails': page('A patch costs 12 euros.'),
      '/sails.html': page('A new sail costs 900 euros.'),
    }))
    const seen = async () => {
      const path = '/v1/knowledge-bases/site/documents?limit=100'
      const { items } = (await expectOk(tenant.call('GET', path))).json
      const own = items.filter(({ path }: { path: string }) => path.startsWith(site.pair))
      return own.map(({ source_url, id }: { source_url: string; id: string }) => [
        source_url.slice(site.origin.length),
        id,
      ])
    }
    expect(await importSite(`${site.origin}/`)).toMatchObject({ imported: 3 })
    const first = await seen()
    expect(first.map(([path]: string[]) => path).sort()).toEqual(['/', '/sails', '/sails.html'])
    const url = `${site.origin}/sails.html`
    const again = await tenant.call('POST', '/v1/knowledge-bases/site/documents/url', { url })
    expect(again.json.skipped).toMatchObject([{ reason: 'unchanged' }])
    expect(await seen()).toEqual(first)
  })

  it('stops at the limit, and says of every page what came of it', async () => {
    const site = siteOf(() => ({
      '/': page('First.', '/a', '/b', '/big', '/c'),
      '/a': { body: 'x', status: 500 },
      '/b': page('Second.', '/d'),
      '/big': page('x'.repeat(1_100_000)),
    }))
    const state = await importSite(`${site.origin}/`, { limit: 4 })
    expect(state.pages).toMatchObject([
      { status: 'imported', reason: null, document_id: expect.any(String) },
      { status: 'failed', reason: 'The address answered with status 500.', document_id: null },
      { status: 'imported' },
      { status: 'failed', reason: 'The address holds more than 1 MiB.' },
    ])
    expect(state).toMatchObject({ limit: 4, imported: 2, failed: 2 })
  })

  it('asks for nothing where robots.txt forbids it or cannot be read', async () => {
    const closed = siteOf(() => ({
      '/robots.txt': { body: 'User-agent: *\nDisallow: /', type: 'text/plain' },
      '/': page('Not for you.'),
    }))
    expect(await importSite(`${closed.origin}/`)).toMatchObject({
      status: 'failed',
      error: 'The robots.txt of the site does not let us read this address.',
    })
    expect(closed.asked.map(({ path }) => path)).toEqual(['/robots.txt'])
    const broken = siteOf(() => ({ '/robots.txt': { body: '', status: 503 }, '/': page('Hm.') }))
    expect(await importSite(`${broken.origin}/`)).toMatchObject({
      status: 'failed',
      error: 'The robots.txt of the site could not be read. Try again later.',
    })
    expect(broken.asked).toHaveLength(1)
  })

  it('runs once a site at a time, goes on when its job was lost, and counts no step twice', async () => {
    const site = siteOf(() => ({ '/': page('Alone.', '/two'), '/two': page('And two.') }))
    const { json } = await expectOk(begin(`${site.origin}/`))
    // The job is lost before it asks for anything: the row is at a step that no message names.
    await db
      .prepare('UPDATE site_imports SET step = step + 100 WHERE id = ?')
      .bind(json.job_id)
      .run()
    const second = await begin(`${site.origin}/two`)
    expect([second.status, second.json.code]).toEqual([409, 'import_running'])
    await parley.worker.scheduled({
      cron: '*/5 * * * *',
      scheduledTime: new Date(Date.now() + SITES.stallMs + 60_000),
    })
    queuedBefore = Number.POSITIVE_INFINITY
    expect(await finished(json.job_id)).toMatchObject({ status: 'done', imported: 2 })
    const paths = site.asked.map(({ path }) => path).filter((path) => !path.endsWith('.txt'))
    expect(paths).toEqual(['/sitemap.xml', '/', '/two'])
  })

  it('ends with its base, and its record after thirty days', async () => {
    const site = siteOf(() => ({ '/': page('Soon gone.', '/a', '/b'), '/a': page('A.') }))
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'short' }))
    const at = '/v1/knowledge-bases/short'
    const body = { url: `${site.origin}/` }
    const { json } = await expectOk(tenant.call('POST', `${at}/documents/site`, body))
    await expectOk(tenant.call('DELETE', at))
    const left = async () =>
      await db
        .prepare('SELECT count(*) AS n FROM site_pages WHERE import_id = ?')
        .bind(json.job_id)
        .first('n')
    expect(await left()).toBe(0)

    const kept = () =>
      db.prepare("SELECT count(*) AS n FROM site_imports WHERE status <> 'running'").first('n')
    expect(await kept()).not.toBe(0)
    const night = (days: number) =>
      parley.worker.scheduled({
        cron: '17 3 * * *',
        scheduledTime: new Date(Date.now() + days * 86_400_000),
      })
    await night(29)
    expect(await kept()).not.toBe(0)
    await night(31)
    expect(await kept()).toBe(0)
  })

  it('refuses what is no public site', async () => {
    for (const [body, loc] of [
      [{ url: 'ftp://a.example/' }, 'url'],
      [{ url: 'not an address' }, 'url'],
      [{ url: 'http://127.0.0.1/' }, 'url'],
      [{ url: 'http://[::1]/' }, 'url'],
      [{ url: `${sites[0]?.origin}/`, limit: 0 }, 'limit'],
      [{ url: `${sites[0]?.origin}/`, limit: 501 }, 'limit'],
    ] as const) {
      const { status, json } = await tenant.call(
        'POST',
        '/v1/knowledge-bases/site/documents/site',
        body,
      )
      expect([body, status, json.detail[0].loc]).toEqual([body, 422, ['body', loc]])
    }
  })

  it('says, as for one page, that an address could not be looked up', async () => {
    const body = { url: 'https://nobody.example/' }
    for (const form of ['site', 'url']) {
      const path = `/v1/knowledge-bases/site/documents/${form}`
      const { status, json } = await tenant.call('POST', path, body)
      expect([form, status, json]).toEqual([
        form,
        502,
        { detail: 'Upstream error', code: 'unreachable' },
      ])
    }
  })
})
