/** The bits of a word: two hashes (FNV-1a with two starts), combined as often as asked. */
export function slotsOf(word: string, size: number, count: number): number[] {
  let one = 0x811c9dc5
  let other = 0x9747b28c
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x5bd1e995)
    other ^= other >>> 15
  }
  const slots: number[] = []
  for (let k = 0; k < count; k++) slots.push(((one + Math.imul(k, other | 1)) >>> 0) % size)
  return slots
}
