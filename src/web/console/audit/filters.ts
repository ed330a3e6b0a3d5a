import type { Query } from '../api/create-api'

export const FILTERS = ['action', 'entity', 'q', 'date_from', 'date_to'] as const

/** The filters of the address as the API takes them. Days are those of the reader's clock, by which entries are shown. */
export function readFilters(query: URLSearchParams): Query {
  const given = FILTERS.map((name) => [name, query.get(name)] as const)
  const changesOnly = query.get('changes_only') === 'true'
  return {
    ...Object.fromEntries(given),
    date_from: momentOf(query.get('date_from'), (day) => day),
    date_to: momentOf(query.get('date_to'), (day) => day.setDate(day.getDate() + 1) - 1),
    changes_only: changesOnly || null,
  }
}

/** What is no day goes as it is, for the API to refuse. */
function momentOf(text: string | null, of: (midnight: Date) => Date | number): string | null {
  const midnight = new Date(`${text}T00:00`)
  return Number.isNaN(midnight.getTime()) ? text : new Date(of(midnight)).toISOString()
}

export const isFiltered = (filters: Query): boolean =>
  Object.values(filters).some((value) => value !== null && value !== undefined && value !== '')

export const NO_FILTERS: Record<string, null> = {
  ...Object.fromEntries(FILTERS.map((name) => [name, null])),
  changes_only: null,
}
