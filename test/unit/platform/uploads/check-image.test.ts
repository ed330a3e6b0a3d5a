import { describe, expect, it } from 'vitest'
import { checkImage } from '../../../../src/platform/uploads/check-image'
import { IMAGE_KINDS } from '../../../../src/platform/uploads/file-kinds'
import { makeGif, makeIco, makeJpeg, makePng, makeWebp } from '../../../support/image-bytes'

const allow = IMAGE_KINDS

describe('checkImage', () => {
  it.each([
    ['png', makePng(640, 480)],
    ['jpeg', makeJpeg(640, 480)],
    ['webp', makeWebp('VP8 ', 640, 480)],
    ['webp', makeWebp('VP8L', 640, 480)],
    ['webp', makeWebp('VP8X', 640, 480)],
    ['gif', makeGif(640, 480)],
    ['ico', makeIco([makePng(16, 16), makePng(640, 480)])],
  ] as const)('reads the size of a %s from its header', (kind, bytes) => {
    expect(checkImage(bytes, { allow })).toMatchObject({ ok: true, kind, width: 640, height: 480 })
  })

  it('reads bitmaps inside icons, which hold picture and mask', () => {
    const bitmap = Buffer.alloc(48)
    bitmap.writeUInt32LE(40, 0)
    bitmap.writeInt32LE(32, 4)
    bitmap.writeInt32LE(64, 8)
    expect(checkImage(makeIco([bitmap]), { allow })).toMatchObject({ width: 32, height: 32 })
  })

  it('takes 4,096 pixels a side and not one more', () => {
    expect(checkImage(makePng(4096, 4096), { allow })).toMatchObject({ ok: true })
    expect(checkImage(makePng(4097, 1), { allow })).toMatchObject({ ok: false, code: 'too_large' })
    expect(checkImage(makeJpeg(1, 4097), { allow })).toMatchObject({ code: 'too_large' })
    expect(checkImage(makePng(65, 1), { allow, maxDimension: 64 })).toMatchObject({
      code: 'too_large',
    })
  })

  it('refuses formats that are not allowed here', () => {
    expect(checkImage(makeGif(1, 1), { allow: ['png', 'jpeg'] })).toMatchObject({
      code: 'unsupported',
    })
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect(checkImage(svg, { allow })).toMatchObject({ code: 'unsupported' })
  })

  it('refuses images that are damaged', () => {
    const png = makePng(8, 8)
    const broken = png.slice()
    broken[20] = 1
    expect(checkImage(broken, { allow })).toMatchObject({ code: 'malformed' })
    expect(checkImage(png.slice(0, -12), { allow })).toMatchObject({ code: 'malformed' })
    expect(checkImage(makePng(0, 8), { allow })).toMatchObject({ code: 'malformed' })
    expect(checkImage(makeJpeg(8, 8).slice(0, 12), { allow })).toMatchObject({ code: 'malformed' })
    // An icon whose directory is its own picture.
    const entry = [40, 0, 0, 0, 16, 0, 0, 0, 40, 0, 0, 0, 6, 0, 0, 0]
    const icon = new Uint8Array([0, 0, 1, 0, 1, 0, ...entry, ...Array(24).fill(0)])
    expect(checkImage(icon, { allow })).toMatchObject({ code: 'malformed' })
  })

  it('refuses images whose decoders would take another size from them', () => {
    const [small, large] = [makePng(8, 8), makePng(20_000, 20_000)]
    const [signature, header] = [small.slice(0, 33), large.slice(8, 33)]
    const twoHeaders = new Uint8Array([...signature, ...header, ...small.slice(33)])
    expect(checkImage(twoHeaders, { allow })).toMatchObject({ code: 'malformed' })
    // Read with a length, the lone marker leads over the frame header of decoders to one that is far behind.
    const real = makeJpeg(20_000, 20_000).slice(8)
    const far = 2 + new DataView(real.buffer).getUint16(0)
    for (const marker of [0x00, 0x01, 0xd0, 0xd7, 0xd8]) {
      const jpeg = new Uint8Array(4 + far + 40)
      jpeg.set([0xff, 0xd8, 0xff, marker, ...real])
      jpeg.set(makeJpeg(8, 8).slice(8), 2 + far)
      expect(checkImage(jpeg, { allow })).toMatchObject({ code: 'malformed' })
    }
  })

  it('never throws on an image cut off anywhere', () => {
    const wholes = [
      makePng(8, 8),
      makeJpeg(8, 8),
      makeWebp('VP8X', 8, 8),
      makeGif(8, 8),
      makeIco([makePng(8, 8)]),
    ]
    for (const whole of wholes) {
      for (let length = 0; length < whole.length; length++) {
        expect(checkImage(whole.slice(0, length), { allow })).toHaveProperty('ok')
      }
    }
  })
})
