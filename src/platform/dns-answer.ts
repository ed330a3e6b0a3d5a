/** The questions that are asked, by their number on the wire (RFC 1035, RFC 3596). */
export const RECORD_TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const
export type RecordType = keyof typeof RECORD_TYPES

export interface DnsAnswer {
  /** 0 no error, 3 no such name; anything else is a failure of the resolver. */
  readonly status: number
  /** Addresses; names in small letters without the last dot; texts as they are. */
  readonly values: readonly string[]
  /** Seconds; the smallest of the answers, 0 without any. */
  readonly ttlS: number
  /** Names that the asked one led to on the way to its addresses, where there are any. */
  readonly aliases?: readonly string[]
}

/** One record. */
export interface Found {
  value: string
  ttlS: number
}

export function toAnswer(
  status: number,
  found: readonly Found[],
  aliases: readonly string[],
): DnsAnswer {
  const ttlS = found.length === 0 ? 0 : Math.min(...found.map((one) => one.ttlS))
  const values = found.map((one) => one.value)
  return { status, values, ttlS, ...(aliases.length > 0 ? { aliases } : {}) }
}
