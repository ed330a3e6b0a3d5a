import { hasBytes } from './magic'

export type DecodedText = { ok: true; text: string } | { ok: false; reason: string }

/** How ISO-2022 turns to Japanese, Chinese or Korean: its bytes are ASCII, and so valid UTF-8 too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what is looked for.
const SHIFTED = /\x1b\$[)*@AB(]/

const NO_UTF8 = 'The text is not valid UTF-8. Save the file as UTF-8 and upload it again.'

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
    return { ok: false, reason: NO_UTF8 }
  }
  if (SHIFTED.test(text)) return { ok: false, reason: NO_UTF8 }
  if (text.includes('\0')) {
    return { ok: false, reason: 'The file holds binary data, not text.' }
  }
  return { ok: true, text }
}
