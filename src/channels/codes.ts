import { randomBytes, sha256, toHex } from '../platform/crypto/bytes'

/** Crockford's base 32: no letter is taken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/

/** A code of 80 random bits in four groups, to be typed or carried by a link. */
export function newBindCode(): string {
  const letters = [...randomBytes(GROUPS * 4)].map((byte) => ALPHABET[byte & 31] ?? '0')
  return Array.from({ length: GROUPS }, (_, n) => letters.slice(n * 4, n * 4 + 4).join('')).join(
    '-',
  )
}

/** What a person typed as a code: case and dashes do not matter, nor O for 0. Null when it cannot be one. */
export function readBindCode(text: string): string | null {
  const letters = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return FORM.test(letters) ? letters : null
}

/** The stored form of a code of one tenant's channel. */
export async function hashBindCode(
  tenantId: string,
  channel: string,
  code: string,
): Promise<string> {
  const letters = readBindCode(code) ?? ''
  return toHex(await sha256(`bind/v1 ${tenantId} ${channel} ${letters}`))
}
