import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateSecret } from '../../scripts/rotate-secret.mjs'
import { changeVars, type Parley, SECRETS, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const NIGHTLY = '17 3 * * *'

/** The steps of docs/deploy.md, "Rotating secrets", each of them a deployment. */
describe('a master key that is rotated', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(() => parley.close())

  const jobsDone = (type: string) =>
    parley.server
      .getLogs()
      .map(({ message }) => message)
      .filter((line) => line.includes(`"type":"${type}"`))
      .map((line) => JSON.parse(line) as { event: string; message?: string })

  it('is not asked for by what a space does by itself, though nobody called it since', async () => {
    const body = { message: 'Hello there', agent: 'desk' }
    const { json: turn } = await expectOk(tenant.as('ada', 'POST', '/v1/chat', body))
    const { json: spaces } = await expectOk(tenant.as('ada', 'GET', '/me/spaces'))
    const { json: me } = await expectOk(tenant.as('ada', 'GET', '/me'))

    let master = SECRETS.MASTER_KEYS
    for (const step of ['add', 'promote', 'drop']) {
      master = rotateSecret(master, step)
      await changeVars(parley, { MASTER_KEYS: master })
      if (step === 'promote') await parley.worker.scheduled({ cron: NIGHTLY })
    }
    const { JOBS } = await parley.worker.getEnv()
    const address = { tenantId: tenant.id, userId: me.user_id, spaceId: spaces[0].id }
    await JOBS.send({ type: 'title.index', ...address, sessionId: turn.session_id })
    const [job] = await waitFor(async () => {
      const jobs = jobsDone('title.index')
      return jobs.length > 0 ? jobs : null
    })
    expect(job).toMatchObject({ event: 'job_done' })
    const again = { ...body, session_id: turn.session_id }
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', again))
  })
})
