import type { EnrollmentReport } from './records'

/**
 * `taken`: now; `known`: before; `early`: the one before it is still to come; `gone`: the storyline or the user is no
 * longer there, and nothing is kept of the enrollment.
 */
export type ReportOutcome = 'taken' | 'known' | 'early' | 'gone'

const COLUMNS = `id, tenant_id, storyline_id, revision_id, user_id, space_id, node_key, status, reports, entered_node_at,
  last_turn_at, created_at, updated_at`

/** Whether the report is the next one of its enrollment: the counts of it and its row go by the same. */
const IS_NEXT = `CASE WHEN ?2 = 1
  THEN NOT EXISTS (SELECT 1 FROM storyline_enrollments WHERE id = ?1)
    AND EXISTS (SELECT 1 FROM storylines WHERE id = ?3 AND tenant_id = ?4)
    AND EXISTS (SELECT 1 FROM users WHERE id = ?5 AND tenant_id = ?4 AND status = 'active')
  ELSE EXISTS (SELECT 1 FROM storyline_enrollments WHERE id = ?1 AND reports = ?2 - 1 AND tenant_id = ?4) END`

/**
 * Directory row and counters of one report in one batch, each report once: delivered again, or after a crash between any
 * two steps, it adds nothing.
 */
export async function takeReport(d1: D1Database, report: EnrollmentReport): Promise<ReportOutcome> {
  const { id, n, storylineId, tenantId, userId } = report
  const key = [id, n, storylineId, tenantId, userId]
  const [, written, read] = await d1
    .withSession('first-primary')
    .batch<{ reports: number | null }>([
      d1
        .prepare(
          `INSERT INTO storyline_counts (tenant_id, storyline_id, node_key, kind, name, n)
         SELECT ?4, ?3, value ->> '$.node', value ->> '$.kind', value ->> '$.name', value ->> '$.n'
         FROM json_each(?6) WHERE ${IS_NEXT}
         ON CONFLICT DO UPDATE SET n = n + excluded.n`,
        )
        .bind(...key, JSON.stringify(report.counts)),
      d1
        .prepare(
          `INSERT INTO storyline_enrollments (${COLUMNS})
         SELECT ?1, ?4, ?3, ?6, ?5, ?7, ?8, ?9, ?2, ?10, ?11, ?12, ?13 WHERE ${IS_NEXT}
         ON CONFLICT (id) DO UPDATE SET revision_id = excluded.revision_id, space_id = excluded.space_id,
           node_key = excluded.node_key, status = excluded.status, reports = excluded.reports,
           entered_node_at = excluded.entered_node_at, last_turn_at = excluded.last_turn_at,
           updated_at = excluded.updated_at
         RETURNING reports`,
        )
        .bind(
          ...key,
          report.revisionId,
          report.spaceId,
          report.node,
          report.status,
          report.enteredNodeAt,
          report.lastTurnAt,
          report.createdAt,
          report.updatedAt,
        ),
      d1
        .prepare(
          `SELECT (SELECT reports FROM storyline_enrollments WHERE id = ?1) AS reports
         FROM storylines AS s, users AS u
         WHERE s.id = ?3 AND s.tenant_id = ?4 AND u.id = ?5 AND u.tenant_id = ?4 AND u.status = 'active'`,
        )
        .bind(...key),
    ])
  if ((written?.results.length ?? 0) > 0) return 'taken'
  const [row] = read?.results ?? []
  if (!row) return 'gone'
  return (row.reports ?? 0) >= n ? 'known' : 'early'
}
