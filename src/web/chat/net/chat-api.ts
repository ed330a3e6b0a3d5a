import type { AgentName } from './agent-name'

/** One message as it is sent. `attempt` is the same for every try to send it, so that the server sees it once. */
export interface Question {
  /** Missing where an answer is made anew. */
  message: string | undefined
  /** What the question, or the answer, stands in the place of. */
  replaces: string | undefined
  sessionId: string | null
  /** What a new session begins with. */
  greetingId: string | undefined
  images: readonly string[]
  /** A recording, in the place of words. */
  audio: string | undefined
  attempt: string
}

/** What somebody says of a thumb down. */
export interface RatingWords {
  comment?: string
  reasons?: readonly string[]
}

/** The requests of a visitor's conversation with one agent. Answers come back as they are; a lost network rejects. */
export class ChatApi {
  readonly #agent: AgentName
  lang: string

  constructor(agent: AgentName, lang: string) {
    this.#agent = agent
    this.lang = lang
  }

  ask(question: Question, token: string, signal: AbortSignal | null): Promise<Response> {
    const { message, replaces, sessionId, greetingId, images, audio, attempt } = question
    const body = {
      message,
      replaces,
      // A session knows its agent, whatever that is called by now.
      ...(sessionId === null
        ? { agent: this.#agent.value, greeting_id: greetingId }
        : { session_id: sessionId }),
      ...(images.length === 0 ? {} : { images }),
      audio,
    }
    const headers = { 'Idempotency-Key': attempt, Accept: 'text/event-stream' }
    return this.#post('/v1/chat/stream', body, token, headers, signal)
  }

  /** The frames of a turn after `lastId`, all of them when it is 0. */
  resume(
    messageId: string,
    lastId: number,
    token: string | null,
    signal: AbortSignal,
  ): Promise<Response> {
    return fetch(`/v1/chat/stream/${encodeURIComponent(messageId)}`, {
      headers: {
        'Accept-Language': this.lang,
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(lastId > 0 ? { 'Last-Event-ID': String(lastId) } : {}),
      },
      cache: 'no-store',
      signal,
    })
  }

  stop(sessionId: string, token: string): Promise<Response> {
    return this.#post('/v1/chat/stop', { session_id: sessionId }, token)
  }

  rate(
    messageId: string,
    value: 'up' | 'down',
    said: RatingWords,
    token: string,
  ): Promise<Response> {
    const body = { value, ...said }
    return this.#post(`/v1/messages/${encodeURIComponent(messageId)}/feedback`, body, token)
  }

  messages(sessionId: string, token: string): Promise<Response> {
    return fetch(`/me/sessions/${encodeURIComponent(sessionId)}/messages`, {
      headers: { Authorization: `Bearer ${token}`, 'Accept-Language': this.lang },
    })
  }

  #post(
    path: string,
    body: unknown,
    token: string,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': this.lang,
        Authorization: `Bearer ${token}`,
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    })
  }
}
