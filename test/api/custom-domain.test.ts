import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../src/config/limits'
import { type DohServer, startDoh } from '../support/doh-server'
import { type Answer, type Parley, startParley } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PATH = '/v1/tenant/custom-domain'
let parley: Parley
let doh: DohServer
let count = 0
const freshDomain = () => `chat${++count}.customer-${process.pid}.com`

beforeAll(async () => {
  doh = await startDoh()
  parley = await startParley({
    DOH_URL: doh.resolver,
    PUBLIC_BASE: 'https://app.parley-cloud.dev',
    CNAME_BASE: 'to.parley-cloud.dev',
  })
})
afterAll(async () => {
  await parley.close()
  await doh.close()
})

async function bind(tenant: SeededTenant, domain = freshDomain(), agent_alias?: string) {
  return (await expectOk(tenant.call('PUT', PATH, { domain, agent_alias }))).json
}

/** Binds a name and proves it, as its owner would. */
async function prove(tenant: SeededTenant, domain = freshDomain(), agent_alias?: string) {
  const bound = await bind(tenant, domain, agent_alias)
  doh.zone.set(domain, { CNAME: bound.cname_target })
  const { json } = await expectOk(tenant.call('POST', `${PATH}/check`))
  expect(json).toMatchObject({ domain, status: 'active', last_error: null })
  return json
}

async function auditOf(tenant: SeededTenant) {
  const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=custom_domain'))
  return json.items as {
    action: string
    actor: string
    entity_name: string
    before: unknown
    after: unknown
  }[]
}

const at = (domain: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  rawSend(parley.url, 'GET', path, { headers: { host: domain, accept: 'text/html', ...headers } })

describe('binding', () => {
  it('is null until a name is bound, and every binding gets a label of its own', async () => {
    const tenant = await seedTenant(parley)
    expect((await tenant.call('GET', PATH)).json).toBeNull()
    expect((await tenant.call('GET', `${PATH}/feature`)).json).toEqual({
      enabled: true,
      bound: false,
      cname_target: null,
    })
    const domain = freshDomain()
    const first = await bind(tenant, domain.toUpperCase())
    expect(first).toEqual({
      domain,
      agent_alias: null,
      status: 'pending',
      cname_target: expect.stringMatching(/^[a-z2-7]{26}\.to\.parley-cloud\.dev$/),
      record: { type: 'CNAME', name: domain, value: first.cname_target },
      last_checked_at: null,
      last_error: null,
    })
    expect((await tenant.call('GET', PATH)).json).toEqual(first)
    expect((await tenant.call('GET', `${PATH}/feature`)).json).toEqual({
      enabled: true,
      bound: true,
      cname_target: first.cname_target,
    })
    expect((await tenant.call('DELETE', PATH)).status).toBe(204)
    expect((await tenant.call('GET', PATH)).json).toBeNull()
    expect((await tenant.call('DELETE', PATH)).status).toBe(404)
    const second = await bind(tenant, domain)
    expect(second.cname_target).not.toBe(first.cname_target)
    const entries = await auditOf(tenant)
    expect(entries.map((entry) => entry.action)).toEqual(['create', 'delete', 'create'])
    expect(entries[0]).toMatchObject({
      entity_name: domain,
      before: null,
      after: { domain, agent_alias: null, status: 'pending' },
    })
  })

  it('refuses what is no name of a customer, without a trace', async () => {
    const tenant = await seedTenant(parley)
    for (const domain of [
      'localhost',
      '*.example.com',
      '10.0.0.1',
      'app.parley-cloud.dev',
      'x.to.parley-cloud.dev',
      'co.uk',
      'https://a.example.com',
    ]) {
      const answer = await tenant.call('PUT', PATH, { domain })
      expect(answer.status, domain).toBe(422)
      expect(answer.json.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'domain'] })
    }
    expect((await tenant.call('PUT', PATH, {})).status).toBe(422)
    expect(
      (await tenant.call('PUT', PATH, { domain: freshDomain(), agent_alias: 'x' })).json,
    ).toEqual({ detail: 'Agent not found' })
    expect(await auditOf(tenant)).toEqual([])
  })

  it('another agent under the same name needs no new proof; another name does', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
    const active = await prove(tenant)
    const pointed = await bind(tenant, active.domain, 'help-desk')
    expect(pointed).toEqual({ ...active, agent_alias: 'help-desk' })
    const other = await bind(tenant, freshDomain(), 'help-desk')
    expect(other.status).toBe('pending')
    expect(other.cname_target).not.toBe(active.cname_target)
    expect((await at(active.domain, '/')).status).toBe(404)
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'front-desk' }))
    expect((await tenant.call('GET', PATH)).json.agent_alias).toBe('front-desk')
  })

  it('works where the feature is off only for those who have a domain', async () => {
    const [early, late] = [await seedTenant(parley), await seedTenant(parley)]
    const active = await prove(early)
    for (const { id } of [early, late]) {
      const body = { features: { custom_domain: false } }
      await expectOk(parley.admin('PATCH', `/v1/admin/tenants/${id}`, body))
    }
    expect((await late.call('GET', `${PATH}/feature`)).json.enabled).toBe(false)
    const refused = await late.call('PUT', PATH, { domain: freshDomain() })
    expect([refused.status, refused.json]).toEqual([
      403,
      { detail: 'Custom domains are not enabled' },
    ])
    expect((await early.call('GET', `${PATH}/feature`)).json).toMatchObject({
      enabled: false,
      bound: true,
    })
    expect((await at(active.domain, '/')).status).toBe(200)
    expect((await early.call('POST', `${PATH}/check`)).json.status).toBe('active')
    expect((await early.call('PUT', PATH, { domain: active.domain })).status).toBe(200)
    expect((await early.call('DELETE', PATH)).status).toBe(204)
    expect((await early.call('PUT', PATH, { domain: freshDomain() })).status).toBe(403)
  })

  it('two calls at once leave one binding', async () => {
    const tenant = await seedTenant(parley)
    const names = [freshDomain(), freshDomain(), freshDomain()]
    const answers = await Promise.all(names.map((domain) => tenant.call('PUT', PATH, { domain })))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    const last = (await tenant.call('GET', PATH)).json
    expect(answers.map((answer) => answer.json)).toContainEqual(last)
    expect(await auditOf(tenant)).toHaveLength(3)
  })
})

describe('proof', () => {
  it('is a CNAME record with the label of this binding, over both forms of DNS over HTTPS', async () => {
    for (const mode of ['json', 'wire'] as const) {
      doh.mode = mode
      const tenant = await seedTenant(parley)
      const bound = await bind(tenant)
      const check = async () => (await expectOk(tenant.call('POST', `${PATH}/check`))).json
      const missing = await check()
      expect(missing).toMatchObject({ status: 'pending', last_checked_at: expect.any(String) })
      expect(missing.last_error).toContain(bound.cname_target)
      doh.zone.set(bound.domain, { CNAME: `${'a'.repeat(26)}.to.parley-cloud.dev` })
      expect(await check()).toMatchObject({
        status: 'error',
        last_error: expect.stringContaining('points elsewhere'),
      })
      doh.zone.set(bound.domain, { CNAME: bound.cname_target.toUpperCase() })
      expect(await check()).toMatchObject({ status: 'active', last_error: null })
      const [shown] = await auditOf(tenant)
      expect(shown).toMatchObject({
        action: 'update',
        before: { status: 'error' },
        after: { status: 'active' },
      })
    }
    doh.mode = 'json'
  })

  it('of an apex name is a TXT record that the answer names', async () => {
    const tenant = await seedTenant(parley)
    const domain = `apex-${process.pid}.com`
    const bound = await bind(tenant, domain)
    expect(bound.last_error).toContain(`_parley.${domain}`)
    const record = { type: 'TXT', name: `_parley.${domain}`, value: bound.cname_target }
    expect(bound.record).toEqual(record)
    doh.zone.set(domain, { CNAME: bound.cname_target })
    expect((await tenant.call('POST', `${PATH}/check`)).json.status).toBe('pending')
    doh.zone.set(`_parley.${domain}`, { TXT: ['other text', bound.cname_target] })
    expect((await tenant.call('POST', `${PATH}/check`)).json.status).toBe('active')
  })

  it('makes a name one that nobody may have called from here, whatever it resolves to (SF2)', async () => {
    const [owner, other] = [await seedTenant(parley), await seedTenant(parley)]
    const domain = `own-${process.pid}.com`
    doh.zone.set(domain, { A: '8.8.8.8' })
    const add = (tenant: SeededTenant, url: string) =>
      tenant.call('POST', '/v1/tenant/webhooks', { url, events: ['document.ready'] })
    const stored = await expectOk(add(other, `https://${domain}/hook`))
    const bound = await bind(owner, domain)
    // A claim alone blocks nobody.
    await expectOk(add(other, `https://${domain}/second`))
    doh.zone.set(`_parley.${domain}`, { TXT: [bound.cname_target] })
    expect((await owner.call('POST', `${PATH}/check`)).json.status).toBe('active')
    for (const tenant of [owner, other]) {
      const refused = await add(tenant, `https://${domain.toUpperCase()}./third`)
      expect([refused.status, refused.json.detail[0].msg]).toEqual([422, 'URL is not allowed'])
    }
    const sent = await other.call('POST', `/v1/tenant/webhooks/${stored.json.id}/test`)
    expect(sent.json).toMatchObject({ status: 'failed', error: 'url_not_allowed' })
    doh.zone.set(`desk.${domain}`, { A: '8.8.8.8' })
    await expectOk(add(other, `https://desk.${domain}/hook`))
    await expectOk(owner.call('DELETE', PATH))
    await expectOk(add(other, `https://${domain}/fourth`))
  })

  it('a resolver that does not answer changes no status', async () => {
    const tenant = await seedTenant(parley)
    const active = await prove(tenant)
    doh.mode = 'silent'
    const { json } = await expectOk(tenant.call('POST', `${PATH}/check`))
    expect(json).toMatchObject({
      status: 'active',
      last_error: expect.stringContaining('resolver'),
    })
    doh.mode = 'json'
    expect((await at(active.domain, '/')).status).toBe(200)
    expect((await tenant.call('POST', `${PATH}/check`)).json.last_error).toBeNull()
  })

  it('a claim blocks nobody; who proves first has the name, and the label of the other proves nothing', async () => {
    const [squatter, owner] = [await seedTenant(parley), await seedTenant(parley)]
    const domain = freshDomain()
    const claim = await bind(squatter, domain)
    const active = await prove(owner, domain)
    expect((await squatter.call('POST', `${PATH}/check`)).json.status).toBe('error')
    expect((await at(domain, '/')).text).toContain(`Tenant ${owner.alias}`)
    const third = await seedTenant(parley)
    expect((await third.call('PUT', PATH, { domain })).json).toEqual({
      detail: 'Domain already in use',
    })
    // The name is sold: its new owner proves it, but the old one keeps it for its time of grace.
    doh.zone.set(domain, { CNAME: claim.cname_target })
    expect((await squatter.call('POST', `${PATH}/check`)).json).toMatchObject({
      status: 'error',
      last_error: expect.stringContaining('Another account'),
    })
    expect((await owner.call('POST', `${PATH}/check`)).json.status).toBe('active')
    await ageProof(domain, 73)
    expect((await owner.call('POST', `${PATH}/check`)).json.status).toBe('error')
    expect((await at(domain, '/')).status).toBe(404)
    expect((await squatter.call('POST', `${PATH}/check`)).json.status).toBe('active')
    expect((await at(domain, '/')).text).toContain(`Tenant ${squatter.alias}`)
    expect((await owner.call('GET', PATH)).json.cname_target).toBe(active.cname_target)
  })

  it('two who prove at the same moment: one has the name', async () => {
    const tenants = [await seedTenant(parley), await seedTenant(parley)]
    const domain = freshDomain()
    const bound = await Promise.all(tenants.map((tenant) => bind(tenant, domain)))
    // A resolver that tells each what it hopes for.
    const texts = bound.map((one) => one.cname_target)
    doh.zone.set(domain, { CNAME: texts[0] })
    const first = tenants[0]?.call('POST', `${PATH}/check`)
    const second = waitFor(async () => {
      doh.zone.set(domain, { CNAME: texts[1] })
      return (await tenants[1]?.call('POST', `${PATH}/check`)) ?? null
    })
    const statuses = (await Promise.all([first, second])).map((answer) => answer?.json.status)
    expect(statuses.filter((status) => status === 'active')).toHaveLength(1)
  })

  it('is looked for again by the cron job', async () => {
    const [waiting, losing] = [await seedTenant(parley), await seedTenant(parley)]
    const bound = await bind(waiting)
    const lost = await prove(losing)
    await ageProof(lost.domain, 80)
    doh.zone.set(bound.domain, { CNAME: bound.cname_target })
    doh.zone.delete(lost.domain)
    await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() })
    expect((await waiting.call('GET', PATH)).json.status).toBe('active')
    expect((await losing.call('GET', PATH)).json.status).toBe('error')
    expect((await auditOf(losing))[0]).toMatchObject({
      actor: 'system',
      action: 'update',
      before: { status: 'active' },
      after: { status: 'error' },
    })
    const seen = doh.requests.length
    await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() })
    const asked = doh.requests.slice(seen).map((request) => request.url ?? '')
    expect(asked.filter((url) => url.includes(bound.domain))).toEqual([])
  })
})

async function ageProof(domain: string, hours: number): Promise<void> {
  const { DB } = await parley.worker.getEnv()
  const then = Date.now() - hours * HOUR_MS
  await DB.prepare(
    'UPDATE custom_domains SET verified_at = ?1, next_check_at = 0 WHERE domain = ?2',
  )
    .bind(then, domain)
    .run()
}

describe('a bound host', () => {
  async function site(agent = true) {
    const tenant = await seedTenant(parley)
    for (const name of ['desk', 'billing']) {
      await seedAgent(tenant, name, { greeting: `Hello from ${name}.` })
      await expectOk(tenant.call('PUT', `/v1/agents/${name}/alias`, { alias: `${name}-page` }))
    }
    const { domain } = await prove(tenant, freshDomain(), agent ? 'desk-page' : undefined)
    return { tenant, domain }
  }

  it('shows the bound agent at its root, with headers that speak for this name alone', async () => {
    const { domain, tenant } = await site()
    const page = await at(domain, '/')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Hello from desk.')
    expect(page.text).toContain(`<link rel="canonical" href="https://${domain}/">`)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(page.headers.get('set-cookie')).toBeNull()
    const manifest = await at(domain, '/manifest.webmanifest')
    expect(manifest.json).toMatchObject({ id: '/', start_url: '/', scope: '/', name: 'desk' })
    const worker = await at(domain, '/sw.js')
    expect(worker.headers.get('service-worker-allowed')).toBe('/')
    expect((await at(domain, `/a/${tenant.alias}/billing-page`)).text).toContain(
      'Hello from billing.',
    )
    expect((await at(domain, `/login/${tenant.id}`)).status).toBe(200)
    const slashed = await at(domain, `/a/${tenant.alias}/billing-page/`)
    expect([slashed.status, slashed.headers.get('location')]).toEqual([
      308,
      `/a/${tenant.alias}/billing-page`,
    ])
  })

  it('shows the published agents when none is bound', async () => {
    const { domain, tenant } = await site(false)
    await seedAgent(tenant, 'draft', { published: false })
    const shown = { display_name: 'Accounts', translations: { ru: { display_name: 'Счета' } } }
    await expectOk(tenant.call('PATCH', '/v1/agents/billing', shown))
    const page = await at(domain, '/')
    expect(page.text).toContain(`href="/a/${tenant.alias}/desk-page"`)
    expect(page.text).toContain(`href="/a/${tenant.alias}/billing-page"`)
    expect(page.text).not.toContain('draft')
    const names = (text: string) => [...text.matchAll(/<a [^>]*>([^<]*)<\/a>/g)].map(([, n]) => n)
    expect(names(page.text)).toEqual(['Accounts', 'desk'])
    expect(names((await at(domain, '/?lang=ru')).text)).toEqual(['Счета', 'desk'])
    expect((await at(domain, '/sw.js')).status).toBe(404)
  })

  it('answers the visitor’s calls and nothing of the management, the operator or the description', async () => {
    const { domain, tenant } = await site()
    const call = (method: string, path: string, headers = {}, body?: unknown) =>
      rawSend(parley.url, method, path, { headers: { host: domain, ...headers }, body })
    const visit = await call('POST', '/auth/anonymous', {}, { tenant_id: tenant.id, agent: 'desk' })
    const token = { authorization: `Bearer ${visit.json.access_token}` }
    expect((await call('GET', '/me', token)).json.tenant_id).toBe(tenant.id)
    const chat = await call('POST', '/v1/chat', token, { message: 'Hello', agent: 'desk' })
    expect(chat.status).toBe(200)
    const key = { 'x-api-key': tenant.key }
    for (const [method, path, headers] of [
      ['GET', '/v1/agents', key],
      ['GET', '/v1/tenant/settings', key],
      ['DELETE', PATH, key],
      ['POST', '/v1/tenant/keys', key],
      ['GET', '/v1/models', key],
      ['GET', '/v1/admin/tenants', { 'x-admin-token': 'x' }],
      ['GET', '/openapi.json', {}],
      ['GET', '/docs', {}],
      ['GET', '/docs/', {}],
      ['GET', '/health', {}],
      ['GET', `/internal/tls-allow?domain=${domain}`, {}],
      ['OPTIONS', '/v1/agents', { origin: 'https://console.example' }],
      ['GET', '/nothing', {}],
    ] as const) {
      const answer = await call(method, path, headers)
      expect([path, answer.status, answer.json]).toEqual([path, 404, { detail: 'Not Found' }])
    }
    expect((await tenant.call('GET', PATH)).json.status).toBe('active')
  })

  it('shows nothing of other tenants', async () => {
    const [one, other] = [await site(), await site()]
    const missing = await at(one.domain, '/a/x/y')
    for (const path of [
      `/a/${other.tenant.alias}/desk-page`,
      `/a/${other.tenant.alias}/desk-page/manifest.webmanifest`,
      `/a/${other.tenant.alias}/desk-page/sw.js`,
      `/login/${other.tenant.alias}`,
    ]) {
      const answer = await at(one.domain, path)
      expect(answer.status).toBe(404)
      expect(withoutNonce(answer.text)).toBe(withoutNonce(missing.text))
    }
    const { id, key } = other.tenant
    const visit = { tenant_id: id }
    const { json } = await expectOk(parley.call('POST', '/auth/anonymous', { body: visit }))
    const callers = [{ authorization: `Bearer ${json.access_token}` }, { 'x-api-key': key }]
    for (const { domain, status } of [
      { domain: one.domain, status: { visit: 404, call: 401 } },
      { domain: other.domain, status: { visit: 200, call: 200 } },
    ]) {
      const headers = { host: domain }
      const asked = await rawSend(parley.url, 'POST', '/auth/anonymous', { headers, body: visit })
      expect([domain, asked.status]).toEqual([domain, status.visit])
      for (const caller of callers) {
        const who = { ...headers, ...caller, 'x-end-user': 'ada' }
        const { 'x-end-user': _, ...bare } = who
        const sent = 'authorization' in caller ? bare : who
        const met = await rawSend(parley.url, 'GET', '/me', { headers: sent })
        expect([domain, met.status]).toEqual([domain, status.call])
      }
    }
  })

  it('gives one neutral 404 for pending, failed, unbound, suspended and strange names', async () => {
    const tenant = await seedTenant(parley)
    const pending = await bind(tenant)
    const { domain: gone, tenant: leaver } = await site()
    await expectOk(leaver.call('DELETE', PATH))
    const { domain: silent, tenant: suspended } = await site()
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${suspended.id}`, { status: 'suspended' }),
    )
    const { domain: deleted, tenant: erased } = await site()
    await expectOk(parley.admin('DELETE', `/v1/admin/tenants/${erased.id}`))
    const { domain: hidden, tenant: modest } = await site()
    await expectOk(modest.call('PATCH', '/v1/agents/desk', { published: false }))
    const pages = new Set<string>()
    for (const domain of [pending.domain, gone, silent, deleted, hidden, 'nobody.example.org']) {
      const answer = await at(domain, '/')
      expect([domain, answer.status]).toEqual([domain, 404])
      pages.add(withoutNonce(answer.text))
    }
    expect(pages.size).toBe(1)
    const api = await rawSend(parley.url, 'GET', '/v1/agents', {
      headers: { host: pending.domain },
    })
    expect([api.status, api.json]).toEqual([404, { detail: 'Not Found' }])
  })

  it('lets a sign-in at a provider begin at home and come back to the proved name', async () => {
    const { domain, tenant } = await site()
    await expectOk(
      tenant.call('PUT', '/v1/tenant/oauth/github', { client_id: 'id', client_secret: 'secret' }),
    )
    const start = `/auth/oauth/github/start?tenant_id=${tenant.id}&redirect=${encodeURIComponent('/login/x?return=/')}`
    const sent = await at(domain, start)
    expect(sent.status).toBe(302)
    const home = new URL(sent.headers.get('location') ?? '')
    expect(home.origin).toBe('https://app.parley-cloud.dev')
    expect(home.searchParams.get('redirect')).toBe(`https://${domain}/login/x?return=/`)
    const begun = await parley.call('GET', home.pathname + home.search)
    expect(begun.status).toBe(302)
    expect(begun.headers.get('location')).toContain('https://github.com/')
    home.searchParams.set('redirect', 'https://stranger.example.com/')
    expect((await parley.call('GET', home.pathname + home.search)).status).toBe(422)
    await expectOk(tenant.call('DELETE', PATH))
    home.searchParams.set('redirect', `https://${domain}/`)
    expect((await parley.call('GET', home.pathname + home.search)).status).toBe(422)
  })
})

const withoutNonce = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
