import { SITES } from '../config/limits'
import { configOf } from '../config/read-config'
import type { DocumentRow } from '../db/tables/knowledge'
import { egressContext } from '../domains/egress-context'
import { guardedFetchAt } from '../platform/egress'
import { type EgressCode, EgressError } from '../platform/egress-fetch'
import { toUtf8 } from './page-text'

const EXTENSIONS: Record<string, string> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
}

/** What an answer said of itself, so that the next request can ask for what is newer only (RFC 9110, section 13). */
export interface Validators {
  etag: string | null
  lastModified: string | null
}

export interface ReadPage {
  state: 'read'
  bytes: Uint8Array<ArrayBuffer>
  /** Of the file that the answer is, by its media type; null when that says nothing. */
  extension: string | null
  validators: Validators
  /** Where it was found after redirects. */
  url: URL
}

/** `status` is 0 for a peer that gave no answer, or none that we take: `code` says why. */
export type FetchedPage =
  | ReadPage
  | { state: 'unchanged' | 'gone' | 'refused'; status: number; code?: EgressCode }

/** Of a document that came in another way: nobody asks for it again. */
export const NOT_FETCHED = {
  fetchedAt: null,
  fetchAfter: 0,
  etag: null,
  lastModified: null,
  missed: 0,
  goneAt: null,
} as const satisfies Partial<DocumentRow>

const VALIDATOR_LENGTH = 500

/**
 * One public page or file through the egress guard: at most 1 MiB, three redirects; a text comes in UTF-8. With what the last answer said of
 * itself, a page that did not change since is `unchanged` without its text. @throws EgressError.
 */
export async function fetchPage(
  env: Env,
  address: string,
  known?: Validators,
): Promise<FetchedPage> {
  const { publicBase } = configOf(env)
  const headers = new Headers({
    accept: 'text/html,text/*,application/pdf,*/*;q=0.5',
    'user-agent': publicBase === '' ? SITES.robot : `${SITES.robot} (+${publicBase})`,
  })
  if (known?.etag) headers.set('if-none-match', known.etag)
  if (known?.lastModified) headers.set('if-modified-since', known.lastModified)
  const { response, url } = await guardedFetchAt(egressContext(env), address, { headers })
  const { status } = response
  if (!response.ok) {
    await response.body?.cancel()
    if (status === 304) return { state: 'unchanged', status }
    return { state: status === 404 || status === 410 ? 'gone' : 'refused', status }
  }
  const header = (name: string) => response.headers.get(name)?.slice(0, VALIDATOR_LENGTH) ?? null
  const mime = header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  const validators = { etag: header('etag'), lastModified: header('last-modified') }
  return {
    state: 'read',
    bytes: toUtf8(new Uint8Array(await response.arrayBuffer()), header('content-type') ?? ''),
    extension: EXTENSIONS[mime] ?? null,
    validators,
    url,
  }
}

/** The same for work in the background: what fails between us and the peer is an answer of its own. */
export async function tryPage(env: Env, address: string, known?: Validators): Promise<FetchedPage> {
  try {
    return await fetchPage(env, address, known)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { state: 'refused', status: 0, code: error.code }
  }
}
