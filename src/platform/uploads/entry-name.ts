import { ARCHIVE_LIMITS } from '../../config/limits'
import { crc32 } from './crc32'
import type { ZipRecord } from './zip-directory'

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** The entry's name as text, in NFC. UTF-8 where it is valid, else the encodings of older packers; it is only a label. */
export function decodeEntryName(record: ZipRecord): string {
  const name =
    decodeUnicodeName(record) ?? decode(record.rawName, 'utf-8') ?? decodeOldName(record.rawName)
  return name.normalize('NFC').replace(/^(?:\.\/)+/, '')
}

/**
 * Windows writes names in the code page of its country and does not say which. Each is told by what the others hardly ever
 * hold; what looks like none of them is in the format's own, CP437, as Western names are.
 */
function decodeOldName(raw: Uint8Array): string {
  const cp437 = () => Array.from(raw, fromCp437).join('')
  // One character a byte, so that patterns read bytes.
  const bytes = Array.from(raw, (byte) => String.fromCharCode(byte)).join('')
  if (CYRILLIC.test(bytes) && !BESIDE_LATIN.test(bytes)) return Array.from(raw, fromCp866).join('')
  if (KANA.test(bytes)) return decode(raw, 'shift_jis') ?? cp437()
  return isGb2312(bytes) ? (decode(raw, 'gb18030') ?? cp437()) : cp437()
}

/** A word of CP866, and nothing but its letters: those of common Chinese characters lie between. */
const CYRILLIC = /^(?=.*[\x80-\xaf\xe0-\xf1]{2})[\0-\x7f\x80-\xaf\xe0-\xf1]*$/s
/** An accented letter within a Latin word. */
const BESIDE_LATIN = /[a-z][\x80-\xff]|[\x80-\xff][a-z]/i
/** Two syllables side by side. */
const KANA = /(?:\x82[\x9f-\xf1]|\x83[\x40-\x96]){2}/
/** Common characters and signs; a rare one here and there changes nothing. */
function isGb2312(bytes: string): boolean {
  const pairs = bytes.match(/[\x81-\xfe][\x40-\xfe]/g) ?? []
  const common = pairs.filter((pair) => /[\xa1-\xa9\xb0-\xf7][\xa1-\xfe]/.test(pair))
  return common.length > pairs.length / 2
}

/** The extra field's UTF-8 name, when its checksum says that it belongs to this very entry. */
function decodeUnicodeName({ unicodeName, rawName }: ZipRecord): string | null {
  if (!unicodeName || unicodeName.crc !== crc32(rawName)) return null
  return decode(unicodeName.bytes, 'utf-8')
}

function decode(bytes: Uint8Array, encoding: 'utf-8' | 'gb18030' | 'shift_jis'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function fromCp437(byte: number): string {
  return byte < 128 ? String.fromCharCode(byte) : (CP437[byte - 128] ?? '\ufffd')
}

function fromCp866(byte: number): string {
  if (byte < 128) return String.fromCharCode(byte)
  if (byte >= 0xf0) return byte === 0xf0 ? 'Ё' : 'ё'
  return String.fromCharCode(byte < 0xb0 ? byte - 0x80 + 0x410 : byte - 0xe0 + 0x440)
}

/** Why a name may not be used as a path below the archive's root, or null when it may. */
export function findNameFault(name: string, rawLength: number): string | null {
  if (
    rawLength > ARCHIVE_LIMITS.nameBytes ||
    new TextEncoder().encode(name).length > ARCHIVE_LIMITS.nameBytes
  ) {
    return `The name is longer than ${ARCHIVE_LIMITS.nameBytes} bytes.`
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(name)) {
    return 'The name holds control characters.'
  }
  if (name.includes('\\')) return 'The name holds a backslash.'
  if (name.startsWith('/')) return 'The name is an absolute path.'
  if (/^[A-Za-z]:/.test(name)) return 'The name starts with a drive.'
  const segments = name.split('/')
  if (segments.includes('..')) return 'The name leads out of the archive.'
  if (segments.some((segment) => segment === '' || segment === '.'))
    return 'The name is not a plain path.'
  if (segments.length - 1 > ARCHIVE_LIMITS.depth)
    return `The file lies more than ${ARCHIVE_LIMITS.depth} folders deep.`
  return null
}

/** What macOS adds to archives beside the files themselves. */
export function isResourceJunk(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return name.startsWith('__MACOSX/') || base === '.DS_Store' || base.startsWith('._')
}
