import type { ApiProblem } from '../api/call'

/** What the API says of one field. */
export const fieldError = (problem: ApiProblem | null, path: string): string | null =>
  problem?.fields.find((field) => field.path === path)?.message ?? null

/** A problem that no field of the form shows. */
export const unlessShown = (
  problem: ApiProblem | null,
  paths: readonly string[],
): ApiProblem | null =>
  problem?.fields.length && problem.fields.every(({ path }) => paths.includes(path))
    ? null
    : problem
