import type { Language } from '../../../config/names'
import { say } from '../said/say'
import { ApiProblem, readProblem } from './problem'

/** What is null, undefined or empty is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface CallOptions {
  query?: Query
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/** Calls of the API with the tenant's key. Each throws ApiProblem where the answer is a refusal. */
export interface Api {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>
  post<T>(path: string, body?: object, options?: CallOptions): Promise<T>
  put<T>(path: string, body?: object, options?: CallOptions): Promise<T>
  patch<T>(path: string, body?: object, options?: CallOptions): Promise<T>
  del<T = void>(path: string, query?: Query): Promise<T>
  /** The answer itself: for streams and files. */
  raw(method: string, path: string, options?: CallOptions & { body?: object }): Promise<Response>
}

export interface ApiSettings {
  /** Null while nobody is signed in. */
  readonly key: string | null
  lang: Language
  /** The key is no good any more. */
  onRefusedKey: (key: string) => void
}

/** The key is read at each call. */
export function createApi(settings: ApiSettings): Api {
  const raw: Api['raw'] = async (method, path, { query, headers, signal, body } = {}) => {
    const { key, lang, onRefusedKey } = settings
    if (key === null) throw new ApiProblem(401, 'Not authenticated')
    const isForm = body instanceof FormData
    let response: Response
    try {
      response = await fetch(path + queryText(query), {
        method,
        headers: {
          'X-API-Key': key,
          'X-Client': 'console',
          'Accept-Language': lang,
          ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        ...(signal ? { signal } : {}),
      })
    } catch (error) {
      if (signal?.aborted) throw error
      throw new ApiProblem(0, 'offline')
    }
    if (response.ok) return response
    const problem = await readProblem(response, async (text) => (await say(lang, text)) ?? text)
    if (problem.status === 401) onRefusedKey(key)
    throw problem
  }
  const json = async <T>(...call: Parameters<Api['raw']>): Promise<T> => {
    const response = await raw(...call)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const writing =
    (method: string) =>
    <T>(path: string, body?: object, options?: CallOptions) =>
      json<T>(method, path, { ...options, ...(body ? { body } : {}) })
  /** Calls of which nobody knows whether they were done: made again as they were, they are done once. */
  const unanswered = new Map<string, string>()
  const post: Api['post'] = async (path, body, options) => {
    if (body instanceof FormData) return writing('POST')(path, body, options)
    const call = path + queryText(options?.query) + JSON.stringify(body)
    const before = unanswered.get(call)
    const key = before ?? newKey()
    unanswered.set(call, key)
    try {
      const headers = { 'Idempotency-Key': key, ...options?.headers }
      const answer = await writing('POST')<never>(path, body, { ...options, headers })
      unanswered.delete(call)
      return answer
    } catch (error) {
      const status = error instanceof ApiProblem ? error.status : 0
      // A gateway gives up before the call does, which then stands in its own way for a while.
      const isOpen = status === 0 || status >= 500 || (before && status === 409)
      if (!isOpen || options?.signal?.aborted) unanswered.delete(call)
      throw error
    }
  }
  return {
    get: (path, query, signal) =>
      json('GET', path, { ...(query ? { query } : {}), ...(signal ? { signal } : {}) }),
    post,
    put: writing('PUT'),
    patch: writing('PATCH'),
    del: (path, query) => json('DELETE', path, query ? { query } : {}),
    raw,
  }
}

/** Also where a page has no `randomUUID`: on an address without TLS. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

export function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
