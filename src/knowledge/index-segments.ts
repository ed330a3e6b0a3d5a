import { KNOWLEDGE } from '../config/limits'

/**
 * Whether an index whose segments have so many pages each should be rewritten as one: a small one whenever it is in
 * pieces, a large one when the pieces beside its largest make up a share of it, so that what a rewrite costs stays in
 * proportion to what has changed.
 */
export function isWorthMerging(pages: readonly number[]): boolean {
  if (pages.length <= 1) return false
  const total = pages.reduce((sum, count) => sum + count, 0)
  const rest = total - Math.max(...pages)
  return total <= KNOWLEDGE.smallIndexPages || rest >= total * KNOWLEDGE.mergeShare
}
