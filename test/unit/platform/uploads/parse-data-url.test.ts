import { describe, expect, it } from 'vitest'
import { parseDataUrl } from '../../../../src/platform/uploads/parse-data-url'
import { makeGif, makePng } from '../../../support/image-bytes'

const images = { kinds: ['png', 'jpeg', 'webp', 'gif'] as const, maxBytes: 10_000 }
const audio = { kinds: ['wav', 'mp3', 'ogg', 'webm', 'm4a'] as const, maxBytes: 10_000 }
const url = (bytes: Uint8Array, mime = 'image/png') =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`
const ascii = (value: string) => new Uint8Array(Buffer.from(value, 'latin1'))

describe('parseDataUrl', () => {
  it('takes the type from the bytes, not from what the URL claims', () => {
    const bytes = makeGif(3, 2)
    expect(parseDataUrl(url(bytes, 'image/svg+xml'), images)).toEqual({
      ok: true,
      type: 'image',
      kind: 'gif',
      mime: 'image/gif',
      bytes,
      width: 3,
      height: 2,
    })
  })

  it.each([
    ['wav', ascii('RIFF\x10\0\0\0WAVEfmt ')],
    ['mp3', ascii('ID3\x04\0\0')],
    ['mp3', new Uint8Array([0xff, 0xfb, 0x90, 0x64])],
    ['ogg', ascii('OggS\0\x02')],
    ['webm', ascii('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm')],
    ['m4a', ascii('\0\0\0\x18ftypM4A ')],
  ])('knows %s', (kind, bytes) => {
    expect(parseDataUrl(url(bytes), audio)).toMatchObject({ ok: true, type: 'audio', kind })
  })

  it('refuses what is not a base64 data URL', () => {
    for (const bad of [
      '',
      'data:',
      'http://x/y.png',
      'data:image/png,abc',
      'data:image/png;base64,',
      'data:image/png;base64,***',
      'x'.repeat(5000),
    ]) {
      expect(parseDataUrl(bad, images)).toMatchObject({ ok: false, code: 'malformed' })
    }
  })

  it('refuses other formats, and pictures too large or damaged', () => {
    expect(parseDataUrl(url(ascii('<svg/>'), 'image/svg+xml'), images)).toMatchObject({
      code: 'unsupported',
    })
    expect(parseDataUrl(url(makePng(1, 1)), audio)).toMatchObject({ code: 'unsupported' })
    expect(parseDataUrl(url(ascii('\0\0\0\x18ftypqt  ')), audio)).toMatchObject({
      code: 'unsupported',
    })
    expect(parseDataUrl(url(makePng(5000, 1)), images)).toMatchObject({ code: 'too_large' })
    expect(parseDataUrl(url(makePng(5, 1).slice(0, 40)), images)).toMatchObject({
      code: 'malformed',
    })
  })

  it('holds the limit to the byte', () => {
    const bytes = ascii(`OggS${'x'.repeat(96)}`)
    expect(parseDataUrl(url(bytes), { ...audio, maxBytes: 100 })).toMatchObject({ ok: true })
    expect(parseDataUrl(url(bytes), { ...audio, maxBytes: 99 })).toMatchObject({
      code: 'too_large',
    })
    // Without padding the length of the text leaves two bytes open.
    const whole = ascii(`OggS${'x'.repeat(95)}`)
    expect(parseDataUrl(url(whole), { ...audio, maxBytes: 98 })).toMatchObject({
      code: 'too_large',
    })
  })
})
