import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { isEvent, openLive } from '../support/live-stream'
import {
  htmlText,
  type MailServer,
  plainText,
  startMailServer,
  subjectOf,
} from '../support/mail-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { publishedStoryline } from '../support/storylines'

const PASSWORD = 'a long enough secret'

describe('a reminder by mail', () => {
  let parley: Parley
  let mail: MailServer
  let tenant: SeededTenant
  beforeAll(async () => {
    mail = await startMailServer('none')
    parley = await startParley({
      EGRESS_ALLOW: mail.pair,
      LIMITS_REMINDER_LEAD_S: '0',
      LIMITS_CLAIM_S: '30',
    })
    tenant = await withMail({ name: 'Lantern Shop' })
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await mail.close()
  })

  async function withMail(fields: Record<string, unknown> = {}): Promise<SeededTenant> {
    const made = await seedTenant(parley, fields)
    await seedAgent(made, 'desk')
    const [host, port] = mail.pair.split(':')
    const smtp = {
      host,
      port: Number(port),
      user: '',
      from_addr: 'desk@shop.example',
      starttls: true,
    }
    await expectOk(made.call('PUT', '/v1/tenant/settings/smtp', smtp))
    return made
  }
  const mailsTo = (address: string) => mail.mails.filter(({ to }) => to.includes(address))

  /** An account; its address is confirmed by the link of its mail, unless told otherwise. */
  async function account(email: string, lang: string, isVerified = true, of = tenant) {
    const body = { tenant_id: of.id, email, password: PASSWORD, lang }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    const first = await waitFor(async () => mailsTo(email)[0] ?? null)
    if (isVerified) {
      const token = /#verify=([\w-]{43})/.exec(plainText(first))?.[1]
      await expectOk(parley.call('GET', `/auth/verify?token=${token}`))
    }
    return { authorization: `Bearer ${json.access_token}` }
  }
  const remind = (headers: Record<string, string>, text: string, ms = 300) =>
    expectOk(
      parley.call('POST', '/me/reminders', {
        headers,
        body: { text, due_at: new Date(Date.now() + ms).toISOString(), timezone: 'Europe/Paris' },
      }),
    )
  const statusOf = async (headers: Record<string, string>) =>
    (await parley.call('GET', '/me/reminders', { headers })).json.items[0].status as string
  const untilSent = (headers: Record<string, string>) =>
    waitFor(async () => ((await statusOf(headers)) === 'sent' ? true : null))

  it('comes a few times an hour; the others have failed, and say so', async () => {
    const headers = await account('often@post.example', 'en')
    await parley.server.change({ LIMITS_USER_MAILS: '' })
    const told = countJobs(parley, 'reminder.deliver')
    for (let n = 0; n < 22; n++) await remind(headers, `No. ${n}`, 3000)
    await told(22)
    const { json } = await parley.call('GET', '/me/reminders?limit=100', { headers })
    const failed = json.items.filter(({ status }: { status: string }) => status === 'failed')
    expect(failed).toHaveLength(2)
    expect(mailsTo('often@post.example')).toHaveLength(1 + 20)
    await parley.server.change({})
  })

  it('comes to a confirmed address while its user is away, in the user’s language, once', async () => {
    const headers = await account('ada@post.example', 'fr')
    const text = 'Appeler <b>Zoë</b>\nà midi'
    const delivered = countJobs(parley, 'reminder.deliver')
    await remind(headers, text)
    const sent = await waitFor(async () => mailsTo('ada@post.example')[1] ?? null)
    expect(subjectOf(sent)).toBe('Rappel de Lantern Shop')
    expect(subjectOf(sent)).not.toContain('Zoë')
    expect(plainText(sent).replaceAll('\r\n', '\n')).toMatch(
      /^Appeler <b>Zoë<\/b>\nà midi\n\nPrévu : .+ \(Europe\/Paris\)\n\nVous avez demandé ce rappel à Lantern Shop\./,
    )
    expect(htmlText(sent)).toContain('Appeler &lt;b&gt;Zoë&lt;/b&gt;')
    expect(sent.source).toMatch(/^Message-ID: <reminder-[0-9a-f-]{36}@shop\.example>/m)
    await delivered()
    expect(mailsTo('ada@post.example')).toHaveLength(2)
    expect(await statusOf(headers)).toBe('sent')
  })

  it('is what a storyline says at its time, too', async () => {
    const headers = await account('eve@post.example', 'en')
    const wait = {
      type: 'wait',
      until: 'now + duration("1s")',
      say: 'How did the lamp do?',
      exits: [{ id: 'due', to: 'over', on: 'due' }],
    }
    await publishedStoryline(parley, tenant, {
      key: 'later',
      name: 'Later',
      display_name: 'Later',
      description: '',
      agent_name: 'desk',
      user_visibility: 'title',
      entry: 'menu',
      enroll_trigger: 'manual',
      on_complete: 'return',
      allow_exit: true,
      show_profile: false,
      profile_schema: {},
      graph: {
        schema: 1,
        start: 'wait',
        nodes: { wait, over: { type: 'end', outcome: 'over' } },
      },
    })
    const body = { message: 'Later', agent: 'desk' }
    await expectOk(parley.call('POST', '/v1/chat', { headers, body }))
    const sent = await waitFor(async () => mailsTo('eve@post.example')[1] ?? null)
    expect(subjectOf(sent)).toBe('Message from Lantern Shop')
    expect(plainText(sent).replaceAll('\r\n', '\n').trimEnd()).toBe(
      'How did the lamp do?\n\nYou are talking with Lantern Shop. Open the chat to answer.',
    )
  })

  it('does not come while a stream is open, to an address that nobody confirmed, or without mail settings', async () => {
    const here = await account('here@post.example', 'en')
    const unconfirmed = await account('unsure@post.example', 'en', false)
    await parley.call('PATCH', '/me/profile', {
      headers: unconfirmed,
      body: { contact_email: 'other@post.example' },
    })
    const live = await openLive(parley.url, here)
    const delivered = countJobs(parley, 'reminder.deliver')
    await Promise.all([remind(here, 'Here'), remind(unconfirmed, 'Unsure')])
    await expectOk(
      tenant.as('proxy', 'POST', '/me/reminders', {
        text: 'Proxy',
        due_at: new Date(Date.now() + 300).toISOString(),
      }),
    )
    await live.next(isEvent('reminder'))
    for (const headers of [here, unconfirmed]) await untilSent(headers)
    await delivered(3)
    live.leave()
    expect(mailsTo('here@post.example')).toHaveLength(1)
    expect(mailsTo('unsure@post.example')).toHaveLength(1)
    expect(mailsTo('other@post.example')).toEqual([])

    const bare = await withMail()
    const gone = await account('bare@post.example', 'en', true, bare)
    await expectOk(
      bare.call('PUT', '/v1/tenant/settings/smtp', {
        host: '',
        port: 465,
        user: '',
        from_addr: '',
        starttls: false,
      }),
    )
    await remind(gone, 'Nobody told')
    await untilSent(gone)
    await delivered(4)
    expect(mailsTo('bare@post.example')).toHaveLength(1)
  })

  it('is tried again, and has failed in the end when the server keeps refusing', async () => {
    const headers = await account('late@post.example', 'en')
    const delivered = countJobs(parley, 'reminder.deliver')
    mail.refuseWith('try later', 451)
    await remind(headers, 'Late')
    await waitFor(async () =>
      parley.server.getLogs().some(({ message }) => /job_failed.*reminder\.deliver/u.test(message))
        ? true
        : null,
    )
    mail.refuseWith(null)
    await waitFor(async () => mailsTo('late@post.example')[1] ?? null)
    await untilSent(headers)

    mail.refuseWith('never')
    await remind(headers, 'Never')
    await waitFor(async () => ((await statusOf(headers)) === 'failed' ? true : null))
    mail.refuseWith(null)
    await delivered(2)
    expect(mailsTo('late@post.example')).toHaveLength(2)
  }, 60_000)
})
