/** Upper ends of the classes of time that is spent at a node, in seconds. */
const CLASSES = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400, 604_800] as const
const LONGEST = 604_800

/** The class of a duration by its upper end; what is longer than all is `more`. */
export function durationClass(seconds: number): string {
  return String(CLASSES.find((end) => seconds <= end) ?? 'more')
}

/** The median of durations of which only the classes are known, spread evenly within each. @returns null of none. */
export function medianSeconds(counts: ReadonlyMap<string, number>): number | null {
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0)
  if (total === 0) return null
  let before = 0
  let low = 0
  for (const end of CLASSES) {
    const n = counts.get(String(end)) ?? 0
    if (n > 0 && before + n >= total / 2) {
      return Math.round(low + ((end - low) * (total / 2 - before)) / n)
    }
    before += n
    low = end
  }
  return LONGEST
}
