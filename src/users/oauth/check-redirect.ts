/** Characters of an address that is taken. */
const MAX_LENGTH = 2048

/**
 * Where a person may be sent with a token: a path on the app, or an https address on a host that the tenant has proved to
 * own. Pure. @returns the whole address without a fragment, or null.
 */
export function checkRedirect(
  origin: string,
  redirect: string,
  ownHosts: readonly string[],
): string | null {
  if (redirect.length > MAX_LENGTH || /[\p{Cc}\\]/u.test(redirect)) return null
  const isPath = redirect.startsWith('/')
  const url = isPath ? URL.parse(redirect, origin) : URL.parse(redirect)
  if (url === null || url.username !== '' || url.password !== '') return null
  url.hash = ''
  if (isPath) return url.origin === new URL(origin).origin ? url.href : null
  const isOwn = url.protocol === 'https:' && url.port === '' && ownHosts.includes(url.hostname)
  return isOwn ? url.href : null
}
