import { joinBytes } from '../platform/crypto/bytes'
import { inflateCapped } from '../platform/uploads/inflate-capped'

const SIGNATURE_BYTES = 8
/** What the pixels are made of. Everything else (texts, profiles, frames of an animation) could hide a bomb of its own. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const ZLIB_HEADER_BYTES = 2

/**
 * The PNG without anything but its pixels, or null when these do not unpack to just about what the header says: neither
 * cut short nor a bomb. Expects what `checkImage` let pass.
 */
export function toPlainPng(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces: Uint8Array[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  const packed: Uint8Array[] = []
  for (let at = SIGNATURE_BYTES; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at)
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (at + 12 + length > bytes.length) return null
    if (KEPT.has(type)) pieces.push(bytes.subarray(at, at + 12 + length))
    if (type === 'IDAT') packed.push(bytes.subarray(at + 8, at + 8 + length))
    if (type === 'IEND') break
    at += 12 + length
  }
  const [width, height, bits] = [view.getUint32(16), view.getUint32(20), view.getUint8(24)]
  const least = (width * height * bits * (CHANNELS[view.getUint8(25)] ?? 0)) / 8
  // A filter byte a row, and the rows of the seven passes of an interlaced picture.
  const most = Math.ceil(least) + height * 4 + 64
  const raw = joinBytes(packed).subarray(ZLIB_HEADER_BYTES)
  const { state, bytes: inflated } = inflateCapped(raw, most, () => {})
  if (state !== 'complete' || inflated < least) return null
  return joinBytes(pieces)
}
