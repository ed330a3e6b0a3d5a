import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one pixel. */
export const PIXEL_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const PIXEL = `data:image/png;base64,${PIXEL_BASE64}`

/** A complete grey PNG of this size. */
export function makePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const rows = Buffer.alloc(Math.min(height, 4) * (width + 1))
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      makeChunk('IHDR', header),
      makeChunk('IDAT', deflateSync(rows)),
      makeChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

export function makeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** The headers of a JPEG: application data, then the frame with its size. */
export function makeJpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const frame = [
    0xff,
    0xc2,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    17,
    0,
  ]
  return new Uint8Array([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    4,
    0x4a,
    0x46,
    ...frame,
    0xff,
    0xda,
    0,
    2,
    0xff,
    0xd9,
  ])
}

/** A WebP header of one of the three kinds. */
export function makeWebp(
  kind: 'VP8 ' | 'VP8L' | 'VP8X',
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(32, 4)
  bytes.write(`WEBP${kind}`, 8, 'latin1')
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    bytes.set([0x9d, 0x01, 0x2a], 23)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  }
  return new Uint8Array(bytes)
}

export function makeGif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(20)
  bytes.write('GIF89a', 0, 'latin1')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return new Uint8Array(bytes)
}

/** An icon that holds these pictures. */
export function makeIco(pictures: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(6 + pictures.length * 16)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [i, picture] of pictures.entries()) {
    head.writeUInt32LE(picture.length, 6 + i * 16 + 8)
    head.writeUInt32LE(offset, 6 + i * 16 + 12)
    offset += picture.length
  }
  return new Uint8Array(Buffer.concat([head, ...pictures]))
}
