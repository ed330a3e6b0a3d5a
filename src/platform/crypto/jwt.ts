import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { JWT } from '../../config/limits'
import { isBase64url } from './base64url'
import type { Keyring, RingKey } from './keyring'

/** What a user token says. Version and tag are numbers the caller compares; the token alone proves only who signed it. */
export interface UserClaims {
  readonly user: string
  readonly tenant: string
  /** The user's token version; a token of an older one is dead. */
  readonly version: number
  /** The default space and its tag. */
  readonly space: string
  readonly tag: number
  /** How the user came: anonymous, email, proxy or a provider's name. */
  readonly source: string
}

export interface VerifiedClaims extends UserClaims {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

const ALGORITHM = 'HS256'
const TYPE = 'JWT'
const ISSUER = 'parley'
const AUDIENCE = 'end-user'
const HEADER_NAMES = new Set(['alg', 'kid', 'typ'])

/** Signs with the ring's primary key. `now` in ms, `ttlS` in seconds, between 15 minutes and 30 days or RangeError. */
export async function signUserToken(
  ring: Keyring,
  claims: UserClaims,
  now: number,
  ttlS: number,
): Promise<string> {
  if (!(ttlS >= JWT.minTtlS && ttlS <= JWT.maxTtlS)) {
    throw new RangeError(`A token lives ${JWT.minTtlS} to ${JWT.maxTtlS} seconds`)
  }
  const seconds = Math.floor(now / 1000)
  return new SignJWT({
    tid: claims.tenant,
    ver: claims.version,
    spc: claims.space,
    tag: claims.tag,
    src: claims.source,
  })
    .setProtectedHeader({ alg: ALGORITHM, kid: ring.primary.id, typ: TYPE })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.user)
    .setIssuedAt(seconds)
    .setNotBefore(seconds)
    .setExpirationTime(seconds + Math.floor(ttlS))
    .setJti(crypto.randomUUID())
    .sign(await signingKey(ring.primary))
}

/** The claims of a good token; null for any other text, without a reason. `now` in ms; leeway 60 s. */
export async function verifyUserToken(
  ring: Keyring,
  token: string,
  now: number,
): Promise<VerifiedClaims | null> {
  if (token.length > JWT.maxBytes || !token.split('.').every(isBase64url)) return null
  try {
    const key = keyOf(ring, decodeProtectedHeader(token))
    if (!key) return null
    const { payload } = await jwtVerify(token, await signingKey(key), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      clockTolerance: JWT.leewayS,
      currentDate: new Date(now),
      // The others are read below; `issuer` asks for its own.
      requiredClaims: ['nbf'],
    })
    return readClaims(payload, now)
  } catch {
    return null
  }
}

/** Only our own three names, with our values: no jku, jwk, x5u, x5c or crit ever comes near a key. */
function keyOf(ring: Keyring, header: Record<string, unknown>): RingKey | undefined {
  const { alg, typ, kid } = header
  const ours = Object.keys(header).every((name) => HEADER_NAMES.has(name))
  if (!ours || alg !== ALGORITHM || typ !== TYPE || typeof kid !== 'string') return undefined
  return ring.keys.get(kid)
}

function readClaims(payload: Record<string, unknown>, now: number): VerifiedClaims | null {
  const { sub, tid, ver, spc, tag, src, jti, iat, exp, aud } = payload
  const texts = isText(sub) && isText(tid) && isText(spc) && isText(src) && isText(jti)
  const numbers = isCount(ver) && isCount(tag) && isCount(iat) && isCount(exp)
  if (!texts || !numbers || aud !== AUDIENCE) return null
  if (iat > now / 1000 + JWT.leewayS || exp - iat > JWT.maxTtlS) return null
  return {
    id: jti,
    user: sub,
    tenant: tid,
    version: ver,
    space: spc,
    tag,
    source: src,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  }
}

const imported = new WeakMap<RingKey, CryptoKey>()

async function signingKey(key: RingKey): Promise<CryptoKey> {
  const known = imported.get(key)
  if (known) return known
  const made = await crypto.subtle.importKey(
    'raw',
    key.bytes,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  )
  imported.set(key, made)
  return made
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
