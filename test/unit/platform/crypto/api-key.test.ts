import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkApiKeyForm, hashApiKey, mintApiKey } from '../../../../src/platform/crypto/api-key'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (text: string): bigint =>
  [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n)

describe('API keys', () => {
  it('have the brand, 256 random bits and the CRC32 of both', async () => {
    const { plaintext, prefix } = await mintApiKey()
    expect(plaintext).toMatch(/^pk_[0-9A-Za-z]{49}$/)
    expect(numberOf(plaintext.slice(3, 46)) < 2n ** 256n).toBe(true)
    expect(numberOf(plaintext.slice(46))).toBe(BigInt(crc32(plaintext.slice(0, 46))))
    expect(prefix).toBe(plaintext.slice(0, 8))
  })

  it('are stored as SHA-256', async () => {
    const { plaintext, hash } = await mintApiKey()
    expect(hash).toBe(createHash('sha256').update(plaintext).digest('hex'))
    expect(await hashApiKey(plaintext)).toBe(hash)
  })

  it('use all digits and every bit evenly', async () => {
    const keys = await Promise.all(Array.from({ length: 600 }, mintApiKey))
    expect(new Set(keys.map((key) => key.plaintext)).size).toBe(600)
    expect(new Set(keys.flatMap((key) => [...key.plaintext.slice(6, 46)])).size).toBe(62)
    const values = keys.map((key) => numberOf(key.plaintext.slice(3, 46)))
    for (let bit = 0n; bit < 256n; bit++) {
      const set = values.filter((value) => (value >> bit) & 1n).length
      expect(set).toBeGreaterThan(200)
      expect(set).toBeLessThan(400)
    }
  })

  it('are refused by their checksum after a change of any one character', async () => {
    const { plaintext } = await mintApiKey()
    expect(checkApiKeyForm(plaintext)).toBe(true)
    for (let i = 0; i < plaintext.length; i++) {
      for (const other of ['0', 'A', 'z']) {
        if (other === plaintext[i]) continue
        expect(checkApiKeyForm(plaintext.slice(0, i) + other + plaintext.slice(i + 1))).toBe(false)
      }
    }
  })

  it('are refused in any other form', async () => {
    const { plaintext } = await mintApiKey()
    for (const text of [
      '',
      'pk_',
      plaintext.slice(0, -1),
      `${plaintext}0`,
      ` ${plaintext}`,
      `${plaintext}\n`,
      plaintext.toUpperCase(),
      plaintext.replace('pk_', 'sk_'),
      `pk_${'0'.repeat(49)}`,
    ]) {
      expect(checkApiKeyForm(text)).toBe(false)
    }
  })
})
