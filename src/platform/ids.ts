/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, then a 34-bit sequence (12 bits rand_a, the upper 22 of rand_b) that
 * starts at random in each millisecond and rises, then 40 bits: a space's tag, or random ones.
 */
const TAG_BITS = 40
const TAG_LIMIT = 2 ** TAG_BITS
const SEQUENCE_LIMIT = 2 ** 34
const LOW_SEQUENCE_BITS = 22
/** A clock that steps back less than this keeps the last millisecond; a larger step is taken as a new start. */
const CLOCK_SLACK_MS = 10_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

let lastMs = 0
let sequence = 0

/** A new id; `now` in ms. Ids made in one isolate rise strictly, also within a millisecond. */
export function newId(now: number): string {
  return newTaggedId(newTag(), now)
}

/** A new id that leads to its space: `tag` is its last 40 bits. Throws RangeError when `tag` is no such number. */
export function newTaggedId(tag: number, now: number): string {
  if (!Number.isSafeInteger(tag) || tag < 0 || tag >= TAG_LIMIT) throw new RangeError('Not a tag')
  advance(Math.floor(now))
  const time = hex(lastMs, 12)
  const high = hex(Math.floor(sequence / 2 ** LOW_SEQUENCE_BITS), 3)
  const low = sequence % 2 ** LOW_SEQUENCE_BITS
  // Variant 10, then 22 bits of sequence: 6 in the first byte, 16 in the two after it, then the tag.
  const variant = hex(0x80 | (low >>> 16), 2)
  const rest = hex(low & 0xffff, 4) + hex(tag, 10)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`
}

/** The last 40 bits of an id: its space's tag, if it is a tagged one. Throws RangeError when it is no UUID. */
export function tagOf(id: string): number {
  if (!isUuid(id)) throw new RangeError('Not a UUID')
  return Number.parseInt(id.slice(-TAG_BITS / 4), 16)
}

/** When an id was made, ms since 1970. Throws RangeError when it is no UUID. */
export function timeOf(id: string): number {
  if (!isUuid(id)) throw new RangeError('Not a UUID')
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** A random tag, 1 to 2^40 - 1. The database keeps it unique. */
export function newTag(): number {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2))
  return (high & 0xff) * 2 ** 32 + low || newTag()
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether a text has the form of the ids made here (version 7); others' ids rarely do. */
export function isOwnId(text: string): boolean {
  return isUuid(text) && text[14] === '7'
}

function advance(now: number): void {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  const steppedBack = now < lastMs - CLOCK_SLACK_MS
  if (now > lastMs || steppedBack) {
    lastMs = now
    // Starts in the lowest quarter, so that a busy millisecond does not run over.
    sequence = random
    return
  }
  sequence += 1 + (random & 0xff)
  if (sequence >= SEQUENCE_LIMIT) {
    lastMs += 1
    sequence = random
  }
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0')
}

/** The end user of calls with a key that name none: whoever uses the key. */
export const sharedUserId = (keyId: string | null): string => `openai:${keyId}`
