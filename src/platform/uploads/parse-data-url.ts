import { checkImage } from './check-image'
import { AUDIO_KINDS, type AudioKind, IMAGE_KINDS, type ImageKind, MIME } from './file-kinds'
import { findAudioKind } from './find-audio-kind'

export interface DataUrlRules {
  kinds: readonly (ImageKind | AudioKind)[]
  /** Decoded bytes. */
  maxBytes: number
}

export type ParsedDataUrl =
  | {
      ok: true
      type: 'image'
      kind: ImageKind
      mime: string
      bytes: Uint8Array<ArrayBuffer>
      width: number
      height: number
    }
  | { ok: true; type: 'audio'; kind: AudioKind; mime: string; bytes: Uint8Array<ArrayBuffer> }
  | { ok: false; code: 'malformed' | 'too_large' | 'unsupported'; reason: string }

const MAX_HEADER = 256

/**
 * Decodes a base64 data URL of an image or a recording. The type comes from the bytes, not from the URL's own claim; images
 * are checked as by `checkImage`. The size is known before anything is decoded.
 */
export function parseDataUrl(text: string, rules: DataUrlRules): ParsedDataUrl {
  const comma = text.slice(0, MAX_HEADER).indexOf(',')
  const header = text.slice(0, comma + 1).toLowerCase()
  if (comma < 0 || !header.startsWith('data:') || !header.endsWith(';base64,')) {
    return refuse('malformed', 'A base64 data URL is expected.')
  }
  if (Math.floor((text.length - comma - 1) * 0.75) - 2 > rules.maxBytes) {
    return refuse('too_large', `The file is larger than ${rules.maxBytes} bytes.`)
  }
  const bytes = decodeBase64(text.slice(comma + 1))
  if (!bytes || bytes.length === 0) return refuse('malformed', 'The data URL is not valid base64.')
  if (bytes.length > rules.maxBytes) {
    return refuse('too_large', `The file is larger than ${rules.maxBytes} bytes.`)
  }
  const audio = findAudioKind(bytes)
  if (audio && rules.kinds.includes(audio)) {
    return { ok: true, type: 'audio', kind: audio, mime: MIME[audio], bytes }
  }
  const allow = IMAGE_KINDS.filter((kind) => rules.kinds.includes(kind))
  if (allow.length === 0) {
    const formats = AUDIO_KINDS.filter((kind) => rules.kinds.includes(kind)).join(', ')
    return refuse('unsupported', `The recording must be one of ${formats}.`)
  }
  const image = checkImage(bytes, { allow })
  if (!image.ok) return image
  return { ...image, type: 'image', bytes }
}

function decodeBase64(payload: string): Uint8Array<ArrayBuffer> | null {
  let binary: string
  try {
    binary = atob(payload)
  } catch {
    return null
  }
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

function refuse(code: 'malformed' | 'too_large' | 'unsupported', reason: string): ParsedDataUrl {
  return { ok: false, code, reason }
}
