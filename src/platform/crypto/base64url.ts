import type { Bytes } from './bytes'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const FORM = /^[A-Za-z0-9_-]*$/
/** String.fromCharCode takes its bytes as arguments, and their number is limited. */
const BLOCK = 8192

/** Base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += BLOCK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + BLOCK))
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Whether `toBase64url` could have written this: no padding, no other character, one text for each value. */
export function isBase64url(text: string): boolean {
  return FORM.test(text) && hasCleanTail(text)
}

/** Decodes unpadded base64url; null for anything that `toBase64url` would not have written. */
export function fromBase64url(text: string): Bytes | null {
  if (!isBase64url(text)) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const out = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i)
  return out
}

/** The unused bits of the last character are zero. */
function hasCleanTail(text: string): boolean {
  const rest = text.length % 4
  if (rest === 0) return true
  if (rest === 1) return false
  const last = ALPHABET.indexOf(text.slice(-1))
  return (last & (rest === 2 ? 0b1111 : 0b11)) === 0
}
