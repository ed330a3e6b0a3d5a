import { describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { expectOk, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'

/** Registers at a tenant without mail settings. @returns the line that the mail job logs. */
async function registerWithoutMail(parley: Parley): Promise<string> {
  const tenant = await seedTenant(parley)
  const body = { tenant_id: tenant.id, email: 'ada@people.example', password: PASSWORD }
  await expectOk(parley.call('POST', '/auth/register', { body }))
  return waitFor(async () => {
    const lines = parley.server.getLogs().map(({ message }) => message)
    return lines.find((line) => line.includes('"component":"mail"')) ?? null
  })
}

describe('a tenant without mail settings', () => {
  it('a local run logs the link, which leads to where it runs and works', async () => {
    const parley = await startParley({ LOCAL_ORIGIN: 'http://127.0.0.1:8799' })
    try {
      const line = JSON.parse(await registerWithoutMail(parley))
      expect(line).toMatchObject({ event: 'mail_not_sent', purpose: 'verify' })
      const [, token] =
        /^http:\/\/127\.0\.0\.1:8799\/login\/[\w-]+#verify=([\w-]{43})$/.exec(line.link) ?? []
      await expectOk(parley.call('GET', `/auth/verify?token=${token}`))
    } finally {
      await parley.close()
    }
  })

  it('in production the log never holds a link, and no sign-in starts from a Host header', async () => {
    const parley = await startParley({
      ENVIRONMENT: 'production',
      PUBLIC_BASE: 'https://chat.example',
    })
    const unnamed = await startParley({ ENVIRONMENT: 'production' })
    try {
      expect(JSON.parse(await registerWithoutMail(parley))).toMatchObject({
        event: 'no_mail_settings',
      })
      const { DB } = await parley.worker.getEnv()
      expect((await DB.prepare('SELECT * FROM one_time_tokens').all()).results).toEqual([])

      expect(JSON.parse(await registerWithoutMail(unnamed))).toMatchObject({
        event: 'no_public_base',
      })
      const tenant = await seedTenant(unnamed)
      await expectOk(
        tenant.call('PUT', '/v1/tenant/oauth/google', { client_id: 'a', client_secret: 'b' }),
      )
      const start = await unnamed.call('GET', `/auth/oauth/google/start?tenant_id=${tenant.id}`)
      expect([start.status, start.json]).toEqual([503, { detail: 'Service unavailable' }])
      for (const { message } of [...parley.server.getLogs(), ...unnamed.server.getLogs()]) {
        expect(message).not.toMatch(/#verify=|ada@people/)
      }
    } finally {
      await Promise.all([parley.close(), unnamed.close()])
    }
  })
})
