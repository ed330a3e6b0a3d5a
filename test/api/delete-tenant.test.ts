import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEPT_TABLES, OWNED_TABLES } from '../../src/deletion/erase-tenant'
import { greetingFile, iconFile, logoFile } from '../../src/platform/files'
import { failingCalls } from '../support/failing-calls'
import { ADMIN_TOKEN, type Parley, sharedParley, startParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

describe('the operator', () => {
  let parley: Parley
  let env: Env
  beforeAll(async () => {
    parley = await sharedParley()
    env = await parley.worker.getEnv()
  })
  afterAll(() => parley.close())

  const fill = async (tenant: SeededTenant) => {
    await seedBase(tenant, 'guide', { Refunds: 'Refunds take five days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    for (const user of ['ada', 'bob']) {
      const body = { message: 'I am new here.', agent: 'desk' }
      await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
      const home = (await tenant.as(user, 'GET', '/me')).json.space_id
      const note = { title: 'Note', text: 'One line.' }
      await expectOk(tenant.as(user, 'POST', `/me/spaces/${home}/documents`, note))
    }
    const account = { tenant_id: tenant.id, email: 'eve@people.example', password: 'long enough' }
    await expectOk(parley.call('POST', '/auth/register', { body: account }))
    await env.FILES.put(logoFile(tenant.id, 'logo'), 'a logo')
    await env.FILES.put(iconFile(tenant.id, 'icon', '192.png'), 'an icon')
    await env.FILES.put(greetingFile(tenant.id, 'desk', 'en'), 'Hello')
  }
  /** Folders of the object store in which a tenant has files. */
  const foldersOf = async ({ id }: SeededTenant) => {
    const { delimitedPrefixes } = await env.FILES.list({ delimiter: '/' })
    const counted = await Promise.all(
      delimitedPrefixes.map(async (folder) => {
        const { objects } = await env.FILES.list({ prefix: `${folder}${id}/`, limit: 1 })
        return objects.length > 0 ? [folder] : []
      }),
    )
    return counted.flat()
  }

  it('deletes a tenant: the keys are gone at once, the rest follows and is counted', async () => {
    const tenant = await seedTenant(parley)
    const kept = await seedTenant(parley)
    await Promise.all([fill(tenant), fill(kept)])
    const folders = await foldersOf(tenant)
    expect(folders).toEqual(['bases/', 'greetings/', 'icons/', 'keys/', 'logos/', 'users/'])
    const spaces = await env.DB.prepare('SELECT id, user_id FROM spaces WHERE tenant_id = ?')
      .bind(tenant.id)
      .all<{ id: string; user_id: string }>()
    expect(spaces.results).toHaveLength(3)
    expect((await parley.admin('DELETE', `/v1/admin/tenants/${tenant.id}`)).status).toBe(204)
    expect((await env.FILES.list({ prefix: `keys/${tenant.id}/` })).objects).toEqual([])
    const receipt = await waitFor(() =>
      env.DB.prepare("SELECT * FROM audit WHERE tenant_id = ? AND entity = 'tenant_data'")
        .bind(tenant.id)
        .first<{ actor: string; after: string }>(),
    )
    expect([receipt.actor, JSON.parse(receipt.after)]).toEqual([
      'system',
      { keys_destroyed: true, left: 0 },
    ])
    for (const table of OWNED_TABLES) {
      const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`)
        .bind(tenant.id)
        .first<{ n: number }>()
      expect([table, row?.n]).toEqual([table, 0])
    }
    expect(await foldersOf(tenant)).toEqual([])
    for (const { id, user_id } of spaces.results) {
      const name = `${tenant.id}/${user_id}/${id}`
      const object = env.USER_SPACE.get(env.USER_SPACE.idFromName(name))
      expect(await object.work('space', 'countRows', [])).toEqual({})
    }
    // Nobody else's tenant has lost anything.
    expect(await foldersOf(kept)).toEqual(folders)
    expect((await expectOk(kept.call('GET', '/v1/manage/users'))).json.items).toHaveLength(3)
    const { json } = await expectOk(
      kept.as('ada', 'POST', '/v1/chat', { message: 'Refunds?', agent: 'desk' }),
    )
    expect(json.sources).toHaveLength(1)
  })

  it('acts as a tenant, and the trail says that it was the operator', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { user_id } = (await expectOk(tenant.as('ada', 'GET', '/me'))).json
    const act = (method: string, path: string, body?: unknown) =>
      parley.call(method, path, {
        body,
        headers: { 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': tenant.id },
      })
    const made = await act('POST', `/v1/manage/users/${user_id}/spaces`, { name: 'Work' })
    expect(made.status).toBe(200)
    const path = `/v1/manage/spaces/${made.json.id}`
    expect((await act('PATCH', path, { name: 'Play' })).status).toBe(200)
    expect((await act('POST', `${path}/agents`, { name: 'desk' })).status).toBe(201)
    expect((await act('DELETE', `${path}/agents/desk`)).status).toBe(204)
    expect((await act('DELETE', path)).status).toBe(204)
    expect((await act('DELETE', `/v1/manage/users/${user_id}`)).status).toBe(204)
    const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?limit=50'))
    const byHand = json.items.filter(
      (entry: { actor_type: string }) => entry.actor_type === 'operator',
    )
    expect(
      byHand.map((e: { action: string; entity: string }) => `${e.action} ${e.entity}`),
    ).toEqual([
      'delete user',
      'delete space',
      'update space',
      'update space',
      'update space',
      'create space',
      'create tenant',
    ])
    expect(new Set(byHand.map((entry: { actor: string }) => entry.actor))).toEqual(
      new Set(['operator']),
    )
  })

  it('knows every table that holds something of a tenant', async () => {
    const { results } = await env.DB.prepare(
      `SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'tenant_id'
       WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*'`,
    ).all<{ name: string }>()
    expect(results.map(({ name }) => name).toSorted()).toEqual(
      [...OWNED_TABLES, ...KEPT_TABLES].toSorted(),
    )
  })
})

describe('the job that deletes a large tenant', () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await startParley({}, { failing: true })
  })
  afterAll(() => parley.close())

  it('hands on before it has asked the platform a thousand times, and is not begun twice', async () => {
    const users = 40
    const spacesOfUser = 14
    const tenant = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    const rows = (n: number) =>
      `WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${n})`
    await DB.batch([
      DB.prepare(
        `${rows(users)} INSERT INTO users (id, tenant_id, source, external_id, created_at, last_active_at)
         SELECT 'user-' || n, ?1, 'proxy', n, 1, 1 FROM rows`,
      ).bind(tenant.id),
      DB.prepare(
        `${rows(users * spacesOfUser)} INSERT INTO spaces (id, tenant_id, user_id, name, tag, created_at, updated_at)
         SELECT 'space-' || n, ?1, 'user-' || (n % ${users} + 1), 'Space', n, 1, 1 FROM rows`,
      ).bind(tenant.id),
    ])
    const { fail, settled } = failingCalls(parley)
    await fail(null)
    await parley.admin('DELETE', `/v1/admin/tenants/${tenant.id}`)
    const answered = Date.now()
    await waitFor(
      () =>
        DB.prepare('SELECT 1 FROM deletions WHERE tenant_id = ? AND finished_at IS NOT NULL')
          .bind(tenant.id)
          .first(),
      60_000,
    )
    const calls = (await settled()).filter((label) => label.startsWith('job '))
    const jobs = calls.join('\n').split('job JOBS send')
    expect(jobs.length).toBeGreaterThan(1)
    expect(Math.max(...jobs.map((job) => job.split('\n').length))).toBeLessThan(1000)
    const deletion = await DB.prepare('SELECT requested_at FROM deletions WHERE tenant_id = ?')
      .bind(tenant.id)
      .first<{ requested_at: number }>()
    expect(deletion?.requested_at).toBeGreaterThan(answered)
  })
})
