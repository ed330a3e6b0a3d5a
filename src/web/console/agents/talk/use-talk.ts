import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { randomKey } from '../../../kit/net/random-key'
import type { Frame } from '../../../kit/turn/frames'
import { pauseUntilOnline } from '../../../kit/turn/pause'
import { followTurn } from '../../../kit/turn/turn-stream'
import { type Api, ApiProblem, useApi } from '../../api/call'
import { to } from '../../router'
import { applyFrame, type Exchange, isRunning, newExchange } from './exchange'

/** A draft answers too, to whoever has the tenant's key; the tests of all colleagues are one user's. */
const ASKER = { 'X-Preview': '1', 'X-End-User': 'console-test' }

export interface Talk {
  exchanges: readonly Exchange[]
  running: boolean
  /** The connection is gone and being sought. */
  lost: boolean
  problem: ApiProblem | null
  send(text: string): void
  /** Asks what failed last once more; undefined where nothing did. */
  retry: (() => void) | undefined
  stop(): void
  /** Forgets what was said: the next message begins a session. */
  restart(): void
}

/** A conversation with the agent as it is stored, published or not. Ends with the component. */
export function useTalk(agent: string): Talk {
  const api = useApi()
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [lost, setLost] = useState(false)
  const session = useRef<string | null>(null)
  const turn = useRef<AbortController | null>(null)
  const running = isRunning(exchanges.at(-1))

  const end = useCallback(() => {
    turn.current?.abort()
    turn.current = null
    session.current = null
    setExchanges([])
    setProblem(null)
    setLost(false)
  }, [])
  // Another agent has another conversation.
  useEffect(() => end, [agent, end])

  const run = async (text: string) => {
    const mine = new AbortController()
    turn.current = mine
    const key = randomKey()
    setProblem(null)
    setExchanges((was) => [...was, newExchange(key, text, was.at(-1)?.storyline ?? null)])
    const change = (how: (said: Exchange) => Exchange) =>
      setExchanges((was) => was.map((said) => (said.key === key ? how(said) : said)))
    const batch = batchFrames((frames) => change((said) => frames.reduce(applyFrame, said)))
    try {
      const first = await api.raw('POST', '/v1/chat/stream', {
        headers: { ...ASKER, Accept: 'text/event-stream' },
        body: {
          message: text,
          agent,
          ...(session.current === null ? {} : { session_id: session.current }),
        },
        signal: mine.signal,
      })
      const outcome = await followTurn(
        {
          resume: (messageId, lastId) => resume(api, messageId, lastId, mine.signal),
          onFrame: (frame) => {
            if (frame.type === 'session') session.current = frame.sessionId
            batch.add(frame)
          },
          onLost: setLost,
          pause: (ms) => pauseUntilOnline(ms, mine.signal),
          onBack: (listener, until) => addEventListener('online', listener, { signal: until }),
          signal: mine.signal,
        },
        first,
      )
      batch.flush()
      if (outcome === 'lost') throw new ApiProblem(0, 'offline')
    } catch (error) {
      if (mine.signal.aborted) return
      batch.flush()
      setProblem(error instanceof ApiProblem ? error : new ApiProblem(0, String(error), 'page'))
      change((said) => ({ ...said, state: 'failed' }))
    } finally {
      if (turn.current === mine) {
        turn.current = null
        setLost(false)
      }
    }
  }

  return {
    exchanges,
    running,
    lost,
    problem,
    send: (text) => {
      if (!running && text.trim() !== '') void run(text.trim())
    },
    retry:
      exchanges.at(-1)?.state === 'failed'
        ? () => {
            const question = exchanges.at(-1)?.question
            setExchanges((was) => was.slice(0, -1))
            if (question) void run(question)
          }
        : undefined,
    stop: () => {
      if (session.current === null) return
      // The end comes as a frame; a turn that has just ended has nothing to stop.
      void api
        .post('/v1/chat/stop', { session_id: session.current }, { headers: ASKER })
        .catch(() => undefined)
    },
    restart: end,
  }
}

/** The stream from where it broke; a refusal comes as its status, as the reader expects it. */
async function resume(
  api: Api,
  messageId: string,
  lastId: number,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await api.raw('GET', to`/v1/chat/stream/${messageId}`, {
      headers: { ...ASKER, ...(lastId > 0 ? { 'Last-Event-ID': String(lastId) } : {}) },
      signal,
    })
  } catch (error) {
    if (error instanceof ApiProblem && error.status > 0)
      return new Response(null, { status: error.status })
    throw error
  }
}

/** Frames are shown once per painted picture, however many come. */
function batchFrames(show: (frames: readonly Frame[]) => void) {
  let waiting: Frame[] = []
  let isAsked = false
  const flush = () => {
    isAsked = false
    if (waiting.length === 0) return
    const frames = waiting
    waiting = []
    show(frames)
  }
  return {
    add(frame: Frame) {
      waiting.push(frame)
      if (isAsked) return
      isAsked = true
      if (document.hidden) setTimeout(flush, 200)
      else requestAnimationFrame(flush)
    },
    flush,
  }
}
