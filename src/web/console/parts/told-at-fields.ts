import type { FieldProblem } from '../api/problem'

/** Whether a fault at `path` is one of `place`, or of something within it. */
export const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`)

/** Whether each fault is shown at a field, so that it need not be said again by the API's name of it. */
export const isToldAtFields = (
  faults: readonly FieldProblem[],
  places: ReadonlySet<string>,
): boolean =>
  faults.length > 0 &&
  faults.every(({ path }) => [...places].some((place) => isWithin(path, place)))
