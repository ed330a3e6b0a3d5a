import { scryptSync, timingSafeEqual } from 'node:crypto'
import { PASSWORD } from '../../config/limits'
import { fromBase64url, toBase64url } from './base64url'
import { type Bytes, randomBytes, utf8 } from './bytes'

const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32
const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/
const CURRENT: Params = { ln: 14, r: 8, p: 5 }
/** What an unknown user's password is checked against, so that both answers cost the same. No password gives it. */
const DUMMY = `$scrypt$ln=14,r=8,p=5$${'A'.repeat(22)}$${'A'.repeat(43)}`

interface Params {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** Lets a hash be computed when nothing else is: the runtime computes it inside the call, and all else of the isolate stands still. */
export type HashTurn = <T>(compute: () => T) => Promise<T>

export type PasswordFault = 'too_short' | 'too_long'

/** What the length rules have against a password; null when it may be used. */
export function checkPassword(password: string): PasswordFault | null {
  const length = [...password.normalize('NFC')].length
  if (length < PASSWORD.minLength) return 'too_short'
  return length > PASSWORD.maxLength ? 'too_long' : null
}

/** scrypt (N=2^14, r=8, p=5, random salt), with its parameters in the text. Throws RangeError against the length rules. */
export async function hashPassword(password: string, turn: HashTurn): Promise<string> {
  const fault = checkPassword(password)
  if (fault) throw new RangeError(`Password is ${fault.replace('_', ' ')}`)
  const salt = randomBytes(SALT_BYTES)
  const hash = await turn(() => derive(password, salt, CURRENT))
  return `$scrypt$ln=${CURRENT.ln},r=${CURRENT.r},p=${CURRENT.p}$${toBase64url(salt)}$${toBase64url(hash)}`
}

/**
 * Checks a password against the stored text; `stored` null (unknown user) costs the same and is never ok. `rehash`: the
 * parameters have changed since, store `hashPassword` anew. Throws when the stored text is damaged.
 */
export async function verifyPassword(
  password: string,
  stored: string | null,
  turn: HashTurn,
): Promise<{ ok: boolean; rehash: boolean }> {
  const { params, salt, hash } = parse(stored ?? DUMMY)
  const usable = checkPassword(password) === null
  const actual = await turn(() => derive(usable ? password : '', salt, params))
  const ok = timingSafeEqual(actual, hash) && usable && stored !== null
  const rehash =
    ok && (params.ln !== CURRENT.ln || params.r !== CURRENT.r || params.p !== CURRENT.p)
  return { ok, rehash }
}

function parse(stored: string): { params: Params; salt: Bytes; hash: Bytes } {
  const [, ln, r, p, salt, hash] = FORM.exec(stored) ?? []
  const saltBytes = fromBase64url(salt ?? '')
  const hashBytes = fromBase64url(hash ?? '')
  if (!saltBytes || hashBytes?.length !== HASH_BYTES) throw new Error('Stored password is damaged')
  return {
    params: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: saltBytes,
    hash: hashBytes,
  }
}

function derive(password: string, salt: Bytes, { ln, r, p }: Params): Bytes {
  const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY_BYTES }
  return new Uint8Array(scryptSync(utf8(password.normalize('NFC')), salt, HASH_BYTES, options))
}
