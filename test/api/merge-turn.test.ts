import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { addSpaceOf, homeOf } from '../support/space-content'

const REPLY = 'The answer has several words and takes its time. '.repeat(8).trim()

let parley: Parley
let model: OpenAiServer
let tenant: SeededTenant
beforeAll(async () => {
  model = await startOpenAi()
  parley = await startParley(model.vars)
  tenant = await seedTenant(parley)
  await seedAgent(tenant, 'desk')
}, 60_000)
afterAll(async () => {
  await parley.close()
  await model.close()
})

describe('merging a space in which an answer is being written', { timeout: 60_000 }, () => {
  /** Resolves once the space lets nobody change it any more. */
  const frozen = (user: string, space: string) =>
    waitFor(async () => {
      const body = { text: 'Still open', due_at: 'PT5H' }
      const { status } = await tenant.as(user, 'POST', '/me/reminders', body, {
        'x-space-id': space,
      })
      return status === 409 ? true : null
    })

  it('waits for the answer and takes it along; nothing new begins meanwhile', async () => {
    const begun = Promise.withResolvers<void>()
    const looked = Promise.withResolvers<void>()
    model.script = () => {
      begun.resolve()
      return { text: REPLY, until: looked.promise }
    }
    const home = await homeOf(tenant, 'ann')
    const other = await addSpaceOf(tenant, 'ann', 'desk')
    const there = { 'x-space-id': other }
    const say = (message: string, headers = {}) =>
      tenant.as('ann', 'POST', '/v1/chat', { message, agent: 'desk' }, headers)
    const answering = say('Take your time.', there)
    await begun.promise
    let isMerged = false
    const merging = tenant
      .as('ann', 'POST', `/me/spaces/${other}/merge`, { target_space_id: home })
      .finally(() => {
        isMerged = true
      })
    await frozen('ann', other)
    const refused = await say('Another one.', there)
    expect([refused.status, refused.json]).toEqual([409, { detail: 'Space is being merged' }])
    expect((await tenant.as('ann', 'GET', `/me/spaces/${other}/sessions`)).json.items).toHaveLength(
      1,
    )
    expect(isMerged).toBe(false)
    looked.resolve()
    expect((await merging).status).toBe(204)
    const { json } = await expectOk(answering)
    expect(json.reply).toBe(REPLY)
    const path = `/me/sessions/${json.session_id}/messages`
    const messages = (await expectOk(tenant.as('ann', 'GET', path))).json
    expect(messages.map(({ content }: { content: string }) => content)).toEqual([
      'Take your time.',
      REPLY,
    ])
  })

  it('refuses what would change it, and the description says so', async () => {
    const hold = Promise.withResolvers<void>()
    model.script = () => ({ text: REPLY })
    const home = await homeOf(tenant, 'cat')
    const other = await addSpaceOf(tenant, 'cat', 'desk')
    const there = { 'x-space-id': other }
    const say = (message: string) =>
      tenant.as('cat', 'POST', '/v1/chat', { message, agent: 'desk' }, there)
    const { session_id: sid, message_id: mid } = (await expectOk(say('Hello'))).json
    const reminder = { text: 'Later', due_at: 'PT5H', session_id: sid }
    const rid = (await expectOk(tenant.as('cat', 'POST', '/me/reminders', reminder))).json.id
    const note = { title: 'Note', text: 'Bring the blue folder.' }
    const documents = `/me/spaces/${other}/documents`
    const { id } = (await expectOk(tenant.as('cat', 'POST', documents, note))).json
    const begun = Promise.withResolvers<void>()
    model.script = () => {
      begun.resolve()
      return { text: REPLY, until: hold.promise }
    }
    const answering = say('Take your time.')
    await begun.promise
    const merge = { target_space_id: home }
    const merging = tenant.as('cat', 'POST', `/me/spaces/${other}/merge`, merge)
    await frozen('cat', other)
    const { json: api } = await parley.call('GET', '/openapi.json')
    const ids = { sid, mid, message_id: mid, rid, agent_name: 'desk', id }
    for (const [method, path, body] of [
      ['PATCH', '/me/sessions/{sid}', { title: 'New' }],
      ['DELETE', '/me/sessions/{sid}'],
      ['POST', '/me/sessions/{sid}/read'],
      ['PATCH', '/me/sessions/{sid}/messages/{mid}', { content: 'New' }],
      ['DELETE', '/me/sessions/{sid}/messages/{mid}'],
      ['POST', '/me/sessions/{sid}/messages/{mid}/branch'],
      ['POST', '/v1/messages/{message_id}/feedback', { value: 'up' }],
      ['POST', '/v1/chat', { session_id: sid, message: 'More' }],
      ['POST', '/v1/chat/stream', { session_id: sid, message: 'More' }],
      ['POST', '/v1/chat/dismiss', { session_id: sid }],
      ['POST', '/me/reminders', reminder],
      ['POST', '/me/reminders/{rid}/cancel'],
      ['DELETE', '/me/reminders/{rid}'],
      ['DELETE', '/me/remembered/{agent_name}'],
      ['GET', '/me/stream'],
      ['POST', '/me/spaces/{sid}/documents', note],
      ['DELETE', '/me/spaces/{sid}/documents/{id}'],
    ] as const) {
      const named = path.startsWith('/me/spaces') ? { ...ids, sid: other } : ids
      const filled = path.replace(/{(\w+)}/g, (_, name: keyof typeof ids) => named[name])
      const answer = await tenant.as('cat', method, filled, body, there)
      expect([path, answer.text]).toEqual([path, '{"detail":"Space is being merged"}'])
      const { responses } = api.paths[path][method.toLowerCase()]
      expect([method, path, Object.keys(responses)]).toEqual([
        ...[method, path],
        expect.arrayContaining([String(answer.status)]),
      ])
    }
    expect(api.paths['/me/spaces/{sid}'].patch.responses).toHaveProperty('409')
    hold.resolve()
    await expectOk(answering)
    expect((await merging).status).toBe(204)
  })

  it('lets the user stop it, and goes on at once', async () => {
    model.script = () => ({ text: REPLY, until: new Promise(() => undefined) })
    const home = await homeOf(tenant, 'bea')
    const other = await addSpaceOf(tenant, 'bea', 'desk')
    const started = await fetch(new URL('/v1/chat/stream', parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': 'bea',
        'x-space-id': other,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: 'Take your time.', agent: 'desk' }),
    })
    const reader = started.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event: token')) text += (await reader?.read())?.value ?? ''
    const session_id = /"session_id":"([^"]+)"/.exec(text)?.[1]
    const merging = tenant.as('bea', 'POST', `/me/spaces/${other}/merge`, { target_space_id: home })
    await frozen('bea', other)
    const stop = await tenant.as('bea', 'POST', '/v1/chat/stop', { session_id })
    expect(stop.json).toEqual({ stopped: true })
    expect((await merging).status).toBe(204)
    const { json } = await tenant.as('bea', 'GET', `/me/sessions/${session_id}/messages`)
    expect(json[1]).toMatchObject({ role: 'assistant', status: 'partial' })
    await reader?.cancel()
  })
})

describe('deleting where an answer is being written', { timeout: 60_000 }, () => {
  it.each(['Space', 'User'])('ends it as absent with its %s', async (what) => {
    const user = `leaving-${what}`
    const { user_id } = (await tenant.as(user, 'GET', '/v1/me')).json
    const space = await addSpaceOf(tenant, user, 'desk')
    const begun = Promise.withResolvers<void>()
    const deleted = Promise.withResolvers<void>()
    model.script = () => {
      begun.resolve()
      return { text: REPLY, until: deleted.promise }
    }
    const body = { message: 'Take your time.', agent: 'desk' }
    const answering = tenant.as(user, 'POST', '/v1/chat', body, { 'x-space-id': space })
    await begun.promise
    const path = what === 'Space' ? `/v1/manage/spaces/${space}` : `/v1/manage/users/${user_id}`
    expect((await tenant.call('DELETE', path)).status).toBe(204)
    // The model is still silent: who deletes ends it.
    const { status, json } = await answering
    deleted.resolve()
    expect([status, json]).toEqual([404, { detail: `${what} not found` }])
  })
})
