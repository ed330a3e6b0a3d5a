import { describe, expect, it } from 'vitest'
import { fromBase64url, toBase64url } from '../../../../src/platform/crypto/base64url'
import { encodeParts } from '../../../../src/platform/crypto/bytes'

describe('base64url', () => {
  it('writes and reads what another implementation does', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length * 7) & 0xff)
      expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
    }
    const large = new Uint8Array(100_003).fill(251)
    expect(toBase64url(large)).toBe(Buffer.from(large).toString('base64url'))
  })

  it('reads one text for each value and no other', () => {
    for (const text of [
      'A',
      'AAAAA',
      'AA=',
      'AA==',
      'A+',
      'A/',
      'A A',
      'AAA\n',
      'AB',
      'AAB',
      'é',
    ]) {
      expect(fromBase64url(text)).toBeNull()
    }
  })
})

describe('encodeParts', () => {
  it('gives different bytes for different lists', () => {
    const lists = [
      [],
      [''],
      ['', ''],
      ['ab'],
      ['a', 'b'],
      ['', 'ab'],
      ['ab', ''],
      ['b', 'a'],
      ['é'],
    ]
    const encoded = lists.map((list) => Buffer.from(encodeParts(list)).toString('hex'))
    expect(new Set(encoded).size).toBe(lists.length)
    expect(encoded[4]).toBe('00000001610000000162')
    expect(encoded[8]).toBe('00000002c3a9')
  })
})
