import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { PIXEL, PIXEL_BASE64 } from '../support/image-bytes'
import { countJobs } from '../support/jobs-done'
import { type Killable, startKillable } from '../support/killable'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

/**
 * Rule FE6: what people say and what they are called, and every secret, is nowhere on disk as it is. Everything that the
 * Worker stores (D1, objects, queues, files) is searched as bytes.
 */
/** What is to be done for all that is written here. */
const JOBS = [
  ['turn.after', 2],
  ['message.relearn', 1],
  ['message.review', 1],
  ['space-document.ingest', 1],
  ['account.mail', 2],
] as const

describe('at rest', { timeout: 120_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  const secrets = new Map<string, string>()
  const hide = (what: string, text: string): string => {
    secrets.set(what, text)
    return text
  }

  beforeAll(async () => {
    server = await startKillable()
    const parley = server.parley as Parley
    tenant = await seedTenant(parley)
    hide('API key', tenant.key)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    const jobs = JOBS.map(([type, times]) => ({ done: countJobs(server, type), times }))
    await liveRichly()
    await liveWithAccount()
    await configure()
    // Titles, memories and documents are written by jobs.
    await waitFor(async () => {
      const { json } = await ada('GET', '/me/remembered')
      return json[0]?.content ? true : null
    })
    for (const { done, times } of jobs) await done(times)
  }, 120_000)
  afterAll(() => server.dispose())

  const ada = (method: string, path: string, body?: unknown, headers = {}) =>
    expectOk(tenant.as('ada', method, path, body, headers))

  async function liveRichly() {
    const { json: me } = await ada('GET', '/me')
    const said = hide('message', 'My parrot Zebulonius learnt to whistle mazurkas')
    const { json: turn } = await ada(
      'POST',
      '/v1/chat',
      {
        message: `${said}. When are refunds paid?`,
        images: [PIXEL],
      },
      { 'idempotency-key': hide('idempotency key', 'idem-quixotic-77') },
    )
    hide('attachment', Buffer.from(PIXEL_BASE64, 'base64').subarray(16, 60).toString('latin1'))
    await ada('POST', '/v1/chat', {
      message: `My name is ${hide('remembered name', 'Wilhelmina Quartzbottom')} and I live in ${hide('remembered place', 'Llanfairpwll')}.`,
      session_id: turn.session_id,
    })
    const { json: sessions } = await ada('GET', `/me/sessions/${turn.session_id}/messages`)
    await ada('PATCH', `/me/sessions/${turn.session_id}`, {
      title: hide('title', 'Mazurka lessons of Tuesday'),
    })
    await ada('PATCH', `/me/sessions/${turn.session_id}/messages/${sessions[0].id}`, {
      content: hide('edited message', 'Rather a polonaise by Grzybowicz'),
    })
    await ada('POST', `/v1/messages/${turn.message_id}/feedback`, {
      value: 'down',
      comment: hide('comment', 'dreadfully Procrustean answer'),
    })
    await ada('POST', `/me/sessions/${turn.session_id}/messages/${sessions[0].id}/branch`)
    await ada('PATCH', '/me/profile', {
      pref_name: hide('name', 'Wilma Xylographer'),
      contact_email: hide('contact e-mail', 'wilma.secret@xylo.example'),
      contact_phone: hide('phone', '+4915198765432'),
    })
    await ada('POST', '/me/reminders', {
      text: hide('reminder', 'Feed the Zebulonius birdseed'),
      due_at: 'PT2H',
    })
    await ada(
      'POST',
      `/me/spaces/${me.space_id}/documents`,
      {
        title: hide('document title', 'Testament of Aunt Philippa'),
        text: `The ${hide('document text', 'chalcedony brooch')} goes to the gardener.`,
      },
      { 'idempotency-key': 'document' },
    )
  }

  async function liveWithAccount() {
    const call = server.parley.call
    const credentials = {
      tenant_id: tenant.id,
      email: hide('e-mail', 'nobody.knows@quark.example'),
      password: hide('password', 'correct horse Zymurgy 42'),
    }
    const { json } = await expectOk(
      call('POST', '/auth/register', {
        body: { ...credentials, pref_name: hide('registered name', 'Ozymandias Fenwick') },
      }),
    )
    hide('user token', json.access_token)
    hide('token signature', json.access_token.split('.')[2])
    const body = { tenant_id: tenant.id, email: credentials.email }
    await expectOk(call('POST', '/auth/forgot-password', { body }))
  }

  async function configure() {
    const put = (path: string, body: unknown) => expectOk(tenant.call('PUT', path, body))
    await put('/v1/tenant/oauth/github', {
      client_id: 'public-id',
      client_secret: hide('client secret', 'gh-secret-pumpernickel'),
    })
    const { json } = await expectOk(
      tenant.call('POST', '/v1/tenant/keys', { name: 'spare' }, { 'idempotency-key': 'k' }),
    )
    hide('second API key', json.api_key)
  }

  it('no word of a person and no secret is on disk', async () => {
    await server.kill()
    const stored = server.stored()
    expect(stored.length).toBeGreaterThan(100_000)
    // The search finds what is there: the tenant's own knowledge and names are stored as they are.
    expect(stored.includes('five working days')).toBe(true)
    const found = [...secrets].flatMap(([what, text]) =>
      ['latin1', 'utf8', 'utf16le'].some((encoding) =>
        stored.includes(Buffer.from(text, encoding as BufferEncoding)),
      ) || stored.includes(Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -2))
        ? [what]
        : [],
    )
    expect(secrets.size).toBeGreaterThan(18)
    expect(found).toEqual([])
  })
})
