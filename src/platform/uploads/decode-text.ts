import { hasBytes } from './magic'

export type DecodedText = { ok: true; text: string } | { ok: false; reason: string }

/**
 * Decodes a text file: UTF-8 with or without a mark, or UTF-16 with one. Anything else is refused with a reason,
 * because a guessed legacy encoding silently corrupts what is later quoted.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = hasBytes(bytes, 0, [0xff, 0xfe])
    ? 'utf-16le'
    : hasBytes(bytes, 0, [0xfe, 0xff])
      ? 'utf-16be'
      : 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return {
      ok: false,
      reason: 'The text is not valid UTF-8. Save the file as UTF-8 and upload it again.',
    }
  }
  if (text.includes('\0')) {
    return { ok: false, reason: 'The file holds binary data, not text.' }
  }
  return { ok: true, text }
}
