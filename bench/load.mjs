/** Sends turns over kept-alive connections and reads as little of the answers as tells whether they are right. */
import { Agent, request } from 'node:http'
import { TOPICS } from './workload.ts'

const AT_ONCE = 200
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const DEADLINE_MS = 30_000
/** Ours, or the model's own that the floor passes on. */
const FIRST_TOKEN = /event: token|"content":"/

/** @returns {{status, text, firstTokenMs, ms}} @throws Error when nothing comes for as long as the deadline */
export function send(port, method, path, body, headers = {}, deadlineMs = DEADLINE_MS) {
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
        timeout: deadlineMs,
      },
      (answer) => {
        let text = ''
        let firstTokenMs = null
        answer.setEncoding('utf8')
        answer.on('data', (part) => {
          text += part
          if (firstTokenMs === null && FIRST_TOKEN.test(part))
            firstTokenMs = performance.now() - started
        })
        answer.on('end', () =>
          done({ status: answer.statusCode, text, firstTokenMs, ms: performance.now() - started }),
        )
        answer.on('error', fail)
      },
    )
    call.on('timeout', () => call.destroy(new Error(`No answer from ${path} in ${deadlineMs} ms`)))
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

const RIGHT = '"finish_reason":"stop"'

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
    const isRight = answer.status === 200 && answer.text.includes(RIGHT)
    return { ...answer, isRight }
  }
}

/** The product's turn of one user and session. @param fresh whether each of its turns is a new user's */
export function productTalker({
  port,
  key,
  agentName,
  stream,
  n,
  user,
  session = null,
  fresh = false,
}) {
  let turns = 0
  const talker = new Talker(async (message) => {
    const path = stream ? '/v1/chat/stream' : '/v1/chat'
    const body = {
      message,
      agent: agentName,
      ...(talker.session ? { session_id: talker.session } : {}),
    }
    const who = fresh ? `${user}-${turns++}` : user
    const answer = await post(port, path, body, { 'x-api-key': key, 'x-end-user': who })
    if (!fresh) talker.session ??= /"session_id":"([^"]+)"/.exec(answer.text)?.[1] ?? null
    return answer
  }, n)
  talker.session = session
  return talker
}

/** The floor's turn of one user and session. */
export function floorTalker({ port, n, user, session = null }) {
  return new Talker(async (message) => {
    const answer = await post(
      port,
      '/l2/chat/stream',
      { message, session_id: session ?? crypto.randomUUID() },
      { 'x-api-key': 'bench-key', 'x-end-user': user },
    )
    // What it passes on is the model's, so only that all of it came and was stored is checked.
    const isWhole = answer.status === 200 && answer.text.includes('event: done')
    return { ...answer, text: isWhole ? RIGHT : answer.text }
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
