import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { parseSse } from '../support/sse-reader'

describe('an answer that is cut off by a new start', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    server = await startKillable(model.vars)
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  it('says so to whoever goes on with it', async () => {
    model.script = ({ stream }) =>
      stream
        ? { text: 'word '.repeat(20), until: new Promise(() => undefined) }
        : { text: 'A title' }
    const response = await fetch(new URL('/v1/chat/stream', server.parley.url), {
      method: 'POST',
      headers: {
        'x-api-key': tenant.key,
        'x-end-user': 'ann',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ message: 'Hello' }),
    })
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
        if (text.includes('word')) await server.kill()
      }
    } catch {
      // The connection broke, as it should.
    }
    await server.start()
    const [session] = parseSse(text)
    const path = `/v1/chat/stream/${session?.data.message_id}`
    const again = await tenant.as('ann', 'GET', path, undefined, { 'last-event-id': '1' })
    expect(
      parseSse(again.text).map(({ event, data }) => [event, data.code, data.retryable]),
    ).toEqual([['error', 'interrupted', true]])
  })
})
