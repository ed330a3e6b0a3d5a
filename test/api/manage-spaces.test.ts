import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

describe('/manage/spaces and /manage/sessions', () => {
  let parley: Parley
  let tenant: SeededTenant
  let other: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    other = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    await seedAgent(tenant, 'second')
    await seedAgent(tenant, 'draft', { published: false })
    await seedAgent(other, 'theirs')
  })
  afterAll(() => parley.close())

  const whoIs = async (user: string) => (await expectOk(tenant.as(user, 'GET', '/me'))).json
  const newSpace = async (user: string, name = 'Work') => {
    const { user_id } = await whoIs(user)
    const made = tenant.call('POST', `/v1/manage/users/${user_id}/spaces`, { name })
    return (await expectOk(made)).json.id as string
  }
  const say = async (user: string, message: string, fields: Record<string, unknown> = {}) =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields })))
      .json
  const trail = async (entity = 'space') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?entity=${entity}`))).json.items

  it('renames a space and says so in the trail without the names', async () => {
    const id = await newSpace('renamer', 'Secret plans')
    const path = `/v1/manage/spaces/${id}`
    const { status, json } = await tenant.call('PATCH', path, { name: ' Surprise party ' })
    expect(status).toBe(200)
    expect(json).toEqual({ id, name: 'Surprise party', is_default: false })
    const { user_id } = (await expectOk(tenant.as('renamer', 'GET', '/me'))).json
    expect((await expectOk(tenant.call('GET', path))).json).toEqual({ ...json, user_id })
    const [entry] = await trail()
    expect(entry).toMatchObject({
      action: 'update',
      entity_id: id,
      entity_name: null,
      actor: 'key:first',
    })
    expect(entry.before).not.toEqual(entry.after)
    expect(JSON.stringify(entry)).not.toMatch(/Secret|Surprise/)
    for (const body of [{}, { name: '' }, { name: 7 }, { name: 'x'.repeat(81) }]) {
      expect((await tenant.call('PATCH', path, body)).status).toBe(422)
    }
    expect((await other.call('PATCH', path, { name: 'Mine' })).json).toEqual({
      detail: 'Space not found',
    })
    // Nothing changes, nothing is recorded.
    const before = (await trail()).length
    await expectOk(tenant.call('PATCH', path, { name: 'Surprise party' }))
    expect(await trail()).toHaveLength(before)
  })

  it('deletes a space with its sessions and documents, and never the default one', async () => {
    const { user_id, space_id: home } = await whoIs('leaver')
    const id = await newSpace('leaver')
    await expectOk(tenant.call('POST', `/v1/manage/spaces/${id}/agents`, { name: 'desk' }))
    const headers = { 'x-space-id': id }
    const images = [PIXEL]
    const body = { message: 'Hello', agent: 'desk', images }
    const talk = (await expectOk(tenant.as('leaver', 'POST', '/v1/chat', body, headers))).json
    await expectOk(
      tenant.as('leaver', 'POST', `/me/spaces/${id}/documents`, { title: 'Note', text: 'Line.' }),
    )
    const env = await parley.worker.getEnv()
    const prefix = `users/${tenant.id}/${user_id}/`
    expect((await env.FILES.list({ prefix })).objects).toHaveLength(2)
    const path = `/v1/manage/spaces/${id}`
    expect((await other.call('DELETE', path)).json).toEqual({ detail: 'Space not found' })
    expect((await tenant.call('DELETE', path)).status).toBe(204)
    expect((await tenant.call('DELETE', path)).json).toEqual({ detail: 'Space not found' })
    expect(
      (await tenant.call('GET', `/v1/manage/sessions/${talk.session_id}/messages`)).json,
    ).toEqual({ detail: 'Session not found' })
    await waitFor(async () =>
      (await env.FILES.list({ prefix })).objects.length === 0 ? true : null,
    )
    const stub = env.USER_SPACE.get(env.USER_SPACE.idFromName(`${tenant.id}/${user_id}/${id}`))
    expect(await stub.work('space', 'countRows', [])).toEqual({})
    await waitFor(async () => {
      const left = await env.DB.prepare('SELECT 1 FROM deletions WHERE space_id = ?')
        .bind(id)
        .first()
      return left === null ? true : null
    })
    expect((await trail())[0]).toMatchObject({ action: 'delete', entity_id: id, after: null })
    expect(await tenant.call('DELETE', `/v1/manage/spaces/${home}`)).toMatchObject({
      status: 409,
      json: { detail: 'The default space cannot be deleted' },
    })
  })

  it('offers and withdraws agents', async () => {
    const { space_id: home } = await whoIs('chooser')
    const id = await newSpace('chooser')
    const path = `/v1/manage/spaces/${id}/agents`
    const list = async (space = id) =>
      (await expectOk(tenant.call('GET', `/v1/manage/spaces/${space}/agents`))).json
    expect(await list()).toEqual([])
    expect((await list(home)).toSorted()).toEqual(['desk', 'second'])
    const added = await tenant.call('POST', path, { name: 'desk' })
    expect(added).toMatchObject({ status: 201, json: ['desk'] })
    expect((await trail())[0]).toMatchObject({ entity_id: id, after: { agent_added: 'desk' } })
    const entries = (await trail()).length
    expect((await tenant.call('POST', path, { name: 'desk' })).json).toEqual(['desk'])
    expect(await trail()).toHaveLength(entries)
    // A draft waits in the space until it is published: its user does not see it.
    expect((await tenant.call('POST', path, { name: 'draft' })).json).toEqual(['desk', 'draft'])
    const mine = (await expectOk(tenant.as('chooser', 'GET', '/me/spaces'))).json
    expect(mine.find((space: { id: string }) => space.id === id).agents).toEqual(['desk'])

    expect((await tenant.call('DELETE', `${path}/draft`)).status).toBe(204)
    expect((await trail())[0]).toMatchObject({ after: { agent_removed: 'draft' } })
    expect((await tenant.call('DELETE', `${path}/draft`)).json).toEqual({
      detail: 'Agent not found',
    })
    expect((await tenant.call('POST', path, { name: 'theirs' })).json).toEqual({
      detail: 'Agent not found',
    })
    expect((await tenant.call('POST', path, { name: 7 })).status).toBe(422)
    expect((await tenant.call('POST', path, {})).json.detail[0]).toMatchObject({
      type: 'missing',
      loc: ['body', 'name'],
    })
    expect((await tenant.call('DELETE', `/v1/manage/spaces/${home}/agents/desk`)).status).toBe(409)
    expect(
      (await tenant.call('POST', `/v1/manage/spaces/${home}/agents`, { name: 'desk' })).status,
    ).toBe(201)
    expect((await other.call('GET', path)).json).toEqual({ detail: 'Space not found' })
    expect((await other.call('POST', path, { name: 'theirs' })).json).toEqual({
      detail: 'Space not found',
    })
  })

  it('shows the tenant what was said, page by page, with sources and attachments', async () => {
    const first = await say('talker', 'When are refunds paid?', { images: [PIXEL] })
    for (let n = 2; n <= 4; n++) {
      await say('talker', `Message ${n}`, { session_id: first.session_id })
    }
    const path = `/v1/manage/sessions/${first.session_id}`
    const all = (await expectOk(tenant.call('GET', `${path}/messages`))).json
    expect((await expectOk(tenant.call('GET', path))).json).toMatchObject({
      id: first.session_id,
      agent_name: 'desk',
      channel: 'api',
      message_count: 8,
    })
    expect(all.next_cursor).toBeNull()
    expect(all.items).toHaveLength(8)
    expect(all.items[0]).toMatchObject({
      session_id: first.session_id,
      role: 'user',
      content: 'When are refunds paid?',
      status: 'complete',
      agent_name: null,
      feedback: null,
      edited_at: null,
    })
    expect(all.items[1].sources[0]).toMatchObject({
      title: expect.any(String),
      quote: expect.any(String),
    })
    const seen = []
    let cursor = ''
    do {
      const { json } = await expectOk(tenant.call('GET', `${path}/messages?limit=3${cursor}`))
      seen.unshift(...json.items)
      cursor = json.next_cursor === null ? '' : `&cursor=${encodeURIComponent(json.next_cursor)}`
    } while (cursor !== '')
    expect(seen).toEqual(all.items)
    const files = (await expectOk(tenant.call('GET', `${path}/attachments`))).json
    expect(files).toEqual([
      {
        id: all.items[0].attachments[0].id,
        mime: 'image/png',
        name: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
      },
    ])
    for (const what of ['messages', 'attachments']) {
      expect((await other.call('GET', `${path}/${what}`)).json).toEqual({
        detail: 'Session not found',
      })
      const strange = first.session_id.replace(/^......../, '01890a5d')
      expect((await tenant.call('GET', `/v1/manage/sessions/${strange}/${what}`)).json).toEqual({
        detail: 'Session not found',
      })
    }
    for (const query of ['?limit=0', '?limit=501', '?cursor=x']) {
      expect((await tenant.call('GET', `${path}/messages${query}`)).status).toBe(422)
    }
  })

  it('shows what is remembered, the profiles and documents of a space', async () => {
    const { space_id: home } = await whoIs('known')
    await say('known', 'My name is Ada and I live in Lima.')
    const memories = await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', `/v1/manage/spaces/${home}/memories`))
      return json.length > 0 ? json : null
    })
    expect(memories[0]).toEqual({
      id: expect.any(String),
      kind: expect.any(String),
      topic: expect.any(String),
      importance: expect.any(Number),
      content: expect.any(String),
      session_id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const profiles = (await expectOk(tenant.call('GET', `/v1/manage/spaces/${home}/profiles`))).json
    expect(profiles).toEqual([
      {
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        agent_name: 'desk',
        content: expect.stringContaining('Lima'),
        updated_at: expect.stringMatching(/Z$/),
      },
    ])
    const note = { title: 'Note', text: 'A line.' }
    const added = (await expectOk(tenant.as('known', 'POST', `/me/spaces/${home}/documents`, note)))
      .json
    const { json } = await expectOk(tenant.call('GET', `/v1/manage/spaces/${home}/documents`))
    expect(json).toMatchObject({
      items: [{ id: added.id, name: 'Note.txt', space_id: home, kb_name: null }],
      next_cursor: null,
    })
    const sessions = (await expectOk(tenant.call('GET', `/v1/manage/spaces/${home}/sessions`))).json
    expect(sessions.items).toMatchObject([{ space_id: home, agent_name: 'desk', message_count: 2 }])
    for (const what of ['memories', 'profiles', 'documents', 'sessions']) {
      expect((await other.call('GET', `/v1/manage/spaces/${home}/${what}`)).json).toEqual({
        detail: 'Space not found',
      })
    }
    for (const what of ['documents', 'sessions']) {
      expect((await tenant.call('GET', `/v1/manage/spaces/${home}/${what}?cursor=x`)).status).toBe(
        422,
      )
    }
  })

  it('in privacy mode hides what it is about, and refuses to show messages', async () => {
    const closed = await seedTenant(parley)
    await seedAgent(closed, 'desk')
    const message = 'My name is Ada and I live in Lima.'
    const talk = (await expectOk(closed.as('shy', 'POST', '/v1/chat', { message }))).json
    const { user_id, space_id } = (await expectOk(closed.as('shy', 'GET', '/me'))).json
    await waitFor(async () => {
      const { json } = await expectOk(closed.call('GET', `/v1/manage/spaces/${space_id}/memories`))
      return json.length > 0 ? true : null
    })
    const note = { title: 'Ada in Lima', text: 'The house is blue.' }
    const made = await closed.as('shy', 'POST', `/me/spaces/${space_id}/documents`, note)
    expect(made.status).toBe(201)
    await expectOk(closed.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    for (const what of ['messages', 'attachments']) {
      const answer = await closed.call('GET', `/v1/manage/sessions/${talk.session_id}/${what}`)
      expect(answer.status).toBe(403)
      expect(answer.text).not.toContain('Lima')
    }
    const lists = [
      `/v1/manage/spaces/${space_id}/sessions`,
      `/v1/manage/spaces/${space_id}/memories`,
      `/v1/manage/spaces/${space_id}/profiles`,
      `/v1/manage/spaces/${space_id}/documents`,
      `/v1/manage/users/${user_id}/sessions`,
      `/v1/manage/users/${user_id}/documents`,
      `/v1/manage/users/${user_id}`,
      `/v1/manage/sessions/${talk.session_id}`,
    ]
    for (const path of lists) {
      const { status, text } = await closed.call('GET', path)
      expect(status).toBe(200)
      expect(text).not.toMatch(/Lima|Ada/)
    }
    const { json } = await closed.call('GET', `/v1/manage/spaces/${space_id}/sessions`)
    expect(json.items[0]).toMatchObject({ id: talk.session_id, title: null })
    const held = await closed.call('GET', `/v1/manage/users/${user_id}/documents`)
    expect(held.json.items[0]).toMatchObject({ id: made.json.id, name: null, path: null })
    // The user goes on reading.
    const own = await closed.as('shy', 'GET', `/me/sessions/${talk.session_id}/messages`)
    expect(own.json[0].content).toBe(message)
  })
})
