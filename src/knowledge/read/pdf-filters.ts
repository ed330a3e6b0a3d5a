import { inflateCapped } from '../../platform/uploads/inflate-capped'

/** Filters of PDF streams by what they do to the size of their input (ISO 32000-2, 7.4). */
export const EXPANDING = new Set(['FlateDecode', 'LZWDecode', 'RunLengthDecode'])
export const ASCII = new Set(['ASCII85Decode', 'ASCIIHexDecode'])
export const IMAGE = new Set(['DCTDecode', 'CCITTFaxDecode', 'JBIG2Decode', 'JPXDecode'])

const SHORT: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  DCT: 'DCTDecode',
  CCF: 'CCITTFaxDecode',
}

export function fullFilterName(name: string): string {
  return SHORT[name] ?? name
}

/** How many bytes a filter makes of `data`, up to a little over `max`. Only counts; keeps nothing. */
export function measureExpanded(data: Uint8Array, filter: string, max: number): number {
  if (filter === 'LZWDecode') return measureLzw(data, max)
  if (filter === 'RunLengthDecode') return measureRunLength(data, max)
  // Two bytes of zlib header; damage ends the stream for its reader, too.
  return inflateCapped(data.subarray(2), max, () => undefined).bytes
}

/** Adds up the lengths that LZW codes stand for, with the code widths of both settings of EarlyChange. */
function measureLzw(data: Uint8Array, max: number): number {
  const lengths = new Uint32Array(4097)
  for (let code = 0; code < 256; code++) lengths[code] = 1
  let next = 258
  let width = 9
  let previous = 0
  let total = 0
  let bits = 0
  let held = 0
  for (let at = 0; at < data.length; at++) {
    held = (held << 8) | (data[at] ?? 0)
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >>> bits) & ((1 << width) - 1)
    held &= (1 << bits) - 1
    if (code === 257) break
    if (code === 256) {
      next = 258
      width = 9
      previous = 0
      continue
    }
    const length = code < next ? (lengths[code] ?? 0) : previous + 1
    total += length
    if (total > max) break
    if (previous > 0 && next < 4096) lengths[next++] = previous + 1
    previous = length
    width = next + 1 >= 2048 ? 12 : next + 1 >= 1024 ? 11 : next + 1 >= 512 ? 10 : 9
  }
  return total
}

function measureRunLength(data: Uint8Array, max: number): number {
  let total = 0
  let at = 0
  while (at < data.length && total <= max) {
    const length = data[at] ?? 128
    if (length === 128) break
    total += length < 128 ? length + 1 : 257 - length
    at += length < 128 ? length + 2 : 2
  }
  return total
}

/** Decodes a filter that writes bytes as text. Both end at their own mark; `read` is how much of `data` they took. */
export function decodeAscii(data: Uint8Array, filter: string): { bytes: Uint8Array; read: number } {
  const mark = data.indexOf(filter === 'ASCII85Decode' ? 0x7e : 0x3e)
  const body = mark < 0 ? data : data.subarray(0, mark)
  const bytes = filter === 'ASCII85Decode' ? decodeAscii85(body) : decodeAsciiHex(body)
  return { bytes, read: body.length }
}

function decodeAscii85(data: Uint8Array): Uint8Array {
  let zeros = 0
  for (const byte of data) if (byte === 0x7a) zeros += 1
  const decoded = new Uint8Array(Math.ceil((data.length - zeros) * 0.8) + zeros * 4 + 4)
  let length = 0
  let group = 0
  let count = 0
  const write = (bytes: number) => {
    for (let i = 0; i < bytes; i++) decoded[length++] = Math.floor(group / 2 ** (24 - 8 * i)) & 255
    group = 0
    count = 0
  }
  for (const byte of data) {
    // `z` stands for four zero bytes.
    if (byte === 0x7a && count === 0) length += 4
    if (byte < 0x21 || byte > 0x75) continue
    group = group * 85 + (byte - 0x21)
    count += 1
    if (count === 5) write(4)
  }
  if (count > 1) {
    const bytes = count - 1
    for (; count < 5; count++) group = group * 85 + 84
    write(bytes)
  }
  return decoded.subarray(0, length)
}

function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(Math.ceil(data.length / 2))
  let digits = 0
  for (const byte of data) {
    const digit = Number.parseInt(String.fromCharCode(byte), 16)
    if (Number.isNaN(digit)) continue
    decoded[digits >> 1] = (decoded[digits >> 1] ?? 0) | (digits % 2 === 0 ? digit << 4 : digit)
    digits += 1
  }
  return decoded.subarray(0, (digits + 1) >> 1)
}
