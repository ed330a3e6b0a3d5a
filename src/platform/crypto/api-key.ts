import { randomBytes, sha256, toHex, utf8 } from './bytes'

const PREFIX = 'pk_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 > 2^256, so a 256-bit number has 43 digits and every number has exactly one form: no bias. */
const BODY_LENGTH = 43
/** 62^6 > 2^32. */
const CRC_LENGTH = 6
const SHOWN_LENGTH = 8
const FORM = /^pk_[0-9A-Za-z]{49}$/

export interface MintedApiKey {
  /** Shown once, in the answer that made it. Never stored, logged or audited. */
  readonly plaintext: string
  /** SHA-256 in hex: what is stored and looked up. */
  readonly hash: string
  /** The first 8 characters, to tell keys apart in a list. */
  readonly prefix: string
}

/** `pk_` + 256 random bits as 43 base62 characters + CRC32 of all before it as 6. */
export async function mintApiKey(): Promise<MintedApiKey> {
  const plaintext = formatApiKey(randomBytes(32))
  return {
    plaintext,
    hash: await hashApiKey(plaintext),
    prefix: plaintext.slice(0, SHOWN_LENGTH),
  }
}

/** The key that 32 bytes spell. */
export function formatApiKey(bytes: Uint8Array): string {
  const head = PREFIX + toBase62(BigInt(`0x${toHex(bytes)}`), BODY_LENGTH)
  return head + checksum(head)
}

/** Whether a text can be a key at all (form and CRC): what fails here needs no look-up. */
export function checkApiKeyForm(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CRC_LENGTH)) === text.slice(-CRC_LENGTH)
}

export async function hashApiKey(plaintext: string): Promise<string> {
  return toHex(await sha256(plaintext))
}

function checksum(text: string): string {
  return toBase62(BigInt(crc32(utf8(text))), CRC_LENGTH)
}

function toBase62(value: bigint, length: number): string {
  let out = ''
  for (let rest = value; out.length < length; rest /= 62n) out = DIGITS[Number(rest % 62n)] + out
  return out
}

/** CRC-32 (ISO 3309, as in zip and gzip), bit by bit: an input of 46 bytes needs no table. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
