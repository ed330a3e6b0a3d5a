import { fromBase64url, toBase64url } from '../../../src/platform/crypto/base64url'

/** A vector of length one in 8 bits a dimension. */
const SCALE = 127

export function encodeVector(values: Float32Array): string {
  const length = Math.hypot(...values) || 1
  return toBase64url(
    new Uint8Array(Int8Array.from(values, (value) => Math.round((value / length) * SCALE)).buffer),
  )
}

export function decodeVector(text: string): Float32Array {
  const bytes = fromBase64url(text)
  return bytes
    ? Float32Array.from(new Int8Array(bytes.buffer), (value) => value / SCALE)
    : new Float32Array()
}

export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1
  return Float32Array.from(values, (value) => value / length)
}
