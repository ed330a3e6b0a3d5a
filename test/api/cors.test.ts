import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import { ADMIN_TOKEN, type Parley, startParley } from '../support/harness'
import { keyOf, ROUTES } from '../support/route-contract'
import { type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const CONSOLE = 'https://console.example'
const SHOP = 'https://shop.example'

/** Rule BR1: who may read answers from a page of another origin. */
describe('answers to pages of other origins', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley({ CONSOLE_ORIGINS: `${CONSOLE}, https://other.example` })
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(() => parley.close())

  const preflight = (path: string, method: string, origin: string) =>
    parley.call('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, x-api-key, content-type',
      },
    })
  const allowed = async (route: Route, origin: string) => {
    const path = route.path.replace(/\{\w+\}/g, 'x')
    const { status, headers } = await preflight(path, route.method, origin)
    expect([keyOf(route), status]).toEqual([keyOf(route), 204])
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    return headers.get('access-control-allow-origin')
  }

  it('are read by anybody on the user side, by the console on the tenant side, by nobody on the operator’s', async () => {
    const wanted: Record<Route['layer'], (origin: string) => string | null> = {
      public: () => '*',
      user: () => '*',
      app: () => '*',
      tenant: (origin) => (origin === CONSOLE ? origin : null),
      operator: () => null,
    }
    for (const route of ROUTES) {
      for (const origin of [CONSOLE, SHOP, 'null'])
        expect([keyOf(route), origin, await allowed(route, origin)]).toEqual([
          keyOf(route),
          origin,
          wanted[route.layer](origin),
        ])
    }
  })

  it('OPTIONS and a refused method name the same methods', async () => {
    const named = async (method: string) =>
      (await tenant.call(method, '/v1/knowledge-bases')).headers.get('allow')
    expect(await named('OPTIONS')).toBe('GET, HEAD, OPTIONS, POST')
    expect(await named('DELETE')).toBe('GET, HEAD, OPTIONS, POST')
  })

  it('a preflight names the methods of the path and the headers that were asked for', async () => {
    const { status, text, headers } = await preflight('/v1/chat', 'POST', SHOP)
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('access-control-allow-methods')).toBe('POST')
    expect(headers.get('access-control-allow-headers')).toBe(
      'authorization, x-api-key, content-type',
    )
    expect(headers.get('access-control-max-age')).toBe('86400')
    expect((await preflight('/nowhere', 'GET', SHOP)).status).toBe(404)
  })

  it('the answer itself says the same, also when it is a refusal, and tells caches that it varies', async () => {
    const chat = (headers: Record<string, string>) =>
      parley.call('POST', '/v1/chat', {
        body: { message: 'Hello' },
        headers: { origin: SHOP, ...headers },
      })
    for (const answer of [
      await chat({ 'x-api-key': tenant.key, 'x-end-user': 'ada' }),
      await chat({}),
      await chat({ 'x-api-key': 'pk_nonsense' }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const manage = (origin: string) =>
      parley.call('GET', '/v1/agents', { headers: { origin, 'x-api-key': tenant.key } })
    const own = await manage(CONSOLE)
    expect(own.headers.get('access-control-allow-origin')).toBe(CONSOLE)
    expect(own.headers.get('vary')).toContain('Origin')
    for (const origin of [SHOP, 'null', `${CONSOLE}.evil.example`, CONSOLE.toUpperCase()])
      expect((await manage(origin)).headers.get('access-control-allow-origin')).toBeNull()
    const admin = await parley.call('GET', '/v1/admin/tenants', {
      headers: { origin: CONSOLE, 'x-admin-token': ADMIN_TOKEN },
    })
    expect([admin.status, admin.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  it('an admin token comes from no page, nor does it in a tenant’s place', async () => {
    const asked = await parley.call('OPTIONS', '/v1/agents', {
      headers: {
        origin: CONSOLE,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-act-tenant,X-Admin-Token',
      },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, null])
    const answer = await parley.call('GET', '/v1/agents', {
      headers: { origin: CONSOLE, 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': tenant.id },
    })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  it('without an Origin there is no word of it', async () => {
    const { headers } = await tenant.as('ada', 'GET', '/me')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
