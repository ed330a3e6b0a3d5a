import { describe, expect, it } from 'vitest'
import { type Keyring, parseKeyring } from '../../../../src/platform/crypto/keyring'

const PLAIN = 'q8Zk2vR7xN4mT1wY6sB3dF9gH5jL0pAc'
const keyA = Buffer.from('alpha-secret-alpha-secret-alpha-').toString('base64url')
const keyB = Buffer.from('bravo-secret-bravo-secret-bravo-').toString('base64url')
const parse = (value: string | undefined): Keyring => parseKeyring(value, 'MASTER_KEYS')
const ring = (primary: unknown, keys: unknown): string => JSON.stringify({ primary, keys })

describe('parseKeyring', () => {
  it('takes a plain secret, under an id that stays the same', () => {
    const one = parse(PLAIN)
    expect(Buffer.from(one.primary.bytes).toString()).toBe(PLAIN)
    expect(one.primary.id).toMatch(/^k[0-9a-f]{8}$/)
    expect(parse(`  ${PLAIN}\n`).primary.id).toBe(one.primary.id)
    expect(parse(`${PLAIN}x`).primary.id).not.toBe(one.primary.id)
    expect(one.keys.get(one.primary.id)).toBe(one.primary)
  })

  it('takes a ring and its primary', () => {
    const { primary, keys } = parse(ring('b', { a: keyA, b: keyB }))
    expect(primary.id).toBe('b')
    expect([...keys.keys()]).toEqual(['a', 'b'])
    expect(Buffer.from(primary.bytes).toString()).toBe('bravo-secret-bravo-secret-bravo-')
  })

  it('lets a plain secret become one of the keys of a ring', () => {
    const before = parse(PLAIN)
    const asEntry = Buffer.from(PLAIN).toString('base64url')
    const after = parse(ring('new', { [before.primary.id]: asEntry, new: keyA }))
    expect(after.keys.get(before.primary.id)?.bytes).toEqual(before.primary.bytes)
  })

  it('takes padded base64url', () => {
    expect(parse(ring('a', { a: `${keyA}=` })).primary.bytes).toHaveLength(32)
  })

  it.each([undefined, '', '   '])('has no default for %j', (value) => {
    expect(() => parse(value)).toThrow(
      /^MASTER_KEYS is not set\. Set it to 32 or more random bytes/,
    )
  })

  it.each<[string, string, RegExp]>([
    ['a short secret', 'short', /^MASTER_KEYS has 5 bytes; at least 32/],
    ['31 bytes', PLAIN.slice(1), /^MASTER_KEYS has 31 bytes/],
    ['a repeated letter', 'a'.repeat(64), /^MASTER_KEYS does not look random/],
    ['broken JSON', '{"primary":', /^MASTER_KEYS starts with "\{" but is not a ring/],
    ['a ring without keys', '{"primary":"a"}', /is not a ring/],
    ['keys that are a list', ring('a', [keyA]), /is not a ring/],
    ['no primary', ring(undefined, { a: keyA }), /^MASTER_KEYS: "primary" must be the id/],
    ['an absent primary', ring('c', { a: keyA }), /"primary" must be the id/],
    ['a primary of the prototype', ring('constructor', { a: keyA }), /"primary" must be the id/],
    ['an empty ring', ring('a', {}), /"primary" must be the id/],
    ['a bad id', ring('a.b', { 'a.b': keyA }), /^MASTER_KEYS: a key id is 1 to 32 characters/],
    ['a key that is no text', ring('a', { a: 5 }), /^MASTER_KEYS: key "a" is not base64url/],
    [
      'a key in another encoding',
      ring('a', { a: '+/+/' }),
      /^MASTER_KEYS: key "a" is not base64url/,
    ],
    ['a short key', ring('a', { a: 'AAAA' }), /^MASTER_KEYS: key "a" has 3 bytes; at least 32/],
    [
      'a key of zeros',
      ring('a', { a: 'A'.repeat(43) }),
      /^MASTER_KEYS: key "a" does not look random/,
    ],
  ])('names the variable and the fault of %s', (_, value, message) => {
    expect(() => parse(value)).toThrow(message)
  })

  it('never quotes the secret', () => {
    const values = [PLAIN.slice(1), ring('a', { a: `${keyA}!` }), `{${keyA}`, ring('a', keyA)]
    for (const value of values) {
      const message = catchMessage(() => parse(value))
      for (const secret of [PLAIN.slice(1), keyA]) expect(message).not.toContain(secret)
    }
  })
})

function catchMessage(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  throw new Error('did not throw')
}
