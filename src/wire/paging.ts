import type { Config } from '../config/read-config'
import { invalid } from '../errors'
import { cursorScope, decodeCursor, encodeCursor } from '../platform/crypto/cursor'
import { purposeKey } from '../platform/secrets'

/** A page of a list that grows. `next_cursor` is null on the last one. */
export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

export interface PageScope {
  config: Config
  tenantId: string
  /** Names the list and what it is filtered by: a cursor of another list or filter is refused. */
  route: string
  filter?: unknown
}

/** @throws ApiError 422 for a cursor that is malformed, forged, or of another tenant, route or filter. */
export async function readCursor<T>(
  scope: PageScope,
  cursor: string | undefined,
): Promise<T | null> {
  if (cursor === undefined) return null
  const key = await purposeKey(scope.config, 'cursor')
  const value = await decodeCursor(
    key,
    cursorScope(scope.tenantId, scope.route, scope.filter ?? null),
    cursor,
  )
  if (value === null)
    throw invalid(
      ['query', 'cursor'],
      'the cursor is not valid for this list; start again without one',
    )
  return value as T
}

/** @param rows one more than `limit` when a further page exists. @param position what the next page starts after. */
export async function makePage<R, T>(
  scope: PageScope,
  rows: R[],
  limit: number,
  position: (row: R) => unknown,
  present: (row: R) => T,
): Promise<Page<T>> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  if (rows.length <= limit || last === undefined)
    return { items: items.map(present), next_cursor: null }
  const key = await purposeKey(scope.config, 'cursor')
  const cursor = await encodeCursor(
    key,
    cursorScope(scope.tenantId, scope.route, scope.filter ?? null),
    position(last),
  )
  return { items: items.map(present), next_cursor: cursor }
}
