import { DOCUMENT_LIMITS, MIB } from '../../config/limits'
import { hasAscii } from '../../platform/uploads/magic'
import {
  ASCII,
  decodeAscii,
  EXPANDING,
  fullFilterName,
  IMAGE,
  measureExpanded,
} from './pdf-filters'
import { MAX_VALUE_TOKENS, type PdfDictionary, PdfLexer, type PdfToken } from './pdf-syntax'
import { ReadRefusal } from './read-refusal'

/**
 * Makes a PDF safe to hand to the parser, which unpacks streams without a limit: measures what every stream unpacks to and
 * disables those that hold pictures or attachments, which a reader of text never needs. Throws `ReadRefusal` when a
 * budget is passed or when streams cannot be measured. Changes the bytes.
 *
 * The parser reaches a stream only through the word `obj` and the dictionary behind it, so looking at all of these misses none,
 * whatever the file's own tables say.
 */
export function guardPdf(bytes: Uint8Array): void {
  const guard = new PdfGuard(bytes)
  for (let at = bytes.indexOf(LETTER_O); at >= 0; at = bytes.indexOf(LETTER_O, at + 1)) {
    if (hasAscii(bytes, at, 'obj')) guard.checkObject(at + 3)
  }
  for (let at = bytes.indexOf(LETTER_T); at >= 0; at = bytes.indexOf(LETTER_T, at + 1)) {
    if (hasAscii(bytes, at, 'trailer')) guard.checkTrailer(at + 'trailer'.length)
  }
}

const LETTER_O = 0x6f
const LETTER_T = 0x74
/** Times a byte may be read over all dictionaries: once in any normal file. */
const MAX_READINGS = 2
const WANTED = new Set(['Type', 'Subtype', 'Filter', 'F', 'Encrypt'])

class PdfGuard {
  readonly #bytes: Uint8Array
  #unpacked = 0
  #read = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  checkTrailer(at: number): void {
    const dictionary = this.#readDictionary(new PdfLexer(this.#bytes, at), at)
    if (dictionary?.has('Encrypt')) refuseEncrypted()
  }

  checkObject(at: number): void {
    const lexer = new PdfLexer(this.#bytes, at)
    const dictionary = this.#readDictionary(lexer, at)
    if (!dictionary) return
    if (dictionary.has('Encrypt')) refuseEncrypted()
    if (!lexer.takesWord('stream')) return
    const filters = readFilters(dictionary)
    if (filters.length > 0) this.#checkStream(dictionary, filters, this.#findData(lexer.at))
  }

  #checkStream(dictionary: PdfDictionary, filters: PdfToken[], start: number): void {
    const names = filters.map(({ text }) => fullFilterName(text))
    const isUnneeded =
      getName(dictionary, 'Subtype') === 'Image' || getName(dictionary, 'Type') === 'EmbeddedFile'
    if (isUnneeded || names.some((name) => IMAGE.has(name))) {
      // The parser passes over filters it does not know and gets the packed bytes.
      for (const token of filters) this.#bytes[token.start + 1] = LETTER_X
      return
    }
    if (names.some((name) => name === 'BrotliDecode' || name === 'Crypt')) refuseUnusual()
    const expanding = names.filter((name) => EXPANDING.has(name))
    if (expanding.length > 1) refuseUnusual()
    const [filter] = expanding
    if (filter) this.#measure(this.#decodeAsciiBefore(names, filter, start), filter)
  }

  /** The data as the expanding filter gets it. */
  #decodeAsciiBefore(names: string[], filter: string, start: number): Uint8Array {
    let data = this.#bytes.subarray(start)
    if (filter !== 'FlateDecode') data = data.subarray(0, this.#findEnd(start) - start)
    for (const name of names) {
      if (name === filter) break
      if (!ASCII.has(name)) continue
      const decoded = decodeAscii(data, name)
      this.#count(decoded.read)
      data = decoded.bytes
    }
    return data
  }

  #measure(data: Uint8Array, filter: string): void {
    const size = measureExpanded(data, filter, DOCUMENT_LIMITS.pdfStreamBytes)
    this.#unpacked += size
    if (size > DOCUMENT_LIMITS.pdfStreamBytes || this.#unpacked > DOCUMENT_LIMITS.pdfBytes) {
      throw new ReadRefusal(
        `The PDF unpacks to more than ${DOCUMENT_LIMITS.pdfBytes / MIB} MiB. Split it into smaller files.`,
      )
    }
  }

  #readDictionary(lexer: PdfLexer, at: number): PdfDictionary | null {
    const dictionary = lexer.readDictionary(WANTED)
    this.#count(lexer.at - at)
    return dictionary
  }

  #count(read: number): void {
    this.#read += read
    if (this.#read > (this.#bytes.length + MIB) * MAX_READINGS) {
      throw new ReadRefusal('The PDF is damaged. Print or export it to a new PDF and upload that.')
    }
  }

  /** Stream data starts on the line after the word. */
  #findData(at: number): number {
    const bytes = this.#bytes
    let start = at
    while (start < bytes.length && bytes[start] !== 10 && bytes[start] !== 13) start += 1
    return bytes[start] === 13 && bytes[start + 1] === 10 ? start + 2 : start + 1
  }

  #findEnd(start: number): number {
    for (
      let at = this.#bytes.indexOf(LETTER_E, start);
      at >= 0;
      at = this.#bytes.indexOf(LETTER_E, at + 1)
    ) {
      if (hasAscii(this.#bytes, at, 'endstream')) return at
    }
    return this.#bytes.length
  }
}

const LETTER_X = 0x58
const LETTER_E = 0x65

/** The filter names of a stream in their order. A filter named elsewhere in the file cannot be checked here. */
function readFilters(dictionary: PdfDictionary): PdfToken[] {
  // The parser takes the short key first.
  const value = dictionary.get('F') ?? dictionary.get('Filter') ?? []
  const names = value.filter(({ kind }) => kind === 'name')
  const isDirect = value.every(({ kind, text }) => kind !== 'word' || text === 'null')
  if (!isDirect || value.length >= MAX_VALUE_TOKENS) refuseUnusual()
  return names
}

function getName(dictionary: PdfDictionary, key: string): string | null {
  const [value] = dictionary.get(key) ?? []
  return value?.kind === 'name' ? value.text : null
}

function refuseEncrypted(): never {
  throw new ReadRefusal(
    'The PDF is protected. Save or print it as a PDF without password and restrictions and upload that.',
  )
}

function refuseUnusual(): never {
  throw new ReadRefusal(
    'The PDF is packed in an unusual way. Print or export it to a new PDF and upload that.',
  )
}
