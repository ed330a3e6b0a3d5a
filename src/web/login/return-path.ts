/** Where the page goes on after signing in: a path of this origin, or null. */
export function returnPath(search: string, origin: string): string | null {
  const wanted = new URLSearchParams(search).get('return')
  if (!wanted?.startsWith('/')) return null
  const url = URL.parse(wanted, origin)
  // A path may become the address of another host when its dots are resolved: `/.//evil.example`.
  if (url?.origin !== origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search
}
