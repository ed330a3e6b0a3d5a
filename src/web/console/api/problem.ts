/** The code of a part of the page that is gone: there was a deployment since the page was opened. */
export const NEW_VERSION = 'new_version'
/** The API's, where nobody but its user reads what was written. */
export const PRIVACY_MODE = 'privacy_mode'

/** A call that was refused, or that never came through (`status` 0). */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly code: string | null = null,
    readonly requestId: string | null = null,
    /** Of a 422: what is wrong at which place of the body or query. */
    readonly fields: readonly FieldProblem[] = [],
    readonly waitS: number | null = null,
    readonly body: unknown = null,
  ) {
    super(detail)
  }
}

export interface FieldProblem {
  /** `temperature`, `menu_items.0`. */
  path: string
  message: string
}

/** Whether the key that somebody signed in with may read but not change. */
export const isBeyondKey = ({ status, detail }: ApiProblem): boolean =>
  status === 403 && /^This key lacks the scope (?:.* )?manage$/.test(detail)

/** Whether there is nothing at the address: it is not there, or was never an address (a cut link). */
export const isGone = ({ status, body }: ApiProblem): boolean =>
  status === 404 || (status === 422 && isOfPath(body))

function isOfPath(body: unknown): boolean {
  const { detail } = (body ?? {}) as { detail?: unknown }
  return (
    Array.isArray(detail) &&
    detail.some(({ loc }: { loc?: unknown }) => Array.isArray(loc) && loc[0] === 'path')
  )
}

/** The first letter of a text that begins with a word, and not with a field's name. */
const SENTENCE = /^[a-z](?=[a-z]* )/

/**
 * What an answer that is not 2xx says.
 * @param translate gives the API's words in the reader's language
 */
export async function readProblem(
  response: Response,
  translate = async (text: string) => text,
): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  const { detail, code } = (body ?? {}) as { detail?: unknown; code?: unknown }
  const fields = await Promise.all(
    (Array.isArray(detail) ? detail.flatMap(readField) : []).map(async ({ path, message }) => ({
      path,
      message: (await translate(message)).replace(SENTENCE, (first) => first.toUpperCase()),
    })),
  )
  const [first] = fields
  const text =
    typeof detail === 'string'
      ? await translate(detail)
      : first
        ? [first.path, first.message].filter(Boolean).join(': ')
        : response.statusText
  const wait = Number(response.headers.get('Retry-After'))
  return new ApiProblem(
    response.status,
    text || String(response.status),
    typeof code === 'string' ? code : null,
    response.headers.get('X-Request-Id'),
    fields,
    wait > 0 ? wait : null,
    body,
  )
}

function readField(one: unknown): FieldProblem[] {
  const { loc, msg } = (one ?? {}) as { loc?: unknown; msg?: unknown }
  if (typeof msg !== 'string') return []
  const path = Array.isArray(loc) ? loc.slice(1).join('.') : ''
  // The mark of a rule of the API's own, which says nothing to whoever fills in a form.
  return [{ path, message: msg.replace(/^Value error, /, '') }]
}
