import { ONE_TIME } from '../../config/limits'
import { toBase64url } from '../../platform/crypto/base64url'
import { randomBytes, sha256, toHex } from '../../platform/crypto/bytes'

/** Only this origin, over https (or on localhost), sets and gets a cookie with this prefix. */
const NAME = '__Host-parley-sign-in'
const FORM = /^[A-Za-z0-9_-]{43}$/

/** The secret that ties a sign-in to the browser it began in; null when the browser has none. */
export function readBrowserSecret(cookieHeader: string | null | undefined): string | null {
  for (const part of (cookieHeader ?? '').split(';', 100)) {
    const [name, value] = part.trim().split('=', 2)
    if (name === NAME && value !== undefined && FORM.test(value)) return value
  }
  return null
}

/** A browser that signs in twice at once keeps its secret. */
export function keepBrowserSecret(cookieHeader: string | null | undefined): {
  secret: string
  setCookie: string
} {
  const secret = readBrowserSecret(cookieHeader) ?? toBase64url(randomBytes(32))
  const age = ONE_TIME.oauthMs / 1000
  return {
    secret,
    setCookie: `${NAME}=${secret}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${age}`,
  }
}

/** What the database keeps of the secret: it names browser and provider at once. */
export async function bindingOf(secret: string, provider: string): Promise<string> {
  return toHex(await sha256(`${provider} ${secret}`))
}
