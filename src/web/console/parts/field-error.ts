import type { ApiProblem, FieldProblem } from '../api/problem'

/** Whether a fault at `path` is one of `place`, or of something within it. */
const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`)

/** What the API says of one field, or of something within it. */
export const fieldError = (problem: ApiProblem | null, field: string): string | null =>
  problem?.fields.find(({ path }) => isWithin(path, field))?.message ?? null

/** Whether each fault is shown at a field, so that it need not be said again by the API's name of it. */
export const isToldAtFields = (
  faults: readonly FieldProblem[],
  places: Iterable<string>,
): boolean =>
  faults.length > 0 &&
  faults.every(({ path }) => [...places].some((place) => isWithin(path, place)))

/** A problem that no field of the form shows. */
export const unlessShown = (
  problem: ApiProblem | null,
  fields: readonly string[],
): ApiProblem | null => (problem && isToldAtFields(problem.fields, fields) ? null : problem)
