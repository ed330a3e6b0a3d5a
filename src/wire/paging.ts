import * as z from 'zod'
import type { Config } from '../config/read-config'
import { invalid } from '../errors'
import { cursorScope, decodeCursor, encodeCursor } from '../platform/crypto/cursor'
import { purposeKey } from '../platform/secrets'

/** A page of a list that grows. `next_cursor` is null on the last one. */
export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() })

/** A list that is read page by page. `Row` is what is read, `At` the place where a page ends, `Item` what is shown. */
export interface PagedList<Row, At, Item> {
  /** Names the list; with `filter`, what it is filtered by: a cursor of another list or filter is refused. */
  route: string
  filter?: unknown
  /** The rows behind `after` (null: from the start), one more than `limit` when a further page exists. */
  read(after: At | null, limit: number): Promise<Row[]>
  position(row: Row): At
  present(row: Row): Item | Promise<Item>
}

/**
 * One page, as its caller asked for it. @param ctx the operator's has no tenant
 * @throws ApiError 422 for a cursor that is malformed, forged, or of another tenant, list or filter.
 */
export async function readPage<Row, At, Item>(
  ctx: { config: Config; tenant?: { id: string } },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  list: PagedList<Row, At, Item>,
): Promise<Page<Item>> {
  const key = () => purposeKey(ctx.config, 'cursor')
  const scope = cursorScope(ctx.tenant?.id ?? '', list.route, list.filter ?? null)
  const after = cursor === undefined ? null : await decodeCursor(await key(), scope, cursor)
  if (cursor !== undefined && after === null)
    throw invalid(
      ['query', 'cursor'],
      'the cursor is not valid for this list; start again without one',
    )
  const rows = await list.read(after as At | null, limit)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const items = await Promise.all(shown.map((row) => list.present(row)))
  if (rows.length <= limit || last === undefined) return { items, next_cursor: null }
  return { items, next_cursor: await encodeCursor(await key(), scope, list.position(last)) }
}

/** Where the specification's answer is a bare list, its next page stands in the `Link` header (RFC 8288). */
export function nextLink(path: string, query: Record<string, unknown>, cursor: string): string {
  const given = Object.entries({ ...query, cursor }).filter(([, value]) => value !== undefined)
  const next = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  return `<${path}?${next}>; rel="next"`
}
