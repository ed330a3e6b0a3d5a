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

  it('is taken up where it was, and begins anew where a space went into another one', async () => {
    const call = async (method: string, path: string, body?: unknown, more = {}) =>
      (await expectOk(tenant.as('ada', method, path, body, more))).json
    const { space_id: home } = await call('GET', '/me')
    const other = await addSpaceOf(tenant, 'ada', 'desk')
    await call('POST', '/v1/chat', { message: 'At home.', agent: 'desk' })
    const there = { 'x-space-id': other }
    await call('POST', '/v1/chat', { message: 'In the other space.', agent: 'desk' }, there)
    const { id } = await call('POST', '/me/exports')
    await server.killOnce('SELECT 1 FROM exports WHERE id = ? AND at IS NOT NULL', id)
    await server.start()

    // The other space was to be read after the one that it goes into.
    await call('POST', `/me/spaces/${other}/merge`, { target_space_id: home })
    await server.watch(2 * EXPORTS.stallMs)
    const done = await waitFor(async () => {
      const row = await call('GET', `/me/exports/${id}`)
      return row.status === 'running' ? null : row
    })
    expect(done.status).toBe('ready')
    const headers = { 'x-api-key': tenant.key, 'x-end-user': 'ada' }
    const answer = await fetch(new URL(`/me/exports/${id}/file`, server.parley.url), { headers })
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
