import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const AHEAD_MS = 5 * 60_000
const SECRET = 'The vault opens at noon.'

describe('deleting a user', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(() => server.dispose())

  /** A user with something of each kind. */
  const settle = async (name: string) => {
    const { user_id: id, space_id: home } = (await expectOk(tenant.as(name, 'GET', '/me'))).json
    const body = { message: SECRET, agent: 'desk', images: [PIXEL] }
    const talk = (await expectOk(tenant.as(name, 'POST', '/v1/chat', body))).json
    await expectOk(tenant.as(name, 'PATCH', '/me/profile', { pref_name: 'Ada' }))
    await expectOk(tenant.as(name, 'POST', '/me/reminders', { text: SECRET, due_at: 'PT1H' }))
    const note = { title: 'Note', text: SECRET }
    await expectOk(tenant.as(name, 'POST', `/me/spaces/${home}/documents`, note))
    return { id, home, session: talk.session_id as string }
  }
  const remove = (id: string) => tenant.call('DELETE', `/v1/manage/users/${id}`)
  const receipts = async (id: string) => {
    const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=user_data'))
    return json.items.filter((entry: { entity_id: string }) => entry.entity_id === id)
  }
  const readAll = (user: { id: string; home: string; session: string }) =>
    Promise.all(
      [
        `/v1/manage/users/${user.id}`,
        `/v1/manage/users/${user.id}/sessions`,
        `/v1/manage/users/${user.id}/documents`,
        `/v1/manage/sessions/${user.session}/messages`,
        `/v1/manage/sessions/${user.session}/attachments`,
        `/v1/manage/spaces/${user.home}/sessions`,
        `/v1/manage/spaces/${user.home}/memories`,
        `/v1/manage/spaces/${user.home}/profiles`,
        `/v1/manage/spaces/${user.home}/documents`,
      ].map((path) => tenant.call('GET', path)),
    )

  it.each([0, 2, 5, 9, 14, 20, 30, 60])(
    'killed %i ms after the call: the user is whole, or goes for good with one receipt',
    async (delayMs) => {
      const user = await settle(`user-${delayMs}`)
      const call = remove(user.id).then(
        ({ status }) => status,
        () => null,
      )
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      const told = await call
      await server.start()
      const { status } = await tenant.call('GET', `/v1/manage/users/${user.id}`)
      expect([200, 404]).toContain(status)
      // Whoever was told that it is done finds it done.
      if (told === 204) expect(status).toBe(404)
      if (status === 200) {
        const messages = await tenant.call('GET', `/v1/manage/sessions/${user.session}/messages`)
        expect(messages.json.items[0].content).toBe(SECRET)
      }
      expect([204, 404]).toContain((await remove(user.id)).status)
      for (const { status, text } of await readAll(user)) {
        expect(status).toBe(404)
        expect(text).not.toContain('vault')
      }
      await server.watch(AHEAD_MS)
      await waitFor(async () => ((await receipts(user.id)).length > 0 ? true : null))
      await server.watch(AHEAD_MS)
      const [receipt, ...more] = await receipts(user.id)
      expect(more).toEqual([])
      expect(receipt.after).toEqual({ key_destroyed: true, left: 0 })
    },
  )

  it('leaves nothing that a restored database of before could show', async () => {
    const gone = await settle('gone')
    const kept = await settle('kept')
    await server.kill()
    const restore = server.backUp()
    await server.start()
    expect((await remove(gone.id)).status).toBe(204)
    await waitFor(async () => ((await receipts(gone.id)).length > 0 ? true : null))
    await server.kill()
    restore()
    await server.start()
    // The rows are back: another user's are whole, and the trail knows of no deletion.
    expect(await receipts(gone.id)).toEqual([])
    const theirs = await readAll(kept)
    expect(theirs.map(({ status }) => status)).toEqual(theirs.map(() => 200))
    expect(theirs[3]?.json.items[0].content).toBe(SECRET)
    expect(server.stored().includes(gone.session)).toBe(true)
    for (const { status, text } of await readAll(gone)) {
      expect(status).toBe(404)
      expect(text).not.toMatch(/vault|Ada/)
    }
    for (const path of ['/me/profile', `/me/sessions/${gone.session}/messages`, '/me/spaces']) {
      const answer = await tenant.as('gone', 'GET', path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.text).not.toMatch(/vault|Ada/)
    }
    const names = await expectOk(tenant.call('GET', `/v1/manage/users?q=gone`))
    expect(names.json.items).toMatchObject([{ id: gone.id, pref_name: null, email: null }])
    expect(server.stored().includes('vault opens')).toBe(false)
  })
})
