const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes over a plain ArrayBuffer, which is what web crypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>

export function utf8(text: string): Bytes {
  return encoder.encode(text) as Bytes
}

/** Throws a TypeError when the bytes are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export const concatBytes = (...parts: readonly Uint8Array[]): Bytes => joinBytes(parts)

/** As `concatBytes`, of as many as there are: a call takes some ten thousand arguments. */
export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}

/** Joins texts so that no two different lists give the same bytes: each is preceded by its length (uint32, big endian). */
export function encodeParts(parts: readonly string[]): Bytes {
  const encoded = parts.map(utf8)
  const out = new Uint8Array(encoded.reduce((sum, part) => sum + 4 + part.length, 0))
  const view = new DataView(out.buffer)
  let at = 0
  for (const part of encoded) {
    view.setUint32(at, part.length)
    out.set(part, at + 4)
    at += 4 + part.length
  }
  return out
}

export async function sha256(data: string | Bytes): Promise<Bytes> {
  return new Uint8Array(
    await crypto.subtle.digest('SHA-256', typeof data === 'string' ? utf8(data) : data),
  )
}

export function toHex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += byte.toString(16).padStart(2, '0')
  return out
}
