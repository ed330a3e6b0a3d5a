import { type DnsAnswer, type Found, RECORD_TYPES, type RecordType, toAnswer } from './dns-answer'

const HEADER_BYTES = 12
const MAX_LABELS = 127
const RECURSION_DESIRED = 0x01

/** A DNS query for one name (RFC 1035, section 4), with id 0 as RFC 8484 asks. The name is a checked host name. */
export function encodeQuery(name: string, type: RecordType): Uint8Array {
  const labels = name.split('.').map((label) => new TextEncoder().encode(label))
  const question = labels.flatMap((label) => [label.length, ...label])
  const header = [0, 0, RECURSION_DESIRED, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  return Uint8Array.from([...header, ...question, 0, 0, RECORD_TYPES[type], 0, 1])
}

/** Reads the records of a reply; null when it is malformed. */
export function decodeReply(message: Uint8Array, type: RecordType): DnsAnswer | null {
  try {
    return readReply(new DataView(message.buffer, message.byteOffset, message.byteLength), type)
  } catch {
    return null
  }
}

/** A DataView throws a RangeError for every read past the end, so a cut message ends there. */
function readReply(view: DataView, type: RecordType): DnsAnswer {
  const flags = view.getUint16(2)
  // Not a response, or cut short: over HTTP there is no reason for either.
  if ((flags & 0x8000) === 0 || (flags & 0x0200) !== 0) throw new RangeError('No whole reply')
  let at = HEADER_BYTES
  for (let i = view.getUint16(4); i > 0; i--) at = skipName(view, at) + 4
  const found: Found[] = []
  const aliases: string[] = []
  for (let i = view.getUint16(6); i > 0; i--) {
    at = skipName(view, at)
    const length = view.getUint16(at + 8)
    if (type !== 'CNAME' && view.getUint16(at) === RECORD_TYPES.CNAME) {
      aliases.push(readName(view, at + 10))
    }
    if (view.getUint16(at) === RECORD_TYPES[type] && view.getUint16(at + 2) === 1) {
      found.push({
        value: READERS[type](view, at + 10, length),
        ttlS: view.getUint32(at + 4),
      })
    }
    at += 10 + length
  }
  return toAnswer(flags & 0x0f, found, aliases)
}

function skipName(view: DataView, start: number): number {
  let at = start
  for (;;) {
    const length = view.getUint8(at)
    // A pointer to an earlier name ends this one.
    if (length >= 0xc0) return at + 2
    if (length === 0) return at + 1
    at += 1 + length
  }
}

const READERS: Record<RecordType, (view: DataView, at: number, length: number) => string> = {
  A: (view, at, length) => {
    if (length !== 4) throw new RangeError('Not an address')
    return [0, 1, 2, 3].map((i) => view.getUint8(at + i)).join('.')
  },
  AAAA: (view, at, length) => {
    if (length !== 16) throw new RangeError('Not an address')
    return [0, 2, 4, 6, 8, 10, 12, 14].map((i) => view.getUint16(at + i).toString(16)).join(':')
  },
  CNAME: readName,
  TXT: readTexts,
}

/** A name may end in a pointer to an earlier one; pointers only lead backwards, so every walk ends. */
function readName(view: DataView, start: number): string {
  const labels: string[] = []
  let at = start
  let before = start
  for (;;) {
    const length = view.getUint8(at)
    if (length === 0) return labels.join('.').toLowerCase()
    if (length >= 0xc0) {
      at = view.getUint16(at) & 0x3fff
      if (at >= before) throw new RangeError('A pointer that leads on')
      before = at
      continue
    }
    labels.push(readText(view, at + 1, length))
    if (labels.length > MAX_LABELS) throw new RangeError('Not a name')
    at += 1 + length
  }
}

/** The strings of one record belong together (RFC 7208, section 3.3). */
function readTexts(view: DataView, start: number, length: number): string {
  const texts: string[] = []
  for (let at = start; at < start + length; ) {
    const size = view.getUint8(at)
    if (at + 1 + size > start + length) throw new RangeError('Not a text')
    texts.push(readText(view, at + 1, size))
    at += 1 + size
  }
  return texts.join('')
}

function readText(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, i) => String.fromCharCode(view.getUint8(at + i))).join('')
}
