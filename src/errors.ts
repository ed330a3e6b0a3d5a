/** The closed set of failures. Only `app.onError` turns one into a response. */

export type ErrorCode =
  | 'bad_request'
  | 'not_authenticated'
  | 'invalid_credential'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'body_too_large'
  | 'unsupported_type'
  | 'validation'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'upstream'
  | 'unavailable'
  | 'internal'

const STATUS: Record<
  ErrorCode,
  400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 502 | 503
> = {
  bad_request: 400,
  not_authenticated: 401,
  invalid_credential: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  body_too_large: 413,
  unsupported_type: 415,
  validation: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
}

export interface ValidationIssue {
  type: string
  loc: (string | number)[]
  msg: string
}

/** `detail` is what the caller reads; `publicCode` the stable word beside it, where there is one. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail: string | ValidationIssue[]
  readonly publicCode: string | undefined
  /** What is absent, where that is why. */
  readonly resource: string | undefined
  readonly headers: Record<string, string>
  /** What else the answer tells, beside `detail` and `code`. */
  readonly facts: Record<string, unknown>

  constructor(
    code: ErrorCode,
    detail: string | ValidationIssue[],
    options: {
      publicCode?: string
      resource?: string
      headers?: Record<string, string>
      facts?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(typeof detail === 'string' ? detail : 'validation failed', { cause: options.cause })
    this.code = code
    this.detail = detail
    this.publicCode = options.publicCode
    this.resource = options.resource
    this.headers = options.headers ?? {}
    this.facts = options.facts ?? {}
  }

  get status() {
    return STATUS[this.code]
  }
}

/** The object is absent, or belongs to somebody else: callers cannot tell. */
export const notFound = (resource: string) =>
  new ApiError('not_found', `${resource} not found`, { resource })
/** Whether something failed because such a thing is absent. */
export const isAbsent = (error: unknown, resource: string): boolean =>
  error instanceof ApiError && error.resource === resource
export const conflict = (detail: string, publicCode?: string) =>
  new ApiError('conflict', detail, publicCode ? { publicCode } : {})
/** It was there, and the caller knew of it. */
export const gone = (detail: string, publicCode: string) =>
  new ApiError('gone', detail, { publicCode })
export const badRequest = (detail: string, publicCode?: string) =>
  new ApiError('bad_request', detail, publicCode ? { publicCode } : {})
export const forbidden = (detail: string, publicCode?: string) =>
  new ApiError('forbidden', detail, publicCode ? { publicCode } : {})
/** @param accepted any of which would do. */
export const lacksScope = (accepted: readonly string[]) =>
  forbidden(`This key lacks the scope ${accepted.join(' or ')}`, 'scope_missing')
export const tooLarge = () => new ApiError('body_too_large', 'Request body too large')
/** @param retryAfterS where it may be well again by itself: when to come back. */
export const unavailable = (cause?: unknown, retryAfterS?: number) =>
  new ApiError('unavailable', 'Service unavailable', {
    cause,
    ...(retryAfterS === undefined ? {} : { headers: { 'Retry-After': String(retryAfterS) } }),
  })
export const upstreamFailed = (cause?: unknown, publicCode?: string) =>
  new ApiError('upstream', 'Upstream error', publicCode ? { cause, publicCode } : { cause })

/** No credential at all. */
export const notAuthenticated = () =>
  new ApiError('not_authenticated', 'Not authenticated', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
export const invalidApiKey = () => new ApiError('invalid_credential', 'Invalid API key')
export const invalidToken = () => new ApiError('invalid_credential', 'Invalid or expired token')

/** One thing wrong with the request, in the form of the validator. */
export const invalid = (loc: (string | number)[], msg: string, type = 'value_error') =>
  new ApiError('validation', [
    { type, loc, msg: type === 'value_error' ? `Value error, ${msg}` : msg },
  ])

/** @param retryAfterS whole seconds until the window opens again. */
export const rateLimited = (retryAfterS: number) =>
  new ApiError('rate_limited', 'Too many requests', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterS))) },
  })
/** @param retryAfterS whole seconds until the user's day is over. */
export const userQuotaExceeded = (retryAfterS: number) =>
  new ApiError('quota_exceeded', 'Daily token quota of the user exceeded', {
    publicCode: 'user_quota',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterS))) },
  })
export const quotaExceeded = (retryAfterS: number) =>
  new ApiError('quota_exceeded', 'Monthly token quota exceeded', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterS))) },
  })
