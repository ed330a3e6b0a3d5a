interface Message {
  id: string
}

/** Earlier messages before those that are known; one that came with both is shown once. */
export function joinMessages<T extends Message>(earlier: readonly T[], later: readonly T[]): T[] {
  const known = new Set(later.map(({ id }) => id))
  return [...earlier.filter(({ id }) => !known.has(id)), ...later]
}

/**
 * The latest page read again, behind what was read before it: a message that was edited or that came since is as it is now, and
 * one that is gone from the page's stretch is gone.
 */
export function refreshMessages<T extends Message>(known: readonly T[], latest: readonly T[]): T[] {
  const [first] = latest
  if (!first) return [...known]
  const at = known.findIndex(({ id }) => id === first.id)
  return at < 0 ? [...latest] : [...known.slice(0, at), ...latest]
}
