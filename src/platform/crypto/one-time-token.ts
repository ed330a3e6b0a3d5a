import { toBase64url } from './base64url'
import { randomBytes, sha256, toHex } from './bytes'

const FORM = /^[A-Za-z0-9_-]{43}$/

/** A single-use secret of 256 bits for a link: the token is sent, the hash (SHA-256, hex) is stored. */
export async function mintOneTimeToken(): Promise<{ token: string; hash: string }> {
  const token = toBase64url(randomBytes(32))
  return { token, hash: toHex(await sha256(token)) }
}

/** The stored form of a presented token; null when it cannot be one, which needs no look-up. */
export async function hashOneTimeToken(token: string): Promise<string | null> {
  return FORM.test(token) ? toHex(await sha256(token)) : null
}
