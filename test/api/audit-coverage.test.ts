import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import { ADMIN_TOKEN, type Answer } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { bodyOf, exampleOf, keyOf, pathOf, ROUTES } from '../support/route-contract'
import type { World } from '../support/world'
import { startWorld, type WorldServer } from '../support/world-server'

/** Changes nothing of the configuration: it asks, tries, or repeats what was decided before. */
const CHANGES_NOTHING = new Set([
  'POST /v1/agents/{name}/preview-plan',
  'POST /v1/knowledge-bases/{name}/search',
  'POST /v1/storylines/{storyline_id}/validate',
  'POST /v1/storylines/{storyline_id}/simulate',
  'POST /v1/storylines/{storyline_id}/scenarios/run',
  'POST /v1/tenant/settings/smtp/test',
  // What the domain's records say now is not what the tenant set.
  'POST /v1/tenant/custom-domain/check',
  // With `accept` it pins the tools anew, which is a change: that is shown where MCP servers are.
  'POST /v1/mcp-servers/{id}/check',
  'POST /v1/tenant/webhooks/{id}/test',
  'POST /v1/tenant/webhooks/{id}/deliveries/{delivery_id}/replay',
  'POST /v1/manage/reviews/{rid}/draft',
  // Its tool calls are audited one by one.
  'POST /v1/mcp',
])
const CHANGING = ROUTES.filter(
  (route) =>
    route.method !== 'GET' &&
    (route.layer === 'tenant' || route.layer === 'operator') &&
    !CHANGES_NOTHING.has(keyOf(route)),
)

interface Entry {
  tenant_id: string
  actor: string
  actor_type: string
  via: string
  action: string
  entity: string
}

/** Rule AT1 for every route of the table, found by the id of its request: one entry a change, by whoever made it. */
describe('the trail of', { timeout: 60_000 }, () => {
  let server: WorldServer
  let world: World
  beforeAll(async () => {
    server = await startWorld()
    world = server.world
  })
  afterAll(() => server.close())

  /** What the call itself changed: a job that it sent has entries of the platform's under the same request. */
  const entriesOf = async (answer: Answer): Promise<Entry[]> =>
    (
      await world.db
        .prepare(
          "SELECT tenant_id, actor, actor_type, via, action, entity FROM audit WHERE request_id = ? AND actor_type <> 'system'",
        )
        .bind(answer.headers.get('x-request-id'))
        .all<Entry>()
    ).results

  async function call(route: Route, headers: Record<string, string>): Promise<Answer> {
    const filled = await exampleOf(route).fill(world, world.own.ada)
    return rawSend(server.parley.url, route.method, pathOf(route.path, filled), {
      headers,
      ...bodyOf(filled),
    })
  }

  it.each(CHANGING.map((route) => [keyOf(route), route] as const))('%s', async (_name, route) => {
    const { unmet } = exampleOf(route)
    const admin = { 'x-admin-token': ADMIN_TOKEN }
    const acting = { ...admin, 'x-act-tenant': world.own.tenant.id }
    const callers =
      route.layer === 'operator'
        ? [{ headers: admin, actor: 'operator', type: 'operator' }]
        : [
            { headers: { 'x-api-key': world.own.tenant.key }, actor: 'key:first', type: 'key' },
            { headers: acting, actor: 'operator', type: 'operator' },
          ]
    for (const { headers, actor, type } of callers) {
      const answer = await call(route, headers)
      const entries = await entriesOf(answer)
      if (unmet) {
        expect([answer.status, entries]).toEqual([unmet.status, []])
        continue
      }
      expect([answer.status < 300, answer.text.slice(0, 200)]).toEqual([true, expect.anything()])
      expect(entries).toHaveLength(1)
      expect(entries[0]).toMatchObject({ actor, actor_type: type, via: 'api' })
      if (route.layer === 'tenant') expect(entries[0]?.tenant_id).toBe(world.own.tenant.id)
    }
    // A call that is refused leaves nothing.
    const refused = await call(route, { 'x-api-key': world.keys.revoked })
    expect([refused.status, await entriesOf(refused)]).toEqual([401, []])
  })

  it.each(
    CHANGING.filter(({ method }) => method === 'PUT' || method === 'PATCH').map(
      (route) => [keyOf(route), route] as const,
    ),
  )('%s once more changes nothing, and `changes_only` does not show it', async (_name, route) => {
    const { unmet } = exampleOf(route)
    const headers =
      route.layer === 'operator'
        ? { 'x-admin-token': ADMIN_TOKEN }
        : { 'x-api-key': world.own.tenant.key }
    const filled = await exampleOf(route).fill(world, world.own.ada)
    const send = () =>
      rawSend(server.parley.url, route.method, pathOf(route.path, filled), {
        headers,
        ...bodyOf(filled),
      })
    await send()
    const again = await send()
    expect(again.status).toBeLessThan(unmet ? 600 : 300)
    const { results } = await world.db
      .prepare('SELECT before, after FROM audit WHERE request_id = ? AND before IS NOT after')
      .bind(again.headers.get('x-request-id'))
      .all()
    expect(results).toEqual([])
  })

  it('what asks only: nothing is written', async () => {
    for (const route of ROUTES.filter((one) => CHANGES_NOTHING.has(keyOf(one)))) {
      if (route.path === '/v1/mcp') continue
      const answer = await call(route, { 'x-api-key': world.own.tenant.key })
      expect([keyOf(route), await entriesOf(answer)]).toEqual([keyOf(route), []])
    }
  })

  it('the words of the contract: actors, doors and actions', async () => {
    const { results } = await world.db
      .prepare('SELECT DISTINCT via, action, actor_type FROM audit')
      .all<{ via: string; action: string; actor_type: string }>()
    const actions =
      'create update delete publish unpublish restore clone import approve reject revoke rotate'
    for (const { via, action, actor_type } of results) {
      expect(['api', 'console', 'mcp']).toContain(via)
      expect(actions.split(' ')).toContain(action)
      expect(['key', 'operator', 'mcp', 'system', 'user']).toContain(actor_type)
    }
  })
})
