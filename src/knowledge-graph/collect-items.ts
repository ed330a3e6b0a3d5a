import { and, asc, eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import { users } from '../db/tables/users'
import { notFound } from '../errors'
import { askPart } from '../platform/stubs'
import type { SpaceCaller } from '../spaces/caller'
import type { GraphItem, GraphItems, GraphSource } from './types'

export interface Selection {
  userId: string
  /** Null for all of the user's spaces. */
  spaceId: string | null
  source: GraphSource
  limit: number
  query: string
}

/** The user's spaces, or the one that is asked for. @throws notFound for a user or a space that is not there. */
export async function findSpaces(
  ctx: TenantContext,
  { userId, spaceId }: Pick<Selection, 'userId' | 'spaceId'>,
): Promise<SpaceRow[]> {
  const rows = await pickOwn(
    ctx.db,
    spaces,
    ctx.tenant.id,
    { space: spaces },
    eq(spaces.userId, userId),
  )
    .innerJoin(users, and(eq(users.id, spaces.userId), eq(users.status, 'active')))
    .orderBy(asc(spaces.id))
  if (rows.length === 0) throw notFound('User')
  const all = rows.map(({ space }) => space)
  if (spaceId === null) return all
  const chosen = all.filter(({ id }) => id === spaceId)
  if (chosen.length === 0) throw notFound('Space')
  return chosen
}

/**
 * Collects the items of spaces one after the other, never more than `limit` at a time beside those of one space: what matches the
 * query first, then what matters most, then the newest. In the order of their ids, so that a map does not depend on it.
 */
export async function collectItems(
  ctx: TenantContext,
  from: readonly SpaceRow[],
  { source, limit, query }: Selection,
  matches: (text: string) => boolean,
  onSpace: (done: number) => Promise<void>,
): Promise<GraphItems> {
  let kept: { item: GraphItem; matched: number }[] = []
  let total = 0
  for (const [index, space] of from.entries()) {
    const wanted = { source, limit, query }
    const answer = await askPart(ctx.env, callerFor(ctx, space), 'graph', 'list', wanted)
    if (!answer.ok) throw refused(answer.refusal.reason)
    total += answer.value.total
    kept = [
      ...kept,
      ...answer.value.items.map((item) => ({ item, matched: matches(item.text) ? 1 : 0 })),
    ]
      .sort(
        (x, y) =>
          y.matched - x.matched ||
          y.item.weight - x.item.weight ||
          y.item.at - x.item.at ||
          (x.item.id < y.item.id ? -1 : 1),
      )
      .slice(0, limit)
    await onSpace(index + 1)
  }
  const items = kept.map(({ item }) => item).sort((x, y) => (x.id < y.id ? -1 : 1))
  return { items, total }
}

/** @throws notFound when none of the spaces has the item. */
export async function readItem(
  ctx: TenantContext,
  from: readonly SpaceRow[],
  id: string,
  source: GraphSource,
): Promise<GraphItem> {
  const kind: GraphItem['source'] = id.includes('.') ? 'knowledge' : 'memory'
  for (const space of source === 'all' || source === kind ? from : []) {
    const answer = await askPart(ctx.env, callerFor(ctx, space), 'graph', 'read', id)
    if (!answer.ok) throw refused(answer.refusal.reason)
    if (answer.value) return answer.value
  }
  throw notFound('Item')
}

/** The tenant may read what its users' spaces hold; privacy mode leaves out content later. */
function callerFor(ctx: TenantContext, space: SpaceRow): SpaceCaller {
  return {
    address: { tenantId: ctx.tenant.id, userId: space.userId, spaceId: space.id },
    tag: space.tag,
    wrappedTenantKey: ctx.tenant.wrappedKey,
    tokenVersion: null,
    privacy: ctx.tenant.privacyMode,
  }
}

const refused = (reason: string) => notFound(reason === 'user_gone' ? 'User' : 'Space')
