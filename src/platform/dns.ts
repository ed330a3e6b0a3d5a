import { DNS } from '../config/limits'
import { loadDnsWire } from '../lazy'
import { parseJson } from '../text/json'
import { toBase64url } from './crypto/base64url'
import type { DnsAnswer, RecordType } from './dns-answer'
import { readJsonReply } from './dns-json'
import { boundedFetch, EgressError } from './egress-fetch'

const NO_SUCH_NAME = 3

export interface ResolvedHost {
  addresses: readonly string[]
  /** Names that it is another name of, as the resolver followed them. */
  aliases: readonly string[]
}

/** An answer only says whether the name may be called now; the runtime looks it up again by itself. */
const cache = new Map<string, { host: ResolvedHost; until: number }>()
/** Resolvers that answered the JSON question with something else: they speak the wire format only. */
const wireOnly = new Set<string>()

/**
 * All IPv4 and IPv6 addresses of a name and what it stands for, by DNS over HTTPS (JSON, else RFC 8484). Empty when there are none. Throws
 * EgressError `unreachable` or `timeout` when the resolver gives no answer to both questions.
 */
export async function resolveAddresses(resolver: string, name: string): Promise<ResolvedHost> {
  const key = `${resolver} ${name}`
  const known = cache.get(key)
  if (known && known.until > Date.now()) return known.host
  const answers = await Promise.all([ask(resolver, name, 'A'), ask(resolver, name, 'AAAA')])
  const addresses = answers.flatMap((answer) => answer.values)
  const ttlS = Math.min(...answers.filter((a) => a.values.length > 0).map((a) => a.ttlS))
  const host = { addresses, aliases: answers.flatMap((answer) => answer.aliases ?? []) }
  if (addresses.length > 0) remember(key, host, Math.min(ttlS * 1000, DNS.cacheMs))
  return host
}

/**
 * The records of a name as they are now, by the same way; nothing is remembered. Empty when there are none.
 * Throws EgressError when the resolver gives no answer.
 */
export async function lookUpRecords(
  resolver: string,
  name: string,
  type: 'CNAME' | 'TXT',
): Promise<readonly string[]> {
  return (await ask(resolver, name, type)).values
}

async function ask(resolver: string, name: string, type: RecordType): Promise<DnsAnswer> {
  const json = wireOnly.has(resolver) ? null : await askJson(resolver, name, type)
  const answer = json ?? (await askWire(resolver, name, type))
  // Only once it has worked: a name that the resolver dislikes must not change how it is asked for others.
  if (!json && answer) wireOnly.add(resolver)
  if (!answer || (answer.status !== 0 && answer.status !== NO_SUCH_NAME)) {
    throw new EgressError('unreachable')
  }
  return answer
}

/** Null when the resolver does not answer in JSON. */
async function askJson(
  resolver: string,
  name: string,
  type: RecordType,
): Promise<DnsAnswer | null> {
  const url = withQuery(resolver, { name, type })
  const response = await boundedFetch(url, { headers: { accept: 'application/dns-json' } }, DNS)
  const isJson = /^application\/(?:dns-)?json\b/i.test(response.headers.get('content-type') ?? '')
  if (response.status === 200 && isJson)
    return readJsonReply(parseJson(await response.text()), type)
  await response.body?.cancel()
  return null
}

async function askWire(
  resolver: string,
  name: string,
  type: RecordType,
): Promise<DnsAnswer | null> {
  const { encodeQuery, decodeReply } = await loadDnsWire()
  const url = withQuery(resolver, { dns: toBase64url(encodeQuery(name, type)) })
  const headers = { accept: 'application/dns-message' }
  const response = await boundedFetch(url, { headers }, DNS)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return response.status === 200 ? decodeReply(bytes, type) : null
}

function withQuery(resolver: string, query: Record<string, string>): string {
  const url = new URL(resolver)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

function remember(key: string, host: ResolvedHost, forMs: number): void {
  if (cache.size >= DNS.cacheEntries) cache.delete(cache.keys().next().value ?? '')
  cache.delete(key)
  cache.set(key, { host, until: Date.now() + forMs })
}
