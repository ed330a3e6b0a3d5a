import type { AudioKind } from './file-kinds'
import { hasAscii, hasBytes } from './magic'

const MP4_AUDIO_BRANDS = ['M4A ', 'M4B ', 'mp41', 'mp42', 'isom', 'iso2', 'iso5', 'iso6', 'dash']

/** The audio format the bytes start with, or null. WebM and MP4 are containers; that they hold sound is left to the decoder. */
export function findAudioKind(bytes: Uint8Array): AudioKind | null {
  if (hasAscii(bytes, 0, 'RIFF') && hasAscii(bytes, 8, 'WAVE')) return 'wav'
  if (hasAscii(bytes, 0, 'OggS')) return 'ogg'
  if (hasBytes(bytes, 0, [0x1a, 0x45, 0xdf, 0xa3]) && namesWebm(bytes)) return 'webm'
  if (hasAscii(bytes, 4, 'ftyp')) {
    return MP4_AUDIO_BRANDS.some((brand) => hasAscii(bytes, 8, brand)) ? 'm4a' : null
  }
  if (hasAscii(bytes, 0, 'ID3') || isMp3Frame(bytes)) return 'mp3'
  return null
}

/** The EBML header names its document type within its first bytes. */
function namesWebm(bytes: Uint8Array): boolean {
  for (let at = 4; at < 64; at++) if (hasAscii(bytes, at, 'webm')) return true
  return false
}

/** An MPEG audio layer III frame header: sync, layer, and neither a reserved bitrate nor sampling rate. */
function isMp3Frame(bytes: Uint8Array): boolean {
  const [b0 = 0, b1 = 0, b2 = 0] = bytes
  const version = (b1 >> 3) & 3
  return (
    b0 === 0xff &&
    (b1 & 0xe0) === 0xe0 &&
    version !== 1 &&
    ((b1 >> 1) & 3) === 1 &&
    b2 >> 4 !== 15 &&
    ((b2 >> 2) & 3) !== 3
  )
}
