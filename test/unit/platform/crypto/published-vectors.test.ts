import { createCipheriv } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatApiKey } from '../../../../src/platform/crypto/api-key'
import { type Bytes, sha256, toHex } from '../../../../src/platform/crypto/bytes'
import { decrypt, encrypt } from '../../../../src/platform/crypto/field'
import { deriveAes, importAes, importBase } from '../../../../src/platform/crypto/keys'
import { type PurposeKey, signMac, verifyMac } from '../../../../src/platform/crypto/purpose-key'
import published from '../../../vectors/published.json'

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'))
const flip = (data: Bytes, at: number): Bytes =>
  data.map((byte, i) => (i === at ? byte ^ 0x80 : byte))

async function hmacKey(hex: string): Promise<PurposeKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(hex), algorithm, false, ['sign', 'verify'])
  return { primary: key, all: [key] }
}

describe('AES-256-GCM', () => {
  it.each(published.aesGcm)(
    'opens case $name',
    async ({ key, iv, aad, plaintext, ciphertext, tag }) => {
      const box = bytes(iv + ciphertext + tag)
      expect(toHex(await decrypt(await importAes(bytes(key)), bytes(aad), box))).toBe(plaintext)
    },
  )

  it.each(published.aesGcm)('refuses case $name after any change', async (test) => {
    const key = await importAes(bytes(test.key))
    const box = bytes(test.iv + test.ciphertext + test.tag)
    const aad = bytes(test.aad)
    for (let i = 0; i < box.length; i++) {
      await expect(decrypt(key, aad, flip(box, i))).rejects.toMatchObject({ reason: 'mismatch' })
    }
    for (let i = 0; i < aad.length; i++) {
      await expect(decrypt(key, flip(aad, i), box)).rejects.toMatchObject({ reason: 'mismatch' })
    }
    const wrongKey = await importAes(flip(bytes(test.key), 31))
    const changes: [CryptoKey, Bytes, Bytes][] = [
      [key, bytes(`${test.aad}00`), box],
      [key, aad, bytes(`${toHex(box)}00`)],
      [key, aad, box.slice(0, -1)],
      [key, aad, box.slice(0, -4)],
      [wrongKey, aad, box],
    ]
    for (const change of changes) {
      await expect(decrypt(...change)).rejects.toThrow('cannot be opened')
    }
  })

  it('refuses tags of zeros and ones, and boxes too short to hold one', async () => {
    const key = await importAes(new Uint8Array(32))
    for (const fill of [0, 255]) {
      const box = new Uint8Array(44).fill(fill, 28)
      await expect(decrypt(key, new Uint8Array(), box)).rejects.toMatchObject({
        reason: 'mismatch',
      })
    }
    for (const length of [0, 12, 16, 27]) {
      await expect(decrypt(key, new Uint8Array(), new Uint8Array(length))).rejects.toMatchObject({
        reason: 'format',
      })
    }
  })

  it('opens what another implementation sealed, at every length around a block', async () => {
    for (const nonce of ['00'.repeat(12), 'ff'.repeat(12), '000102030405060708090a0b']) {
      for (const length of [0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 4096]) {
        const secret = Buffer.alloc(32, length + 1)
        const text = Buffer.alloc(length, 'plain')
        const aad = Buffer.alloc(length % 37, 'aad')
        const cipher = createCipheriv('aes-256-gcm', secret, bytes(nonce)).setAAD(aad)
        const body = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
        const box = Uint8Array.from(Buffer.concat([bytes(nonce), body]))
        const key = await importAes(Uint8Array.from(secret))
        expect(Buffer.from(await decrypt(key, Uint8Array.from(aad), box))).toEqual(text)
      }
    }
  })

  it('draws every nonce anew', async () => {
    const key = await importAes(new Uint8Array(32))
    const nonces = new Set<string>()
    for (let i = 0; i < 500; i++) {
      nonces.add(toHex((await encrypt(key, new Uint8Array(), new Uint8Array())).slice(0, 12)))
    }
    expect(nonces.size).toBe(500)
  })
})

describe('HKDF-SHA-256', () => {
  it.each(published.hkdf)('derives case $name', async ({ ikm, salt, info, okm }) => {
    const derived = await deriveAes(await importBase(bytes(ikm)), bytes(salt), bytes(info))
    const expected = await importAes(bytes(okm.slice(0, 64)))
    const box = await encrypt(derived, new Uint8Array(), bytes('00112233'))
    expect(toHex(await decrypt(expected, new Uint8Array(), box))).toBe('00112233')
  })
})

describe('HMAC-SHA-256', () => {
  it.each(published.hmac)('signs and verifies case $name', async ({ key, data, mac }) => {
    const hmac = await hmacKey(key)
    expect(toHex(await signMac(hmac, bytes(data)))).toBe(mac)
    expect(await verifyMac(hmac, bytes(mac), bytes(data))).toBe(true)
    for (let i = 0; i < 32; i++) {
      expect(await verifyMac(hmac, flip(bytes(mac), i), bytes(data))).toBe(false)
      expect(await verifyMac(hmac, bytes(mac).slice(0, i), bytes(data))).toBe(false)
    }
    expect(await verifyMac(hmac, bytes(`${mac}00`), bytes(data))).toBe(false)
    expect(await verifyMac(hmac, bytes(mac), bytes(`${data}00`))).toBe(false)
  })
})

describe('SHA-256', () => {
  it.each(published.sha256)('digests case $name', async ({ data, digest }) => {
    expect(toHex(await sha256(bytes(data)))).toBe(digest)
  })
})

describe('base62', () => {
  it('spells the smallest and the largest key', () => {
    expect(formatApiKey(new Uint8Array(32))).toMatch(/^pk_0{43}/)
    expect(formatApiKey(new Uint8Array(32).fill(255))).toMatch(/^pk_[1-9A-Za-z][0-9A-Za-z]{42}/)
  })
})
