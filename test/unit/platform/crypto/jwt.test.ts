import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { JWT } from '../../../../src/config/limits'
import {
  signUserToken,
  type UserClaims,
  verifyUserToken,
} from '../../../../src/platform/crypto/jwt'
import { parseKeyring } from '../../../../src/platform/crypto/keyring'

const secretA = Buffer.alloc(40, 'alpha-secret-').toString('base64url')
const secretB = Buffer.alloc(40, 'bravo-secret-').toString('base64url')
const ringOf = (primary: string, keys: Record<string, string>) =>
  parseKeyring(JSON.stringify({ primary, keys }), 'JWT_SECRET')
const ring = ringOf('a', { a: secretA })

const NOW = Date.UTC(2026, 10, 20, 12)
const S = NOW / 1000
const CLAIMS: UserClaims = {
  user: 'user-1',
  tenant: 'tenant-1',
  version: 3,
  space: 'space-1',
  tag: 2 ** 40 - 1,
  source: 'anonymous',
}
const HEADER = { alg: 'HS256', kid: 'a', typ: 'JWT' }
const PAYLOAD = {
  iss: 'parley',
  aud: 'end-user',
  sub: 'user-1',
  tid: 'tenant-1',
  iat: S,
  nbf: S,
  exp: S + 3600,
  jti: 'id-1',
  ver: 3,
  spc: 'space-1',
  tag: 5,
  src: 'email',
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs anything by node:crypto, so that the tokens here come from another implementation. */
function forge(header: object, payload: unknown, secret = secretA, hash = 'sha256'): string {
  const head = `${part(header)}.${part(payload)}`
  const key = Buffer.from(secret, 'base64url')
  return `${head}.${createHmac(hash, key).update(head).digest('base64url')}`
}

describe('user tokens', () => {
  it('carry their claims', async () => {
    const token = await signUserToken(ring, CLAIMS, NOW, JWT.defaultTtlS)
    const claims = await verifyUserToken(ring, token, NOW + 1000)
    expect(claims).toEqual({
      ...CLAIMS,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      issuedAt: NOW,
      expiresAt: NOW + JWT.defaultTtlS * 1000,
    })
    const [header, payload] = token.split('.').map((text) => Buffer.from(text, 'base64url'))
    expect(JSON.parse(String(header))).toEqual(HEADER)
    expect(Object.keys(JSON.parse(String(payload))).sort()).toEqual(Object.keys(PAYLOAD).sort())
  })

  it('are verified as another implementation signs them', async () => {
    expect(await verifyUserToken(ring, forge(HEADER, PAYLOAD), NOW)).toMatchObject({
      user: 'user-1',
      tag: 5,
    })
  })

  it('end at their time, with a minute of leeway on both sides', async () => {
    const token = forge(HEADER, PAYLOAD)
    const end = NOW + 3600_000
    expect(await verifyUserToken(ring, token, end + 59_000)).not.toBeNull()
    expect(await verifyUserToken(ring, token, end + 61_000)).toBeNull()
    expect(await verifyUserToken(ring, token, NOW - 59_000)).not.toBeNull()
    expect(await verifyUserToken(ring, token, NOW - 61_000)).toBeNull()
  })

  it.each<[string, object]>([
    ['none', { ...HEADER, alg: 'none' }],
    ['another algorithm', { ...HEADER, alg: 'HS512' }],
    ['an asymmetric algorithm', { ...HEADER, alg: 'RS256' }],
    ['jku', { ...HEADER, jku: 'https://keys.example.com' }],
    ['jwk', { ...HEADER, jwk: { kty: 'oct', k: secretA } }],
    ['x5u', { ...HEADER, x5u: 'https://keys.example.com' }],
    ['crit', { ...HEADER, crit: ['exp'] }],
    ['b64', { ...HEADER, b64: true }],
    ['no kid', { alg: 'HS256', typ: 'JWT' }],
    ['an unknown kid', { ...HEADER, kid: 'b' }],
    ['a kid of the prototype', { ...HEADER, kid: 'constructor' }],
    ['a wrong typ', { ...HEADER, typ: 'at+jwt' }],
    ['no typ', { alg: 'HS256', kid: 'a' }],
  ])('are refused with %s in the header', async (_, header) => {
    expect(await verifyUserToken(ring, forge(header, PAYLOAD), NOW)).toBeNull()
  })

  it('are refused when the header says HS256 but another hash signed', async () => {
    expect(await verifyUserToken(ring, forge(HEADER, PAYLOAD, secretA, 'sha512'), NOW)).toBeNull()
  })

  it.each(Object.keys(PAYLOAD))('are refused without %s', async (name) => {
    const payload = Object.fromEntries(Object.entries(PAYLOAD).filter(([key]) => key !== name))
    expect(await verifyUserToken(ring, forge(HEADER, payload), NOW)).toBeNull()
  })

  it.each<[string, object]>([
    ['a foreign issuer', { iss: 'other' }],
    ['a foreign audience', { aud: 'console' }],
    ['several audiences', { aud: ['end-user', 'console'] }],
    ['a version that is no number', { ver: '3' }],
    ['a negative version', { ver: -1 }],
    ['a tag that is no integer', { tag: 1.5 }],
    ['an empty subject', { sub: '' }],
    ['a subject that is no text', { sub: { id: 'user-1' } }],
    ['an issue date in the future', { iat: S + 120 }],
    ['a life of over 30 days', { exp: S + JWT.maxTtlS + 1 }],
    ['an expiry that is no number', { exp: 'never' }],
  ])('are refused with %s', async (_, change) => {
    expect(await verifyUserToken(ring, forge(HEADER, { ...PAYLOAD, ...change }), NOW)).toBeNull()
  })

  it('are refused with any character changed', async () => {
    const token = await signUserToken(ring, CLAIMS, NOW, 3600)
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, i) + other + token.slice(i + 1)
      expect(await verifyUserToken(ring, changed, NOW)).toBeNull()
    }
  })

  it.each(['', '.', '..', 'a.b.c', '....'])('are refused as %j without an error', async (text) =>
    expect(await verifyUserToken(ring, text, NOW)).toBeNull(),
  )

  it('are refused in any other text than the one that was signed', async () => {
    const token = await signUserToken(ring, CLAIMS, NOW, 3600)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const swap = (text: string) => Buffer.from(text).toString('base64url')
    const json = { protected: header, payload, signature }
    const signed = (text: string) => {
      const head = `${swap(text)}.${payload}`
      const key = Buffer.from(secretA, 'base64url')
      return `${head}.${createHmac('sha256', key).update(head).digest('base64url')}`
    }
    expect(await verifyUserToken(ring, signed(JSON.stringify(HEADER)), NOW)).not.toBeNull()
    const others = [
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${payload}.${signature}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}.${signature}==`,
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      `${header}\n.${payload}.${signature}`,
      `${header}.${payload}.${bytes.subarray(0, 31).toString('base64url')}`,
      `${header}.${payload}.${bytes.subarray(0, 16).toString('base64url')}`,
      `${header}.${payload}.${Buffer.concat([bytes, Buffer.of(0)]).toString('base64url')}`,
      `${header}.${payload}.${Buffer.alloc(32).toString('base64url')}`,
      `${payload}.${header}.${signature}`,
      `${header}.${payload}.${signature}.${signature}.${signature}`,
      JSON.stringify(json),
      JSON.stringify({ payload, signatures: [json] }),
      // The unused bits of the last character say nothing, so they must be zero.
      token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1),
      signed('[]'),
      signed('null'),
      signed('"HS256"'),
      signed('{'),
      signed('{"alg":"HS256","kid":"a","typ":"JWT","alg":"none"}'),
      signed('{"alg":["HS256"],"kid":"a","typ":"JWT"}'),
      signed('{"alg":"hs256","kid":"a","typ":"JWT"}'),
      signed('{"alg":"HS256","kid":["a"],"typ":"JWT"}'),
      signed('{"alg":"HS256","kid":"a","typ":"jwt"}'),
      signed('{"alg":"HS256","kid":"a","typ":"application/jwt"}'),
    ]
    for (const other of others) {
      expect(await verifyUserToken(ring, other, NOW), other).toBeNull()
    }
  })

  it('are refused with a payload that is no object', async () => {
    for (const payload of [null, [], 'text', 5]) {
      expect(await verifyUserToken(ring, forge(HEADER, payload), NOW)).toBeNull()
    }
  })

  it('are refused over 4 KiB although rightly signed', async () => {
    const small = forge(HEADER, { ...PAYLOAD, pad: 'x'.repeat(2600) })
    const large = forge(HEADER, { ...PAYLOAD, pad: 'x'.repeat(2900) })
    expect(small.length).toBeLessThanOrEqual(JWT.maxBytes)
    expect(large.length).toBeGreaterThan(JWT.maxBytes)
    expect(await verifyUserToken(ring, small, NOW)).not.toBeNull()
    expect(await verifyUserToken(ring, large, NOW)).toBeNull()
  })

  it('survive a rotation: both keys verify, the primary signs, a dropped key is dead', async () => {
    const old = await signUserToken(ring, CLAIMS, NOW, 3600)
    const both = ringOf('b', { a: secretA, b: secretB })
    const fresh = await signUserToken(both, CLAIMS, NOW, 3600)
    const dropped = ringOf('b', { b: secretB })
    expect(await verifyUserToken(both, old, NOW)).not.toBeNull()
    expect(await verifyUserToken(both, fresh, NOW)).not.toBeNull()
    expect(await verifyUserToken(dropped, fresh, NOW)).not.toBeNull()
    expect(await verifyUserToken(dropped, old, NOW)).toBeNull()
    expect(await verifyUserToken(ring, fresh, NOW)).toBeNull()
  })

  it('live between 15 minutes and 30 days', async () => {
    for (const ttl of [0, JWT.minTtlS - 1, JWT.maxTtlS + 1, Number.NaN]) {
      await expect(signUserToken(ring, CLAIMS, NOW, ttl)).rejects.toThrow(RangeError)
    }
    const longest = await signUserToken(ring, CLAIMS, NOW, JWT.maxTtlS)
    expect(await verifyUserToken(ring, longest, NOW)).not.toBeNull()
  })
})
