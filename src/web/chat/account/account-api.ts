export interface Profile {
  pref_name: string | null
  contact_email: string | null
  contact_phone: string | null
  pref_city: string | null
  pref_timezone: string | null
  suggestion: { city: string | null; timezone: string | null; country: string | null } | null
}

export interface Space {
  id: string
  name: string
  is_default: boolean
  session_count: number
  document_count: number
}

export interface SpaceDocument {
  id: string
  name: string
  status: 'queued' | 'parsing' | 'embedding' | 'ready' | 'failed'
  error: string | null
}

export interface Me {
  user_id: string
  auth: string
}

export interface Token {
  access_token: string
}

export interface Export {
  id: string
  status: 'running' | 'ready' | 'failed'
  error: 'too_large' | 'failed' | null
  expires_at: string
}

export interface Reminder {
  id: string
  status: 'pending' | 'sent' | 'failed' | 'cancelled'
  due_at: string
  timezone: string
  agent_display_name: string | null
}

export interface Remembered {
  agent_name: string
  agent_display_name: string
  content: string | null
  points: string[]
  from_anonymous: boolean
}

export interface LinkedApp {
  channel: string
  bot_username: string
  linked: boolean
  agent_display_name: string | null
}

export interface BindCode {
  code: string
  deep_link: string
  qr: string
  expires_at: string
}

/** A call that was refused. `fields` are those of a body that were. */
export class AccountRefused extends Error {
  constructor(
    readonly status: number,
    readonly fields: readonly string[],
  ) {
    super(`refused with ${status}`)
  }
}

/** Calls of /me for the signed-in person. */
export class AccountApi {
  readonly #token: () => string | null
  readonly #lang: string

  constructor(token: () => string | null, lang: string) {
    this.#token = token
    this.#lang = lang
  }

  /** @param space chooses another space than the default one. Throws AccountRefused, or what fetch throws. */
  async call<T>(method: string, path: string, body?: unknown, space?: string): Promise<T> {
    const response = await this.#send(
      method,
      path,
      {
        ...(space === undefined ? {} : { 'X-Space-Id': space }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body === undefined ? null : JSON.stringify(body),
    )
    return (response.status === 204 ? null : await response.json()) as T
  }

  /** A file's bytes. Throws as `call` does. */
  async download(path: string): Promise<Blob> {
    return (await this.#send('GET', path, {}, null)).blob()
  }

  /** Sends a file. Throws as `call` does. */
  async upload(path: string, file: File): Promise<void> {
    const form = new FormData()
    form.set('file', file)
    await this.#send('POST', path, {}, form)
  }

  /** Throws as `call` does. @returns the number under which the call is on record. */
  async receipt(method: string, path: string, body: unknown): Promise<string> {
    const headers = { 'Content-Type': 'application/json' }
    const response = await this.#send(method, path, headers, JSON.stringify(body))
    return response.headers.get('X-Request-Id') ?? ''
  }

  async #send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: BodyInit | null,
  ): Promise<Response> {
    const response = await fetch(path, {
      method,
      cache: 'no-store',
      headers: {
        'Accept-Language': this.#lang,
        Authorization: `Bearer ${this.#token() ?? ''}`,
        ...headers,
      },
      body,
    })
    if (response.ok) return response
    const answer: unknown = await response.json().catch(() => null)
    throw new AccountRefused(response.status, refusedFields(answer))
  }
}

function refusedFields(answer: unknown): string[] {
  const detail = (answer as { detail?: unknown } | null)?.detail
  if (!Array.isArray(detail)) return []
  return detail.flatMap(({ loc }: { loc?: unknown }) =>
    Array.isArray(loc) && typeof loc[1] === 'string' ? [loc[1]] : [],
  )
}
