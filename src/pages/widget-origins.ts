const ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const MAX_ORIGINS = 100

/**
 * The sites that may show a tenant's chat, in the words of `frame-ancestors`: any while the profile names none. Where it
 * names some, what is no origin lets nobody in. Pure.
 */
export function frameAncestors(origins: unknown): string {
  if (origins === undefined || origins === null) return '*'
  const named = (Array.isArray(origins) ? origins : [origins]).flatMap((value) =>
    typeof value === 'string' ? value.trim().toLowerCase().replace(/\/$/, '') : [],
  )
  const sites = named.filter((value) => ORIGIN.test(value)).slice(0, MAX_ORIGINS)
  return sites.length === 0 ? "'none'" : sites.join(' ')
}
