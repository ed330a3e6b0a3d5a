import { utf8 } from '../platform/crypto/bytes'
import { hasBytes } from '../platform/uploads/magic'

/** As far as a browser looks for a page's own word on its encoding. */
const META_BYTES = 1024
const META = /<meta[^>]+?charset\s*=\s*["']?\s*([\w.:-]{2,40})/i

/**
 * A text that was fetched, in UTF-8: out of the encoding that its answer names, else the page itself. Where neither is
 * known, or its bytes are not of it, they stay: an encoding is never guessed.
 */
export function toUtf8(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Uint8Array<ArrayBuffer> {
  if (hasBytes(bytes, 0, [0xff, 0xfe]) || hasBytes(bytes, 0, [0xfe, 0xff])) return bytes
  if (hasBytes(bytes, 0, [0xef, 0xbb, 0xbf])) return bytes
  const charset = namedIn(contentType) ?? (/html/i.test(contentType) ? namedWithin(bytes) : null)
  if (charset === null) return bytes
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: false })
    return decoder.encoding === 'utf-8' ? bytes : utf8(decoder.decode(bytes))
  } catch {
    return bytes
  }
}

const namedIn = (contentType: string): string | null =>
  /^(?:text\/|application\/xhtml).*;\s*charset\s*=\s*"?([\w.:-]{2,40})/i.exec(contentType)?.[1] ??
  null

function namedWithin(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, META_BYTES))
  return META.exec(head)?.[1] ?? null
}
