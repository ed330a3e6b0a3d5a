import { describe, expect, it } from 'vitest'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { readSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

const GUIDE = { Refunds: 'Refunds are paid within five working days.' }
const SOUL = 'You are Iris, who answers for a shop that sells tea. '.repeat(20)

describe('what calls of a model are booked as', () => {
  withModel({ EMBEDDING_MODEL: 'test-embedder', STT_MODEL: 'test-ear' })

  async function seed(fields: Record<string, unknown> = {}): Promise<SeededTenant> {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'iris', { soul: SOUL, ...fields })
    return tenant
  }
  const booked = async (tenant: SeededTenant, kind: string) => {
    const { json } = await tenant.call('GET', '/v1/manage/usage?group=kind')
    return json.rows.find((row: { key: string }) => row.key === kind) ?? null
  }

  it('what the provider reports, as it reports it', async () => {
    const tenant = await seed()
    model.script = () => ({ text: 'Hello.' })
    const { json } = await tenant.as('a', 'POST', '/v1/chat', { message: 'Hi', agent: 'iris' })
    expect(json.usage).toEqual({
      model: 'test-model',
      input_tokens: 100,
      output_tokens: 20,
      estimated: false,
    })
    const row = await waitFor(() => booked(tenant, 'chat'))
    expect(row).toMatchObject({ total_tokens: 120, estimated_tokens: 0 })
  })

  it.each([
    { prompt_tokens: -5, completion_tokens: 1e12 },
    { prompt_tokens: 10.5, completion_tokens: -1 },
  ])('an estimate where it reports what no count can be: %o', async (usage) => {
    const tenant = await seed()
    model.script = () => ({ text: 'It is noon in the place that you are in now.', usage })
    const { json } = await tenant.as('a', 'POST', '/v1/chat', { message: 'Hi', agent: 'iris' })
    expect(json.usage.estimated).toBe(true)
    expect(json.usage.input_tokens).toBeGreaterThan(200)
    expect(json.usage.output_tokens).toBe(11)
    await waitFor(() => booked(tenant, 'title'))
    const { json: quota } = await tenant.call('GET', '/v1/tenant/quota')
    expect(quota.used).toBeGreaterThan(200)
    expect(quota.used).toBeLessThan(5000)
    expect(
      (await tenant.as('a', 'POST', '/v1/chat', { message: 'Hi', agent: 'iris' })).status,
    ).toBe(200)
  })

  it('an estimate where it reports nothing, of every call and of the tools it was shown', async () => {
    const tenant = await seed()
    model.script = (call, n) =>
      call.stream && n === 0
        ? { toolCalls: [{ name: 'current_time', arguments: '{}' }], usage: null }
        : { text: 'It is noon in the place that you are in now.', usage: null }
    model.calls.length = 0
    const message = 'What time is it?'
    const { json } = await tenant.as('a', 'POST', '/v1/chat', { message, agent: 'iris' })
    const sent = model.calls.filter((call) => call.stream)
    expect(sent).toHaveLength(2)
    const characters = JSON.stringify(sent.map(({ messages, tools }) => [messages, tools])).length
    expect(json.usage.estimated).toBe(true)
    expect(json.usage.input_tokens).toBeGreaterThan((characters / 4) * 0.6)
    expect(json.usage.input_tokens).toBeLessThan((characters / 4) * 1.4)
    expect(json.usage.output_tokens).toBeGreaterThanOrEqual(10)
    const row = await waitFor(() => booked(tenant, 'chat'))
    expect(row.total_tokens).toBe(json.usage.input_tokens + json.usage.output_tokens)
    expect(row.estimated_tokens).toBe(row.total_tokens)
    const title = await waitFor(() => booked(tenant, 'title'))
    expect(title.estimated_tokens).toBe(title.total_tokens)
    expect(title.total_tokens).toBeGreaterThan(20)
  })

  it('a turn that is stopped: all that was sent', async () => {
    const tenant = await seed()
    model.script = () => ({ text: 'word '.repeat(400), pieceDelayMs: 30 })
    const response = await fetch(new URL('/v1/chat/stream', parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': 'a',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: 'Go on', agent: 'iris' }),
    })
    let sessionId = ''
    const frames = await readSse(response, (seen) => {
      sessionId = seen[0]?.data.session_id ?? ''
      return seen.some((frame) => frame.event === 'token')
    })
    expect(frames.length).toBeGreaterThan(0)
    await tenant.as('a', 'POST', '/v1/chat/stop', { session_id: sessionId })
    const row = await waitFor(() => booked(tenant, 'chat'))
    expect(row.input_tokens).toBeGreaterThan(SOUL.length / 5)
    expect(row.output_tokens).toBeGreaterThan(0)
    expect(row.estimated_tokens).toBe(row.total_tokens)
  })

  it('a call that is refused: nothing', async () => {
    const tenant = await seed()
    model.script = () => ({ status: 401 })
    await tenant.as('a', 'POST', '/v1/chat', { message: 'Hi', agent: 'iris' })
    const row = await waitFor(() => booked(tenant, 'chat'))
    expect(row).toMatchObject({ requests: 1, total_tokens: 0 })
  })

  it('the vector of a question', async () => {
    const tenant = await seed()
    await seedBase(tenant, 'guide', GUIDE)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    const before = await waitFor(() => booked(tenant, 'embedding'))
    model.script = () => ({ text: 'Within five working days.' })
    const ask = { message: 'When are refunds paid?', agent: 'desk' }
    expect((await tenant.as('a', 'POST', '/v1/chat', ask)).status).toBe(200)
    const asked = await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/usage?group=agent')
      return json.rows.find((row: { label: string }) => row.label === 'desk')
    })
    // The endpoint reports one token for each call of its embedder.
    expect(asked.requests).toBeGreaterThanOrEqual(2)
    const row = await booked(tenant, 'embedding')
    expect(row.requests).toBeGreaterThan(before.requests)
    expect(row.total_tokens).toBeGreaterThan(before.total_tokens)
  })

  const recording = (bytes: number) => {
    const wav = new Uint8Array(bytes)
    wav.set(new TextEncoder().encode('RIFF'), 0)
    new DataView(wav.buffer).setUint32(4, wav.length - 8, true)
    wav.set(new TextEncoder().encode('WAVEfmt '), 8)
    new DataView(wav.buffer).setUint32(16, 16, true)
    return `data:audio/wav;base64,${Buffer.from(wav).toString('base64')}`
  }

  it('what was heard in a recording, within the quota', async () => {
    const tenant = await seed()
    const audio = recording(4060)
    model.script = () => ({ text: 'Within five working days.' })
    const body = { message: '', agent: 'iris', audio }
    expect((await tenant.as('a', 'POST', '/v1/chat', body)).status).toBe(200)
    const row = await waitFor(() => booked(tenant, 'stt'))
    expect(row).toMatchObject({ requests: 1, input_tokens: 21 })
    expect(row.estimated_tokens).toBe(row.total_tokens)

    // A repeat is found before it is heard again, and refused before it is.
    const key = { 'idempotency-key': 'a recording' }
    const first = await tenant.as('a', 'POST', '/v1/chat', body, key)
    await waitFor(async () => ((await booked(tenant, 'stt')).requests === 2 ? true : null))
    const again = await tenant.as('a', 'POST', '/v1/chat', body, key)
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = { ...body, audio: recording(5000) }
    expect((await tenant.as('a', 'POST', '/v1/chat', other, key)).status).toBe(422)
    expect((await tenant.as('b', 'POST', '/v1/chat', body)).status).toBe(200)
    await waitFor(async () => ((await booked(tenant, 'stt')).requests >= 3 ? true : null))
    expect((await booked(tenant, 'stt')).requests).toBe(3)

    const poor = await seedTenant(parley, { monthly_token_ceiling: 20 })
    await seedAgent(poor, 'iris', {})
    const refused = await poor.as('a', 'POST', '/v1/chat', body)
    expect(refused.status).toBe(429)
    expect((await poor.call('GET', '/v1/tenant/quota')).json.used).toBe(0)
  })

  it('what was heard counts to the user’s day: of the tenant, of the agent that is named, and of the session’s', async () => {
    model.script = () => ({ text: 'Within five working days.' })
    const body = { message: '', audio: recording(260_000) }
    const full = { detail: 'Daily token quota of the user exceeded', code: 'user_quota' }
    const say = async (by: SeededTenant, fields: object) => {
      const { status, json, headers } = await by.as('a', 'POST', '/v1/chat', { ...body, ...fields })
      return { status, json, wait: Number(headers.get('retry-after')) }
    }
    const tenant = await seed()
    await seedAgent(tenant, 'desk', { daily_tokens_per_user: 1000 })
    // The recording fills the day: what was heard is no longer answered.
    const first = await say(tenant, { agent: 'desk' })
    expect([first.status, first.json]).toEqual([429, full])
    expect(first.wait).toBeGreaterThan(0)
    const heard = await waitFor(() => booked(tenant, 'stt'))
    expect(heard.requests).toBe(1)
    await say(tenant, { agent: 'desk' })
    const text = { agent: 'desk', message: 'Hi', audio: null }
    expect((await say(tenant, text)).json).toEqual(full)
    const other = await say(tenant, { agent: 'iris' })
    expect(other.status).toBe(200)
    await waitFor(async () => ((await booked(tenant, 'stt'))?.requests === 2 ? true : null))

    // A session's agent is known by the session alone.
    const mine = await seed()
    const { json: begun } = await say(mine, { agent: 'iris', message: 'Hi', audio: null })
    await mine.call('PATCH', '/v1/agents/iris', { daily_tokens_per_user: 1000 })
    const { session_id } = begun
    expect((await say(mine, { session_id })).json).toEqual(full)
    expect((await say(mine, { session_id })).json).toEqual(full)
    expect((await waitFor(() => booked(mine, 'stt'))).requests).toBe(1)

    const whole = await seed()
    await whole.call('PATCH', '/v1/tenant/settings', { daily_tokens_per_user: 1000 })
    for (let n = 0; n < 2; n++) expect((await say(whole, { agent: 'iris' })).json).toEqual(full)
    expect((await waitFor(() => booked(whole, 'stt'))).requests).toBe(1)
  })
})
