import type { ApiProblem } from '../api/problem'

const isOf = (path: string, field: string) => path === field || path.startsWith(`${field}.`)

/** What the API says of one field, or of something within it. */
export const fieldError = (problem: ApiProblem | null, field: string): string | null =>
  problem?.fields.find(({ path }) => isOf(path, field))?.message ?? null

/** A problem that no field of the form shows. */
export const unlessShown = (
  problem: ApiProblem | null,
  fields: readonly string[],
): ApiProblem | null =>
  problem?.fields.length &&
  problem.fields.every(({ path }) => fields.some((field) => isOf(path, field)))
    ? null
    : problem
