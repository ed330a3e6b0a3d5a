import { ApiError } from '../errors'
import type { Finding } from './checks/findings'

/** The errors of a check as the refusal of a request. */
export function refusal(findings: readonly Finding[]): ApiError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  return new ApiError(
    'validation',
    errors.map(({ code, path, message }) => ({
      type: code,
      loc: ['body', ...path.split('/').slice(1).map(partOf)],
      msg: message,
    })),
  )
}

/** One part of a JSON Pointer; a place in a list is a number. */
function partOf(text: string): string | number {
  const part = text.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(part) ? Number(part) : part
}
