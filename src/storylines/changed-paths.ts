/** As deep as a field of a node. */
const DEPTH = 3
const MAX_PART = 64

/** Where two JSON values differ, as JSON Pointers down to a node's fields; long names are cut. Pure. */
export function changedPaths(before: unknown, after: unknown, at = '', depth = 0): string[] {
  if (before === after) return []
  if (depth === DEPTH || !isHolder(before) || !isHolder(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [at]
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) =>
    changedPaths(was.get(key), is.get(key), `${at}/${partOf(key)}`, depth + 1),
  )
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null

const partOf = (key: string): string =>
  key.slice(0, MAX_PART).replaceAll('~', '~0').replaceAll('/', '~1')
