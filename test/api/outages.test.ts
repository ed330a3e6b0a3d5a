import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { REVIEWS } from '../../src/config/limits'
import type { Fault } from '../fakes/failing'
import { failingCalls } from '../support/failing-calls'
import { type Parley, startParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'

const ALWAYS = 1000
const QUESTION = 'When are refunds paid?'
const TEXTS = '/v1/knowledge-bases/shop/documents/text'
const UNAVAILABLE = { detail: 'Service unavailable' }

describe('while the platform fails', () => {
  let parley: Parley
  let tenant: SeededTenant
  let calls: ReturnType<typeof failingCalls>
  let telegram: TelegramServer
  beforeAll(async () => {
    telegram = await startTelegram()
    const peers = { TELEGRAM_URL: telegram.url, EGRESS_ALLOW: telegram.pair }
    parley = await startParley(peers, { failing: true })
    calls = failingCalls(parley)
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'shop', { Refunds: 'Refunds are paid within 14 days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['shop'], grounding_required: true })
  }, 60_000)
  afterEach(() => calls.fail(null))
  afterAll(async () => {
    await parley.close()
    await telegram.close()
  })

  const ask = (message: string, user = 'ann') =>
    tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk' })

  it.each([
    ['D1', 'call DB', 'PATCH', '/v1/tenant/settings', { name: 'Another' }],
    ['R2', 'FILES put keys', 'GET', '/me', undefined],
    ['an object', 'USER_SPACE completeTurn', 'POST', '/v1/chat', { message: 'Hello' }],
    ['an object’s object', 'TENANT_METER admit', 'POST', '/v1/chat', { message: 'Hello' }],
    ['a queue', 'INGEST send', 'POST', TEXTS, { title: 'Hours', text: 'We open at nine.' }, 3],
    ['D1 under a new user', 'DB batch insert into "users"', 'GET', '/me', undefined],
  ])(
    '%s is told as 503 with when to come back, and then it works',
    async (_, only, method, path, body, times = 1) => {
      const call = () => tenant.as(`user-of-${only.replaceAll(/\W+/g, '-')}`, method, path, body)
      await calls.fail({ at: 1, only, times })
      const refused = await call()
      expect([refused.status, refused.json]).toEqual([503, UNAVAILABLE])
      expect(refused.headers.get('retry-after')).toBe('2')
      expect((await call()).status).toBeLessThan(300)
    },
  )

  it('clients of OpenAI’s protocol are told in its form', async () => {
    await calls.fail({ at: 1, only: 'USER_SPACE' })
    const body = { model: 'desk', messages: [{ role: 'user', content: QUESTION }] }
    const { status, json } = await tenant.as('ann', 'POST', '/v1/chat/completions', body)
    expect([status, json.error.type]).toEqual([503, 'server_error'])
  })

  it('an Idempotency-Key whose claim was not confirmed can be used again at once', async () => {
    const make = () =>
      tenant.call('POST', '/v1/skills/bow', {}, { 'idempotency-key': 'not confirmed' })
    await calls.fail({ at: 1, only: 'DB batch delete from "idempotency"', how: 'lost' })
    expect((await make()).status).toBe(503)
    expect((await make()).status).toBe(200)
  })

  it('a refusal stays what it is where its Idempotency-Key cannot be given up', async () => {
    await expectOk(tenant.call('POST', '/v1/skills/nod', {}))
    await calls.fail({ at: 1, only: 'DB delete from "idempotency"' })
    const again = await tenant.call('POST', '/v1/skills/nod', {}, { 'idempotency-key': 'nod' })
    expect([again.status, again.json]).toEqual([409, { detail: 'Skill already exists' }])
  })

  it('a base that cannot be asked is told as that, not as one that holds nothing', async () => {
    await calls.fail({ at: 1, only: 'KNOWLEDGE_BASE search', times: ALWAYS })
    const failed = (await expectOk(ask(QUESTION))).json
    expect(failed).toMatchObject({
      reply: 'My sources cannot be searched right now. Please try again in a moment.',
      finish_reason: 'error',
      sources: [],
    })
    await calls.settled()
    expect((await tenant.call('GET', '/v1/manage/reviews')).json).toEqual([])
    await calls.fail(null)
    expect((await expectOk(ask(QUESTION))).json.finish_reason).toBe('stop')
  })

  it('one of several bases that cannot be asked keeps no other one from answering', async () => {
    const { id } = (await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'empty' })))
      .json
    const knowledge_bases = ['shop', 'empty']
    await seedAgent(tenant, 'both', { knowledge_bases, grounding_required: true })
    const both = async (message: string) =>
      (await expectOk(tenant.as('bob', 'POST', '/v1/chat', { message, agent: 'both' }))).json
    await calls.fail({ at: 1, only: `search ${tenant.id}/${id}`, times: ALWAYS })
    expect((await both(QUESTION)).finish_reason).toBe('stop')
    expect((await both('Do you lend umbrellas to visitors?')).finish_reason).toBe('error')
  })

  it('an agent that is not bound to its bases says so too, where its model knows nothing else', async () => {
    await seedAgent(tenant, 'free', { knowledge_bases: ['shop'] })
    await calls.fail({ at: 1, only: 'KNOWLEDGE_BASE search', times: ALWAYS })
    const body = { message: QUESTION, agent: 'free' }
    const { json } = await expectOk(tenant.as('eve', 'POST', '/v1/chat', body))
    expect(json).toMatchObject({ reply: expect.stringContaining('cannot be searched right now') })
  })

  describe('what is deleted', () => {
    const found = async (base: string) =>
      (await expectOk(tenant.call('POST', `/v1/knowledge-bases/${base}/search`, { query: 'bell' })))
        .json.hits.length
    const withDocument = async (base: string): Promise<string> => {
      await seedBase(tenant, base, { Bell: 'The bell is rung at noon.' })
      const { json } = await expectOk(tenant.call('GET', `/v1/knowledge-bases/${base}/documents`))
      return `/v1/knowledge-bases/${base}/documents/${json.items[0].id}`
    }
    const nothingLeft = async (base: string) => {
      const { FILES } = await parley.worker.getEnv()
      await waitFor(async () => {
        const { objects } = await FILES.list({ prefix: `bases/${tenant.id}/${base}/` })
        return objects.length === 0 ? true : null
      })
    }
    const idOf = async (base: string): Promise<string> =>
      (await expectOk(tenant.call('GET', `/v1/knowledge-bases/${base}`))).json.id

    it.each([
      ['no queue takes the job at once', { at: 2, only: 'JOBS send', times: 3 }, 204],
      [
        'its write is not confirmed',
        { at: 1, only: 'DB batch insert into "audit"', how: 'lost' },
        503,
      ],
    ] as const)('is not found any more, and its files go, where %s', async (why, fault, status) => {
      const base = why.replaceAll(' ', '-')
      const document = await withDocument(base)
      const id = await idOf(base)
      await calls.fail(fault)
      expect((await tenant.call('DELETE', document)).status).toBe(status)
      await nothingLeft(id)
      expect(await found(base)).toBe(0)

      await withDocument(`${base}-2`)
      const other = await idOf(`${base}-2`)
      await calls.fail(fault)
      expect((await tenant.call('DELETE', `/v1/knowledge-bases/${base}-2`)).status).toBe(status)
      await nothingLeft(other)
    })

    it('stays where the write failed, whatever was to come after it', async () => {
      const document = await withDocument('kept')
      await calls.fail({ at: 1, only: 'DB batch insert into "audit"' })
      expect((await tenant.call('DELETE', document)).status).toBe(503)
      await waitFor(async () =>
        (await calls.settled()).some((call) => call.startsWith('job DB')) ? true : null,
      )
      expect([(await tenant.call('GET', document)).status, await found('kept')]).toEqual([200, 1])
    })
  })

  it('a document of a space that no queue takes is kept once', async () => {
    const { json: spaces } = await expectOk(tenant.as('kim', 'GET', '/me/spaces'))
    const path = `/me/spaces/${spaces[0].id}/documents`
    const form = new FormData()
    form.set('file', new File(['The bell is rung at noon.'], 'bell.md', { type: 'text/markdown' }))
    await calls.fail({ at: 1, only: 'INGEST send', times: 3 })
    expect((await tenant.as('kim', 'POST', path, form)).status).toBe(201)
    expect((await expectOk(tenant.as('kim', 'GET', path))).json.items).toHaveLength(1)
  })

  describe('a review', () => {
    const reviewOf = async (question: string): Promise<string> => {
      await expectOk(ask(question))
      return waitFor(async () => {
        const { json } = await expectOk(tenant.call('GET', '/v1/manage/reviews'))
        return json.find((one: { question: string }) => one.question === question)?.id ?? null
      })
    }

    it('gets no draft, and no word that there is no evidence, while its base cannot be asked', async () => {
      const id = await reviewOf('How long does a delivery to Norway take?')
      await calls.fail({ at: 1, only: 'KNOWLEDGE_BASE search', times: ALWAYS })
      const { status, json } = await tenant.call('POST', `/v1/manage/reviews/${id}/draft`, {})
      expect([status, json]).toEqual([503, UNAVAILABLE])
    })

    it.each([1, 2])(
      'keeps its draft where the meter does not hear of it, %i times',
      async (times) => {
        const user = `user-${times}`
        const { message_id } = (await expectOk(ask(`${QUESTION} `.repeat(times), user))).json
        const path = `/v1/messages/${message_id}/feedback`
        await expectOk(tenant.as(user, 'POST', path, { value: 'down' }))
        const id = await waitFor(async () => {
          const { json } = await expectOk(tenant.call('GET', '/v1/manage/reviews'))
          return (
            json.find((one: { question: string }) => one.question.includes(QUESTION))?.id ?? null
          )
        })
        const booked = async () => {
          const { json } = await expectOk(tenant.call('GET', '/v1/manage/usage?group=kind'))
          return json.rows.find((row: { key: string }) => row.key === 'draft')?.requests ?? 0
        }
        const before = await booked()
        await calls.fail({ at: 1, only: 'call TENANT_METER settle', times })
        const { status, json } = await tenant.call('POST', `/v1/manage/reviews/${id}/draft`, {})
        expect([status, json.text]).toEqual([200, expect.stringContaining('14 days')])
        await calls.fail(null)
        expect((await booked()) - before).toBe(2 - times)
      },
    )

    it('that is approved is judged once its base can be asked', async () => {
      const id = await reviewOf('Do you lend umbrellas to visitors?')
      await calls.fail({ at: 1, only: 'KNOWLEDGE_BASE search', times: ALWAYS })
      const body = { kb_name: 'shop', text: 'We lend umbrellas to visitors at the front desk.' }
      const approved = await expectOk(tenant.call('POST', `/v1/manage/reviews/${id}/approve`, body))
      expect(approved.json).toMatchObject({ status: 'approved', verified: null })
      await calls.fail(null)
      const scheduledTime = new Date(Date.now() + REVIEWS.verifyAfterMs + 60_000)
      await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime })
      const verified = await waitFor(async () => {
        const { json } = await expectOk(tenant.call('GET', '/v1/manage/reviews?status=approved'))
        return json.find((one: { id: string }) => one.id === id)?.verified ?? null
      })
      expect(verified).toBe(true)
    })
  })

  it.each([
    ['its answer is lost', 'ask handoffs.reply', 'lost'],
    ['what follows it fails', 'DB batch insert into "audit"', 'refused'],
  ] as const)(
    'a person’s reply is said once where %s and it is sent again',
    async (why, only, how) => {
      await seedAgent(tenant, 'front', { tools: ['handoff'] })
      const user = why.replaceAll(' ', '-')
      const body = { message: 'Can I talk to a human?', agent: 'front' }
      const { session_id } = (await expectOk(tenant.as(user, 'POST', '/v1/chat', body))).json
      await calls.settled()
      const reply = () => {
        const path = `/v1/manage/sessions/${session_id}/reply`
        return tenant.call('POST', path, { text: 'Here I am.' }, { 'idempotency-key': user })
      }
      await calls.fail({ at: 1, only, how })
      expect((await reply()).status).toBe(503)
      expect((await expectOk(reply())).json.status).toBe('answered')
      const said = await expectOk(tenant.as(user, 'GET', `/me/sessions/${session_id}/messages`))
      const texts = said.json.map(({ content }: { content: string }) => content)
      expect(texts.filter((text: string) => text === 'Here I am.')).toHaveLength(1)
    },
  )

  describe('a link from a mail', () => {
    const FAULTS: [string, Fault][] = [
      ['its use is not confirmed', { at: 1, only: 'DB update "one_time_tokens"', how: 'lost' }],
      ['what it is for fails', { at: 1, only: 'DB select "accounts"' }],
      ['what it is for is not confirmed', { at: 1, only: '"accounts" set', how: 'lost' }],
    ]
    /** Without mail settings a local run logs the link. */
    const linkOf = (purpose: string, count: number) =>
      waitFor(async () => {
        const logged = parley.server.getLogs().map(({ message }) => message)
        const found = logged.filter((line) => line.includes(`#${purpose}=`))
        return found.length < count ? null : (/=([\w-]{43})"/.exec(found.at(-1) ?? '')?.[1] ?? null)
      })
    let asked = 0
    it.each(FAULTS)('works when it is clicked again, where %s', async (_, fault) => {
      asked += 1
      const email = `person${asked}@people.example`
      const account = { tenant_id: tenant.id, email, password: 'correct horse battery' }
      await expectOk(parley.call('POST', '/auth/register', { body: account }))
      const token = await linkOf('verify', asked)
      const verify = () => parley.call('GET', `/auth/verify?token=${token}`)
      await calls.fail(fault)
      const first = await verify()
      // What confirms an address reads nothing of the account before.
      expect(first.status).toBe(fault.only?.startsWith('DB select') ? 200 : 503)
      if (first.status === 503) expect((await verify()).status).toBe(200)

      await calls.fail(null)
      await expectOk(parley.call('POST', '/auth/forgot-password', { body: account }))
      const body = { token: await linkOf('reset', asked), new_password: 'a new horse battery' }
      const reset = () => parley.call('POST', '/auth/reset-password', { body })
      await calls.fail(fault)
      expect((await reset()).status).toBe(503)
      expect((await reset()).status).toBe(200)
      expect((await reset()).status).toBe(400)
      const login = { ...account, password: body.new_password }
      await expectOk(parley.call('POST', '/auth/login', { body: login }))
    })
  })

  it('what fails behind an answer is in the log, without what was to be written', async () => {
    const account = {
      tenant_id: tenant.id,
      email: 'late@people.example',
      password: 'correct horse battery',
    }
    await expectOk(parley.call('POST', '/auth/register', { body: account }))
    await calls.settled()
    await calls.fail({ at: 1, only: 'DB update "users" set "last_active_at"' })
    const answer = await expectOk(parley.call('POST', '/auth/login', { body: account }))
    await calls.settled()
    const line = await waitFor(async () => {
      const said = parley.server.getLogs().map(({ message }) => message)
      return said.find((text) => text.includes('behind_answer_failed')) ?? null
    })
    expect(line).toContain(answer.headers.get('x-request-id'))
    expect(line).not.toContain('Failed query')
  })

  it.each([
    ['is read', 'Soup is served at noon.', 'document.ready'],
    ['cannot be read', ' ', 'document.failed'],
  ])(
    'that a document of a space %s is told once, where telling it failed',
    async (_, text, type) => {
      const hook = await expectOk(
        tenant.call('POST', '/v1/tenant/webhooks', {
          url: `http://${telegram.pair}/none`,
          events: [type],
        }),
      )
      const { space_id } = (await expectOk(tenant.as('ann', 'GET', '/me'))).json
      const form = new FormData()
      form.set('file', new Blob([text]), 'lunch.txt')
      await calls.fail({ at: 1, only: 'object JOBS send', times: 3 })
      await expectOk(tenant.as('ann', 'POST', `/me/spaces/${space_id}/documents`, form))
      const deliveries = await waitFor(async () => {
        const path = `/v1/tenant/webhooks/${hook.json.id}/deliveries`
        const { json } = await expectOk(tenant.call('GET', path))
        return json.items.length > 0 ? json.items : null
      })
      expect(deliveries).toMatchObject([{ type }])
    },
  )

  it('a reminder of no agent is set once: nothing is read behind it that could fail', async () => {
    await expectOk(tenant.as('sue', 'GET', '/me'))
    const body = { text: 'Call Ada', due_at: 'PT1H' }
    await calls.fail({ at: 1, only: 'DB select "name", "config" from "agents"' })
    expect((await tenant.as('sue', 'POST', '/me/reminders', body)).status).toBe(201)
    expect((await tenant.as('sue', 'GET', '/me/reminders')).json.items).toHaveLength(1)
  })

  it('an answer in a messaging app is not sent again where counting it failed', async () => {
    const bot = telegram.addBot()
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
    const path = '/me/chatapp/bind-code?agent=desk'
    const { code } = (await expectOk(tenant.as('tom', 'POST', path))).json
    await telegram.say(bot, 7, { text: `/start ${code}` })
    await calls.settled()
    await calls.fail({ at: 1, only: '"channel_inbox" set "sent_parts"' })
    await telegram.say(bot, 7, { text: QUESTION })
    await waitFor(async () => {
      const answered = 'job DB update "channel_inbox" set "body"'
      return (await calls.settled()).some((call) => call.startsWith(answered)) ? true : null
    })
    expect(telegram.sentTo(7)).toEqual([
      expect.stringContaining('linked'),
      expect.stringContaining('14 days'),
    ])
  })

  it('the operator may delete a tenant again while a key of its users is there', async () => {
    const leaving = await seedTenant(parley)
    await expectOk(leaving.as('ann', 'GET', '/me'))
    const { FILES } = await parley.worker.getEnv()
    const keys = async () => (await FILES.list({ prefix: `keys/${leaving.id}/` })).objects.length
    const remove = () => parley.admin('DELETE', `/v1/admin/tenants/${leaving.id}`)
    await calls.fail({ at: 1, only: 'FILES delete' })
    expect([(await remove()).status, await keys()]).toEqual([503, 1])
    expect([(await remove()).status, await keys()]).toEqual([204, 0])
    expect((await remove()).status).toBe(404)
  })
})
