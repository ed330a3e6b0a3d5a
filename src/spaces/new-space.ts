import { isTaken } from '../db/sql-errors'
import type { SpaceRow } from '../db/tables/spaces'
import { newId, newTag } from '../platform/ids'

const TAG_TRIES = 5

/** The row of a space that is about to be. */
export const newSpace = (
  owner: Pick<SpaceRow, 'tenantId' | 'userId' | 'name' | 'isDefault'>,
  now: number,
): SpaceRow => ({
  ...owner,
  id: newId(now),
  tag: newTag(),
  sessionCount: 0,
  countedAt: 0,
  createdAt: now,
  updatedAt: now,
})

/** Runs what stores a new space, and again with another where its tag is taken: of 2^40 tags some are. */
export async function untilTagIsFree<T>(store: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await store()
    } catch (error) {
      if (!isTaken(error, 'spaces.tag') || attempt > TAG_TRIES) throw error
    }
  }
}
