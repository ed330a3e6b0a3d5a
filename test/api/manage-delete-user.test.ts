import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEPT_TABLES, OWNED_TABLES } from '../../src/deletion/erase-user'
import type { Job } from '../../src/jobs/job'
import { type Parley, startParley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import { countJobs } from '../support/jobs-done'
import { openLive } from '../support/live-stream'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'

const PASSWORD = 'correct horse battery'

describe('DELETE /manage/users/{uid}', () => {
  let parley: Parley
  let env: Env
  let model: OpenAiServer
  let receiver: WebhookReceiver
  let tenant: SeededTenant
  beforeAll(async () => {
    model = await startOpenAi()
    receiver = await startWebhookReceiver()
    parley = await startParley({
      ...model.vars,
      LIMITS_REMINDER_LEAD_S: '0',
      EGRESS_ALLOW: receiver.pair,
    })
    env = await parley.worker.getEnv()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(async () => {
    await parley.close()
    await model.close()
    await receiver.close()
  })

  const remove = (id: string) => tenant.call('DELETE', `/v1/manage/users/${id}`)
  const whoIs = async (user: string) => (await expectOk(tenant.as(user, 'GET', '/me'))).json
  const receiptOf = (id: string) =>
    waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=user_data'))
      const found = json.items.filter((entry: { entity_id: string }) => entry.entity_id === id)
      return found.length > 0 ? found : null
    })
  const objectOf = (userId: string, spaceId: string) =>
    env.USER_SPACE.get(env.USER_SPACE.idFromName(`${tenant.id}/${userId}/${spaceId}`))
  const rowsIn = async (userId: string, spaceId: string) =>
    (await objectOf(userId, spaceId).work('space', 'countRows', [])) as Record<string, number>
  const filesOf = async (userId: string) => {
    const lists = await Promise.all(
      [`keys/${tenant.id}/${userId}`, `users/${tenant.id}/${userId}/`].map((prefix) =>
        env.FILES.list({ prefix }),
      ),
    )
    return lists.flatMap(({ objects }) => objects.map(({ key }) => key))
  }
  /** Rows of every table that has a `user_id`, the counts by id aside. */
  const rowsOf = async (userId: string) => {
    const counts: Record<string, number> = {}
    for (const table of [...(await userTables(env)), 'users']) {
      if ((KEPT_TABLES as readonly string[]).includes(table)) continue
      const column = table === 'users' ? 'id' : 'user_id'
      const row = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`)
        .bind(userId)
        .first<{ n: number }>()
      if (row?.n) counts[table] = row.n
    }
    return counts
  }
  const expectNothing = async (userId: string, spaceIds: string[]) => {
    expect(await rowsOf(userId)).toEqual({})
    expect(await filesOf(userId)).toEqual([])
    for (const spaceId of spaceIds) expect(await rowsIn(userId, spaceId)).toEqual({})
  }

  it('takes everything, counts it, and leaves a receipt', async () => {
    model.script = () => ({ text: 'Noted.' })
    const { user_id: id, space_id: home } = await whoIs('whole')
    const images = [PIXEL]
    await expectOk(
      tenant.as('whole', 'POST', '/v1/chat', { message: 'I live in Lima.', agent: 'desk', images }),
    )
    await expectOk(tenant.as('whole', 'PATCH', '/me/profile', { pref_name: 'Wendy' }))
    await expectOk(
      tenant.as('whole', 'POST', '/me/reminders', { text: 'Call Ada', due_at: 'PT1H' }),
    )
    const note = { title: 'Note', text: 'A line of mine.' }
    await expectOk(tenant.as('whole', 'POST', `/me/spaces/${home}/documents`, note))
    const second = (await expectOk(tenant.as('whole', 'POST', '/me/spaces', { name: 'Work' }))).json
    await expectOk(tenant.as('whole', 'POST', `/me/spaces/${second.id}/documents`, note))
    const live = await openLive(parley.url, { 'x-api-key': tenant.key, 'x-end-user': 'whole' })
    expect((await filesOf(id)).length).toBeGreaterThanOrEqual(4)

    expect((await remove(id)).status).toBe(204)
    // The key is gone before the answer, and every door is shut.
    expect(await env.FILES.head(`keys/${tenant.id}/${id}`)).toBeNull()
    expect((await tenant.call('GET', `/v1/manage/users/${id}`)).status).toBe(404)
    expect((await remove(id)).json).toEqual({ detail: 'User not found' })
    expect((await tenant.call('GET', '/v1/manage/users?q=whole')).json.items).toEqual([])
    await live.ended()

    const [receipt, ...more] = await receiptOf(id)
    expect(more).toEqual([])
    expect(receipt).toMatchObject({
      action: 'delete',
      actor: 'system',
      actor_type: 'system',
      entity_name: null,
      before: { spaces: 2, user_profiles: 1, sessions: 1, messages: 2, attachments: 1 },
      after: { key_destroyed: true, left: 0 },
    })
    expect(receipt.before).toMatchObject({ reminders: 1, space_documents: 2 })
    await expectNothing(id, [home, second.id])
    const trail = await tenant.call('GET', '/v1/tenant/audit?entity=user')
    expect(trail.json.items[0]).toMatchObject({
      action: 'delete',
      actor: 'key:first',
      entity_id: id,
      before: { id, auth: 'proxy' },
      after: null,
      request_id: receipt.request_id,
    })
    expect(trail.text).not.toMatch(/whole|Wendy/)

    const anew = await whoIs('whole')
    expect(anew.user_id).not.toBe(id)
    expect(
      (await tenant.as('whole', 'GET', `/me/spaces/${anew.space_id}/sessions`)).json.items,
    ).toEqual([])
  })

  it('ends tokens, frees the address, and lets nobody come back with either', async () => {
    const account = { tenant_id: tenant.id, email: 'gone@people.example', password: PASSWORD }
    const { user_id, access_token } = (
      await expectOk(parley.call('POST', '/auth/register', { body: account }))
    ).json
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await parley.call('GET', '/me', { headers })).status).toBe(200)
    expect((await remove(user_id)).status).toBe(204)
    const refused = async () => {
      expect((await parley.call('GET', '/me', { headers })).status).toBe(401)
      const body = { message: 'Hello', agent: 'desk' }
      expect((await parley.call('POST', '/v1/chat', { headers, body })).status).toBe(401)
      expect((await parley.call('GET', '/me/stream', { headers })).status).toBe(401)
      expect((await parley.call('POST', '/auth/login', { body: account })).status).toBe(401)
    }
    await refused()
    await receiptOf(user_id)
    await refused()
    expect(await rowsOf(user_id)).toEqual({})
    const again = await expectOk(parley.call('POST', '/auth/register', { body: account }))
    expect(again.json.user_id).not.toBe(user_id)
  })

  it('cuts off a running turn, of which nothing stays', async () => {
    const { user_id: id, space_id: home } = await whoIs('talker')
    model.script = () => ({ text: 'word '.repeat(200), pieceDelayMs: 20, pieceChars: 5 })
    const turn = fetch(new URL('/v1/chat/stream', parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': 'talker',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: 'Tell me a lot', agent: 'desk', images: [PIXEL] }),
    }).then((response) => response.text())
    await waitFor(async () => ((await rowsIn(id, home)).messages ? true : null))
    expect((await remove(id)).status).toBe(204)
    const heard = await turn
    expect(heard).not.toContain('event: done')
    await receiptOf(id)
    // What the model still says comes in this time.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await expectNothing(id, [home])
    // What the model had said by then was paid for: the count stays, under an id that leads nowhere.
    const usage = await tenant.call('GET', '/v1/manage/usage?group=user')
    const row = usage.json.rows.find(({ key }: { key: string }) => key === id)
    if (row) expect(row.label).toBe(id)
  })

  it('lets no due reminder and no late job bring anything back', async () => {
    model.script = () => ({ text: 'Noted.' })
    const { user_id: userId, space_id: spaceId } = await whoIs('late')
    const talk = (
      await expectOk(tenant.as('late', 'POST', '/v1/chat', { message: 'I am Lou.', agent: 'desk' }))
    ).json
    const reminder = (
      await expectOk(
        tenant.as('late', 'POST', '/me/reminders', {
          text: 'Soon',
          due_at: new Date(Date.now() + 2000).toISOString(),
        }),
      )
    ).json
    const document = (
      await expectOk(
        tenant.as('late', 'POST', `/me/spaces/${spaceId}/documents`, { title: 'A', text: 'B.' }),
      )
    ).json
    expect((await remove(userId)).status).toBe(204)
    await receiptOf(userId)
    const address = { tenantId: tenant.id, userId, spaceId }
    const session = { sessionId: talk.session_id, messageId: talk.message_id }
    const jobs: Job[] = [
      {
        type: 'turn.after',
        ...address,
        ...session,
        historyWindow: 20,
        agentName: 'desk',
        finishReason: 'stop',
        endedAt: 0,
        listens: null,
      },
      { type: 'message.relearn', ...address, ...session },
      { type: 'reminder.deliver', ...address, reminderId: reminder.id },
      { type: 'space.count', ...address },
      { type: 'user.delete', tenantId: tenant.id, userId },
      { type: 'space.delete', ...address },
    ]
    const ingest: Job = { type: 'space-document.ingest', ...address, documentId: document.id }
    const done = [...jobs, ingest].map(({ type }) => countJobs(parley, type))
    for (const job of jobs) await env.JOBS.send(job)
    await env.INGEST.send(ingest)
    for (const one of done) await one()
    // Another user's reminder, which falls due after it, shows when this one would have.
    await expectOk(tenant.as('later', 'POST', '/me/reminders', { text: 'Then', due_at: 'PT2S' }))
    await waitFor(async () => {
      const { json } = await tenant.as('later', 'GET', '/me/reminders')
      return json.items[0].status === 'sent' ? true : null
    })
    await expectNothing(userId, [spaceId])
    expect(await receiptOf(userId)).toHaveLength(1)
  })

  it('tells webhooks once, by id alone', async () => {
    const path = '/gone'
    await expectOk(
      tenant.call('POST', '/v1/tenant/webhooks', {
        url: receiver.url(path),
        events: ['user.deleted'],
      }),
    )
    const { user_id } = await whoIs('announced')
    expect((await remove(user_id)).status).toBe(204)
    const [told] = await waitFor(async () => {
      const got = receiver.to(path)
      return got.length > 0 ? got : null
    })
    expect(JSON.parse(told?.body ?? '')).toEqual({
      type: 'user.deleted',
      timestamp: expect.stringMatching(/Z$/),
      tenant_id: tenant.id,
      data: { user_id },
    })
    const repeated = countJobs(parley, 'user.delete')
    await env.JOBS.send({ type: 'user.delete', tenantId: tenant.id, userId: user_id })
    await repeated()
    // Deliveries go in their order: the next user's shows that nothing came before it.
    const next = await whoIs('announced-next')
    expect((await remove(next.user_id)).status).toBe(204)
    await waitFor(async () => (receiver.to(path).length > 1 ? true : null))
    const ids = receiver.to(path).map(({ body }) => JSON.parse(body).data.user_id)
    expect(ids).toEqual([user_id, next.user_id])
  })

  it('loses nothing of anybody else', async () => {
    model.script = () => ({ text: 'Noted.' })
    const kept = await whoIs('kept')
    const talk = (
      await expectOk(tenant.as('kept', 'POST', '/v1/chat', { message: 'Mine', agent: 'desk' }))
    ).json
    const gone = await whoIs('not-kept')
    expect((await remove(gone.user_id)).status).toBe(204)
    await receiptOf(gone.user_id)
    const messages = await tenant.as('kept', 'GET', `/me/sessions/${talk.session_id}/messages`)
    expect(messages.json.map(({ content }: { content: string }) => content)).toEqual([
      'Mine',
      'Noted.',
    ])
    const foreign = await seedTenant(parley)
    expect((await foreign.call('DELETE', `/v1/manage/users/${kept.user_id}`)).json).toEqual({
      detail: 'User not found',
    })
    expect((await foreign.call('GET', '/v1/tenant/audit?entity=user')).json.items).toEqual([])
    expect((await whoIs('kept')).user_id).toBe(kept.user_id)
  })

  it('knows every table that holds something of a user', async () => {
    expect((await userTables(env)).toSorted()).toEqual([...OWNED_TABLES, ...KEPT_TABLES].toSorted())
  })
})

async function userTables(env: Env): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'user_id'
     WHERE m.type = 'table' AND m.name NOT GLOB '_cf_*'`,
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}
