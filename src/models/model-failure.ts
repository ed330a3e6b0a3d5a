import { APICallError } from '@ai-sdk/provider'
import { EgressError } from '../platform/egress-fetch'
import { isMalformed } from './steer-thinking'

export const MODEL_FAILURES = [
  'key_refused',
  'key_unreadable',
  'model_unknown',
  'request_refused',
  'too_many_requests',
  'timeout',
  'unavailable',
] as const
export type ModelFailureCode = (typeof MODEL_FAILURES)[number]

/** Why a model call failed, in words of ours: what the endpoint said stays inside. */
export interface ModelFailure {
  code: ModelFailureCode
  message: string
  /** Whether the same call may work a little later. */
  retryable: boolean
}

const MESSAGES: Record<ModelFailureCode, string> = {
  key_refused: 'The model endpoint refused the key',
  key_unreadable: 'What is stored of your own model cannot be read: set byok_config anew',
  model_unknown: 'The model endpoint does not know this model',
  request_refused: 'The model endpoint refused the request as it was written',
  too_many_requests: 'The model endpoint refused the call for now: too many requests',
  timeout: 'The model did not answer in time',
  unavailable: 'The model could not be used',
}

/** The tenant's own model is sealed, and does not open. */
export class ModelUnreadable extends Error {
  override readonly name = 'ModelUnreadable'
}

const PASSING: ReadonlySet<ModelFailureCode> = new Set([
  'too_many_requests',
  'timeout',
  'unavailable',
])

/** What a model's stream failed with, told from every other failure of a turn. */
export class ModelCallError extends Error {
  constructor(cause: unknown) {
    super('The model call failed', { cause })
  }
}

export const failureMessage = (code: ModelFailureCode): string => MESSAGES[code]

export function readFailure(error: unknown): ModelFailure {
  const code = codeOf(causesOf(error))
  return { code, message: MESSAGES[code], retryable: PASSING.has(code) }
}

function codeOf(causes: unknown[]): ModelFailureCode {
  const call = causes.find((one) => APICallError.isInstance(one))
  const status = call?.statusCode
  if (causes.some((one) => one instanceof ModelUnreadable)) return 'key_unreadable'
  if (status === 401 || status === 403) return 'key_refused'
  if (status === 404) return 'model_unknown'
  if (status === 429) return 'too_many_requests'
  if (
    isMalformed(call) ||
    (status !== undefined && status >= 400 && status < 500 && status !== 408)
  )
    return 'request_refused'
  return status === 408 || causes.some(isTimeout) ? 'timeout' : 'unavailable'
}

const isTimeout = (one: unknown) =>
  one instanceof Error &&
  (one.name === 'TimeoutError' || (one instanceof EgressError && one.code === 'timeout'))

/** Libraries wrap what a fetch throws, and what was thrown last of several tries. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one instanceof Error && causes.length < 8; ) {
    causes.push(one)
    one = 'lastError' in one ? one.lastError : one.cause
  }
  return causes
}
