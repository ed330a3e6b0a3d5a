import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../support/build-once'
import { ADMIN_TOKEN, type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { fieldsOf, withField } from '../support/request-fields'
import { bodyOf, exampleOf, keyOf, pathOf, ROUTES } from '../support/route-contract'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { makeWorld, type World } from '../support/world'

const MIGRATION = readFileSync(join(ROOT, 'migrations', '0015_alias_ids.sql'), 'utf8')
const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const ALMOST = [`${ID}0`, `${ID.slice(0, -1)}g`, ID.replace('-', '0')]

/** Every field of every route by which somebody gets an alias, or names one. */
const FIELDS = ROUTES.flatMap((route) =>
  fieldsOf(route, {})
    .filter((field) => field.in === 'body' && /(?:^|_)alias$/.test(field.path.at(-1) ?? ''))
    .map((field) => ({ name: `${keyOf(route)} ${field.path.join('.')}`, route, field })),
)

describe('an alias of an id’s form', () => {
  let parley: Parley
  let page: Loopback
  let telegram: TelegramServer
  let world: World
  let db: D1Database
  beforeAll(async () => {
    telegram = await startTelegram()
    page = await startLoopback((_request, response) => response.writeHead(200).end('A page.'))
    parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
    world = await makeWorld(parley, page.origin, telegram)
    db = (await parley.worker.getEnv()).DB
  })
  afterAll(async () => {
    await parley.close()
    await page.close()
    await telegram.close()
  })

  const shownAt = async (path: string) => (await parley.call('GET', path)).text
  const claim = (table: 'tenants' | 'agents', id: string, alias: string) =>
    db.prepare(`UPDATE ${table} SET alias = ? WHERE id = ?`).bind(alias, id).run()
  const aliasOf = (table: 'tenants' | 'agents', id: string) =>
    db.prepare(`SELECT alias FROM ${table} WHERE id = ?`).bind(id).first('alias')
  const agentOf = async (tenant: SeededTenant): Promise<string> => {
    await seedAgent(tenant, 'desk')
    await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
    return (await expectOk(tenant.call('GET', '/v1/agents/desk'))).json.id
  }

  it('an agent’s is cleared by null and by none', async () => {
    const tenant = await seedTenant(parley)
    for (const body of [{ alias: null }, {}]) {
      await seedAgent(tenant, 'desk')
      await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'help-desk' }))
      const { json } = await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', body))
      expect([json.alias, json.url]).toEqual([null, null])
      await expectOk(tenant.call('DELETE', '/v1/agents/desk'))
    }
  })

  it('the routes that take one are known', () => {
    expect(FIELDS.map(({ name }) => name)).toEqual([
      'POST /v1/admin/tenants alias',
      'PATCH /v1/tenant/settings alias',
      'PUT /v1/tenant/custom-domain agent_alias',
      'PUT /v1/agents/{name}/alias alias',
    ])
  })

  it.each(FIELDS)('$name: refused, whosever id it is or could be', async ({ route, field }) => {
    const filled = await exampleOf(route).fill(world, world.own.ada)
    for (const alias of [world.foreign.tenant.id, world.own.tenant.id, ID]) {
      const sent = withField(filled, field, alias)
      const { status, json } = await parley.call(route.method, pathOf(route.path, sent), {
        ...bodyOf(sent),
        headers:
          route.layer === 'operator'
            ? { 'x-admin-token': ADMIN_TOKEN }
            : { 'x-api-key': world.own.tenant.key },
      })
      expect([status, json.detail]).toEqual([
        422,
        [
          {
            type: 'value_error',
            loc: ['body', ...field.path],
            msg: 'Value error, an alias may not look like an id',
          },
        ],
      ])
    }
  })

  it('what only resembles an id is an alias like any other', async () => {
    const tenant = await seedTenant(parley)
    for (const alias of ALMOST) {
      expect((await tenant.call('PATCH', '/v1/tenant/settings', { alias })).status).toBe(200)
    }
    await expectOk(tenant.call('PATCH', '/v1/tenant/settings', { alias: null }))
  })

  it('a stored one shows nobody under another tenant’s id, nor its agents', async () => {
    const [owner, squatter] = [await seedTenant(parley), await seedTenant(parley)]
    await agentOf(squatter)
    await claim('tenants', squatter.id, owner.id)
    expect(await shownAt(`/login/${owner.id}`)).toContain(`Tenant ${owner.alias}`)
    expect(await shownAt(`/login/${owner.id}`)).not.toContain(`Tenant ${squatter.alias}`)
    // The owner shows no agent of this alias, so nobody does.
    expect((await parley.call('GET', `/a/${owner.id}/help-desk`)).status).toBe(404)
    await agentOf(owner)
    expect(await shownAt(`/a/${owner.id}/help-desk`)).toContain(`Tenant ${owner.alias}`)
    expect((await parley.call('GET', `/a/${squatter.id}/help-desk`)).status).toBe(200)
  })

  it('a restored revision does not bring one back', async () => {
    const tenant = await seedTenant(parley)
    const agent = await agentOf(tenant)
    await db
      .prepare(
        "UPDATE revisions SET snapshot = json_set(snapshot, '$.alias', ?) WHERE entity_id = ?",
      )
      .bind(ID, agent)
      .run()
    const [revision] = (await expectOk(tenant.call('GET', '/v1/agents/desk/revisions'))).json
    const restored = await tenant.call('POST', `/v1/agents/desk/revisions/${revision.id}/restore`)
    expect([restored.status, restored.json.alias]).toEqual([200, null])
  })

  it('the migration frees those that are stored, and no other', async () => {
    const taken = await seedTenant(parley)
    const agent = await agentOf(taken)
    await claim('tenants', taken.id, ID)
    await claim('agents', agent, ID)
    const kept = await Promise.all(ALMOST.map(() => seedTenant(parley)))
    for (const [n, alias] of ALMOST.entries()) await claim('tenants', kept[n]?.id ?? '', alias)
    for (const statement of MIGRATION.replace(/^--.*$/gm, '').split(';')) {
      if (statement.trim() !== '') await db.prepare(statement).run()
    }
    expect([await aliasOf('tenants', taken.id), await aliasOf('agents', agent)]).toEqual([
      null,
      null,
    ])
    for (const [n, alias] of ALMOST.entries())
      expect(await aliasOf('tenants', kept[n]?.id ?? '')).toBe(alias)
  })
})
