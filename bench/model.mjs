/**
 * The fake model: a process of its own that speaks the OpenAI protocol, for our turns and the floor's alike.
 * `POST /pace {tokens, firstMs, betweenMs}` says how it answers from now on. Prints `ready` when it listens.
 */
import { createServer } from 'node:http'
import { CHAT_MODEL, EMBEDDER, lastTopic, TOPICS, vectorOf } from './workload.ts'

const head = { id: 'bench', object: 'chat.completion.chunk', created: 1, model: CHAT_MODEL }
const usage = { prompt_tokens: 1500, completion_tokens: 90, total_tokens: 1590 }
const JSON_TYPE = { 'content-type': 'application/json' }
const frameOf = (data) => `data: ${JSON.stringify({ ...head, ...data })}\n\n`
const END = [
  frameOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  frameOf({ choices: [], usage }),
  'data: [DONE]\n\n',
].join('')
const TITLE = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Refunds' } },
  ],
  usage,
})
/** Characters of a token, where the reply has to be made longer for the number of them. */
const TOKEN_CHARS = 4

let pace = { tokens: 32, firstMs: 0, betweenMs: 0 }
let replies = TOPICS.map(framesOf)

/** The first sentence whole, so that what is timed is the way of a token and not the length of a sentence; then the rest in pieces. */
function framesOf({ sentences }) {
  const [first, ...others] = sentences
  const more = Array.from(
    { length: Math.ceil((pace.tokens * TOKEN_CHARS) / others.join(' ').length) },
    () => others.join(' '),
  ).join(' ')
  const size = Math.ceil(more.length / (pace.tokens - 1))
  const pieces = [`${first} `, ...(more.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [])]
  return pieces.map((content) =>
    frameOf({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  )
}

const bytesOf = (values) => Buffer.from(Float32Array.from(values).buffer).toString('base64')

function embed({ input, encoding_format }) {
  const data = [input].flat().map((text, index) => {
    const topic = TOPICS.findIndex(({ name }) => text.includes(name))
    const values = vectorOf(topic === -1 ? TOPICS.length + hash(text) : topic)
    return {
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? bytesOf(values) : values,
    }
  })
  return JSON.stringify({ object: 'list', model: EMBEDDER, data, usage })
}

function hash(text) {
  let value = 0
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) >>> 0
  return value
}

function answer(body, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const frames = replies[lastTopic(body)]
  if (pace.firstMs === 0 && pace.betweenMs === 0) {
    for (const frame of frames) response.write(frame)
    return response.end(END)
  }
  const { betweenMs } = pace
  let next = 0
  const say = () => {
    if (response.destroyed) return
    if (next === frames.length) return response.end(END)
    response.write(frames[next++])
    setTimeout(say, betweenMs)
  }
  setTimeout(say, pace.firstMs)
}

createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    if (request.url === '/pace') {
      pace = JSON.parse(body)
      replies = TOPICS.map(framesOf)
      return response.end()
    }
    if (request.url.endsWith('/embeddings')) {
      return response.writeHead(200, JSON_TYPE).end(embed(JSON.parse(body)))
    }
    if (body.includes('"stream":true')) return answer(body, response)
    response.writeHead(200, JSON_TYPE).end(TITLE)
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
