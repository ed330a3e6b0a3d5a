import type { ApiError, ErrorCode, ValidationIssue } from '../errors'

/** The error object of the OpenAI protocol, which its clients turn into their own classes. */
export interface OpenAiError {
  message: string
  type: string
  param: string | null
  code: string
}

/** The protocol's own words where it has some; our code elsewhere. */
const CODES: Partial<Record<ErrorCode, string>> = {
  not_authenticated: 'invalid_api_key',
  invalid_credential: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
  quota_exceeded: 'insufficient_quota',
}

/** What `detail` says, in that form. Pure. */
export function toOpenAiError(error: ApiError): OpenAiError {
  const { code, detail, resource } = error
  if (Array.isArray(detail)) return describeIssues(detail)
  const isModel = resource === 'Agent'
  return {
    message: detail,
    type: typeOf(error),
    param: isModel ? 'model' : null,
    code: error.publicCode ?? (isModel ? 'model_not_found' : (CODES[code] ?? code)),
  }
}

/** A fault of ours in the middle of a stream. Pure. */
export const serverError = (message: string, code: string): OpenAiError => ({
  message,
  type: 'server_error',
  param: null,
  code,
})

function typeOf({ code, status }: ApiError): string {
  if (code === 'rate_limited') return 'requests'
  if (status === 429) return 'insufficient_quota'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

function describeIssues(issues: ValidationIssue[]): OpenAiError {
  const [first] = issues
  return {
    message: issues.map(({ loc, msg }) => `${nameOf(loc) ?? loc[0]}: ${msg}`).join('; '),
    type: 'invalid_request_error',
    param: nameOf(first?.loc ?? []),
    code: first?.type ?? 'validation',
  }
}

/** `['body', 'messages', 0, 'content']` → `messages[0].content`; null for the body as a whole. */
function nameOf([, ...path]: ValidationIssue['loc']): string | null {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return name === '' ? null : name.replace(/^\./, '')
}
