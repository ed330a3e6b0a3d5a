import { slotsOf } from './bloom'
import { TABLE } from './common-words'

const REMEMBERED = 20_000

let bits: Uint8Array | null = null
const known = new Map<string, boolean>()

/**
 * Whether a stem is among the everyday words of any language served: what is not is a name, a term or a rare word. A
 * Bloom filter of the 6,000 most frequent words of nine languages: about one rare word in sixty passes for a common one.
 */
export function isCommonWord(stem: string): boolean {
  let common = known.get(stem)
  if (common === undefined) {
    common = isInTable(stem)
    if (known.size >= REMEMBERED) known.clear()
    known.set(stem, common)
  }
  return common
}

function isInTable(stem: string): boolean {
  bits ??= Uint8Array.from(atob(TABLE.bits), (c) => c.charCodeAt(0))
  for (const slot of slotsOf(stem, bits.length * 8, TABLE.hashes))
    if (((bits[slot >> 3] ?? 0) & (1 << (slot & 7))) === 0) return false
  return true
}
