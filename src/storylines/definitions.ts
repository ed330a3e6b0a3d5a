import { and, eq, inArray } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import type { Db } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { storylineRevisions, storylines } from '../db/tables/storylines'
import type { StorylineRevision } from './records'

/** The name of the agent that a storyline speaks as; null where the two are not live: then nothing moves. */
export async function findSpeaker(db: Db, tenantId: string, id: string): Promise<string | null> {
  const { agentName, publishedRevisionId } = storylines
  const [row] = await pickOwn(
    db,
    storylines,
    tenantId,
    { publishedRevisionId, agentName },
    eq(storylines.id, id),
  )
    .innerJoin(
      agents,
      and(
        eq(agents.tenantId, storylines.tenantId),
        eq(agents.name, agentName),
        eq(agents.published, true),
      ),
    )
    .limit(1)
  return row?.publishedRevisionId == null ? null : row.agentName
}

/** The live revision of a storyline that another one names as its next; null where it is not published, or not its agent's. */
export async function nextLiveRevision(
  db: Db,
  tenantId: string,
  storylineId: string,
  nextId: string,
): Promise<string | null> {
  const { id, agentName, publishedRevisionId } = storylines
  const rows = await pickOwn(
    db,
    storylines,
    tenantId,
    { id, agentName, publishedRevisionId },
    inArray(id, [storylineId, nextId]),
  )
  const from = rows.find((row) => row.id === storylineId)
  const next = rows.find((row) => row.id === nextId)
  return next && next.agentName === from?.agentName ? next.publishedRevisionId : null
}

/** Revisions never change, so what was read once is right for good. */
const known = new Map<string, StorylineRevision>()

/** @returns null when there is none, or it is another tenant's. */
export async function revision(
  db: Db,
  tenantId: string,
  id: string,
): Promise<StorylineRevision | null> {
  const name = `${tenantId} ${id}`
  const found = known.get(name) ?? (await readRevision(db, tenantId, id))
  if (!found) return null
  // What was used last stands last, and what was not used for longest goes first.
  known.delete(name)
  known.set(name, found)
  for (const oldest of known.keys()) {
    if (known.size <= STORYLINES.keptRevisions) break
    known.delete(oldest)
  }
  return found
}

async function readRevision(
  db: Db,
  tenantId: string,
  id: string,
): Promise<StorylineRevision | null> {
  const row = await findOwn(db, storylineRevisions, tenantId, eq(storylineRevisions.id, id))
  if (!row) return null
  const { tenantId: _, actor: __, ...revision } = row
  return revision
}
