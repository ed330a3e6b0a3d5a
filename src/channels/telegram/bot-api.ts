import { EGRESS, SECOND_MS } from '../../config/limits'
import { configOf } from '../../config/read-config'
import { egressContext } from '../../domains/egress-context'
import { guardedFetch } from '../../platform/egress'
import { EgressError } from '../../platform/egress-fetch'
import { ChannelError } from '../channel'

/** A path that the Bot API itself gave; anything else never gets to stand behind the token. */
const FILE_PATH = /^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*$/
const GONE = /chat not found|user is deactivated|PEER_ID_INVALID|bot can't initiate/i

interface ApiAnswer {
  ok?: unknown
  result?: unknown
  description?: unknown
  parameters?: { retry_after?: unknown }
}

/** Telegram's Bot API for one token. The token is part of every address, so no error of a call is passed on as it is. */
export class BotApi {
  readonly #env: Env
  readonly #token: string

  constructor(env: Env, token: string) {
    this.#env = env
    this.#token = token
  }

  /** Calls a method and gives its result. @throws ChannelError. */
  async call(method: string, parameters: Record<string, unknown> = {}): Promise<unknown> {
    const response = await this.#request(
      `/bot${this.#token}/${method}`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(parameters),
      },
      EGRESS.maxBytes,
    )
    const answer = (await response.json().catch(() => null)) as ApiAnswer | null
    if (answer?.ok === true) return answer.result
    throw refusal(response.status, answer)
  }

  /** A file's bytes. @throws ChannelError, `too_large` beyond `maxBytes`. */
  async download(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!FILE_PATH.test(path)) throw new ChannelError('refused')
    const response = await this.#request(`/file/bot${this.#token}/${path}`, {}, maxBytes)
    if (!response.ok) {
      await response.body?.cancel()
      // What is not there any more is no fault of the token.
      throw refusal(response.status === 404 ? 400 : response.status, null)
    }
    try {
      return new Uint8Array(await response.arrayBuffer())
    } catch (error) {
      throw fault(error)
    }
  }

  /** No redirect is followed: the address is a secret. */
  async #request(path: string, init: RequestInit, maxBytes: number): Promise<Response> {
    try {
      const { telegramUrl } = configOf(this.#env)
      return await guardedFetch(egressContext(this.#env, telegramUrl), telegramUrl + path, init, {
        maxBytes,
        maxRedirects: 0,
        totalMs: 20 * SECOND_MS,
      })
    } catch (error) {
      throw fault(error)
    }
  }
}

function fault(error: unknown): ChannelError {
  if (!(error instanceof EgressError)) return new ChannelError('unreachable')
  if (error.code === 'too_large') return new ChannelError('too_large')
  return new ChannelError(error.code === 'url_not_allowed' ? 'not_allowed' : 'unreachable')
}

function refusal(status: number, answer: ApiAnswer | null): ChannelError {
  const description = typeof answer?.description === 'string' ? answer.description : ''
  if (status === 401 || status === 404) return new ChannelError('token')
  if (status === 403 || (status === 400 && GONE.test(description))) {
    return new ChannelError('blocked')
  }
  if (status === 429) {
    const wait = Number(answer?.parameters?.retry_after)
    return new ChannelError('rate', wait > 0 ? wait : 1)
  }
  return new ChannelError(status >= 400 && status < 500 ? 'refused' : 'unreachable')
}
