import { DAY_MS } from '../config/limits'

/** One merge as D1 knows it. */
export interface MergeNote {
  id: string
  tenantId: string
  userId: string
  sourceId: string
  targetId: string
}

const KEPT_MS = DAY_MS
/** A merge that was not given up holds both its spaces. */
const HELD = "state <> 'aborted'"
const COMMITTED = "FROM space_merges m WHERE m.id = ?1 AND m.state = 'committed'"

/** @returns false when one of the two is part of a merge already, is gone, or may not be merged away. */
export async function lockMerge(db: D1Database, merge: MergeNote, now: number): Promise<boolean> {
  const { id, tenantId, userId, sourceId, targetId } = merge
  const { results } = await primary(db)
    .prepare(
      `INSERT INTO space_merges (id, tenant_id, user_id, source_id, target_id, state, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, 'staging', ?6
       WHERE NOT EXISTS (SELECT 1 FROM space_merges WHERE tenant_id = ?2 AND user_id = ?3 AND ${HELD}
           AND (source_id IN (?4, ?5) OR target_id IN (?4, ?5)))
         AND EXISTS (SELECT 1 FROM spaces WHERE id = ?4 AND tenant_id = ?2 AND user_id = ?3 AND is_default = 0)
         AND EXISTS (SELECT 1 FROM spaces WHERE id = ?5 AND tenant_id = ?2 AND user_id = ?3)
       ON CONFLICT (id) DO NOTHING RETURNING id`,
    )
    .bind(id, tenantId, userId, sourceId, targetId, now)
    .all()
  return results.length > 0
}

/**
 * The commit point: one batch in which the source ceases to be and all that led to it leads to the target. Ids lead to the
 * source's object until the merge is finished: it still has what they name, and says where it went afterwards.
 * @returns false when the merge was given up, or the target is gone. An error leaves open what happened: `decideMerge`.
 */
export async function commitMerge(db: D1Database, id: string): Promise<boolean> {
  const session = primary(db)
  const [committed] = await session.batch(
    [
      `UPDATE space_merges SET state = 'committed',
           source_tag = (SELECT s.tag FROM spaces s WHERE s.id = source_id)
       WHERE id = ?1 AND state = 'staging'
         AND EXISTS (SELECT 1 FROM spaces WHERE id = target_id) RETURNING id`,
      `INSERT OR IGNORE INTO space_agents (space_id, tenant_id, agent_id, created_at)
       SELECT m.target_id, a.tenant_id, a.agent_id, a.created_at FROM space_merges m
         JOIN spaces t ON t.id = m.target_id AND t.is_default = 0
         JOIN space_agents a ON a.space_id = m.source_id
       WHERE m.id = ?1 AND m.state = 'committed'`,
      `UPDATE space_tags SET merge_id = ?1 WHERE space_id = (SELECT m.source_id ${COMMITTED})`,
      `INSERT INTO space_tags (tag, tenant_id, user_id, space_id, merge_id)
       SELECT s.tag, s.tenant_id, s.user_id, m.target_id, m.id FROM space_merges m JOIN spaces s ON s.id = m.source_id
       WHERE m.id = ?1 AND m.state = 'committed'`,
      ...MOVED_REFERENCES.map(
        (table) =>
          `UPDATE ${table} SET space_id = (SELECT m.target_id ${COMMITTED})
           WHERE space_id = (SELECT m.source_id ${COMMITTED})`,
      ),
      `UPDATE spaces SET session_count = session_count
           + (SELECT s.session_count FROM spaces AS s WHERE s.id = (SELECT m.source_id ${COMMITTED}))
         WHERE id = (SELECT m.target_id ${COMMITTED})`,
      `DELETE FROM spaces WHERE id = (SELECT m.source_id ${COMMITTED})`,
    ].map((statement) => session.prepare(statement).bind(id)),
  )
  return (committed?.results.length ?? 0) > 0
}

/** Tables of D1 whose `space_id` follows its space into another one. */
export const MOVED_REFERENCES: readonly string[] = [
  'space_tags',
  'channel_links',
  'channel_codes',
  'storyline_enrollments',
  'handoffs',
]

/** Those whose `space_id` does not, and why. */
export const KEPT_REFERENCES: Readonly<Record<string, string>> = {
  space_agents: 'copied where the target does not have them; its own rows go with the space',
  usage_hourly: 'a record of what happened where',
  deletions: 'a space that is being removed goes nowhere',
}

/** What became of a merge, for good: one that is not committed by now never will be. Safe to run twice. */
export async function decideMerge(
  db: D1Database,
  { id, tenantId, userId, sourceId, targetId }: MergeNote,
  now: number,
): Promise<'committed' | 'aborted'> {
  const session = primary(db)
  const [, read] = await session.batch<{ state: string }>([
    session
      .prepare(
        `INSERT INTO space_merges (id, tenant_id, user_id, source_id, target_id, state, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 'aborted', ?6)
         ON CONFLICT (id) DO UPDATE SET state = 'aborted' WHERE state = 'staging'`,
      )
      .bind(id, tenantId, userId, sourceId, targetId, now),
    session.prepare('SELECT state FROM space_merges WHERE id = ?').bind(id),
  ])
  return read?.results[0]?.state === 'committed' ? 'committed' : 'aborted'
}

/** A committed merge has been carried through. */
export async function finishMerge(db: D1Database, id: string): Promise<void> {
  await primary(db)
    .prepare("DELETE FROM space_merges WHERE id = ? AND state = 'committed'")
    .bind(id)
    .run()
}

/** Notes of merges that were given up, once nothing of them can be under way any more. */
export async function purgeMerges(env: Env, now: number): Promise<void> {
  await env.DB.prepare("DELETE FROM space_merges WHERE state = 'aborted' AND created_at < ?")
    .bind(now - KEPT_MS)
    .run()
}

const primary = (db: D1Database) => db.withSession('first-primary')
