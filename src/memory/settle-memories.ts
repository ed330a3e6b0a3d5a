import { MEMORY } from '../config/limits'
import { wordsOf } from './merge-memories'

/** What two spaces know, as far as it tells which of two memories stands. */
export interface Settleable {
  id: string
  content: string
  slot: string | null
  updatedAt: number
}

/**
 * Two spaces become one: of memories that say the same, or cannot both be true, the newer one stands.
 * @returns the others, each with the one that stands in its place.
 */
export function settleMemories(
  mine: readonly Settleable[],
  theirs: readonly Settleable[],
): { id: string; by: string }[] {
  const byWords = Map.groupBy(mine, (memory) => wordsOf(memory.content))
  const bySlot = Map.groupBy(mine, (memory) => memory.slot)
  const settled = new Map<string, string>()
  for (const other of theirs) {
    const rivals = new Set([
      ...(byWords.get(wordsOf(other.content)) ?? []),
      ...(other.slot === null ? [] : (bySlot.get(other.slot) ?? [])),
    ])
    for (const own of rivals) {
      const [stands, falls] = own.updatedAt >= other.updatedAt ? [own, other] : [other, own]
      if (!settled.has(falls.id)) settled.set(falls.id, stands.id)
    }
  }
  return [...settled].map(([id, by]) => ({ id, by }))
}

/** Two summaries of one person as one, the newer first; null when that would be too long: then the points speak. */
export function joinSummaries(newer: string, older: string): string | null {
  if (newer.includes(older)) return newer
  if (older.includes(newer)) return older
  const joined = `${newer.trimEnd()} ${older.trimStart()}`
  return joined.length <= MEMORY.profileLength ? joined : null
}
