import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { decode } from 'fast-png'
import { makeChunk } from './image-bytes'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export interface PictureOptions {
  height?: number
  /** PNG colour type: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
  type?: 0 | 2 | 3 | 4 | 6
  bits?: 1 | 2 | 4 | 8 | 16
  /** Chunks before the pixels, by type. */
  chunks?: Record<string, Buffer>
}

/** Values of one pixel at full scale 0…1: red on the left half, blue on the right, transparent in the lower half of RGBA. */
export function makePicture(
  width: number,
  { height = width, type = 6, bits = 8, chunks = {} }: PictureOptions = {},
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = bits
  header[9] = type
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type]
  const rowBytes = Math.ceil((width * channels * bits) / 8)
  const rows = Buffer.alloc(height * (rowBytes + 1))
  for (let y = 0; y < height; y++) {
    const row = Buffer.alloc(rowBytes)
    for (let x = 0; x < width; x++) {
      const left = x < width / 2
      const alpha = y < height / 2 ? 1 : 0
      const pixel = {
        0: [left ? 1 : 0],
        2: [left ? 1 : 0, 0, left ? 0 : 1],
        3: [left ? 1 : 0],
        4: [left ? 1 : 0, alpha],
        6: [left ? 1 : 0, 0, left ? 0 : 1, alpha],
      }[type]
      pixel.forEach((value, c) => {
        writeValue(row, x * channels + c, bits, type === 3 ? value : value * (2 ** bits - 1))
      })
    }
    row.copy(rows, y * (rowBytes + 1) + 1)
  }
  const palette: [string, Buffer][] =
    type === 3 ? [['PLTE', Buffer.from([0, 0, 255, 255, 0, 0])]] : []
  const extra = [...palette, ...Object.entries(chunks)]
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      makeChunk('IHDR', header),
      ...extra.map(([name, data]) => makeChunk(name, data)),
      makeChunk('IDAT', deflateSync(rows)),
      makeChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function writeValue(row: Buffer, index: number, bits: number, value: number): void {
  if (bits === 16) row.writeUInt16BE(value, index * 2)
  else if (bits === 8) row[index] = value
  else {
    const at = (index * bits) >> 3
    row[at] = (row[at] ?? 0) | (value << (8 - bits - ((index * bits) & 7)))
  }
}

/** A PNG whose header says one size and whose pixels unpack to another. */
export function makeBomb(side: number, bytes: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 8
  return new Uint8Array(
    Buffer.concat([
      SIGNATURE,
      makeChunk('IHDR', header),
      makeChunk('IDAT', deflateSync(Buffer.alloc(bytes))),
      makeChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

/** Size of a PNG and the colour at a place, each 0…1 from its top left corner. */
export function readPng(bytes: Uint8Array) {
  const png = decode(bytes)
  return {
    width: png.width,
    height: png.height,
    at(x: number, y: number): number[] {
      const column = Math.min(png.width - 1, Math.floor(x * png.width))
      const row = Math.min(png.height - 1, Math.floor(y * png.height))
      const from = (row * png.width + column) * png.channels
      return [...png.data.slice(from, from + png.channels)]
    },
  }
}

/** The same halves as a lossy picture: red on the left, blue on the right. */
export async function makeLossy(
  kind: 'jpeg' | 'webp',
  side: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const data = new Uint8ClampedArray(side * side * 4)
  for (let i = 0; i < side * side; i++) {
    data.set(i % side < side / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], i * 4)
  }
  const codec = CODECS[kind]
  const require = createRequire(import.meta.url)
  const module = await runtime.compile(await readFile(require.resolve(codec.wasm)))
  const { init, default: encode } = await codec.load()
  await init(module)
  return new Uint8Array(await encode({ width: side, height: side, data } as ImageData))
}

/** Node compiles; the Worker's types know that it never does. */
const runtime = WebAssembly as unknown as {
  compile(bytes: Uint8Array): Promise<WebAssembly.Module>
}

interface Encoder {
  init(module: WebAssembly.Module): Promise<unknown>
  default(image: ImageData): Promise<ArrayBuffer>
}

const CODECS = {
  jpeg: {
    wasm: '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
    load: () => import('@jsquash/jpeg/encode.js') as Promise<unknown> as Promise<Encoder>,
  },
  webp: {
    wasm: '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
    load: () => import('@jsquash/webp/encode.js') as Promise<unknown> as Promise<Encoder>,
  },
}
interface ImageData {
  width: number
  height: number
  data: Uint8ClampedArray
}
