import { describe, expect, it } from 'vitest'
import { fromBase64url, toBase64url } from '../../../../src/platform/crypto/base64url'
import { randomBytes, utf8 } from '../../../../src/platform/crypto/bytes'
import {
  type FieldKey,
  openBytes,
  openField,
  openFieldBytes,
  type SealContext,
  SealError,
  sealBytes,
  sealField,
} from '../../../../src/platform/crypto/field'
import { importAes } from '../../../../src/platform/crypto/keys'

const PLACE: SealContext = ['tenant', 'user', 'space', 'messages', 'content', 'row']

async function makeKey(id: string): Promise<FieldKey> {
  return { id, key: await importAes(randomBytes(32)) }
}

/** Every place that differs from `PLACE` in one part, is cut short, or shifts text between two parts. */
const otherPlaces = [
  ...PLACE.map((_, i) => PLACE.map((part, j) => (i === j ? `${part}x` : part))),
  PLACE.slice(1),
  PLACE.slice(0, -1),
  PLACE.slice(0, 4),
  ['tenan', 'tuser', 'space', 'messages', 'content', 'row'],
  [...PLACE].reverse(),
] as unknown as SealContext[]

describe('sealField', () => {
  it('gives back the text in its own place, whatever the text', async () => {
    const key = await makeKey('k1')
    for (const text of ['', 'hello', '你好 🌍 \u0000 \uFEFF end', 'x'.repeat(100_000)]) {
      expect(await openField(key, PLACE, await sealField(key, PLACE, text))).toBe(text)
    }
    const bytes = randomBytes(1000)
    expect(await openFieldBytes(key, PLACE, await sealField(key, PLACE, bytes))).toEqual(bytes)
  })

  it('writes version, key id and base64url, and never the same twice', async () => {
    const key = await makeKey('k-1_a')
    const sealed = await Promise.all(
      Array.from({ length: 50 }, () => sealField(key, PLACE, 'secret')),
    )
    for (const one of sealed) expect(one).toMatch(/^v1\.k-1_a\.[A-Za-z0-9_-]{46}$/)
    expect(new Set(sealed.map((one) => one.slice(9, 25))).size).toBe(50)
  })

  it.each(otherPlaces)('does not open in another place (%#)', async (...other) => {
    const key = await makeKey('k1')
    const sealed = await sealField(key, PLACE, 'secret')
    const place = other as unknown as SealContext
    await expect(openField(key, place, sealed)).rejects.toMatchObject({ reason: 'mismatch' })
  })

  it('refuses a context with an empty part', async () => {
    const key = await makeKey('k1')
    const noRow: SealContext = ['tenant', 'user', 'space', 'messages', 'content', '']
    await expect(sealField(key, noRow, 'x')).rejects.toThrow(TypeError)
  })

  it('opens under any key of the ring and names an unknown one', async () => {
    const [old, current] = [await makeKey('old'), await makeKey('new')]
    const sealed = await sealField(old, PLACE, 'secret')
    expect(await openField([current, old], PLACE, sealed)).toBe('secret')
    await expect(openField(current, PLACE, sealed)).rejects.toMatchObject({ reason: 'unknown_key' })
    await expect(openField([], PLACE, sealed)).rejects.toBeInstanceOf(SealError)
  })

  it('does not open under another key of the same id', async () => {
    const sealed = await sealField(await makeKey('k1'), PLACE, 'secret')
    await expect(openField(await makeKey('k1'), PLACE, sealed)).rejects.toMatchObject({
      reason: 'mismatch',
    })
  })

  it('notices a change of any single byte', async () => {
    const key = await makeKey('k1')
    const sealed = await sealField(key, PLACE, 'secret')
    const [version, id, body = ''] = sealed.split('.')
    const bytes = fromBase64url(body) ?? new Uint8Array()
    for (let i = 0; i < bytes.length; i++) {
      const changed = bytes.slice()
      changed[i] = (changed[i] ?? 0) ^ 1
      const forged = `${version}.${id}.${toBase64url(changed)}`
      await expect(openField(key, PLACE, forged)).rejects.toBeInstanceOf(SealError)
    }
  })

  it.each([
    '',
    'secret',
    'v1',
    'v1..AAAA',
    'v1.k1.',
    'v1.k1.AAAA',
    'v2.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'v1.k1.AAAA.AAAA',
    'v1.k1.====',
    ' v1.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ])('calls %j malformed instead of giving it back', async (text) => {
    await expect(openField(await makeKey('k1'), PLACE, text)).rejects.toMatchObject({
      reason: 'format',
    })
  })

  it('keeps the plaintext and the cause out of its message', async () => {
    const key = await makeKey('k1')
    const sealed = await sealField(key, PLACE, 'secret')
    const error = await openField(await makeKey('k1'), PLACE, sealed).catch((e: unknown) => e)
    expect(String(error)).toBe('SealError: A sealed value cannot be opened (mismatch)')
  })
})

describe('sealBytes', () => {
  it('gives back the bytes in their own place', async () => {
    const key = await makeKey('0193478e-0000-7000-8000-000000000000')
    for (const length of [0, 1, 50_000]) {
      const bytes = randomBytes(length)
      const sealed = await sealBytes(key, PLACE, bytes)
      expect(sealed.length).toBe(2 + key.id.length + 12 + length + 16)
      expect(await openBytes([key], PLACE, sealed)).toEqual(bytes)
    }
  })

  it('opens in no other place, under no other key, in no other form', async () => {
    const key = await makeKey('k1')
    const sealed = await sealBytes(key, PLACE, utf8('secret'))
    for (const place of otherPlaces) {
      await expect(openBytes(key, place, sealed)).rejects.toMatchObject({ reason: 'mismatch' })
    }
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice()
      changed[i] = (changed[i] ?? 0) ^ 1
      await expect(openBytes(key, PLACE, changed)).rejects.toBeInstanceOf(SealError)
      await expect(openBytes(key, PLACE, sealed.slice(0, i))).rejects.toBeInstanceOf(SealError)
    }
  })

  it('is no field, and a field is no blob', async () => {
    const key = await makeKey('k1')
    const blob = await sealBytes(key, PLACE, utf8('secret'))
    const asField = `v1.k1.${toBase64url(blob.slice(4))}`
    await expect(openField(key, PLACE, asField)).rejects.toMatchObject({ reason: 'mismatch' })
  })
})
