import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DohServer, startDoh } from '../support/doh-server'
import { type Parley, startParley } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

let parley: Parley
let doh: DohServer
let tenant: SeededTenant
const active = `help.tls-${process.pid}.com`
const pending = `soon.tls-${process.pid}.com`

beforeAll(async () => {
  doh = await startDoh()
  parley = await startParley({ DOH_URL: doh.resolver })
  tenant = await seedTenant(parley)
  await bind(tenant, active)
  await expectOk(tenant.call('POST', '/v1/tenant/custom-domain/check'))
  const other = await seedTenant(parley)
  await expectOk(other.call('PUT', '/v1/tenant/custom-domain', { domain: pending }))
})
afterAll(async () => {
  await parley.close()
  await doh.close()
})

async function bind(owner: SeededTenant, domain: string) {
  const { json } = await expectOk(owner.call('PUT', '/v1/tenant/custom-domain', { domain }))
  doh.zone.set(domain, { CNAME: json.cname_target })
}

const ask = (query: string, headers: Record<string, string> = {}, path = '/internal/tls-allow') =>
  parley.call('GET', path + query, { headers })

describe('tls-allow', () => {
  it('is 200 for an active domain, at both addresses, whatever the case and one last dot', async () => {
    for (const path of ['/internal/tls-allow', '/v1/internal/tls-allow']) {
      for (const name of [active, active.toUpperCase(), `${active}.`]) {
        const answer = await ask(`?domain=${name}`, {}, path)
        expect([name, answer.status, answer.json]).toEqual([name, 200, { domain: active }])
      }
    }
  })

  it('is the same 404 for everything else', async () => {
    for (const query of [
      '',
      '?',
      '?domain=',
      '?domain=.',
      `?domain=${pending}`,
      `?domain=x.${active}`,
      `?domain=*.${active}`,
      `?domain=${active}..`,
      `?domain=${active}:443`,
      `?domain=${active}/`,
      `?domain=https://${active}`,
      `?domain=%20${active}`,
      `?domain=${active}%00`,
      `?domain=${active}&domain=${active}`,
      `?domain=${active}&domain=`,
      `?DOMAIN=${active}`,
      '?domain=127.0.0.1',
      '?domain=[::1]',
      '?domain=localhost',
      `?domain=${'a.'.repeat(200)}com`,
      `?domain=${'x'.repeat(8000)}`,
      '?domain=%FF%FE',
      "?domain=a'%20OR%201=1--.com",
      '?domain=unknown.example.com',
    ]) {
      const answer = await ask(query)
      expect([query, answer.status, answer.json]).toEqual([query, 404, { detail: 'Not Found' }])
    }
  })

  it('is 404 for whatever came through a proxy: X-Forwarded-For in any form, also empty', async () => {
    for (const value of ['203.0.113.9', '127.0.0.1', ' ', 'x, y', '']) {
      const answer = await ask(`?domain=${active}`, { 'x-forwarded-for': value })
      expect([value, answer.status]).toEqual([value, 404])
    }
    const twice = { 'X-FORWARDED-for': ['', ''] }
    const path = `/internal/tls-allow?domain=${active}`
    expect((await rawSend(parley.url, 'GET', path, { headers: twice })).status).toBe(404)
    expect((await rawSend(parley.url, 'GET', path, {})).status).toBe(200)
  })

  it('does not care about the feature switch, and forgets a domain that is unbound', async () => {
    const owner = await seedTenant(parley)
    const domain = `gone.tls-${process.pid}.com`
    await bind(owner, domain)
    expect((await ask(`?domain=${domain}`)).status).toBe(404)
    await expectOk(owner.call('POST', '/v1/tenant/custom-domain/check'))
    expect((await ask(`?domain=${domain}`)).status).toBe(200)
    const off = { features: { custom_domain: false } }
    await expectOk(parley.admin('PATCH', `/v1/admin/tenants/${owner.id}`, off))
    expect((await ask(`?domain=${domain}`)).status).toBe(200)
    await expectOk(owner.call('DELETE', '/v1/tenant/custom-domain'))
    expect((await ask(`?domain=${domain}`)).status).toBe(404)
  })

  it('answers no other method, writes nothing and asks no resolver', async () => {
    const { DB } = await parley.worker.getEnv()
    const count = async () =>
      (
        await DB.prepare(
          'SELECT (SELECT count(*) FROM audit) + (SELECT n FROM custom_domain_version) AS n',
        ).first<{ n: number }>()
      )?.n
    const [before, asked] = [await count(), doh.requests.length]
    await Promise.all(Array.from({ length: 50 }, (_, i) => ask(`?domain=a${i}.example.com`)))
    expect([await count(), doh.requests.length]).toEqual([before, asked])
    expect((await parley.call('POST', '/internal/tls-allow')).status).toBe(405)
  })
})

describe('where no reverse proxy exists', () => {
  it('a setting switches the route off', async () => {
    const closed = await startParley({ DOH_URL: doh.resolver, TLS_ALLOW: 'off' })
    const owner = await seedTenant(closed)
    await bind(owner, active)
    await expectOk(owner.call('POST', '/v1/tenant/custom-domain/check'))
    const answer = await closed.call('GET', `/internal/tls-allow?domain=${active}`)
    expect([answer.status, answer.json]).toEqual([404, { detail: 'Not Found' }])
    await closed.close()
  })
})
