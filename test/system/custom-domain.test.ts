import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caddy, shakeHands, startCaddy } from '../support/caddy'
import { type DohServer, startDoh } from '../support/doh-server'
import type { Parley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { launchBrowser, openPage } from './browser'
import { startSite } from './site'

const ACTIVE = 'chat.acme-tools.com'
const PENDING = 'soon.acme-tools.com'
const PATH = '/v1/tenant/custom-domain'

/** A real reverse proxy in front of the Worker: it asks tls-allow during the handshake and passes the requests on. */
describe('behind a proxy that gets certificates on demand', () => {
  let parley: Parley
  let doh: DohServer
  let caddy: Caddy
  let browser: Browser
  let tenant: SeededTenant
  let other: SeededTenant

  beforeAll(async () => {
    doh = await startDoh()
    parley = await startSite({
      DOH_URL: doh.resolver,
      PUBLIC_BASE: 'https://app.parley-cloud.dev',
      LIMITS_ANONYMOUS: '20',
    })
    caddy = await startCaddy(parley.url)
    browser = await launchBrowser([`--host-resolver-rules=MAP *.acme-tools.com 127.0.0.1`])
    tenant = await seedTenant(parley, { name: 'Acme Tools' })
    await seedBase(tenant, 'guide', {
      'Refund policy': 'Refunds are paid within five working days.',
    })
    await seedAgent(tenant, 'desk', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      greeting: 'Welcome to Acme.',
    })
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
    await bind(tenant, ACTIVE, 'help-desk')
    other = await seedTenant(parley)
    await expectOk(other.call('PUT', PATH, { domain: PENDING }))
  })
  afterAll(async () => {
    await browser?.close()
    await caddy?.stop()
    await parley?.close()
    await doh?.close()
  })

  async function bind(owner: SeededTenant, domain: string, agent_alias?: string) {
    const { json } = await expectOk(owner.call('PUT', PATH, { domain, agent_alias }))
    doh.zone.set(domain, { CNAME: json.cname_target })
    expect((await owner.call('POST', `${PATH}/check`)).json.status).toBe('active')
  }

  it('the handshake succeeds for the active domain, with a certificate of that name', async () => {
    const first = await shakeHands(caddy.port, ACTIVE)
    expect(first, caddy.log()).toMatchObject({ ok: true })
    const verified = await shakeHands(caddy.port, ACTIVE, await caddy.readRoot())
    expect(verified).toMatchObject({
      ok: true,
      certificate: { subjectaltname: `DNS:${ACTIVE}` },
    })
  })

  it('and is refused for all others', async () => {
    for (const name of [
      PENDING,
      'acme-tools.com',
      `www.${ACTIVE}`,
      'nobody.example.com',
      'app.parley-cloud.dev',
      'localhost',
      '',
    ]) {
      const shaken = await shakeHands(caddy.port, name)
      expect([name, shaken.ok]).toEqual([name, false])
    }
  })

  it('a domain gets its certificate once it is proved, and none after it was unbound', async () => {
    const owner = await seedTenant(parley)
    const [kept, dropped] = ['one.acme-tools.com', 'two.acme-tools.com']
    await expectOk(owner.call('PUT', PATH, { domain: kept }))
    expect((await shakeHands(caddy.port, kept)).ok).toBe(false)
    await bind(owner, kept)
    expect((await shakeHands(caddy.port, kept)).ok).toBe(true)
    await bind(owner, dropped)
    await expectOk(owner.call('DELETE', PATH))
    expect((await shakeHands(caddy.port, dropped)).ok).toBe(false)
  })

  it('nobody outside may ask which domains there are', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    const url = `https://${ACTIVE}:${caddy.port}/internal/tls-allow?domain=${ACTIVE}`
    expect((await page.goto(url))?.status()).toBe(404)
    await context.close()
  })

  it('the agent’s page stands at the root and answers there', async () => {
    const origin = `https://${ACTIVE}:${caddy.port}`
    const { page, faults, strangers } = await openPage(browser, origin, {
      ignoreHTTPSErrors: true,
    })
    const response = await page.goto(`${origin}/?lang=en`)
    expect(response?.status()).toBe(200)
    expect(response?.headers()['strict-transport-security']).toBe('max-age=31536000')
    await page.waitForSelector('.composer textarea')
    await expect.poll(() => page.locator('.greeting').textContent()).toContain('Welcome to Acme.')
    await page.fill('.composer textarea', 'When are refunds paid?')
    await page.press('.composer textarea', 'Enter')
    await page.locator('.reply .md', { hasText: 'five working days' }).waitFor()
    expect(faults).toEqual([])
    expect(strangers).toEqual([])
    const api = await page.evaluate(async () => {
      const answer = await fetch('/v1/agents')
      return [answer.status, await answer.text()]
    })
    expect(api).toEqual([404, '{"detail":"Not Found"}'])
  })

  it('nobody counts as somebody else by naming an address', async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(`https://${ACTIVE}:${caddy.port}/?lang=en`)
    const statuses = await page.evaluate(async (tenant_id) => {
      const asked = Array.from({ length: 21 }, (_, n) =>
        fetch('/auth/anonymous', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': `198.51.100.${n}` },
          body: JSON.stringify({ tenant_id }),
        }),
      )
      return (await Promise.all(asked)).map(({ status }) => status)
    }, tenant.id)
    expect(statuses).toContain(429)
  })
})
