import { EGRESS } from '../config/limits'
import { resolveAddresses } from './dns'
import { boundedFetch, EgressError, type FetchLimits } from './egress-fetch'
import { checkUrl, type EgressPolicy, isPublicAddress, isUnder } from './egress-rules'
import { createGate } from './gate'

export interface EgressContext extends EgressPolicy {
  /** DNS-over-HTTPS endpoint; configured by the deployment and trusted. */
  readonly resolver: string
  /** Whether a tenant's page is reached under this name. */
  isBound(host: string): Promise<boolean>
}

export interface EgressLimits extends FetchLimits {
  readonly maxRedirects: number
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** What may go on to another origin. Everything else may be a credential: tenants name their own headers. */
const HARMLESS_HEADERS = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * Checks an address as it is stored: the URL rules, then every address its name resolves to. Gives the parsed URL.
 * Throws EgressError `url_not_allowed`, or another code when the resolver fails (then nothing is allowed either).
 */
export async function assertUrlAllowed(ctx: EgressContext, text: string): Promise<URL> {
  const checked = checkUrl(text, ctx)
  if (!checked) throw new EgressError('url_not_allowed')
  if (checked.exempt) return checked.url
  const { hostname } = checked.url
  const [{ addresses, aliases }, isBound] = await Promise.all([
    resolveAddresses(ctx.resolver, hostname),
    ctx.isBound(hostname),
  ])
  // A tenant's domain that is not proved yet is another name of one of ours.
  const isOurs = isBound || aliases.some((alias) => isUnder(alias, ctx.ownHosts))
  if (isOurs || addresses.length === 0 || !addresses.every(isPublicAddress)) {
    throw new EgressError('url_not_allowed')
  }
  return checked.url
}

/**
 * Checks a host that is no URL (a mail server): the rules for names, then every address it resolves to. `exempt`: the
 * deployment lists the pair. Throws as `assertUrlAllowed`.
 */
export async function assertHostAllowed(
  ctx: EgressContext,
  host: string,
  port: number,
): Promise<{ exempt: boolean }> {
  const pair = `${host.toLowerCase()}:${port}`
  if (ctx.allow.some((listed) => listed.toLowerCase() === pair)) return { exempt: true }
  if (!HOST_NAME.test(host)) throw new EgressError('url_not_allowed')
  await assertUrlAllowed({ ...ctx, allow: [] }, `https://${host}/`)
  return { exempt: false }
}
const HOST_NAME = /^[a-z0-9._-]+$/i

/**
 * The one way to call an address that a tenant, a peer or a document named. Every hop is checked; only GET and HEAD
 * follow redirects, other methods get the redirect as the answer; headers that may be credentials end at the first
 * origin. Throws EgressError, or the reason of the caller's abort signal; so does the body beyond a limit. `onEnd` runs
 * when all is over: the body read or cancelled, or the request failed.
 */
export async function guardedFetch(
  ctx: EgressContext,
  url: string,
  init: RequestInit = {},
  limits: Partial<EgressLimits> = {},
  onEnd: () => void = () => {},
): Promise<Response> {
  return (await guardedFetchAt(ctx, url, init, limits, onEnd)).response
}

/** `guardedFetch` that also says where the redirects led. */
export async function guardedFetchAt(
  ctx: EgressContext,
  url: string,
  init: RequestInit = {},
  limits: Partial<EgressLimits> = {},
  onEnd: () => void = () => {},
): Promise<{ response: Response; url: URL }> {
  try {
    return await followRedirects(ctx, url, init, { ...EGRESS, ...limits }, onEnd)
  } catch (error) {
    onEnd()
    throw error
  }
}

async function followRedirects(
  ctx: EgressContext,
  url: string,
  init: RequestInit,
  { maxRedirects, ...limits }: EgressLimits,
  onEnd: () => void,
): Promise<{ response: Response; url: URL }> {
  const endsAt = Date.now() + limits.totalMs
  const mayFollow = /^(?:GET|HEAD)$/i.test(init.method ?? 'GET')
  let headers = new Headers(init.headers)
  let target = await assertUrlAllowed(ctx, url)
  for (let hop = 0; ; hop++) {
    const totalMs = Math.max(1, endsAt - Date.now())
    let ended = false
    let isLast = false
    const response = await boundedFetch(
      target.href,
      { ...init, headers },
      { ...limits, totalMs },
      () => {
        ended = true
        if (isLast) onEnd()
      },
    )
    const location = response.headers.get('location')
    if (!mayFollow || location === null || !REDIRECTS.has(response.status)) {
      isLast = true
      if (ended) onEnd()
      return { response, url: target }
    }
    await response.body?.cancel()
    if (hop >= maxRedirects) throw new EgressError('too_many_redirects')
    const next = URL.parse(location, target)
    if (!next) throw new EgressError('url_not_allowed')
    const checked = await assertUrlAllowed(ctx, next.href)
    if (checked.origin !== target.origin) headers = harmlessOf(headers)
    target = checked
  }
}

/**
 * `guardedFetch` as a fetch function for libraries that take one. At most five requests are open at once, so make one
 * for each turn; a request is open until its body has been read or cancelled.
 */
export function createGuardedFetch(
  ctx: EgressContext,
  limits: Partial<EgressLimits> = {},
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  const gate = createGate(EGRESS.atOnce)
  return async (input, init) => guardedFetch(ctx, String(input), init, limits, await gate.enter())
}

function harmlessOf(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS_HEADERS.has(name)))
}
