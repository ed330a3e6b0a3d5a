import { crc32 } from './crc32'
import type { ZipRecord } from './zip-directory'

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** The entry's name as text, in NFC. UTF-8 where it is valid, else the encodings of older packers; it is only a label. */
export function decodeEntryName(record: ZipRecord): string {
  const name =
    decodeUnicodeName(record) ??
    decode(record.rawName, 'utf-8') ??
    decode(record.rawName, 'gb18030') ??
    Array.from(record.rawName, fromCp437).join('')
  return name.normalize('NFC').replace(/^(?:\.\/)+/, '')
}

/** The extra field's UTF-8 name, when its checksum says that it belongs to this very entry. */
function decodeUnicodeName({ unicodeName, rawName }: ZipRecord): string | null {
  if (!unicodeName || unicodeName.crc !== crc32(rawName)) return null
  return decode(unicodeName.bytes, 'utf-8')
}

function decode(bytes: Uint8Array, encoding: 'utf-8' | 'gb18030'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function fromCp437(byte: number): string {
  return byte < 128 ? String.fromCharCode(byte) : (CP437[byte - 128] ?? '\ufffd')
}

/** Why a name may not be used as a path below the archive's root, or null when it may. */
export function findNameFault(name: string, rawLength: number, limits: NameLimits): string | null {
  if (rawLength > limits.nameBytes || new TextEncoder().encode(name).length > limits.nameBytes) {
    return `The name is longer than ${limits.nameBytes} bytes.`
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
  if (segments.length - 1 > limits.depth)
    return `The file lies more than ${limits.depth} folders deep.`
  return null
}

export interface NameLimits {
  nameBytes: number
  depth: number
}

/** What macOS adds to archives beside the files themselves. */
export function isResourceJunk(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return name.startsWith('__MACOSX/') || base === '.DS_Store' || base.startsWith('._')
}
