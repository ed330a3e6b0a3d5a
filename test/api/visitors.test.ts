import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const DAY_MS = 86_400_000

let parley: Parley
let env: Env
let tenant: SeededTenant
beforeAll(async () => {
  parley = await startParley()
  env = await parley.worker.getEnv()
  tenant = await seedTenant(parley)
  await seedAgent(tenant, 'desk')
})
afterAll(() => parley.close())

const comeAsVisitor = async () => {
  const body = { tenant_id: tenant.id }
  const { json } = await expectOk(parley.call('POST', '/auth/anonymous', { body }))
  const headers = { authorization: `Bearer ${json.access_token}` }
  const call = (method: string, path: string, body?: unknown) =>
    expectOk(parley.call(method, path, { body, headers }))
  const { space_id: home } = (await call('GET', '/me')).json
  return { id: json.user_id as string, home: home as string, call }
}
const cronAfter = (days: number) =>
  parley.worker.scheduled({
    cron: '*/5 * * * *',
    scheduledTime: new Date(Date.now() + days * DAY_MS),
  })
const isKnown = async (id: string) =>
  (await tenant.call('GET', `/v1/manage/users/${id}`)).status === 200
/** Visitors of whom nothing is known. */
const unseen = async () => {
  const { results } = await env.DB.prepare(
    "SELECT id FROM users WHERE source = 'anonymous' AND last_active_at = created_at",
  ).all<{ id: string }>()
  return results.map(({ id }) => id)
}

it('a visitor who left nothing is gone once no token leads back; whoever left anything stays', async () => {
  const silent = await comeAsVisitor()
  await silent.call('GET', `/me/spaces/${silent.home}/sessions`)
  await silent.call('GET', '/me/remembered')
  const writer = await comeAsVisitor()
  await writer.call('POST', '/v1/chat', { message: 'Hello', agent: 'desk' })
  const leaves: Record<string, [string, string, unknown]> = {
    reminder: ['POST', '/me/reminders', { text: 'Call Ada', due_at: 'PT2H' }],
    name: ['PATCH', '/me/profile', { pref_name: 'Wendy' }],
    space: ['POST', '/me/spaces', { name: 'Work' }],
  }
  const others = await Promise.all(
    Object.values(leaves).map(async ([method, path, body]) => {
      const visitor = await comeAsVisitor()
      await visitor.call(method, path, body)
      return visitor
    }),
  )
  const reader = await comeAsVisitor()
  const note = { title: 'Note', text: 'A line of mine.' }
  await reader.call('POST', `/me/spaces/${reader.home}/documents`, note)
  const staying = [writer, reader, ...others]

  await cronAfter(30)
  expect(await unseen()).toContain(silent.id)
  await cronAfter(32)
  // Each of them was looked at once and for all.
  await waitFor(async () => ((await unseen()).length === 0 ? true : null))
  expect(await isKnown(silent.id)).toBe(false)
  for (const table of ['users WHERE id', 'spaces WHERE user_id']) {
    const left = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} = ?`)
      .bind(silent.id)
      .first()
    expect(left).toEqual({ n: 0 })
  }
  expect(await env.FILES.head(`keys/${tenant.id}/${silent.id}`)).toBeNull()
  const object = env.USER_SPACE.idFromName(`${tenant.id}/${silent.id}/${silent.home}`)
  expect(await env.USER_SPACE.get(object).work('space', 'countRows', [])).toEqual({})
  for (const { id } of staying) expect(await isKnown(id)).toBe(true)
})

it('those who are due are found by an index', async () => {
  const { results } = await env.DB.prepare(
    `EXPLAIN QUERY PLAN SELECT tenant_id, id FROM users WHERE source = 'anonymous' AND last_active_at = created_at
     AND status = 'active' AND created_at < ? ORDER BY created_at LIMIT 100`,
  )
    .bind(Date.now())
    .all<{ detail: string }>()
  expect(results.map(({ detail }) => detail)).toEqual([
    'SEARCH users USING INDEX users_unseen (created_at<?)',
  ])
})
