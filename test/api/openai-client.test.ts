import OpenAI, {
  APIError,
  AuthenticationError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { RATES } from '../../src/config/limits'
import { PIXEL } from '../support/image-bytes'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'
import { model, parley, withModel } from '../support/with-model'

const QUESTION = [{ role: 'user' as const, content: 'When are refunds paid?' }]
const text = { type: 'text', text: 'What does it say?' }
const picture = (url: unknown) => ({ type: 'image_url', image_url: url })
const withParts = (...content: unknown[]) => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
})

/** What the official client makes of our answers. */
describe('the official OpenAI client (#8.25)', () => {
  let tenant: SeededTenant
  withModel({
    OPENAI_API_KEY: 'test',
    CHAT_MODEL: 'chat-test',
    CHAT_MODELS: 'offline',
    LIMITS_CHAT_PER_USER: String(RATES.chatPerUser.limit),
  })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    const fields = { model: 'offline', knowledge_bases: ['guide'], grounding_required: true }
    await seedAgent(tenant, 'desk', fields)
    await seedAgent(tenant, 'front desk', { model: 'offline' })
    await seedAgent(tenant, 'draft', { published: false })
    await seedAgent(tenant, 'remote', { tools: [] })
  }, 60_000)

  let users = 0
  function clientOf(apiKey = tenant.key, user = `user-${++users}`) {
    const defaultHeaders = { 'X-End-User': user }
    const baseURL = new URL('/v1', parley.url).href
    return new OpenAI({ apiKey, baseURL, defaultHeaders, maxRetries: 0 })
  }
  /** What a program can read of a refusal. */
  async function refusalOf(call: PromiseLike<unknown>) {
    const error = await Promise.resolve(call).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(error instanceof APIError)) throw new Error(`No refusal but ${String(error)}`)
    const { status, message, type, param, code } = error
    return { class: error.constructor, status, message, type, param, code }
  }
  const complete = (client: OpenAI, more: Record<string, unknown> = {}) =>
    client.chat.completions.create({ model: 'desk', messages: QUESTION, ...more })

  it('asks, whole and streamed, with usage', async () => {
    const client = clientOf()
    const whole = await complete(client)
    const [choice] = 'choices' in whole ? whole.choices : []
    expect(choice?.message.content).toContain('within five working days')
    expect(choice?.finish_reason).toBe('stop')
    const stream = await client.chat.completions.create({
      model: 'desk',
      messages: QUESTION,
      stream: true,
      stream_options: { include_usage: true },
    })
    let said = ''
    let total = 0
    for await (const chunk of stream) {
      said += chunk.choices[0]?.delta.content ?? ''
      total += chunk.usage?.total_tokens ?? 0
    }
    expect(said).toBe(choice?.message.content)
    expect(total).toBeGreaterThan(0)
    expect(await complete(client, { response_format: { type: 'text' } })).toHaveProperty('choices')
  })

  it('lists and retrieves models', async () => {
    const client = clientOf()
    const listed = (await client.models.list()).data
    expect(listed.map(({ id }) => id)).toEqual(['desk', 'front desk', 'remote'])
    for (const one of listed) expect(await client.models.retrieve(one.id)).toMatchObject(one)
  })

  it('reads who is refused and why', async () => {
    const absent = {
      class: NotFoundError,
      status: 404,
      message: '404 Agent not found',
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    }
    for (const name of ['nobody', 'draft']) {
      expect(await refusalOf(complete(clientOf(), { model: name }))).toEqual(absent)
      expect(await refusalOf(clientOf().models.retrieve(name))).toEqual(absent)
    }
    expect(await refusalOf(clientOf().embeddings.create({ model: 'm', input: 'x' }))).toMatchObject(
      {
        class: NotFoundError,
        message: '404 Not Found',
        code: 'not_found',
      },
    )
    const unknown = {
      class: AuthenticationError,
      status: 401,
      message: '401 Invalid API key',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    }
    const stranger = clientOf(`pk_${'0'.repeat(43)}`)
    expect(await refusalOf(complete(stranger))).toEqual(unknown)
    expect(await refusalOf(stranger.models.list())).toEqual(unknown)
    const { json } = await expectOk(
      tenant.call('POST', '/v1/tenant/keys', { name: 'reader', scopes: ['read'] }),
    )
    expect(await refusalOf(complete(clientOf(json.api_key)))).toEqual({
      class: PermissionDeniedError,
      status: 403,
      message: expect.stringContaining('403 This key lacks the scope'),
      type: 'invalid_request_error',
      param: null,
      code: 'scope_missing',
    })
  })

  it.each([
    [{ messages: [] }, 'messages', 'too_short'],
    [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role', 'literal_error'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content', 'value_error'],
    [{ max_tokens: 'many' }, 'max_tokens', 'int_parsing'],
    [{ n: 2 }, 'n', 'value_error'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'value_error'],
    [{ stop: 5 }, 'stop', 'value_error'],
    [{ stop: ['a', 5] }, 'stop', 'value_error'],
    [{ logprobs: true, top_logprobs: 2 }, 'logprobs', 'value_error'],
    [{ top_logprobs: 2 }, 'top_logprobs', 'value_error'],
    [{ modalities: ['text', 'audio'] }, 'modalities', 'value_error'],
    [{ tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools', 'value_error'],
    [{ response_format: { type: 'json_object' } }, 'response_format.type', 'value_error'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } },
      'response_format.type',
      'value_error',
    ],
    [{ response_format: {} }, 'response_format.type', 'missing'],
    [withParts(text, { type: 'file', file: {} }), 'messages[1].content[1].type', 'value_error'],
    [withParts(text, picture(undefined)), 'messages[1].content[1].image_url', 'missing'],
    [
      withParts(text, picture({ url: PIXEL }), picture({ url: 'https://cats.example/cat.png' })),
      'messages[1].content[2]',
      'value_error',
    ],
    [
      withParts(...Array.from({ length: 5 }, () => picture({ url: PIXEL }))),
      'messages[1].content',
      'value_error',
    ],
  ])('reads what is wrong with %j', async (body, param, code) => {
    for (const stream of [false, true]) {
      const refusal = await refusalOf(complete(clientOf(), { ...body, stream }))
      expect(JSON.stringify(refusal)).not.toContain('Invalid input')
      expect(refusal).toEqual({
        class: UnprocessableEntityError,
        status: 422,
        message: expect.stringContaining(`422 ${param}: `),
        type: 'invalid_request_error',
        param,
        code,
      })
    }
  })

  it('shows a picture, whose address may stand without an object around it', async () => {
    model.script = () => ({ text: 'A dot.' })
    for (const url of [PIXEL, { url: PIXEL, detail: 'low' }]) {
      const whole = await complete(clientOf(), {
        model: 'remote',
        ...withParts(text, picture(url)),
      })
      expect(whole.choices[0]?.message.content).toBe('A dot.')
      const asked = JSON.stringify(model.calls.findLast(({ stream }) => stream))
      expect(asked).toContain(PIXEL)
    }
  })

  it('reads that a message is too long', async () => {
    const say = (content: string) => ({ messages: [{ role: 'user', content }] })
    expect(await refusalOf(complete(clientOf(), say('x'.repeat(16_001))))).toMatchObject({
      class: UnprocessableEntityError,
      message: '422 messages[0].content: String should have at most 16000 characters',
      param: 'messages[0].content',
      code: 'string_too_long',
    })
    // Characters are counted as everywhere, not halves of them.
    expect((await complete(clientOf(), say('😀'.repeat(9000)))).object).toBe('chat.completion')
  })

  it.each([
    ['\n\n', 'One.'],
    [['three', 'Two'], 'One.\n\n'],
    [['absent'], 'One.\n\nTwo.\n\nThree.'],
    ['One', ''],
    [['', ''], 'One.\n\nTwo.\n\nThree.'],
    [[], 'One.\n\nTwo.\n\nThree.'],
    [null, 'One.\n\nTwo.\n\nThree.'],
  ])('ends a reply before %j, whole, streamed and stored', async (stop, said) => {
    for (const pieceChars of [1, 7]) {
      model.script = () => ({ text: 'One.\n\nTwo.\n\nThree.', pieceChars })
      const user = `stop-${++users}`
      const client = clientOf(tenant.key, user)
      const whole = await complete(client, { model: 'remote', stop })
      expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: said } })
      const { session_id: id } = (whole as unknown as { metadata: { session_id: string } }).metadata
      const { json } = await expectOk(
        tenant.call('GET', `/v1/me/sessions/${id}/messages`, undefined, { 'X-End-User': user }),
      )
      expect(json.map(({ content }: { content: string }) => content)).toEqual([
        QUESTION[0]?.content,
        said,
      ])
      const stream = await client.chat.completions.create({
        model: 'remote',
        messages: QUESTION,
        stream: true,
        stop,
      })
      let told = ''
      let reason: string | null = null
      for await (const { choices } of stream) {
        told += choices[0]?.delta.content ?? ''
        reason = choices[0]?.finish_reason ?? reason
      }
      expect([told, reason]).toEqual([said, 'stop'])
    }
  })

  it('asks the model no further once a reply has ended', async () => {
    const called = { name: 'current_time', arguments: '{}' }
    await seedAgent(tenant, 'clock', { tools: ['current_time'] })
    const before = model.calls.filter(({ stream }) => stream).length
    model.script = () => ({ text: 'Let me see. STOP', toolCalls: [called] })
    const whole = await complete(clientOf(), { model: 'clock', stop: 'STOP' })
    expect(whole.choices[0]?.message.content).toBe('Let me see. ')
    expect(model.calls.filter(({ stream }) => stream).length - before).toBe(1)
  })

  it('takes what clients send along that says nothing', async () => {
    const said = { role: 'function', name: 'now', content: '12:00' }
    const whole = await complete(clientOf(), {
      messages: [
        { role: 'assistant', content: null, function_call: {} },
        said,
        { role: 'user', content: [{ ...text, image_url: null }] },
      ],
      stream_options: { include_usage: null },
      user: null,
      stop: null,
      metadata: { session_id: null, tags: ['shop'], trace: { id: 1 } },
    })
    // The protocol's answers always have the field.
    expect(whole.choices[0]?.message).toHaveProperty('refusal', null)
  })

  it('hands a seed to the model', async () => {
    model.script = () => ({ text: 'Hello.' })
    await complete(clientOf(), { model: 'remote', seed: 42 })
    expect(model.calls.findLast(({ stream }) => stream)).toMatchObject({ seed: 42 })
  })

  it('takes any maximum of tokens, and keeps it', async () => {
    for (const max_tokens of [1, 200_000]) {
      const { usage } = await complete(clientOf(), { max_tokens })
      expect(usage?.completion_tokens).toBeLessThanOrEqual(max_tokens)
    }
  })

  it('reads that there was too much: of requests, and of tokens', async () => {
    const client = clientOf()
    const { limit } = RATES.chatPerUser
    const answers = await Promise.allSettled(
      Array.from({ length: limit + 1 }, () => complete(client)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit)
    expect(await refusalOf(complete(client))).toEqual({
      class: RateLimitError,
      status: 429,
      message: '429 Too many requests',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    })
    const poor = await seedTenant(parley, { monthly_token_ceiling: 10 })
    await seedAgent(poor, 'desk')
    expect(await refusalOf(complete(clientOf(poor.key)))).toEqual({
      class: RateLimitError,
      status: 429,
      message: '429 Monthly token quota exceeded',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_quota',
    })
  })

  it('reads that the model behind us failed, before and within a stream', async () => {
    model.script = () => ({ status: 500 })
    const failed = { message: expect.stringMatching(/Upstream error$/), code: 'upstream' }
    expect(await refusalOf(complete(clientOf(), { model: 'remote' }))).toMatchObject({
      ...failed,
      class: InternalServerError,
      status: 502,
    })
    const stream = await clientOf().chat.completions.create({
      model: 'remote',
      messages: QUESTION,
      stream: true,
    })
    const reading = (async () => {
      for await (const chunk of stream) expect(chunk).not.toHaveProperty('error')
    })()
    expect(await refusalOf(reading)).toEqual({
      ...failed,
      class: APIError,
      status: undefined,
      type: 'server_error',
      param: null,
    })
  })

  it('has `detail` beside it, as everywhere', async () => {
    const { status, json } = await tenant.call('GET', '/v1/models/nobody')
    expect([status, json.detail, json.error.message]).toEqual([
      404,
      'Agent not found',
      'Agent not found',
    ])
    const wrong = await tenant.call('POST', '/v1/models/desk', {})
    expect([wrong.status, wrong.json]).toEqual([
      405,
      {
        detail: 'Method Not Allowed',
        error: {
          message: 'Method Not Allowed',
          type: 'invalid_request_error',
          param: null,
          code: 'method_not_allowed',
        },
      },
    ])
  })
})
