/** Lines of loops that were reached, and whether they ran at least once in this file. */
const sites = new Map<number, boolean>()

/** @param whole whether the list is handed over as a whole, to `forEach` or `each`, so that only its length tells */
export function loopReached<T>(site: number, value: T, whole = false): T {
  if (!sites.has(site)) sites.set(site, false)
  if (whole && isFull(value)) loopRan(site)
  return value
}

export function loopRan(site: number): void {
  sites.set(site, true)
}

/** @returns what this file leaves unchecked; the next file of this process begins anew */
export function loopFaults(): number[] {
  const faults = [...sites].filter(([, ran]) => !ran).map(([site]) => site)
  sites.clear()
  return faults
}

function isFull(value: unknown): boolean {
  const { length, size } = value as { length?: number; size?: number }
  return (length ?? size ?? 1) > 0
}
