/** The parameters of a pattern like `/agents/{name}` in a path, or null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const found: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) {
      if (part !== value) return null
      continue
    }
    if (value === '') return null
    try {
      found[name] = decodeURIComponent(value)
    } catch {
      return null
    }
  }
  return found
}

/** The first entry whose path fits, with its parameters. */
export function findScreenIn<Entry extends { path: string }>(
  entries: readonly Entry[],
  path: string,
): { entry: Entry; params: Record<string, string> } | null {
  for (const entry of entries) {
    const params = matchPath(entry.path, path)
    if (params) return { entry, params }
  }
  return null
}
