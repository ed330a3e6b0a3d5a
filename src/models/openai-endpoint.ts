import { APICallError } from '@ai-sdk/provider'
import { operatorFetch } from '../platform/egress-fetch'
import type { ModelEnv } from './model-env'

/** An endpoint that speaks the OpenAI protocol. */
export interface OpenAiEndpoint {
  /** What the paths of the protocol are put behind. */
  baseUrl: string
  apiKey: string | null
  /** The egress guard's for an address of a tenant's. */
  fetch: typeof fetch
}

/** The deployment's own. */
export const operatorEndpoint = (env: ModelEnv): OpenAiEndpoint => ({
  baseUrl: env.OPENAI_BASE_URL ?? '',
  apiKey: env.OPENAI_API_KEY || null,
  fetch: operatorFetch,
})

export const urlOf = ({ baseUrl }: OpenAiEndpoint, path: string): string =>
  baseUrl.replace(/\/$/u, '') + path

export const authorization = ({ apiKey }: OpenAiEndpoint): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {}

const MAYBE_HALF = /\\ud[89a-f]/u

/**
 * JSON that strict readers take: a text that was cut may end in half a character, for which they refuse all of it. Only
 * such halves are written as escapes.
 */
export function wellFormed(json: string): string {
  // A plain search is over a prompt in a tenth of the time.
  if (!json.includes('\\ud') || !MAYBE_HALF.test(json)) return json
  return JSON.stringify(JSON.parse(json), (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  )
}

interface CallOptions {
  abortSignal?: AbortSignal | undefined
  headers?: Record<string, string | undefined> | undefined
}

const MAX_ERROR_CHARS = 4000

/** @throws APICallError when the endpoint refuses or cannot be reached, and the signal's reason. */
export async function postJson(
  endpoint: OpenAiEndpoint,
  path: string,
  body: object,
  options: CallOptions,
): Promise<Response> {
  const url = urlOf(endpoint, path)
  const response = await send(endpoint, url, body, options)
  if (response.ok) return response
  const text = await response.text().catch(() => '')
  throw new APICallError({
    message: `The model endpoint answered ${response.status}`,
    url,
    requestBodyValues: body,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: text.slice(0, MAX_ERROR_CHARS),
  })
}

async function send(
  endpoint: OpenAiEndpoint,
  url: string,
  body: object,
  { abortSignal, headers: own }: CallOptions,
): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...authorization(endpoint),
  }
  for (const [name, value] of Object.entries(own ?? {}))
    if (value !== undefined) headers[name.toLowerCase()] = value
  try {
    return await endpoint.fetch(url, {
      method: 'POST',
      headers,
      body: wellFormed(JSON.stringify(body)),
      ...(abortSignal ? { signal: abortSignal } : {}),
    })
  } catch (cause) {
    if (abortSignal?.aborted) throw abortSignal.reason
    // What fetch itself throws: no connection came about, so that the call may be tried again.
    if (!(cause instanceof TypeError)) throw cause
    const message = 'The model endpoint cannot be reached'
    throw new APICallError({ message, cause, url, requestBodyValues: body, isRetryable: true })
  }
}
