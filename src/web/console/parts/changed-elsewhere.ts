/** Fields that somebody else has changed since they were read, and that are to be changed here too. */
export function changedElsewhere<T extends object>(
  read: T,
  now: T,
  changed: Partial<T>,
): (keyof T)[] {
  return (Object.keys(changed) as (keyof T)[]).filter(
    (key) => !isSame(read[key], now[key]) && !isSame(now[key], changed[key]),
  )
}

/** Values of JSON, field by field whatever their order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => isSame(left[key], right[key]))
}

/** Some fields of something. */
export const pick = <T extends object>(from: T, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>
