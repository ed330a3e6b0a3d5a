import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { type MailServer, plainText, startMailServer, subjectOf } from '../support/mail-server'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'

describe('another e-mail address', { timeout: 60_000 }, () => {
  let parley: Parley
  let mail: MailServer
  let tenant: SeededTenant
  beforeAll(async () => {
    mail = await startMailServer('none')
    const vars = { EGRESS_ALLOW: mail.pair, PUBLIC_BASE: 'https://chat.example' }
    parley = await startParley({ ...vars, LIMITS_RESEND: '3' })
    tenant = await seedTenant(parley, { name: 'Acme' })
    const [host, port] = mail.pair.split(':')
    const smtp = { host, port: Number(port), user: '', from_addr: 'a@acme.example', starttls: true }
    await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtp))
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await mail.close()
  })

  async function register(email: string) {
    const body = { tenant_id: tenant.id, email, password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    return json.access_token as string
  }
  const change = (token: string, email: string, password = PASSWORD) =>
    parley.call('POST', '/me/email', {
      body: { email, password },
      headers: { authorization: `Bearer ${token}` },
    })
  const logIn = async (email: string) => {
    const body = { tenant_id: tenant.id, email, password: PASSWORD }
    return (await parley.call('POST', '/auth/login', { body })).status
  }
  const mailTo = (email: string, subject: RegExp) =>
    waitFor(
      async () =>
        mail.mails.find((one) => one.to.includes(email) && subject.test(subjectOf(one))) ?? null,
    )
  const NEW = /^Confirm your new e-mail address for Acme$/
  const OLD = /^Your e-mail address for Acme is about to change$/
  const linkTo = async (email: string) => {
    const text = plainText(await mailTo(email, NEW))
    return /https:\/\/chat\.example\/login\/[^#]+#verify=(\S+)/.exec(text)?.[1] ?? ''
  }
  const open = (token: string) => parley.call('GET', `/auth/verify?token=${token}`)

  it('is asked for also where the old one takes no mail any more', async () => {
    const token = await register('eve@old.example')
    mail.refuseWith('no such mailbox', 550, (address) => address.endsWith('@old.example'))
    await expectOk(change(token, 'eve@new.example'))
    await mailTo('eve@new.example', NEW)
    mail.refuseWith(null)
  })

  it('takes the place of the old one once its link is opened, and the old one is told', async () => {
    const token = await register('ada@old.example')
    await expectOk(change(token, 'ada@new.example'))
    await mailTo('ada@old.example', OLD)
    const link = await linkTo('ada@new.example')
    expect([await logIn('ada@old.example'), await logIn('ada@new.example')]).toEqual([200, 401])

    await expectOk(open(link))
    expect([await logIn('ada@old.example'), await logIn('ada@new.example')]).toEqual([401, 200])
    expect((await open(link)).status).toBe(400)
    const { json: users } = await expectOk(tenant.call('GET', '/v1/manage/users'))
    expect(users.items[0].email).toBe('ada@new.example')
    expect(JSON.stringify(mail.mails.at(-1))).not.toContain(PASSWORD)
  })

  it('ends links that the old one was sent', async () => {
    const token = await register('bob@old.example')
    const body = { tenant_id: tenant.id, email: 'bob@old.example' }
    await expectOk(parley.call('POST', '/auth/forgot-password', { body }))
    const reset = plainText(await mailTo('bob@old.example', /^Set a new password/))
    const [, ofOld = ''] = /#reset=(\S+)/.exec(reset) ?? []
    await expectOk(change(token, 'bob@new.example'))
    await expectOk(open(await linkTo('bob@new.example')))
    const stolen = { token: ofOld, new_password: 'somebody else has it' }
    expect((await parley.call('POST', '/auth/reset-password', { body: stolen })).status).toBe(400)
    expect(await logIn('bob@new.example')).toBe(200)
  })

  it('is not taken any more once a new password was set, as the old one is told to do', async () => {
    const fresh = 'nobody else knows this'
    const ways = {
      reset: async (email: string) => {
        const body = { tenant_id: tenant.id, email }
        await expectOk(parley.call('POST', '/auth/forgot-password', { body }))
        const told = plainText(await mailTo(email, /^Set a new password/))
        const [, link = ''] = /#reset=(\S+)/.exec(told) ?? []
        const asked = { token: link, new_password: fresh }
        await expectOk(parley.call('POST', '/auth/reset-password', { body: asked }))
      },
      own: async (_: string, token: string) => {
        const body = { current_password: PASSWORD, new_password: fresh }
        const headers = { authorization: `Bearer ${token}` }
        await expectOk(parley.call('POST', '/me/password', { body, headers }))
      },
      tenant: async (email: string) => {
        const { json } = await expectOk(tenant.call('GET', `/v1/manage/users?q=${email}`))
        const at = `/v1/manage/users/${json.items[0].id}/password`
        await expectOk(tenant.call('POST', at, { new_password: fresh }))
      },
    }
    for (const [name, set] of Object.entries(ways)) {
      const [email, thief] = [`${name}@old.example`, `${name}@thief.example`]
      const token = await register(email)
      const own = plainText(await mailTo(email, /^Confirm/))
      await open(/#verify=(\S+)/.exec(own)?.[1] ?? '')
      await expectOk(change(token, thief))
      const link = await linkTo(thief)
      await set(email, token)
      expect((await open(link)).status, name).toBe(400)
      const body = { tenant_id: tenant.id, email, password: fresh }
      expect((await parley.call('POST', '/auth/login', { body })).status, name).toBe(200)
    }
  })

  it('is answered alike whether somebody has it or not, and is mailed to nobody who has', async () => {
    const looked = countJobs(parley, 'account.mail')
    const [carol, gus] = [await register('carol@old.example'), await register('gus@old.example')]
    await register('dave@old.example')
    const taken = await change(carol, 'dave@old.example')
    const free = await change(gus, 'gus@free.example')
    expect([taken.status, taken.text]).toEqual([200, free.text])
    await mailTo('gus@free.example', NEW)
    // Whoever has the address is not told, so that the log alone says that it was looked at.
    await looked(5)
    const told = mail.mails.filter((one) => one.to.includes('dave@old.example')).map(subjectOf)
    expect(told.filter((subject) => NEW.test(subject))).toEqual([])
  })

  it('goes to whoever opened a link first', async () => {
    const [one, other] = [await register('erin@old.example'), await register('frank@old.example')]
    await expectOk(change(one, 'shared@new.example'))
    const first = await linkTo('shared@new.example')
    await expectOk(change(other, 'shared@new.example'))
    const later = await waitFor(async () => {
      const all = mail.mails.filter((sent) => sent.to.includes('shared@new.example'))
      const [, second] = all
      return second ? (/#verify=(\S+)/.exec(plainText(second))?.[1] ?? null) : null
    })
    await expectOk(open(later))
    expect((await open(first)).status).toBe(400)
    expect(await logIn('erin@old.example')).toBe(200)
  })

  it('needs the password, and there has to be one', async () => {
    const token = await register('grace@old.example')
    const wrong = await change(token, 'grace@new.example', 'not it')
    expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ['body', 'password']])
    const bad = await change(token, 'nowhere')
    expect([bad.status, bad.json.detail[0].loc]).toEqual([422, ['body', 'email']])
    const body = { email: 'x@new.example', password: PASSWORD }
    const vouched = await tenant.as('vouched', 'POST', '/me/email', body)
    expect([vouched.status, vouched.json]).toEqual([404, { detail: 'Password not found' }])
  })

  it('is asked for a few times an hour', async () => {
    const token = await register('heidi@old.example')
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await change(token, 'heidi@new.example')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('goes to few strangers: five an hour by one account, and from one place', async () => {
    const strict = await startParley({ LIMITS_OWN_EMAIL: '' })
    const own = await seedTenant(strict)
    const account = async (name: string) => {
      const body = { tenant_id: own.id, email: `${name}@old.example`, password: PASSWORD }
      const { json } = await expectOk(strict.call('POST', '/auth/register', { body }))
      return (stranger: string, from: string) =>
        strict.call('POST', '/me/email', {
          body: { email: `${stranger}@victims.example`, password: PASSWORD },
          headers: { authorization: `Bearer ${json.access_token}`, 'CF-Connecting-IP': from },
        })
    }
    const mail = async (send: Awaited<ReturnType<typeof account>>, from: (n: number) => string) => {
      const statuses: number[] = []
      for (let n = 0; n < 6; n++) statuses.push((await send(`v${n}`, from(n))).status)
      return statuses
    }
    const [ivan, judy] = [await account('ivan'), await account('judy')]
    const FIVE = [200, 200, 200, 200, 200, 429]
    expect(await mail(ivan, (n) => `198.51.100.${n}`)).toEqual(FIVE)
    expect(await mail(judy, () => '203.0.113.7')).toEqual(FIVE)
    const kim = await account('kim')
    expect((await kim('v0', '203.0.113.7')).status).toBe(429)
    expect((await kim('v0', '203.0.113.8')).status).toBe(200)
    await strict.close()
  })
})
