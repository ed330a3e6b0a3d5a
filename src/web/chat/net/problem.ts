import type { Problem } from '../model/chat'

/** A request that was answered with a refusal, in the words that the page shows for it. */
export class RequestFailed extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.kind)
    this.problem = problem
  }
}

const DEFAULT_WAIT_S = 30

/** What a refusal means to the visitor. `now` in milliseconds. */
export async function problemOf(response: Response, now: number): Promise<Problem> {
  const { code, detail } = await refusal(response)
  switch (response.status) {
    case 429: {
      if (/quota/i.test(`${code} ${detail}`)) return { kind: 'quota' }
      const wait = Number(response.headers.get('Retry-After'))
      return { kind: 'rate', retryAt: now + (wait > 0 ? wait : DEFAULT_WAIT_S) * 1000 }
    }
    case 403:
      return code === 'onboarding_required' ? { kind: 'refused', detail } : { kind: 'gone' }
    case 404:
      return { kind: 'gone' }
    case 409:
      return { kind: 'busy' }
    case 400:
    case 413:
    case 415:
    case 422:
      return { kind: 'refused', detail }
    default:
      return { kind: 'server', requestId: response.headers.get('X-Request-Id') }
  }
}

/** The refusal's own text; of a list of validation errors the first message. */
async function refusal(response: Response): Promise<{ code: string; detail: string }> {
  const body = (await response.json().catch(() => null)) as {
    code?: unknown
    detail?: unknown
  } | null
  const first: unknown = Array.isArray(body?.detail) ? body.detail[0]?.msg : body?.detail
  return {
    code: typeof body?.code === 'string' ? body.code : '',
    detail: typeof first === 'string' ? first : '',
  }
}
