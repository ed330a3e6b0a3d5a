import type { SessionView } from '../../durable-objects/user-space/sessions/views'
import type { TenantContext } from '../context'
import type { SpaceRow } from '../db/tables/spaces'
import { forbidden } from '../errors'
import { askAsTenant, listUserSpaces } from '../spaces/user-spaces'

export interface SessionPosition {
  updatedAt: number
  id: string
}
export const sessionPosition = ({ updatedAt, id }: SessionView): SessionPosition => ({
  updatedAt,
  id,
})
export interface PlacedSession {
  space: SpaceRow
  view: SessionView
}

/** One more than `limit`, the latest first. */
export async function listSessionsOf(
  ctx: TenantContext,
  spaces: readonly SpaceRow[],
  after: SessionPosition | null,
  limit: number,
): Promise<PlacedSession[]> {
  const found = await Promise.all(
    spaces.map(async (space) => {
      const views = await askAsTenant(ctx, space, 'sessions', 'list', after, limit)
      return views.map((view) => ({ space, view }))
    }),
  )
  return found
    .flat()
    .sort(
      (one, other) =>
        other.view.updatedAt - one.view.updatedAt || (other.view.id < one.view.id ? -1 : 1),
    )
    .slice(0, limit + 1)
}

/** One more than `limit` documents of all spaces of a user, the newest first. @throws notFound. */
export async function listUserDocuments(
  ctx: TenantContext,
  userId: string,
  before: string | null,
  limit: number,
) {
  const spaces = await listUserSpaces(ctx, userId)
  const found = await Promise.all(
    spaces.map(async (space) => {
      const views = await askAsTenant(ctx, space, 'documents', 'list', before, limit)
      return views.map((view) => ({ space, view }))
    }),
  )
  return found
    .flat()
    .sort((one, other) => (other.view.id < one.view.id ? -1 : 1))
    .slice(0, limit + 1)
}

/** In privacy mode nobody but its user reads a message. @throws forbidden. */
export function requireReadable(ctx: TenantContext): void {
  if (ctx.tenant.privacyMode)
    throw forbidden('Privacy mode: messages cannot be read', 'privacy_mode')
}
