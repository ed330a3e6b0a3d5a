/** Sends turns over kept-alive connections and reads as little of the answers as tells whether they are right. */
import { Agent, request } from 'node:http'
import { TOPICS } from './workload.ts'

const AT_ONCE = 64
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const DEADLINE_MS = 30_000

/** @returns {{status, text, firstTokenMs, ms}} */
export function send(port, method, path, body, headers = {}) {
  const data = body === undefined ? '' : JSON.stringify(body)
  const started = performance.now()
  return new Promise((done, fail) => {
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          ...(data === '' ? {} : { 'content-type': 'application/json' }),
          'content-length': Buffer.byteLength(data),
          ...headers,
        },
        timeout: DEADLINE_MS,
      },
      (answer) => {
        let text = ''
        let firstTokenMs = null
        answer.setEncoding('utf8')
        answer.on('data', (part) => {
          text += part
          if (firstTokenMs === null && part.includes('event: token'))
            firstTokenMs = performance.now() - started
        })
        answer.on('end', () =>
          done({ status: answer.statusCode, text, firstTokenMs, ms: performance.now() - started }),
        )
        answer.on('error', fail)
      },
    )
    call.on('timeout', () => call.destroy(new Error(`No answer from ${path} in ${DEADLINE_MS} ms`)))
    call.on('error', fail)
    call.end(data)
  })
}

export const post = (port, path, body, headers) => send(port, 'POST', path, body, headers)

/** @throws Error with the answer when it is a refusal. */
export async function sendOk(port, method, path, body, headers) {
  const answer = await send(port, method, path, body, headers)
  if (answer.status >= 300)
    throw new Error(`${path} answered ${answer.status}: ${answer.text.slice(0, 500)}`)
  return answer.text === '' ? null : JSON.parse(answer.text)
}

/** A person in a conversation: the n-th question follows the n-1-th answer. */
export class Talker {
  #asked = 0
  session = null

  /** @param ask sends a message and gives the answer; @param n who it is, to begin with another topic than others */
  constructor(ask, n) {
    this.ask = ask
    this.n = n
  }

  async turn() {
    const topic = TOPICS[(this.n + this.#asked++) % TOPICS.length]
    const answer = await this.ask(topic.question)
    const isRight = answer.status === 200 && answer.text.includes('"finish_reason":"stop"')
    return { ...answer, isRight }
  }
}

/** The product's turn of one user and session. */
export function productTalker({ port, key, agentName, stream, n, user, session = null }) {
  const talker = new Talker(async (message) => {
    const path = stream ? '/v1/chat/stream' : '/v1/chat'
    const body = {
      message,
      agent: agentName,
      ...(talker.session ? { session_id: talker.session } : {}),
    }
    const answer = await post(port, path, body, { 'x-api-key': key, 'x-end-user': user })
    talker.session ??= /"session_id":"([^"]+)"/.exec(answer.text)?.[1] ?? null
    return answer
  }, n)
  talker.session = session
  return talker
}

/** The floor's turn of one user and session. */
export function floorTalker({ port, key, base, path, n, session }) {
  return new Talker(
    (message) => post(port, path, { message, session_id: session, base }, { 'x-api-key': key }),
    n,
  )
}

/** The pass-through: its answer is the model's, so only that it ended is checked. */
export function passTalker({ port, n }) {
  return new Talker(async (message) => {
    const answer = await post(port, '/pass', { message })
    const isWhole = answer.status === 200 && answer.text.endsWith('data: [DONE]\n\n')
    return { ...answer, text: isWhole ? '"finish_reason":"stop"' : answer.text }
  }, n)
}

/**
 * Lets every talker take turns until `turns` are done in all.
 * @returns wall and CPU time in ms, each turn's time, first tokens, wrong answers
 */
export async function run(talkers, turns, cpuMs) {
  const times = []
  const firstTokens = []
  const wrong = []
  let left = turns
  const cpu = cpuMs()
  const started = performance.now()
  await Promise.all(
    talkers.map(async (talker) => {
      while (left-- > 0) {
        const { isRight, ms, firstTokenMs, status, text } = await talker.turn()
        times.push(ms)
        if (firstTokenMs !== null) firstTokens.push(firstTokenMs)
        if (!isRight) wrong.push(`${status} ${text.slice(0, 300)}`)
      }
    }),
  )
  return {
    turns,
    wallMs: performance.now() - started,
    cpuMs: cpuMs() - cpu,
    times,
    firstTokens,
    wrong,
  }
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** Runs `work` for each item, some at a time. */
export async function inParallel(items, width, work) {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
