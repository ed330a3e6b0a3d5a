import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORTS } from '../../src/config/limits'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { addSpaceOf } from '../support/space-content'

describe('an export whose worker is killed', { timeout: 120_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley)
    await seedAgent(tenant, 'desk')
  }, 60_000)
  afterAll(() => server.dispose())

  const call = async (user: string, method: string, path: string, body?: unknown, more = {}) =>
    (await expectOk(tenant.as(user, method, path, body, more))).json

  async function somebody(user: string) {
    const { user_id, space_id: home } = await call(user, 'GET', '/me')
    const other = await addSpaceOf(tenant, user, 'desk')
    await call(user, 'POST', '/v1/chat', { message: 'At home.', agent: 'desk' })
    const there = { 'x-space-id': other }
    const said = { message: 'In the other space.', agent: 'desk' }
    await call(user, 'POST', '/v1/chat', said, there)
    return { userId: user_id as string, home: home as string, other: other as string }
  }
  /** As it is on disk. */
  function leftOf(userId: string) {
    let left: Record<string, unknown> | undefined
    server.databases((database) => {
      const known = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'exports'").get()
      if (known)
        left = database.prepare('SELECT id, status FROM exports WHERE user_id = ?').get(userId)
    })
    return left
  }

  it('is taken up where it was, and begins anew where a space went into another one', async () => {
    let user = ''
    let person = { userId: '', home: '', other: '' }
    let left: Record<string, unknown> | undefined
    // Where it was done already, the kill came too late to show anything.
    for (let n = 0; left?.status !== 'running'; n++) {
      user = `ada-${n}`
      person = await somebody(user)
      const begun = call(user, 'POST', '/me/exports').catch(() => null)
      await server.killOnce(
        "SELECT 1 FROM exports WHERE user_id = ? AND parts <> '[]'",
        person.userId,
      )
      await begun
      left = leftOf(person.userId)
      await server.start()
    }

    // The other space was to be read after the one that it goes into.
    const into = { target_space_id: person.home }
    await expectOk(tenant.as(user, 'POST', `/me/spaces/${person.other}/merge`, into))
    await server.watch(2 * EXPORTS.stallMs)
    const done = await waitFor(async () => {
      const row = await call(user, 'GET', `/me/exports/${left?.id}`)
      return row.status === 'running' ? null : row
    })
    expect(done.status).toBe('ready')
    const headers = { 'x-api-key': tenant.key, 'x-end-user': user }
    const path = `/me/exports/${left?.id}/file`
    const answer = await fetch(new URL(path, server.parley.url), { headers })
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    const said = Object.entries(files)
      .filter(([name]) => name.includes('/messages-'))
      .flatMap(([, bytes]) => JSON.parse(new TextDecoder().decode(bytes)))
      .filter(({ role }) => role === 'user')
    expect(said.map(({ content }) => content).toSorted()).toEqual([
      'At home.',
      'In the other space.',
    ])
    expect(Object.keys(files).filter((name) => name === 'account.json')).toHaveLength(1)
  })
})
