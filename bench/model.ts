/**
 * The fake model: a Worker that speaks the OpenAI protocol without any delay. Every outbound request of the product and
 * of the floors ends here, inside the same runtime, so that a model call costs both the same.
 */
import { CHAT_MODEL, DELTA_CHARS, EMBEDDER, lastTopic, TOPICS, vectorOf } from './workload'

const DELTA = new RegExp(`[\\s\\S]{1,${DELTA_CHARS}}`, 'g')
const encoder = new TextEncoder()
const head = { id: 'bench', object: 'chat.completion.chunk', created: 1, model: CHAT_MODEL }

const usage = { prompt_tokens: 1500, completion_tokens: 90, total_tokens: 1590 }
const streams = TOPICS.map(({ reply }) => {
  const frames = [
    ...(reply.match(DELTA) ?? []).map((content) => ({
      ...head,
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ]
  const texts = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
  return [...texts, 'data: [DONE]\n\n'].map((text) => encoder.encode(text))
})
const vectors = TOPICS.map((_, i) => vectorsOf(i, 1))

function vectorsOf(topic: number, count: number): string {
  const embedding = vectorOf(topic)
  const data = Array.from({ length: count }, (_, index) => ({
    object: 'embedding',
    index,
    embedding,
  }))
  return JSON.stringify({ object: 'list', model: EMBEDDER, data, usage })
}

const title = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Refunds and returns' },
    },
  ],
  usage,
})
const JSON_HEADERS = { 'content-type': 'application/json' }

export default {
  async fetch(request): Promise<Response> {
    const body = await request.text()
    const topic = lastTopic(body)
    if (request.url.endsWith('/embeddings')) {
      const { input } = JSON.parse(body) as { input: string | string[] }
      const several = Array.isArray(input) && input.length > 1 && vectorsOf(topic, input.length)
      return new Response(several || vectors[topic], { headers: JSON_HEADERS })
    }
    if (!body.includes('"stream":true')) return new Response(title, { headers: JSON_HEADERS })
    const chunks = streams[topic] ?? []
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  },
} satisfies ExportedHandler
