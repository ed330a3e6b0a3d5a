import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { type MailServer, plainText, startMailServer, subjectOf } from '../support/mail-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'

const ASKED = 'I have asked a person to take over. Their answer will appear here.'
const BACK = 'I am back in this conversation: ask me whatever you like.'

describe('handing over to a person', () => {
  let parley: Parley
  let mail: MailServer
  let receiver: WebhookReceiver
  beforeAll(async () => {
    mail = await startMailServer('none')
    receiver = await startWebhookReceiver()
    parley = await startParley({ EGRESS_ALLOW: `${mail.pair},${receiver.pair}` })
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await receiver.close()
    await mail.close()
  })

  async function withDesk(fields: Record<string, unknown> = {}): Promise<SeededTenant> {
    const tenant = await seedTenant(parley, fields)
    await seedAgent(tenant, 'desk', { tools: ['handoff'], model: 'offline' })
    return tenant
  }
  async function withMail(tenant: SeededTenant, from = 'desk@shop.example'): Promise<void> {
    const [host, port] = mail.pair.split(':')
    const smtp = { host, port: Number(port), user: '', from_addr: from, starttls: true }
    await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtp))
  }
  const ask = async (tenant: SeededTenant, message: string, session_id?: string, agent = 'desk') =>
    (await expectOk(tenant.as('ann', 'POST', '/v1/chat', { message, agent, session_id }))).json
  const messages = async (tenant: SeededTenant, session: string) =>
    (await expectOk(tenant.as('ann', 'GET', `/me/sessions/${session}/messages`))).json
  const inbox = (tenant: SeededTenant, query = '') =>
    waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', `/v1/manage/handoffs${query}`))
      return json.items.length > 0 ? json.items : null
    })
  const answer = (tenant: SeededTenant, session: string, text: string) =>
    tenant.call('POST', `/v1/manage/sessions/${session}/reply`, { text })
  const resume = (tenant: SeededTenant, session: string) =>
    tenant.call('POST', `/v1/manage/sessions/${session}/resume`)

  it('a person answers in the place of the agent, which is silent meanwhile and comes back', async () => {
    const tenant = await withDesk()
    const first = await ask(tenant, 'Can I talk to a human?')
    expect(first).toMatchObject({ reply: ASKED, finish_reason: 'handoff' })
    const session: string = first.session_id
    const [asked] = await inbox(tenant)
    expect(asked).toMatchObject({
      session_id: session,
      agent_name: 'desk',
      status: 'requested',
      reason: 'user',
      summary: 'Can I talk to a human?',
      answered_at: null,
      closed_at: null,
    })
    const silent = await ask(tenant, 'What time is it?', session)
    expect(silent.finish_reason).toBe('handoff')
    expect(silent.reply).toMatch(/^A person has been asked/)
    expect(silent.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 })

    const { json: answered } = await expectOk(answer(tenant, session, 'Of course. How can I help?'))
    expect(answered).toMatchObject({ id: asked.id, status: 'answered' })
    const said = (await messages(tenant, session)).at(-1)
    expect(said).toMatchObject({ content: 'Of course. How can I help?', author: 'staff' })
    expect((await ask(tenant, 'Thanks', session)).reply).toMatch(
      /^A person is in this conversation/,
    )

    const { json: closed } = await expectOk(resume(tenant, session))
    expect(closed).toMatchObject({ id: asked.id, status: 'closed' })
    expect((await messages(tenant, session)).at(-1)).toMatchObject({
      content: BACK,
      author: 'agent',
    })
    expect((await ask(tenant, 'What time is it?', session)).finish_reason).toBe('stop')
    expect((await inbox(tenant, '?status=closed'))[0]).toMatchObject({ status: 'closed' })
    const authors = (await messages(tenant, session)).map(
      ({ author }: { author: string | null }) => author,
    )
    expect(authors).toEqual([
      null,
      'agent',
      null,
      'agent',
      'staff',
      null,
      'agent',
      'agent',
      null,
      'agent',
    ])
    const { json: trail } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=handoff'))
    expect(trail.items.map(({ after }: { after: { status: string } }) => after.status)).toEqual([
      'closed',
      'answered',
    ])
  })

  it('a repeated answer says nothing of what the user said, who may be gone since', async () => {
    const tenant = await withDesk()
    const { session_id } = await ask(tenant, 'Can I talk to a human?')
    const [{ user_id }] = await inbox(tenant)
    const say = () =>
      expectOk(
        tenant.call(
          'POST',
          `/v1/manage/sessions/${session_id}/reply`,
          { text: 'Here I am.' },
          { 'idempotency-key': 'once' },
        ),
      )
    expect((await say()).json.summary).toBe('Can I talk to a human?')
    await expectOk(tenant.call('DELETE', `/v1/manage/users/${user_id}`))
    const { json, headers } = await say()
    expect([headers.get('idempotency-replayed'), json.status, json.summary]).toEqual([
      'true',
      'answered',
      null,
    ])
  })

  it('a person who answers and hands back at one moment has done both, or was too late to answer', async () => {
    const tenant = await withDesk()
    for (const order of ['answer first', 'resume first', 'long answer']) {
      const { session_id } = await ask(tenant, 'Can I talk to a human?')
      const words = order === 'long answer' ? 'word '.repeat(3000) : 'Hello'
      const say = () => answer(tenant, session_id, words)
      const back = () => resume(tenant, session_id)
      const calls = order === 'answer first' ? [say(), back(), say()] : [back(), say(), say()]
      const answers = await Promise.all(calls)
      const [resumed] = answers.filter(({ json }) => json.status === 'closed')
      expect([order, resumed?.status]).toEqual([order, 200])
      for (const { status } of answers) expect([200, 409]).toContain(status)
      const list = await messages(tenant, session_id)
      const staff = list.filter(({ author }: { author: string | null }) => author === 'staff')
      expect(staff).toHaveLength(answers.filter(({ status }) => status === 200).length - 1)
      expect(list.at(-1).author).toBe('agent')
      const [latest] = await inbox(tenant)
      expect(latest).toMatchObject({ session_id, status: 'closed' })
      expect((await ask(tenant, 'What time is it?', session_id)).finish_reason).toBe('stop')
    }
  })

  it('nobody answers where nobody was asked for, and never twice', async () => {
    const tenant = await withDesk()
    const { session_id } = await ask(tenant, 'What time is it?')
    for (const call of [answer(tenant, session_id, 'Hello'), resume(tenant, session_id)]) {
      const { status, json } = await call
      expect([status, json.code]).toEqual([409, 'no_handoff'])
    }
    const { session_id: open } = await ask(tenant, 'human agent please')
    await expectOk(resume(tenant, open))
    expect((await resume(tenant, open)).status).toBe(409)
  })

  it('mail and webhook go out once, with what was noted to those whom the storyline names', async () => {
    const tenant = await withDesk({ name: 'Lantern Shop' })
    await withMail(tenant)
    await expectOk(
      tenant.call('POST', '/v1/tenant/webhooks', {
        url: receiver.url('/handoffs'),
        events: ['handoff.requested'],
      }),
    )
    await seedAgent(tenant, 'front-desk', { model: 'offline' })
    await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const talk = await ask(tenant, 'Hello', undefined, 'front-desk')
    const say = (message: string) => ask(tenant, message, talk.session_id, 'front-desk')
    await say('Something else')
    const last = await say('E-mail: ann@example.com\nYour request in one sentence: Call me back')
    expect(last.reply).toBe('Thank you. A colleague will write to you within one working day.')
    const sent = await waitFor(
      async () => mail.mails.find(({ to }) => to.includes('desk@shop.example')) ?? null,
    )
    expect(subjectOf(sent)).toBe('A person is asked for: front-desk')
    expect(plainText(sent)).toContain('E-mail: ann@example.com')
    expect(plainText(sent)).toContain(`Session ${talk.session_id}`)
    const told = await waitFor(async () => receiver.to('/handoffs')[0] ?? null)
    expect(JSON.parse(told.body)).toMatchObject({
      type: 'handoff.requested',
      data: { session_id: talk.session_id, reason: 'storyline' },
    })
    expect(told.body).not.toContain('ann@example.com')
    // What is said while it is open asks for nobody again.
    await say('Are you there?')
    await expectOk(answer(tenant, talk.session_id, 'Yes.'))
    await inbox(tenant, '?status=answered')
    expect(mail.mails.filter(({ to }) => to.includes('desk@shop.example'))).toHaveLength(1)
    expect(receiver.to('/handoffs')).toHaveLength(1)
  })

  it('one user’s many requests fill no mailbox: the inbox has them all, and the next user is mailed', async () => {
    const strict = await startParley({ EGRESS_ALLOW: mail.pair, LIMITS_USER_MAILS: '' })
    const told = countJobs(strict, 'handoff.tell')
    const tenant = await seedTenant(strict)
    await seedAgent(tenant, 'desk', { tools: ['handoff'], model: 'offline' })
    await withMail(tenant, 'few@shop.example')
    const body = { message: 'Can I talk to a human?', agent: 'desk' }
    for (const user of [...Array<string>(23).fill('ann'), 'bob'])
      await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
    await told(24)
    const { json } = await expectOk(tenant.call('GET', '/v1/manage/handoffs'))
    expect(json.items).toHaveLength(24)
    expect(mail.mails.filter(({ to }) => to.includes('few@shop.example'))).toHaveLength(21)
    await strict.close()
  })

  it('is mailed to everybody who is named, whomever the server refuses', async () => {
    const tenant = await withDesk()
    await withMail(tenant)
    await seedAgent(tenant, 'front-desk', { model: 'offline' })
    const file = structuredClone(storylineFile('customer-intake')) as {
      graph: { nodes: Record<string, { type: string; notify?: string[] }> }
    }
    for (const node of Object.values(file.graph.nodes))
      if (node.type === 'handoff') node.notify = ['gone@shop.example', 'there@shop.example']
    await publishedStoryline(parley, tenant, file)
    mail.refuseWith('no such mailbox', 550, (address) => address.startsWith('gone@'))
    const { session_id } = await ask(tenant, 'Hello', undefined, 'front-desk')
    await ask(tenant, 'Something else', session_id, 'front-desk')
    const words = 'E-mail: ann@example.com\nYour request in one sentence: Call me back'
    await ask(tenant, words, session_id, 'front-desk')
    await waitFor(async () => mail.mails.find(({ to }) => to[0] === 'there@shop.example') ?? null)
    mail.refuseWith(null)
  })

  it('who finds nothing three times in a row is offered a person, once', async () => {
    const tenant = await withDesk()
    await seedBase(tenant, 'lamps', { Lamps: 'Our lamps are made of glass.' })
    await seedAgent(tenant, 'strict', {
      tools: ['handoff'],
      model: 'offline',
      knowledge_bases: ['lamps'],
      grounding_required: true,
    })
    const first = await ask(tenant, 'Who won the chess cup in 1911?', undefined, 'strict')
    const say = (message: string) => ask(tenant, message, first.session_id, 'strict')
    expect(first).toMatchObject({ finish_reason: 'no_match' })
    expect((await say('Which planet is the largest?')).clarify).toBeUndefined()
    const offered = await say('When did Rome fall?')
    expect(offered.clarify).toMatchObject({
      question: 'Shall I ask a person to take over?',
      options: [{ label: 'Ask a person' }, { label: 'Not now' }],
    })
    expect((await say('Not now')).reply).toBe('All right. Just ask when you need something.')
    for (const question of ['Who painted it?', 'How deep is the sea?', 'Is Mars red?'])
      expect((await say(question)).clarify).toBeUndefined()
    expect((await say('Ask a person')).reply).toBe(ASKED)
  })

  it('an agent without the tool asks for nobody', async () => {
    const tenant = await withDesk()
    await seedAgent(tenant, 'alone', { model: 'offline' })
    const reply = await ask(tenant, 'Can I talk to a human?', undefined, 'alone')
    expect(reply.finish_reason).not.toBe('handoff')
  })

  it('in privacy mode somebody is told, nothing is shown, and the agent stays', async () => {
    const tenant = await withDesk()
    await withMail(tenant, 'private@shop.example')
    await expectOk(tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const first = await ask(tenant, 'Can I talk to a human?')
    const sent = await waitFor(
      async () => mail.mails.find(({ to }) => to.includes('private@shop.example')) ?? null,
    )
    expect(plainText(sent)).not.toContain('talk to a human')
    expect((await ask(tenant, 'What time is it?', first.session_id)).finish_reason).toBe('stop')
    expect((await tenant.call('GET', '/v1/manage/handoffs')).status).toBe(403)
    expect((await answer(tenant, first.session_id, 'Hello')).status).toBe(403)
  })

  it('is not asked for again by an answer that is made anew', async () => {
    const tenant = await withDesk()
    const { session_id, message_id } = await ask(tenant, 'Can I talk to a human?')
    await inbox(tenant)
    await expectOk(resume(tenant, session_id))
    const body = { agent: 'desk', session_id, replaces: message_id }
    const again = await tenant.as('ann', 'POST', '/v1/chat', body)
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('made anew')])
    await inbox(tenant, '?status=closed')
    expect(await inbox(tenant)).toHaveLength(1)
  })

  it('is in the inbox under the name that its agent has by now', async () => {
    const tenant = await withDesk()
    await seedAgent(tenant, 'other', { tools: ['handoff'], model: 'offline' })
    const { session_id } = await ask(tenant, 'Can I talk to a human?')
    await ask(tenant, 'Can I talk to a human?', undefined, 'other')
    await waitFor(async () => ((await inbox(tenant)).length === 2 ? true : null))
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { name: 'reception' }))
    const names = async () => {
      const all: { session_id: string; agent_name: string }[] = await inbox(tenant)
      return all.map((one) => [one.session_id === session_id, one.agent_name])
    }
    await expect.poll(names, { timeout: 10_000 }).toEqual([
      [false, 'other'],
      [true, 'reception'],
    ])
  })

  it('goes from the inbox with its session', async () => {
    const tenant = await withDesk()
    const { session_id } = await ask(tenant, 'Can I talk to a human?')
    await inbox(tenant)
    await tenant.as('ann', 'DELETE', `/me/sessions/${session_id}`)
    await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', '/v1/manage/handoffs'))
      return json.items.length === 0 ? true : null
    })
  })
})

describe('a person whom nobody asks in time', () => {
  it('is no dead end: the agent comes back and says so', async () => {
    const parley = await startParley({ LIMITS_HANDOFF_S: '1' })
    try {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk', { tools: ['handoff'], model: 'offline' })
      const body = { message: 'Can I talk to a human?', agent: 'desk' }
      const { json } = await expectOk(tenant.as('ann', 'POST', '/v1/chat', body))
      const said = await waitFor(async () => {
        const at = `/me/sessions/${json.session_id}/messages`
        const { json: list } = await expectOk(tenant.as('ann', 'GET', at))
        return list.length > 2 ? list.at(-1) : null
      })
      expect(said.content).toMatch(/^Sorry, nobody could answer so far\. I am back/)
      const again = await expectOk(
        tenant.as('ann', 'POST', '/v1/chat', {
          message: 'What time is it?',
          session_id: json.session_id,
        }),
      )
      expect(again.json.finish_reason).toBe('stop')
    } finally {
      await parley.close()
    }
  })
})
