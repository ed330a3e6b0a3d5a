import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateSecret } from '../../scripts/rotate-secret.mjs'
import { changeVars, type Parley, SECRETS, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const NIGHTLY = '17 3 * * *'

/** Rule FE4: after a rotation, the old key dropped, everything sealed before it opens. */
describe('a rotation of MASTER_KEYS', { timeout: 90_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  let earlier: SeededTenant
  let ring = SECRETS.MASTER_KEYS
  beforeAll(async () => {
    parley = await startParley({ LIMITS_REMINDER_LEAD_S: '0' })
    earlier = await seedTenant(parley)
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  }, 60_000)
  afterAll(() => parley.close())

  const rowOf = async (id: string) => {
    for (const object of await parley.worker.listDurableObjectIds('USER_SPACE')) {
      const storage = await parley.worker.getDurableObjectStorage('USER_SPACE', { id: object })
      const [row] = (await storage.exec('SELECT status FROM reminders WHERE id = ?', id)) as {
        status: string
      }[]
      if (row) return row
    }
    throw new Error('No object has the reminder')
  }

  async function rotate() {
    for (const step of ['add', 'promote', 'drop']) {
      ring = rotateSecret(ring, step)
      await changeVars(parley, { MASTER_KEYS: ring })
      await parley.worker.scheduled({ cron: NIGHTLY, scheduledTime: new Date() })
    }
  }

  it('leaves a reminder its user, who did not come meanwhile', async () => {
    const body = { text: 'Water the ferns', due_at: 'PT20S' }
    const { json: reminder } = await expectOk(tenant.as('ada', 'POST', '/me/reminders', body))
    await rotate()
    const row = await waitFor(async () => {
      const found = await rowOf(reminder.id)
      return found.status === 'pending' ? null : found
    }, 40_000)
    expect(row.status).toBe('sent')
  })

  it('goes on behind a tenant whose key does not open', async () => {
    const body = { message: 'Hello', agent: 'desk' }
    const { json: turn } = await expectOk(tenant.as('bob', 'POST', '/v1/chat', body))
    const { DB } = await parley.worker.getEnv()
    const damaged = "UPDATE tenants SET wrapped_key = wrapped_key || 'AAAA' WHERE id = ?"
    await DB.prepare(damaged).bind(earlier.id).run()
    await rotate()
    const path = `/me/sessions/${turn.session_id}/messages`
    const { json: messages } = await expectOk(tenant.as('bob', 'GET', path))
    expect(messages[0].content).toBe('Hello')
  })

  it('is not asked for by a job of a space that nobody called since', async () => {
    const body = { message: 'Hello there', agent: 'desk' }
    const { json: turn } = await expectOk(tenant.as('bea', 'POST', '/v1/chat', body))
    const { json: spaces } = await expectOk(tenant.as('bea', 'GET', '/me/spaces'))
    const { json: me } = await expectOk(tenant.as('bea', 'GET', '/me'))
    await rotate()
    const { JOBS } = await parley.worker.getEnv()
    const address = { tenantId: tenant.id, userId: me.user_id, spaceId: spaces[0].id }
    await JOBS.send({ type: 'title.index', ...address, sessionId: turn.session_id })
    const [job] = await waitFor(async () => {
      const jobs = parley.server
        .getLogs()
        .map(({ message }) => message)
        .filter((line) => line.includes('"type":"title.index"'))
        .map((line) => JSON.parse(line) as { event: string })
      return jobs.length > 0 ? jobs : null
    })
    expect(job).toMatchObject({ event: 'job_done' })
    await expectOk(tenant.as('bea', 'POST', '/v1/chat', { ...body, session_id: turn.session_id }))
  })
})
