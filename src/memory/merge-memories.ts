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
  const byWords = new Map(known.map((memory) => [wordsOf(memory.content), memory]))
  for (const [index, draft] of drafts.entries()) {
    const later = drafts.slice(index + 1)
    if (later.some((other) => isSame(other, draft) || contradicts(other, draft))) continue
    const same = byWords.get(wordsOf(draft.content))
    const supersedes = known
      .filter((memory) => memory !== same)
      .filter(
        (memory) =>
          draft.replaces.includes(memory.id) || (draft.slot !== null && memory.slot === draft.slot),
      )
      .map((memory) => memory.id)
    if (same && supersedes.length === 0) plan.confirm.push(same.id)
    else if (!same) plan.add.push({ draft, supersedes })
    else plan.add.push({ draft, supersedes: [...supersedes, same.id] })
  }
  return plan
}

const isSame = (one: MemoryDraft, other: MemoryDraft) =>
  wordsOf(one.content) === wordsOf(other.content)
const contradicts = (one: MemoryDraft, other: MemoryDraft) =>
  one.slot !== null && one.slot === other.slot

/** Letters and digits alone: case, marks and punctuation make no new memory. */
export function wordsOf(content: string): string {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
