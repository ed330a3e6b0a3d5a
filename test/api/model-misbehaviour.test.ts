import { beforeAll, describe, expect, it } from 'vitest'
import { evictSpaces } from '../support/harness'
import { PIXEL } from '../support/image-bytes'
import type { ModelAct } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitFor } from '../support/seed'
import { parseSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

const NOTHING_EN = 'I could not come up with an answer just now. Please try again.'
const CLOCK = { name: 'current_time', arguments: '{}' }

const said = (content: string) => ({ delta: { content } })
const whole = (content: string) => ({ message: { content }, finish_reason: 'stop' })
const many = (say: (n: number) => string) => Array.from({ length: 20 }, (_, n) => say(n)).join('')
const stop = (finish_reason: string) => ({ delta: {}, finish_reason })

function both(...calls: { id?: string }[]) {
  const tool_calls = calls.map((one, index) => ({
    ...one,
    index,
    type: 'function',
    function: CLOCK,
  }))
  return { delta: { tool_calls } }
}

/** Word for word in the guide, and what is made of it. */
const FACT = 'Refunds are paid within five working days.'
const MORE = 'Gift cards cannot be refunded.'
const PROVEN = 'Refunds are paid within five working days [1].'
const CALL = '{"name": "search_knowledge", "arguments": {"query": "refunds"}}'

describe('a model that misbehaves', () => {
  let tenant: SeededTenant

  withModel({ OPENAI_API_KEY: 'sk-secret', CHAT_MODELS: 'homemade-7b,qwq-32b' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'plain', {})
    await seedAgent(tenant, 'homemade', { model: 'homemade-7b' })
    await seedAgent(tenant, 'family', { model: 'qwq-32b', reasoning: true })
    await seedAgent(tenant, 'thinker', { reasoning: true })
    await seedBase(tenant, 'guide', { Refunds: `# Refunds\n\n${FACT} ${MORE}` })
    await seedAgent(tenant, 'guided', {
      knowledge_bases: ['guide'],
      grounding_required: true,
      tools: ['search_knowledge'],
    })
  })
  const turns = () => model.calls.filter((call) => call.stream)
  /** One streamed turn: what was shown on the way, and how it ended. */
  async function ask(
    acts: (n: number) => ModelAct,
    message = 'How are you today?',
    agent = 'plain',
  ) {
    model.script = (call, n) => (call.stream ? acts(n) : { text: 'A title' })
    const { text } = await tenant.as('a', 'POST', '/v1/chat/stream', { message, agent })
    const frames = parseSse(text)
    let shown = ''
    for (const { event, data } of frames) {
      if (event === 'token') shown += data.text
      else if (event === 'replace') shown = data.text
    }
    const last = frames.at(-1)
    if (last?.event === 'done') expect(last.data.reply).toBe(shown)
    return { frames, shown, end: last?.event, data: last?.data }
  }
  type Frames = Awaited<ReturnType<typeof ask>>['frames']
  const textsOf = (frames: Frames, event: string): string[] =>
    frames.filter((frame) => frame.event === event).map((frame) => frame.data.text)
  const first =
    (act: ModelAct): ((n: number) => ModelAct) =>
    (n) =>
      n === 0 ? act : { text: 'Well.' }

  const EMPTY: [string, ModelAct][] = [
    ['nothing', { text: '' }],
    ['blanks', { text: ' \n ' }],
    ['reasoning alone', { reasoning: 'Let me think.' }],
    ['a thought in the text alone', { text: '<think>Let me think.' }],
    ['a thought as long as the answer may be', { reasoning: 'Hm.', finishReason: 'length' }],
    ['nothing, for a filter', { text: '', finishReason: 'content_filter' }],
    ['no choice at all', { raw: ['{"choices":[]}', stop('stop')] }],
    ['null deltas', { raw: [{ delta: { content: null } }, { delta: {} }, stop('stop')] }],
  ]

  it.each(EMPTY)('says %s: it is asked once more, without a word', async (_name, act) => {
    const { shown, data } = await ask(first(act))
    expect({ shown, finish: data.finish_reason }).toEqual({ shown: 'Well.', finish: 'stop' })
    expect(turns()).toHaveLength(2)
  })

  it.each(EMPTY)('says %s again: the turn says so and is an error', async (_name, act) => {
    const { shown, data } = await ask(() => act)
    expect({ shown, finish: data.finish_reason }).toEqual({ shown: NOTHING_EN, finish: 'error' })
    expect(turns()).toHaveLength(2)
  })

  it('says so in the user’s language, also without a stream', async () => {
    model.script = () => ({ text: '' })
    const { status, json } = await tenant.as('a', 'POST', '/v1/chat', {
      message: '今天的天气怎么样，我应该带伞吗？',
      agent: 'plain',
    })
    expect([status, json.reply, json.finish_reason]).toEqual([
      200,
      '我暂时没能给出回答，请再试一次。',
      'error',
    ])
  })

  it('calls tools for ever: the loop ends, and nothing is called again', async () => {
    const { shown, data } = await ask(() => ({ toolCalls: [CLOCK] }))
    expect({ shown, finish: data.finish_reason }).toEqual({ shown: NOTHING_EN, finish: 'error' })
    expect(turns()).toHaveLength(10)
    expect(turns().at(-1)?.tools).toBeUndefined()
  })

  it('says nothing after a tool: it is asked for the answer, the tool not called again', async () => {
    const due = { text: 'Water the plants', due_at: 'PT2H' }
    const call = { name: 'schedule_reminder', arguments: JSON.stringify(due) }
    await seedAgent(tenant, 'reminds', { tools: ['schedule_reminder'] })
    const { shown } = await ask(
      (n) => [{ toolCalls: [call] }, { text: '' }][n] ?? { text: 'Done.' },
      'Remind me to water the plants in two hours',
      'reminds',
    )
    expect(shown).toBe('Done.')
    expect(JSON.stringify(turns()[2]?.messages)).toContain('scheduled')
    const { json } = await tenant.as('a', 'GET', '/v1/me/reminders')
    expect(json.items).toHaveLength(1)
  })

  it('thinks aloud in its text: shown as reasoning to who asked for it, and never as text', async () => {
    const text = '<think>They ask how I am.</think>\n\nFine. Write `<think>` to think.'
    const said = 'Fine. Write `<think>` to think.'
    for (const pieceChars of [1, 3, 100]) {
      const plain = await ask(() => ({ text, pieceChars }))
      expect(plain.shown).toBe(said)
      expect(plain.frames.some((frame) => frame.event === 'reasoning')).toBe(false)
      const open = await ask(() => ({ text, pieceChars }), undefined, 'thinker')
      expect(open.shown).toBe(said)
      const thought = open.frames.filter((frame) => frame.event === 'reasoning')
      expect(thought.map((frame) => frame.data.text).join('')).toBe('They ask how I am.')
    }
  })

  it('ends a thought that began in the prompt: it is taken back, and the next time held', async () => {
    const thought = many((n) => `They greet me ${n} times, so I greet them. `)
    const act = { text: `${thought}</think>\n\nHello there.`, pieceChars: 40, pieceDelayMs: 30 }
    const first = await ask(() => act, undefined, 'homemade')
    expect(textsOf(first.frames, 'token')[0]).toContain('They greet me')
    expect(textsOf(first.frames, 'replace')).toEqual([''])
    expect(first.shown).toBe('Hello there.')
    const { session_id, message_id } = first.data
    const { json } = await tenant.as('a', 'GET', `/v1/me/sessions/${session_id}/messages`)
    expect(json.at(-1).content).toBe('Hello there.')
    const seen = first.frames.find((frame) => frame.event === 'token')
    await evictSpaces(parley)
    const stored = await tenant.as('a', 'GET', `/v1/chat/stream/${message_id}`, undefined, {
      'last-event-id': String(seen?.id),
    })
    expect(textsOf(parseSse(stored.text), 'replace')).toEqual(['Hello there.'])
    expect(textsOf(parseSse(stored.text), 'token')).toEqual([])

    const second = await ask(() => act, undefined, 'homemade')
    expect(textsOf(second.frames, 'replace')).toEqual([])
    expect(textsOf(second.frames, 'token').join('')).toBe('Hello there.')

    const honest = { ...act, text: many((n) => `One word after ${n} others. `).trim() }
    const third = await ask(() => honest, undefined, 'homemade')
    const half = honest.text.length / 2
    expect(third.shown).toBe(honest.text)
    expect(textsOf(third.frames, 'token')[0]?.length).toBeGreaterThan(half)
    const fourth = await ask(() => honest, undefined, 'homemade')
    expect(textsOf(fourth.frames, 'token')[0]?.length).toBeLessThan(half)
    expect(fourth.shown).toBe(honest.text)
  })

  it('is of a family whose prompt begins the thought: none of it is ever shown as text', async () => {
    const text = 'They greet me, so I greet them.\n</think>\n\nHello there.'
    const { frames, shown } = await ask(
      () => ({ text, pieceChars: 3, pieceDelayMs: 5 }),
      undefined,
      'family',
    )
    expect(textsOf(frames, 'replace')).toEqual([])
    expect(shown).toBe('Hello there.')
    expect(textsOf(frames, 'reasoning').join('')).toBe('They greet me, so I greet them.\n')
  })

  it('tells its thoughts apart by itself: what it says is not held, whatever its family', async () => {
    const text = many((n) => `One word after ${n} others. `).trim()
    const act = { reasoning: 'Hm.', text, pieceChars: 40, pieceDelayMs: 30 }
    const { frames, shown } = await ask(() => act, undefined, 'family')
    expect(textsOf(frames, 'token').length).toBeGreaterThan(1)
    expect(shown).toBe(text)
  })

  it('takes nothing back of what it said before it called a tool', async () => {
    const { frames, shown } = await ask(
      (n) =>
        n === 0
          ? { raw: [said('Let me look. '), both({ id: 'x' }), stop('tool_calls')] }
          : { text: `${'So it is ten. '.repeat(20)}</think>It is ten.`, pieceDelayMs: 10 },
      'What time is it?',
    )
    expect(textsOf(frames, 'replace').at(-1)).toMatch(/^Let me look\.?$/u)
    expect(shown).toMatch(/^Let me look\.\s*It is ten\.$/u)
  })

  const ODD: [string, ModelAct, reply?: string][] = [
    ['tool arguments that are no JSON', { toolCalls: [{ name: CLOCK.name, arguments: '{"tim' }] }],
    ['arguments of another kind', { toolCalls: [{ name: CLOCK.name, arguments: '[7]' }] }],
    ['a tool that there is not', { toolCalls: [{ name: 'delete_all', arguments: '{}' }] }],
    ['a call without an id', { raw: [both({}), stop('tool_calls')] }],
    ['two calls of one id', { raw: [both({ id: 'x' }, { id: 'x' }), stop('tool_calls')] }],
    [
      'text after a tool call',
      { raw: [both({ id: 'x' }), said('Wait.'), stop('tool_calls')] },
      'Wait.Well.',
    ],
    ['a stream without its last line', { text: 'Well.', end: 'silent' }],
    ['no reason for its end', { raw: [said('Well.')] }],
    ['a whole message as a chunk', { raw: [whole('Well.')] }],
    ['empty pieces between', { raw: [said(''), said('We'), said(''), said('ll.'), stop('stop')] }],
  ]

  it.each(ODD)('sends %s: the turn goes on', async (_name, act, reply = 'Well.') => {
    const { shown, data } = await ask(first(act))
    expect({ shown, finish: data?.finish_reason }).toEqual({ shown: reply, finish: 'stop' })
  })

  const about = (text: string): ModelAct => ({ text })

  /** What a reply comes to: for an agent that answers from its guide, and for one that has none. */
  const WRITTEN: [name: string, act: ModelAct, grounded: string, plain?: string][] = [
    ['goes round in circles', about(`${FACT} `.repeat(100)), PROVEN, FACT],
    [
      'repeats an item',
      about(`Here it is:\n\n${`- ${FACT}\n`.repeat(100)}`),
      `Here it is:\n\n- ${PROVEN}`,
      `Here it is:\n\n- ${FACT}`,
    ],
    ['ends in a word without end', about(`${FACT} ${'the '.repeat(1200)}`), PROVEN, FACT],
    [
      'thinks in tags of another name',
      about(`<thinking>They ask.</thinking>${FACT}`),
      PROVEN,
      FACT,
    ],
    [
      'thinks in a channel',
      about(
        `<|channel|>analysis<|message|>They ask.<|end|><|start|>assistant<|channel|>final<|message|>${FACT}`,
      ),
      PROVEN,
      FACT,
    ],
    [
      'ends its turn twice',
      about(`${FACT}<|im_end|>\n<|im_start|>user\nAnd?<|im_end|>`),
      PROVEN,
      FACT,
    ],
    [
      'makes up the user’s next words',
      about(`${FACT}\n\nUser: And gifts?\nAssistant: ${MORE}`),
      PROVEN,
      FACT,
    ],
    ['labels its answer', about(`**Answer:** ${FACT}`), PROVEN, FACT],
    ['answers in JSON', about(JSON.stringify({ answer: FACT })), PROVEN, FACT],
    ['answers in a fence', about(`\`\`\`markdown\n${FACT}\n\`\`\``), PROVEN, FACT],
    ['colours its words', about(`\u001b[1m${FACT}\u001b[0m`), PROVEN, FACT],
    ['turns the direction of writing', about(`\u202e${FACT}`), PROVEN, FACT],
    [
      'names a source by its number',
      about(`According to Source 1, ${FACT.toLowerCase()}`),
      'According to Source 1, refunds are paid within five working days [1].',
    ],
    [
      'doubles its brackets',
      about(`${FACT.slice(0, -1)} [[1]](https://elsewhere.test/).`),
      'Refunds are paid within five working days [1].',
    ],
    ['lists its sources', about(`${FACT} [1]\n\nSources:\n[1] Refunds`), `${FACT} [1]`],
    [
      'is cut in the middle of a sentence',
      { text: `${FACT} Gift cards can`, finishReason: 'length' },
      PROVEN,
    ],
    ['asks itself before', about(`Okay, they ask about refunds. ${FACT}`), PROVEN],
    ['boasts before', about(`As an expert with 20 years of experience, I know. ${FACT}`), PROVEN],
    [
      'goes on at length',
      about(
        `${FACT} ${Array.from({ length: 40 }, (_, n) => `Customers in region ${n} love it.`).join(' ')}`,
      ),
      PROVEN,
    ],
  ]

  it.each(WRITTEN)('%s: what it meant to say is said', async (_name, act, grounded, plain) => {
    const { shown, data } = await ask(() => act, 'How long do refunds take?', 'guided')
    expect(shown).toBe(grounded)
    expect(data.sources).toHaveLength(1)
    if (plain !== undefined) {
      const free = await ask(() => act, 'How long do refunds take?')
      expect(free.shown).toBe(plain)
    }
  })

  const MARKS: [string, string][] = [
    ['marks in each other that never end', '[1|a '.repeat(400)],
    ['the same of a source that there is not', '[7|a '.repeat(400)],
    ['full-width ones', '【1|'.repeat(400)],
    ['a mark alone', `[1|${FACT}]`],
  ]

  it.each(MARKS)('writes %s: asked once more it answers', async (_name, text) => {
    const { shown, data } = await ask(
      (n) => (n === 0 ? { text } : { text: FACT }),
      'How long do refunds take?',
      'guided',
    )
    expect({ shown, finish: data.finish_reason }).toEqual({ shown: PROVEN, finish: 'stop' })
    expect(turns()).toHaveLength(2)
  })

  it.each(MARKS)(
    'writes nothing but %s: that is an answer that says nothing',
    async (_name, text) => {
      const grounded = await ask(() => ({ text }), 'How long do refunds take?', 'guided')
      expect(grounded.data.finish_reason).toBe('no_match')
      expect(grounded.shown).not.toBe(NOTHING_EN)
      const free = await ask(() => ({ text }))
      expect({ shown: free.shown, finish: free.data.finish_reason }).toEqual({
        shown: NOTHING_EN,
        finish: 'stop',
      })
    },
  )

  it('refuses: that is a whole answer', async () => {
    const { shown, data } = await ask(() => ({
      raw: [{ delta: { refusal: 'I cannot help with that.' } }, stop('stop')],
    }))
    expect({ shown, finish: data.finish_reason }).toEqual({
      shown: 'I cannot help with that.',
      finish: 'stop',
    })
  })

  it('writes lists of numbers where there are no sources: they stay', async () => {
    const text = 'Sorted it is [1, 2, 3], as JSON {"a": [1], "b": [2, 3]}.'
    expect((await ask(() => ({ text }))).shown).toBe(text)
    // A mark of a source that there is not goes.
    expect((await ask(() => ({ text: 'So it is [1].' }))).shown).toBe('So it is.')
  })

  it('does not keep to its limit: it is cut off there', async () => {
    await seedAgent(tenant, 'brief', { max_output_tokens: 64 })
    const text = Array.from({ length: 300 }, (_, n) => `This is what number ${n} says.`).join(' ')
    const { shown, data } = await ask(() => ({ text, pieceChars: 60 }), undefined, 'brief')
    expect(data.finish_reason).toBe('length')
    expect(shown.length).toBeLessThan(1500)
    expect(text.startsWith(shown)).toBe(true)
  })

  const WRITTEN_CALLS: [string, string][] = [
    ['in tags', `<tool_call>${CALL}</tool_call>`],
    ['as a function', '<function=search_knowledge>{"query": "refunds"}</function>'],
    ['as a list', `[TOOL_CALLS] [${CALL}]`],
    ['as JSON', CALL],
    ['as fenced JSON', `\`\`\`json\n${CALL}\n\`\`\``],
    ['as code', '```tool_code\nsearch_knowledge(query="refunds")\n```'],
  ]

  it.each(WRITTEN_CALLS)('writes a call down %s: it is asked once more', async (_name, text) => {
    const { shown } = await ask(
      (n) => ({ text: n === 0 ? text : FACT }),
      'How long do refunds take?',
      'guided',
    )
    expect(shown).toBe(PROVEN)
    expect(turns()).toHaveLength(2)
  })

  const BROKEN: [string, ModelAct, retryable: boolean][] = [
    ['answers 400', { status: 400 }, false],
    ['answers 401', { status: 401 }, false],
    ['answers 403', { status: 403 }, false],
    ['answers 404', { status: 404 }, false],
    ['answers 429', { status: 429 }, true],
    ['answers 500', { status: 500 }, true],
    ['cuts the connection', { text: 'We', end: 'cut' }, true],
    ['sends what is no JSON', { raw: ['{"choices":[{', stop('stop')] }, true],
    ['sends an error in the stream', { raw: ['{"error":{"message":"sk-secret leaked"}}'] }, true],
    ['stops without saying that it is done', { raw: [said('We')], end: 'silent' }, true],
  ]

  it.each(BROKEN)('%s: the turn fails with a defined error', async (_name, act, retryable) => {
    const { frames, end, data } = await ask(() => act)
    expect({ end, data }).toEqual({
      end: 'error',
      data: { code: 'upstream', detail: 'Upstream error', retryable },
    })
    expect(JSON.stringify(frames)).not.toMatch(/scripted|sk-secret/)
  })

  it('is told of in the settings, in our own words, until it answers again', async () => {
    const own = await seedTenant(parley)
    await seedAgent(own, 'plain', {})
    const status = async () => {
      const { json } = await own.call('GET', '/v1/tenant/settings')
      return json.model_status
    }
    // The call for the session's title, whenever it comes, goes as the turn's did.
    const tell = (act: ModelAct) => {
      model.script = () => act
      return own.as('a', 'POST', '/v1/chat/stream', { message: 'How are you?', agent: 'plain' })
    }
    expect(await status()).toEqual({
      model: null,
      state: 'unknown',
      code: null,
      message: null,
      since: null,
    })
    await tell({ status: 401 })
    const refused = await status()
    expect(refused).toEqual({
      model: 'test-model',
      state: 'failing',
      code: 'key_refused',
      message: 'The model endpoint refused the key',
      since: expect.stringMatching(/^\d{4}-/),
    })
    await tell({ status: 401 })
    expect((await status()).since).toBe(refused.since)
    await tell({ text: 'Back again.' })
    await waitFor(async () => (await status()).state === 'ok')
    expect(await status()).toMatchObject({ model: 'test-model', code: null, message: null })
  })

  describe('that takes no pictures, and says so when it is shown one', () => {
    const hasPicture = (call: { messages: unknown }) =>
      JSON.stringify(call.messages).includes('image_url')
    const look = async (message: string) => {
      model.script = (call) => (hasPicture(call) ? { status: 400 } : { text: 'It is a word.' })
      const body = { message, agent: 'plain', images: [PIXEL] }
      return (await tenant.as('blind', 'POST', '/v1/chat', body)).json
    }

    it('is asked the words alone, once, and the reply begins with that', async () => {
      const { reply, finish_reason } = await look('What does this say?')
      expect(finish_reason).toBe('stop')
      expect(reply).toBe('I cannot see images here, so I answer your words alone.\n\nIt is a word.')
      expect(
        turns()
          .map(hasPicture)
          .filter((has) => !has),
      ).toEqual([false])
    })

    it('is asked nothing more where there are no words', async () => {
      const { reply, finish_reason } = await look('')
      expect(finish_reason).toBe('stop')
      expect(reply).toBe('I cannot see images here. Describe in words what you would like to know.')
      expect(turns().every(hasPicture)).toBe(true)
    })

    it('is shown a refused picture twice at most', async () => {
      await look('What does this say?')
      expect(turns().filter(hasPicture).length).toBeLessThanOrEqual(2)
    })

    it('is not shown the next one where it said that it takes none', async () => {
      model.script = (call) =>
        hasPicture(call)
          ? { status: 400, message: 'This model does not support image input.' }
          : { text: 'It is a word.' }
      const body = { message: 'What does this say?', agent: 'plain', images: [PIXEL] }
      for (const asked of [1, 0]) {
        const before = turns().filter(hasPicture).length
        const { json } = await tenant.as('blind', 'POST', '/v1/chat', body)
        expect(json.reply).toContain('It is a word.')
        expect(turns().filter(hasPicture).length - before).toBe(asked)
      }
    })

    it('fails as ever where it refuses the words, too', async () => {
      model.script = () => ({ status: 400 })
      const body = { message: 'What does this say?', agent: 'plain', images: [PIXEL] }
      const { status } = await tenant.as('blind', 'POST', '/v1/chat', body)
      expect(status).toBeGreaterThanOrEqual(500)
      expect(turns().map(hasPicture).at(-1)).toBe(false)
    })
  })
})
