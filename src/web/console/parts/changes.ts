/** The fields of a draft that are not as they were. */
export function changesOf<T extends object>(base: T, draft: T): Partial<T> {
  const names = Object.keys(draft) as (keyof T)[]
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(base[name]) !== JSON.stringify(draft[name]))
      .map((name) => [name, draft[name]]),
  ) as Partial<T>
}

/** What is stored now, with what was written while it was on its way: that is still unsaved. */
export const keepWritten = <T extends object>(stored: T, sent: T, now: T): T => ({
  ...stored,
  ...changesOf(sent, now),
})
