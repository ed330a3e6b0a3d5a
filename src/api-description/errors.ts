import type { ApiSchemas } from './api-schemas'

/** `codes`: the stable words that may stand beside the text. */
const ERRORS: Record<number, { name: string; description: string; codes?: string }> = {
  400: {
    name: 'BadRequest',
    description: 'Credentials that contradict each other, or a request that cannot be carried out.',
    codes: 'stt_unavailable',
  },
  401: {
    name: 'NotAuthenticated',
    description: 'No credential, or one that is not valid (any more).',
  },
  403: {
    name: 'Forbidden',
    description: 'The credential does not allow this.',
    codes:
      'scope_missing scope_exceeded privacy_mode onboarding_required downloads_off sources_hidden',
  },
  404: { name: 'NotFound', description: 'Absent, or somebody else’s: both look alike.' },
  409: {
    name: 'Conflict',
    description: 'The object’s state, or another request, stands against it.',
    codes:
      'turn_running import_running migration_running migration_undone stale_version has_enrollments name_reserved not_published export_not_ready review_decided no_handoff reminder_not_pending reminder_limit channel_taken merge_too_large not_confirmed unreadable',
  },
  410: {
    name: 'Gone',
    description: 'It was there and no longer is, or no longer is as it was.',
    codes: 'source_gone answer_gone undo_expired',
  },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedType', description: 'Files of this kind are not taken.' },
  422: {
    name: 'Invalid',
    description:
      'Something in the request is not valid; `loc` says where, the value is not repeated.',
    codes: 'scenarios_failed',
  },
  429: {
    name: 'TooMany',
    description:
      'Too many requests, or the month’s tokens are used up; `Retry-After` says when to come back.',
    codes: 'user_quota',
  },
  500: { name: 'Failed', description: 'A fault of ours; quote `X-Request-Id`.' },
  502: {
    name: 'UpstreamFailed',
    description: 'A model or another server did not answer as it should.',
    codes: 'smtp_failed byok_failed channel_failed draft_failed',
  },
  503: {
    name: 'Unavailable',
    description:
      'Not possible right now; try again, where `Retry-After` is given after so many seconds.',
    codes: 'tts_unavailable model_required not_set_up',
  },
}

/** Component name of each error status. */
export const ERROR_NAMES: Record<number, string> = Object.fromEntries(
  Object.entries(ERRORS).map(([status, { name }]) => [status, name]),
)

/** Of an answer with a body of its own. */
export function describeStatus(status: number): string {
  const { description = 'Done.', codes } = ERRORS[status] ?? {}
  return codes ? `${description} \`code\`, if any: ${codes.replaceAll(' ', ', ')}.` : description
}

export function describeErrors(schemas: ApiSchemas): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(ERROR_NAMES).map(([status, name]) => [
      name,
      describeError(Number(status), false, schemas),
    ]),
  )
}

/** @param openAi whether the OpenAI protocol's error stands beside ours. */
export function describeError(
  status: number,
  openAi: boolean,
  schemas: ApiSchemas,
): Record<string, unknown> {
  const { ErrorOut, ValidationErrorOut, OpenAiErrorOut, OpenAiValidationErrorOut } = schemas.errors
  const [text, list] = openAi
    ? [OpenAiErrorOut, OpenAiValidationErrorOut]
    : [ErrorOut, ValidationErrorOut]
  const schema = schemas.write(status === 422 ? list : text, 'output')
  const mayComeBack = status === 429 || status === 503
  const retry = mayComeBack ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...retry }
  const content = { 'application/json': { schema } }
  return { description: describeStatus(status), headers, content }
}
