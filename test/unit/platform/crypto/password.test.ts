import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  checkPassword,
  type HashTurn,
  hashPassword,
  verifyPassword,
} from '../../../../src/platform/crypto/password'

const turn: HashTurn = async (compute) => compute()

describe('passwords', () => {
  it('are hashed with scrypt 2^14, 8, 5 and a salt of their own', async () => {
    const [one, two] = await Promise.all([
      hashPassword('correct horse', turn),
      hashPassword('correct horse', turn),
    ])
    expect(one).not.toBe(two)
    const [, , params, salt = '', hash] = one.split('$')
    expect(params).toBe('ln=14,r=8,p=5')
    const bytes = Buffer.from(salt, 'base64url')
    expect(bytes).toHaveLength(16)
    const options = { N: 16384, r: 8, p: 5, maxmem: 2 ** 26 }
    expect(scryptSync('correct horse', bytes, 32, options).toString('base64url')).toBe(hash)
  })

  it('verify, and only the right one', async () => {
    const stored = await hashPassword('correct horse', turn)
    expect(await verifyPassword('correct horse', stored, turn)).toEqual({ ok: true, rehash: false })
    for (const wrong of ['Correct horse', 'correct horse ', '', 'x'.repeat(2000)]) {
      expect(await verifyPassword(wrong, stored, turn)).toEqual({ ok: false, rehash: false })
    }
  })

  it('do not verify against the length rules, whatever is stored', async () => {
    const salt = Buffer.alloc(16, 1)
    const options = { N: 16384, r: 8, p: 5, maxmem: 2 ** 26 }
    const hash = scryptSync('', salt, 32, options).toString('base64url')
    const stored = `$scrypt$ln=14,r=8,p=5$${salt.toString('base64url')}$${hash}`
    for (const password of ['', 'x'.repeat(257)]) {
      expect((await verifyPassword(password, stored, turn)).ok).toBe(false)
    }
  })

  it('are the same in every Unicode form', async () => {
    const stored = await hashPassword('pässwörd', turn)
    expect((await verifyPassword('pa\u0308sswo\u0308rd', stored, turn)).ok).toBe(true)
  })

  it('ask for a new hash when the parameters have changed (RFC 7914, third vector)', async () => {
    const salt = Buffer.from('SodiumChloride').toString('base64url')
    const hash = '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2'
    const stored = `$scrypt$ln=14,r=8,p=1$${salt}$${Buffer.from(hash, 'hex').toString('base64url')}`
    expect(await verifyPassword('pleaseletmein', stored, turn)).toEqual({ ok: true, rehash: true })
    expect(await verifyPassword('pleaseletmeout', stored, turn)).toEqual({
      ok: false,
      rehash: false,
    })
  })

  it('cost an unknown user the same as a known one, and never succeed', async () => {
    const stored = await hashPassword('correct horse', turn)
    const time = async (known: string | null) => {
      const start = process.cpuUsage().user
      expect((await verifyPassword('wrong horse', known, turn)).ok).toBe(false)
      return process.cpuUsage().user - start
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let i = 0; i < 5; i++) {
      known.push(await time(stored))
      unknown.push(await time(null))
    }
    // A skipped hash would be a thousand times faster; the exact share is measured on the routes.
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) * 0.5)
  })

  it.each<[string, ReturnType<typeof checkPassword>]>([
    ['', 'too_short'],
    ['1234567', 'too_short'],
    ['12345678', null],
    // Eight characters of two UTF-16 units each; seven are too few.
    ['😀'.repeat(8), null],
    ['😀'.repeat(7), 'too_short'],
    ['a\u0308'.repeat(7), 'too_short'],
    ['x'.repeat(256), null],
    ['x'.repeat(257), 'too_long'],
    ['😀'.repeat(256), null],
    ['e\u0301\u0302'.repeat(128), null],
    ['x'.repeat(5000), 'too_long'],
  ])('have 8 to 256 characters (%#)', (password, fault) => {
    expect(checkPassword(password)).toBe(fault)
  })

  it('are refused for hashing against the length rules', async () => {
    await expect(hashPassword('short', turn)).rejects.toThrow('Password is too short')
    await expect(hashPassword('x'.repeat(300), turn)).rejects.toThrow('Password is too long')
  })

  it('throw on a damaged stored text instead of refusing quietly', async () => {
    for (const stored of ['', 'plain', '$scrypt$ln=14,r=8,p=5$AAAA$AAAA']) {
      await expect(verifyPassword('correct horse', stored, turn)).rejects.toThrow('damaged')
    }
  })
})
