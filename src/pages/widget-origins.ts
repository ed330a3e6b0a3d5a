const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const MAX_ORIGINS = 100

/**
 * The sites that may show a tenant's chat, in the words of `frame-ancestors`: any while the profile names none. Where it
 * names some, what is no origin lets nobody in. Pure.
 */
export function frameAncestors(origins: unknown): string {
  const sites = namedSites(origins)
  if (sites === null) return '*'
  return sites.length === 0 ? "'none'" : sites.join(' ')
}

/**
 * Whether the browser will refuse to show the chat on the site that asks for the frame, as far as its `Referer` tells:
 * only so that something can be said in its place. Pure.
 */
export function isRefused(origins: unknown, referrer: string | undefined): boolean {
  const sites = namedSites(origins)
  const host = referrer === undefined ? null : URL.parse(referrer)
  if (sites === null || host === null) return false
  return !sites.some((site) => {
    const [scheme = '', rest = ''] = site.split('://')
    // A policy's `http` stands for `https` too, and its `*` for one label or more.
    const isScheme = host.protocol === `${scheme}:` || host.protocol === 'https:'
    if (!rest.startsWith('*.')) return isScheme && host.host === portless(rest, scheme)
    return isScheme && host.host.endsWith(portless(rest.slice(1), scheme))
  })
}

const portless = (host: string, scheme: string): string =>
  host.replace(scheme === 'https' ? /:443$/ : /:80$/, '')

function namedSites(origins: unknown): string[] | null {
  if (origins === undefined || origins === null) return null
  const named = (Array.isArray(origins) ? origins : [origins]).flatMap((value) =>
    typeof value === 'string' ? value.trim().toLowerCase().replace(/\/$/, '') : [],
  )
  return named.filter((value) => ORIGIN.test(value)).slice(0, MAX_ORIGINS)
}
