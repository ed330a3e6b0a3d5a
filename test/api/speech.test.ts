import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SPEECH } from '../../src/config/limits'
import { mp3 } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

const GUIDE = { Refunds: 'Refunds are paid within five working days.' }
const MARK = '[1|paid within five working days]'

describe('an answer read aloud', () => {
  let tenant: SeededTenant

  withModel({
    OPENAI_API_KEY: 'sk-test',
    EMBEDDING_MODEL: 'test-embedder',
    TTS_MODEL: 'test-mouth',
    TTS_VOICE: 'calm',
  })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], published: true })
  })
  beforeEach(() => {
    model.spoken.length = 0
    model.speak = ({ voice }) => ({ pieces: [mp3(voice)] })
    model.script = () => ({ text: `Within **five** days: paid within five working days ${MARK}.` })
  })

  interface Said {
    session_id: string
    message_id: string
  }
  const ask = async (user: string, fields: object = {}, by = tenant): Promise<Said> => {
    const body = { message: 'When are refunds paid?', agent: 'desk', ...fields }
    return (await expectOk(by.as(user, 'POST', '/v1/chat', body))).json
  }
  const speak = (user: string, { message_id }: Said, voice?: string | null, by = tenant) =>
    by.as(user, 'POST', '/v1/speech', { message_id, ...(voice === undefined ? {} : { voice }) })
  /** As it comes, with no end yet. */
  const begin = (user: string, { message_id }: Said, by: SeededTenant) =>
    fetch(new URL('/v1/speech', parley.url), {
      method: 'POST',
      headers: { 'x-api-key': by.key, 'x-end-user': user, 'content-type': 'application/json' },
      body: JSON.stringify({ message_id }),
    })
  const filesOf = async (by = tenant): Promise<string[]> => {
    const env = await parley.worker.getEnv()
    const { objects } = await env.FILES.list({ prefix: `users/${by.id}/` })
    return objects.map(({ key }: { key: string }) => key)
  }
  /** Waits for what is kept and dropped behind the answer. */
  const untilFiles = (count: number, by = tenant) =>
    waitFor(async () => {
      const files = await filesOf(by)
      return files.length === count ? files : null
    })
  const booked = async (by = tenant) => {
    const { json } = await by.call('GET', '/v1/manage/usage?group=kind')
    return json.rows.find((row: { key: string }) => row.key === 'tts') ?? null
  }

  it('is its words alone, in the voice that is asked for, else in the usual one', async () => {
    const said = await ask('ada')
    const { status, headers, text } = await speak('ada', said)
    expect([status, headers.get('content-type'), text]).toEqual([200, 'audio/mpeg', 'ID3calm'])
    expect(headers.get('cache-control')).toBe('private, no-store')
    const input = 'Within five days: paid within five working days.'
    const call = { model: 'test-mouth', input, response_format: 'mp3' }
    expect(model.spoken).toEqual([{ ...call, voice: 'calm' }])
    expect((await speak('ada', said, 'nova')).text).toBe('ID3nova')
    expect(model.spoken[1]).toEqual({ ...call, voice: 'nova' })
  })

  it('comes as it is made, and is kept when its listener leaves', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    const rest = Promise.withResolvers<void>()
    model.speak = () => ({ pieces: [mp3('begin'), mp3('end')], until: rest.promise })
    const response = await begin('ada', said, own)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.value).toEqual(mp3('begin'))
    await reader?.cancel()
    rest.resolve()
    await untilFiles(1, own)
    expect((await speak('ada', said, null, own)).text).toBe('ID3beginID3end')
    expect(model.spoken).toHaveLength(1)
  })

  it('is made once, booked once, sealed, and no attachment of the message', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    expect((await speak('ada', said, null, own)).text).toBe('ID3calm')
    const [file = ''] = await untilFiles(1, own)
    expect((await speak('ada', said, null, own)).text).toBe('ID3calm')
    expect(model.spoken).toHaveLength(1)
    const row = await waitFor(() => booked(own))
    expect(row).toMatchObject({ requests: 1, output_tokens: 0 })
    expect([row.input_tokens > 0, row.estimated_tokens]).toEqual([true, row.total_tokens])

    const env = await parley.worker.getEnv()
    const stored = await (await env.FILES.get(file))?.arrayBuffer()
    expect(new TextDecoder('latin1').decode(stored)).not.toMatch(/ID3|calm/)
    const id = file.split('/').at(-1)
    const path = `/me/sessions/${said.session_id}`
    expect((await own.as('ada', 'GET', `${path}/attachments`)).json).toEqual([])
    expect((await own.as('ada', 'GET', `/me/attachments/${id}`)).status).toBe(404)
    const { json: messages } = await own.as('ada', 'GET', `${path}/messages`)
    expect(messages.at(-1).attachments).toEqual([])
  })

  it('is only for whom the answer was for, and only of answers', async () => {
    const said = await ask('ada')
    const absent = { detail: 'Message not found' }
    expect((await speak('eve', said)).json).toEqual(absent)
    const { json } = await tenant.as('ada', 'GET', `/me/sessions/${said.session_id}/messages`)
    const question = { ...said, message_id: json[0].id }
    expect((await speak('ada', question)).json).toEqual(absent)
    expect(model.spoken).toEqual([])
  })

  it('of new words is new, and the old file is gone', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    await expectOk(speak('ada', said, null, own))
    await untilFiles(1, own)
    const path = `/me/sessions/${said.session_id}/messages/${said.message_id}`
    await expectOk(own.as('ada', 'PATCH', path, { content: 'Other words.' }))
    await untilFiles(0, own)
    await expectOk(speak('ada', said, null, own))
    expect(model.spoken.map(({ input }) => input)[1]).toBe('Other words.')
    await untilFiles(1, own)
  })

  it('is not kept of words that were changed while it was made', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    const rest = Promise.withResolvers<void>()
    model.speak = ({ voice }) => ({ pieces: [mp3(voice), mp3('old')], until: rest.promise })
    const hearing = speak('ada', said, null, own)
    await waitFor(async () => model.spoken[0] ?? null)
    const path = `/me/sessions/${said.session_id}/messages/${said.message_id}`
    await expectOk(own.as('ada', 'PATCH', path, { content: 'Other words.' }))
    rest.resolve()
    expect((await hearing).text).toBe('ID3calmID3old')
    await waitFor(() => booked(own))
    model.speak = () => ({ pieces: [mp3('new')] })
    expect((await speak('ada', said, null, own)).text).toBe('ID3new')
    await untilFiles(1, own)
  })

  it('goes with its message, and with its session', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const first = await ask('ada', {}, own)
    const second = await ask('ada', {}, own)
    for (const said of [first, second])
      for (const voice of [null, 'nova']) await expectOk(speak('ada', said, voice, own))
    await untilFiles(4, own)
    const path = `/me/sessions/${first.session_id}/messages/${first.message_id}`
    await expectOk(own.as('ada', 'DELETE', path))
    await untilFiles(2, own)
    await expectOk(own.as('ada', 'DELETE', `/me/sessions/${second.session_id}`))
    await untilFiles(0, own)
  })

  it('goes along when its space is merged into another', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const { json: target } = await own.as('ada', 'GET', '/me')
    const { json: space } = await own.as('ada', 'POST', '/me/spaces', { name: 'Other' })
    const offered = { name: 'desk' }
    await expectOk(own.as('ada', 'POST', `/me/spaces/${space.id}/agents`, offered))
    const body = { message: 'Hello', agent: 'desk' }
    const headers = { 'x-space-id': space.id }
    const { json: said } = await expectOk(own.as('ada', 'POST', '/v1/chat', body, headers))
    await expectOk(speak('ada', said, 'nova', own))
    await untilFiles(1, own)
    const merge = { target_space_id: target.space_id }
    await expectOk(own.as('ada', 'POST', `/me/spaces/${space.id}/merge`, merge))
    expect((await speak('ada', said, 'nova', own)).text).toBe('ID3nova')
    expect(model.spoken).toHaveLength(1)
  })

  it('is refused for what cannot be read: too much, nothing, no such voice', async () => {
    const at = async (said: Said, voice?: string) => {
      const { status, json } = await speak('ada', said, voice)
      return [status, json.detail[0].loc.at(-1)]
    }
    const said = await ask('ada')
    const path = `/me/sessions/${said.session_id}/messages/${said.message_id}`
    for (const content of ['word '.repeat(SPEECH.maxChars / 5 + 1), '---']) {
      await expectOk(tenant.as('ada', 'PATCH', path, { content }))
      expect(await at(said)).toEqual([422, 'message_id'])
    }
    expect(model.spoken).toEqual([])
    model.speak = () => ({ status: 400 })
    const other = await ask('ada')
    expect(await at(other, 'no-such-voice')).toEqual([422, 'voice'])
    expect(await at(other, 'not a voice')).toEqual([422, 'voice'])
  })

  it('fails as a gateway does when the backend fails, and nothing is booked', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    const failures = [{ status: 500 }, { status: 400 }, {}, { pieces: [Buffer.from('<html>')] }]
    for (const act of failures) {
      model.speak = () => act
      const { status, json } = await speak('ada', said, null, own)
      expect([status, json]).toEqual([502, { detail: 'Upstream error' }])
    }
    const heard = Promise.withResolvers<void>()
    const pieces = [mp3('begin'), mp3('more')]
    model.speak = () => ({ pieces, until: heard.promise, cut: true })
    const { status, body } = await begin('ada', said, own)
    heard.resolve()
    expect(status).toBe(200)
    await expect(new Response(body).text()).rejects.toThrow()
    model.speak = () => ({ pieces: [mp3('whole')] })
    expect((await speak('ada', said, null, own)).text).toBe('ID3whole')
    expect(model.spoken).toHaveLength(failures.length + 2)
    await untilFiles(1, own)
    expect(await waitFor(() => booked(own))).toMatchObject({ requests: 1 })
  })

  it('is refused without quota, but for what is kept', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', {})
    const said = await ask('ada', {}, own)
    await expectOk(speak('ada', said, null, own))
    await untilFiles(1, own)
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${own.id}`, { monthly_token_ceiling: 1 }),
    )
    const refused = await speak('ada', said, 'nova', own)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await speak('ada', said, null, own)).text).toBe('ID3calm')
  })

  it('counts to its user’s day with the agent, and is refused until the day is over', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'desk', { daily_tokens_per_user: 1000 })
    await seedAgent(own, 'other', {})
    const said = await ask('ada', {}, own)
    await expectOk(speak('ada', said, 'kept', own))
    const path = `/me/sessions/${said.session_id}/messages/${said.message_id}`
    await untilFiles(1, own)
    const { json: long } = await own.as('ada', 'POST', '/v1/chat', { message: 'Hi', agent: 'desk' })
    const longPath = `/me/sessions/${long.session_id}/messages/${long.message_id}`
    const content = 'word '.repeat(SPEECH.maxChars / 5)
    await expectOk(own.as('ada', 'PATCH', longPath, { content }))
    await expectOk(speak('ada', long, 'once', own))
    await untilFiles(2, own)
    const refused = await speak('ada', long, 'twice', own)
    expect([refused.status, refused.json]).toEqual([
      429,
      { detail: 'Daily token quota of the user exceeded', code: 'user_quota' },
    ])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    const body = { message: 'Hello', agent: 'desk' }
    expect((await own.as('ada', 'POST', '/v1/chat', body)).json.code).toBe('user_quota')
    expect((await speak('ada', said, 'kept', own)).status).toBe(200)
    expect((await ask('ada', { agent: 'other' }, own)).message_id).toEqual(expect.any(String))
    expect((await ask('eve', {}, own)).message_id).toEqual(expect.any(String))
    await expectOk(own.as('ada', 'PATCH', path, { content: 'Other words.' }))
    expect((await speak('ada', said, 'kept', own)).status).toBe(429)
    await expectOk(own.call('PATCH', '/v1/agents/desk', { daily_tokens_per_user: null }))
    expect((await speak('ada', said, 'kept', own)).status).toBe(200)
  })

  it('is told to models and pages, and not among the features', async () => {
    const { json: models } = await tenant.as('ada', 'GET', '/v1/models')
    expect(models.data[0]).toMatchObject({ id: 'desk', tts: true })
    const { json } = await parley.call('GET', `/v1/agents/desk/opening?tenant_id=${tenant.id}`)
    expect(json.can_speak).toBe(true)
    expect((await tenant.as('ada', 'GET', '/me/features')).json).toEqual({ stt: false })
  })
})
