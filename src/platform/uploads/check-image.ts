import { LIMITS } from '../../config/limits'
import { crc32 } from './crc32'
import { findImageKind } from './detect-type'
import { type ImageKind, MIME } from './file-kinds'
import { hasAscii, hasBytes, viewOf } from './magic'

export interface ImageRules {
  allow: readonly ImageKind[]
  /** Pixels, for width and height each. */
  maxDimension?: number
}

export type CheckedImage =
  | { ok: true; kind: ImageKind; mime: string; width: number; height: number }
  | { ok: false; code: 'unsupported' | 'malformed' | 'too_large'; reason: string }

interface Size {
  width: number
  height: number
}

/** Checks an image by its own header: allowed format, well-formed, at most 4,096 pixels a side unless told otherwise. */
export function checkImage(bytes: Uint8Array, rules: ImageRules): CheckedImage {
  const kind = findImageKind(bytes)
  if (!kind || !rules.allow.includes(kind)) {
    const formats = rules.allow.map((allowed) => allowed.toUpperCase()).join(', ')
    return { ok: false, code: 'unsupported', reason: `The image must be one of ${formats}.` }
  }
  const size = READERS[kind](bytes)
  if (!size || size.width < 1 || size.height < 1) {
    return { ok: false, code: 'malformed', reason: 'The image is damaged.' }
  }
  const max = rules.maxDimension ?? LIMITS.imageDimension
  if (size.width > max || size.height > max) {
    return {
      ok: false,
      code: 'too_large',
      reason: `The image is ${size.width} × ${size.height} pixels; at most ${max} × ${max} are allowed.`,
    }
  }
  return { ok: true, kind, mime: MIME[kind], ...size }
}

const READERS: Record<ImageKind, (bytes: Uint8Array) => Size | null> = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  gif: readGif,
  ico: readIco,
}

/** PNG: the header chunk with its checksum, then every chunk's length up to the end chunk. */
function readPng(bytes: Uint8Array): Size | null {
  if (bytes.length < 45 || !hasAscii(bytes, 12, 'IHDR')) return null
  const view = viewOf(bytes)
  if (view.getUint32(8) !== 13 || view.getUint32(29) !== crc32(bytes.subarray(12, 29))) return null
  let at = 8
  while (at + 12 <= bytes.length) {
    if (hasAscii(bytes, at + 4, 'IEND')) {
      return { width: view.getUint32(16), height: view.getUint32(20) }
    }
    // Decoders take a second header for the true one.
    if (at > 8 && hasAscii(bytes, at + 4, 'IHDR')) return null
    at += 12 + view.getUint32(at)
  }
  return null
}

/**
 * JPEG: the first frame header (SOF0–SOF15 without DHT, JPG and DAC). Behind a marker that stands alone (TEM, RST, SOI) decoders read
 * on where a length would be, and would come to another header than is read here.
 */
function readJpeg(bytes: Uint8Array): Size | null {
  const view = viewOf(bytes)
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    if (marker < 2 || (marker >= 0xd0 && marker <= 0xda)) return null
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

function readWebp(bytes: Uint8Array): Size | null {
  if (bytes.length < 30) return null
  const view = viewOf(bytes)
  if (view.getUint32(4, true) + 8 > bytes.length + 1) return null
  if (hasAscii(bytes, 12, 'VP8X')) {
    return { width: 1 + readUint24(bytes, 24), height: 1 + readUint24(bytes, 27) }
  }
  if (hasAscii(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = view.getUint32(21, true)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (hasAscii(bytes, 12, 'VP8 ') && hasBytes(bytes, 23, [0x9d, 0x01, 0x2a])) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  return null
}

function readUint24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
}

function readGif(bytes: Uint8Array): Size | null {
  if (bytes.length < 14) return null
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** ICO: every picture in the directory must lie within the file; the largest sides count. */
function readIco(bytes: Uint8Array): Size | null {
  if (bytes.length < 6) return null
  const view = viewOf(bytes)
  const count = view.getUint16(4, true)
  if (6 + count * 16 > bytes.length) return null
  let width = 0
  let height = 0
  for (let n = 0; n < count; n++) {
    const entry = 6 + n * 16
    const length = view.getUint32(entry + 8, true)
    const offset = view.getUint32(entry + 12, true)
    if (offset < 6 + count * 16 || offset + length > bytes.length) return null
    const picture = readIcoPicture(bytes.subarray(offset, offset + length))
    if (!picture) return null
    width = Math.max(width, picture.width)
    height = Math.max(height, picture.height)
  }
  return { width, height }
}

function readIcoPicture(bytes: Uint8Array): Size | null {
  if (findImageKind(bytes) === 'png') return readPng(bytes)
  if (bytes.length < 40) return null
  const view = viewOf(bytes)
  if (view.getUint32(0, true) !== 40) return null
  // A bitmap in an icon stores its picture and its mask on top of each other.
  return { width: view.getInt32(4, true), height: view.getInt32(8, true) / 2 }
}
