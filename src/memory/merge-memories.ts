import type { Memory, MemoryDraft } from './types'

export interface MergePlan {
  /** To be stored, with the ids of the memories that each makes untrue. */
  add: { draft: MemoryDraft; supersedes: string[] }[]
  /** Said again: known already, now known anew. */
  confirm: string[]
}

/**
 * Compares drafts with the memories in force: what is known is not stored twice, and of two that cannot both be true the
 * newer one wins. Of drafts that contradict each other the last one counts.
 */
export function mergeMemories(known: readonly Memory[], drafts: readonly MemoryDraft[]): MergePlan {
  const plan: MergePlan = { add: [], confirm: [] }
  const ids = new Set(known.map((memory) => memory.id))
  const byWords = new Map(known.map((memory) => [wordsOf(memory.content), memory.id]))
  const bySlot = Map.groupBy(known, (memory) => memory.slot)
  const words = drafts.map((draft) => wordsOf(draft.content))
  const lastByWords = new Map(words.map((text, index) => [text, index]))
  const lastBySlot = new Map(drafts.map((draft, index) => [draft.slot, index]))
  for (const [index, draft] of drafts.entries()) {
    const text = words[index] ?? ''
    if (lastByWords.get(text) !== index) continue
    if (draft.slot !== null && lastBySlot.get(draft.slot) !== index) continue
    const same = byWords.get(text)
    const sameSlot = draft.slot === null ? [] : (bySlot.get(draft.slot) ?? [])
    const untrue = new Set([
      ...draft.replaces.filter((id) => ids.has(id)),
      ...sameSlot.map((memory) => memory.id),
    ])
    if (same !== undefined) untrue.delete(same)
    if (same === undefined) plan.add.push({ draft, supersedes: [...untrue] })
    else if (untrue.size === 0) plan.confirm.push(same)
    else plan.add.push({ draft, supersedes: [...untrue, same] })
  }
  return plan
}

/** Letters and digits alone: case, marks and punctuation make no new memory. */
export function wordsOf(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
