import type { TenantContext } from '../context'
import type { KnowledgeBaseRow } from '../db/tables/knowledge'
import { ApiError, invalid, upstreamFailed } from '../errors'
import { sha256, toHex } from '../platform/crypto/bytes'
import { EgressError } from '../platform/egress-fetch'
import { fetchPage, type ReadPage } from './fetch-page'
import { addressOf, type ImportOutcome, importFiles } from './import-files'

/**
 * Fetches a public page or file through the egress guard (at most 1 MiB, three redirects) and imports it; the address is its
 * path, so fetching it again replaces it. @throws ApiError 422 for a refused address or an answer that is not taken, 502 with a code when there is none.
 */
export async function importUrl(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  address: string,
): Promise<ImportOutcome> {
  const page = await fetchPage(ctx.env, address).catch((error: unknown) => {
    if (!(error instanceof EgressError)) throw upstreamFailed(error)
    switch (error.code) {
      case 'url_not_allowed':
        throw new ApiError('validation', [
          { type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' },
        ])
      case 'too_large':
        throw invalid(['body', 'url'], 'the page is larger than 1 MiB; upload it as a file')
      case 'too_many_redirects':
        throw invalid(['body', 'url'], 'the address leads on more than three times')
      default:
        throw upstreamFailed(error, error.code)
    }
  })
  if (page.state !== 'read')
    throw invalid(['body', 'url'], `the address answered with status ${page.status}`)
  const file = await fileOf(ctx, new URL(address), page)
  return importFiles(ctx, base, [file.path, file.otherPath], [file])
}

/** A fetched page as a file to import: the address is its path. */
export async function fileOf(
  ctx: TenantContext,
  address: URL,
  { bytes, extension, validators }: ReadPage,
) {
  const path = await pathFor(address)
  const isNamed = extension === null || path.toLowerCase().endsWith(`.${extension}`)
  const end = extension === null ? '' : `.${extension}`
  return {
    path: isNamed ? path : `${path}${end}`,
    otherPath: `${path} ${await digestOf(address)}${end}`,
    bytes,
    sourceUrl: address.href,
    fetched: { fetchedAt: ctx.now, ...validators },
  }
}

const PATH_LENGTH = 200
const DIGEST_LENGTH = 8

/** Readable, and another one for every address: where something had to be cut off or replaced, a digest stands for it. */
async function pathFor(url: URL): Promise<string> {
  const read = decode(addressOf(url))
  const shown = read.replaceAll(/[\\\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '_')
  if (shown === read && shown.length <= PATH_LENGTH) return shown
  return `${[...shown].slice(0, PATH_LENGTH / 2).join('')} ${await digestOf(url)}`
}

const digestOf = async (url: URL): Promise<string> =>
  toHex(await sha256(addressOf(url))).slice(0, DIGEST_LENGTH)

function decode(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
