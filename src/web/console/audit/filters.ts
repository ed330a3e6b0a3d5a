import type { Query } from '../api/create-api'

export const FILTERS = ['action', 'entity', 'q', 'date_from', 'date_to'] as const

/** The filters of the address as the API takes them. */
export function readFilters(query: URLSearchParams): Query {
  const given = FILTERS.map((name) => [name, query.get(name)] as const)
  const changesOnly = query.get('changes_only') === 'true'
  return { ...Object.fromEntries(given), changes_only: changesOnly || null }
}

export const isFiltered = (filters: Query): boolean =>
  Object.values(filters).some((value) => value !== null && value !== undefined && value !== '')

export const NO_FILTERS: Record<string, null> = {
  ...Object.fromEntries(FILTERS.map((name) => [name, null])),
  changes_only: null,
}
