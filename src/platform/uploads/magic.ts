/** Whether `bytes` hold the ASCII `text` at `offset`. */
export function hasAscii(bytes: Uint8Array, offset: number, text: string): boolean {
  if (offset + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) {
    if (bytes[offset + i] !== text.charCodeAt(i)) return false
  }
  return true
}

/** Whether `bytes` hold exactly these values at `offset`. */
export function hasBytes(bytes: Uint8Array, offset: number, values: readonly number[]): boolean {
  if (offset + values.length > bytes.length) return false
  return values.every((value, i) => bytes[offset + i] === value)
}

/** A DataView over exactly these bytes, wherever they lie in their buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const ZIP_STARTS = [
  [0x50, 0x4b, 3, 4],
  [0x50, 0x4b, 5, 6],
  [0x50, 0x4b, 7, 8],
]

/** Whether the bytes start like a ZIP container of any kind. */
export function startsLikeZip(bytes: Uint8Array): boolean {
  return ZIP_STARTS.some((start) => hasBytes(bytes, 0, start))
}

/** Name of the compressed or archive format (other than ZIP) the bytes start with, or null. */
export function otherArchiveFormat(bytes: Uint8Array): string | null {
  if (hasBytes(bytes, 0, [0x1f, 0x8b])) return 'gzip'
  if (hasBytes(bytes, 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])) return '7z'
  if (hasAscii(bytes, 0, 'Rar!\x1a\x07')) return 'rar'
  if (hasBytes(bytes, 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])) return 'xz'
  if (hasAscii(bytes, 0, 'BZh') && hasBytes(bytes, 4, [0x31, 0x41, 0x59, 0x26])) return 'bzip2'
  if (hasBytes(bytes, 0, [0x28, 0xb5, 0x2f, 0xfd])) return 'zstd'
  if (hasAscii(bytes, 0, 'MSCF')) return 'cab'
  if (hasAscii(bytes, 257, 'ustar')) return 'tar'
  return null
}
