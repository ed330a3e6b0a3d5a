import type { TenantContext } from '../context'
import type { KnowledgeBaseRow } from '../db/tables'
import { ApiError, invalid, upstreamFailed } from '../errors'
import { sha256, toHex } from '../platform/crypto/bytes'
import { guardedFetch } from '../platform/egress'
import { egressContext } from '../platform/egress-context'
import { EgressError } from '../platform/egress-fetch'
import { type ImportOutcome, importFiles } from './import-files'

const EXTENSIONS: Record<string, string> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
}

/**
 * Fetches a public page or file through the egress guard (at most 1 MiB, three redirects) and imports it; the address is its
 * path, so fetching it again replaces it. @throws ApiError 422 for a refused address or an unreadable answer, 502 when the peer fails.
 */
export async function importUrl(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  address: string,
): Promise<ImportOutcome> {
  const { bytes, extension } = await download(ctx, address)
  const url = new URL(address)
  const path = await pathFor(url)
  const named =
    extension === null || path.toLowerCase().endsWith(`.${extension}`)
      ? path
      : `${path}.${extension}`
  return importFiles(ctx, base, [named], [{ path: named, bytes, sourceUrl: url.href }])
}

const PATH_LENGTH = 200
const DIGEST_LENGTH = 8

/** Readable, and another one for every address: where something had to be cut off or replaced, a digest stands for it. */
async function pathFor(url: URL): Promise<string> {
  const whole = `${url.host}${url.pathname}${url.search}`.replace(/\/$/, '')
  const read = decode(whole)
  const shown = read.replaceAll(/[\\\p{Cc}]/gu, '_')
  if (shown === read && shown.length <= PATH_LENGTH) return shown
  const digest = toHex(await sha256(whole)).slice(0, DIGEST_LENGTH)
  return `${[...shown].slice(0, PATH_LENGTH / 2).join('')} ${digest}`
}

function decode(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

async function download(
  ctx: TenantContext,
  address: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; extension: string | null }> {
  try {
    const response = await guardedFetch(egressContext(ctx.config), address, {
      headers: { accept: 'text/html,text/*,application/pdf,*/*;q=0.5' },
    })
    if (!response.ok) {
      await response.body?.cancel()
      throw invalid(['body', 'url'], `the address answered with status ${response.status}`)
    }
    const mime =
      (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    return {
      bytes: new Uint8Array(await response.arrayBuffer()),
      extension: EXTENSIONS[mime] ?? null,
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof EgressError && error.code === 'url_not_allowed')
      throw new ApiError('validation', [
        { type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' },
      ])
    throw upstreamFailed(error)
  }
}
