export interface Change {
  path: string
  from: unknown
  to: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What differs between two values, by the path of each field. Lists are taken as wholes. */
export function changedFields(before: unknown, after: unknown, path = ''): Change[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) =>
      changedFields(before[name], after[name], path === '' ? name : `${path}.${name}`),
    )
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, from: before, to: after }]
}

/** A value as it is read: text as it stands, everything else as JSON, nothing as nothing. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

export interface Line {
  kind: 'added' | 'removed' | 'same'
  text: string
}

const MAX_LINES = 400
/** Lines around a change that are shown with it. */
const AROUND = 2

/**
 * The lines of two texts by their longest common subsequence (Wagner and Fischer, 1974), unchanged ones only beside a
 * change. Longer texts than 400 lines are shown as taken away and added whole.
 */
export function lineDiff(before: string, after: string): Line[] {
  const [a, b] = [before, after].map((text) => (text === '' ? [] : text.split('\n'))) as [
    string[],
    string[],
  ]
  if (a.length > MAX_LINES || b.length > MAX_LINES)
    return [
      ...a.map((text) => ({ kind: 'removed' as const, text })),
      ...b.map((text) => ({ kind: 'added' as const, text })),
    ]
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [old, fresh] = [a[i], b[j]]
    if (old !== undefined && old === fresh) {
      lines.push({ kind: 'same', text: old })
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old })
      i++
    } else {
      lines.push({ kind: 'added', text: fresh ?? '' })
      j++
    }
  }
  const isNear = (place: number) =>
    lines.slice(Math.max(0, place - AROUND), place + AROUND + 1).some(({ kind }) => kind !== 'same')
  return lines.filter((line, place) => line.kind !== 'same' || isNear(place))
}
