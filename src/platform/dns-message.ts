/** The two questions the egress guard asks, by their number on the wire (RFC 1035, RFC 3596). */
export const RECORD_TYPES = { A: 1, AAAA: 28 } as const
export type RecordType = keyof typeof RECORD_TYPES

export interface DnsAnswer {
  /** 0 no error, 3 no such name; anything else is a failure of the resolver. */
  readonly status: number
  readonly addresses: readonly string[]
  /** Seconds; the smallest of the answers, 0 without any. */
  readonly ttlS: number
}

const HEADER_BYTES = 12
const RECURSION_DESIRED = 0x01

/** A DNS query for one name (RFC 1035, section 4), with id 0 as RFC 8484 asks. The name is a checked host name. */
export function encodeQuery(name: string, type: RecordType): Uint8Array {
  const labels = name.split('.').map((label) => new TextEncoder().encode(label))
  const question = labels.flatMap((label) => [label.length, ...label])
  const header = [0, 0, RECURSION_DESIRED, 0, 0, 1, 0, 0, 0, 0, 0, 0]
  return Uint8Array.from([...header, ...question, 0, 0, RECORD_TYPES[type], 0, 1])
}

/** Reads the addresses of a reply; null when it is malformed. */
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
  const found: { address: string; ttlS: number }[] = []
  for (let i = view.getUint16(6); i > 0; i--) {
    at = skipName(view, at)
    const length = view.getUint16(at + 8)
    if (view.getUint16(at) === RECORD_TYPES[type] && view.getUint16(at + 2) === 1) {
      found.push({
        address: readAddress(view, at + 10, length, type),
        ttlS: view.getUint32(at + 4),
      })
    }
    at += 10 + length
  }
  return toAnswer(flags & 0x0f, found)
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

function readAddress(view: DataView, at: number, length: number, type: RecordType): string {
  if (length !== (type === 'A' ? 4 : 16)) throw new RangeError('Not an address')
  if (type === 'A') return [0, 1, 2, 3].map((i) => view.getUint8(at + i)).join('.')
  return [0, 2, 4, 6, 8, 10, 12, 14].map((i) => view.getUint16(at + i).toString(16)).join(':')
}

/** Reads the JSON form that many resolvers offer beside the wire format; null when it is malformed. */
export function readJsonReply(body: unknown, type: RecordType): DnsAnswer | null {
  const { Status: status, Answer: answers = [] } = Object(body) as Record<string, unknown>
  if (typeof status !== 'number' || !Array.isArray(answers)) return null
  const found: { address: string; ttlS: number }[] = []
  for (const answer of answers) {
    const { type: number, data, TTL: ttlS } = Object(answer) as Record<string, unknown>
    if (number !== RECORD_TYPES[type]) continue
    if (typeof data !== 'string') return null
    found.push({ address: data, ttlS: typeof ttlS === 'number' ? ttlS : 0 })
  }
  return toAnswer(status, found)
}

function toAnswer(status: number, found: { address: string; ttlS: number }[]): DnsAnswer {
  const ttlS = found.length === 0 ? 0 : Math.min(...found.map((one) => one.ttlS))
  return { status, addresses: found.map((one) => one.address), ttlS }
}
