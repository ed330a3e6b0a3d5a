/** What can be undone: at most 100 steps. Edits of one mark that follow each other closely are one step, as typing is. */
export interface History<T> {
  past: readonly T[]
  present: T
  future: readonly T[]
  mark: string | null
  at: number
}

const STEPS = 100
const TOGETHER_MS = 1000

export const begin = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  mark: null,
  at: 0,
})

/** @param mark names what is edited; null is always a step of its own. */
export function edited<T>(
  history: History<T>,
  next: T,
  mark: string | null,
  now: number,
): History<T> {
  if (Object.is(next, history.present)) return history
  const together = mark !== null && mark === history.mark && now - history.at < TOGETHER_MS
  const past = together ? history.past : [...history.past, history.present].slice(-STEPS)
  return { past, present: next, future: [], mark, at: now }
}

export function undone<T>(history: History<T>): History<T> {
  const last = history.past.at(-1)
  if (last === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: last,
    future: [history.present, ...history.future],
    mark: null,
    at: 0,
  }
}

export function redone<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future, mark: null, at: 0 }
}
