/** How the bearer of a token came, by the token's own word; the server checks it anyway. */
export function sourceOf(token: string | null): string | null {
  const { src } = claimsOf(token)
  return typeof src === 'string' ? src : null
}

/** Who is signed in with a token; null for a visitor without an account and for no token. */
export function signedInUser(token: string | null): string | null {
  const { sub, src } = claimsOf(token)
  return typeof sub === 'string' && src !== 'anonymous' ? sub : null
}

/** How long a token holds from when it was made, by its own word, in milliseconds; 0 for what says nothing. */
export function lifetimeOf(token: string): number {
  const { iat, exp } = claimsOf(token)
  return (Number(exp) - Number(iat)) * 1000 || 0
}

function claimsOf(token: string | null): {
  sub?: unknown
  src?: unknown
  iat?: unknown
  exp?: unknown
} {
  try {
    const part = (token ?? '').split('.')[1] ?? ''
    return Object(JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return {}
  }
}
