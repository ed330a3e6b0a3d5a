import type { EnrollmentStatus } from '../../../src/config/names'
import type { EnrollmentHead } from '../../../src/storylines/enrollment'

export interface EnrollmentRow extends Record<string, SqlStorageValue> {
  id: string
  storyline_id: string
  revision_id: string
  agent_id: string
  status: EnrollmentStatus
  paused_by: string | null
  node: string
  session_id: string
  due_at: number | null
  holds: number
  kept_sealed: string
  reports: number
  /** A merge ended it, and the directory does not know yet. */
  unreported: number
  entered_node_at: number
  last_turn_at: number
  created_at: number
  updated_at: number
}

/** Where the user is in storylines, what led there, and what the directory is still to be told. Sealed already. */
export class EnrollmentStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(id: string): EnrollmentRow | undefined {
    return this.#sql.exec<EnrollmentRow>('SELECT * FROM enrollments WHERE id = ?', id).toArray()[0]
  }

  /** Those of an agent that are not over, or whose end still holds; what spoke last comes first. */
  inForce(agentId: string): EnrollmentRow[] {
    return this.#sql
      .exec<EnrollmentRow>(
        `SELECT * FROM enrollments WHERE agent_id = ? AND status IN ('offered', 'active', 'paused', 'completed')
         AND (status <> 'completed' OR holds = 1)`,
        agentId,
      )
      .toArray()
      .sort((a, b) => b.last_turn_at - a.last_turn_at || (a.id < b.id ? 1 : -1))
  }

  /** Those of an agent that are over. */
  past(agentId: string): EnrollmentRow[] {
    return this.#sql
      .exec<EnrollmentRow>(
        "SELECT * FROM enrollments WHERE agent_id = ? AND status IN ('completed', 'exited', 'failed')",
        agentId,
      )
      .toArray()
  }

  all(): EnrollmentRow[] {
    return this.#sql.exec<EnrollmentRow>('SELECT * FROM enrollments ORDER BY id').toArray()
  }

  put(head: EnrollmentHead, keptSealed: string): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO enrollments (id, storyline_id, revision_id, agent_id, status, paused_by, node, session_id, due_at, holds, kept_sealed, reports, entered_node_at, last_turn_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      head.id,
      head.storylineId,
      head.revisionId,
      head.agentId,
      head.status,
      head.pausedBy,
      head.node,
      head.sessionId,
      head.dueAt,
      head.holds ? 1 : 0,
      keptSealed,
      head.reports,
      head.enteredNodeAt,
      head.lastTurnAt,
      head.createdAt,
      head.updatedAt,
    )
  }

  /** What a merge ended is reported with the next report. */
  unreported(): EnrollmentRow[] {
    return this.#sql.exec<EnrollmentRow>('SELECT * FROM enrollments WHERE unreported = 1').toArray()
  }

  /** Those that one keeps waiting. */
  restedBy(id: string): EnrollmentRow[] {
    return this.all().filter((row) => row.paused_by === id && row.status === 'paused')
  }

  /** The one of a storyline that is under way. */
  goingOn(storylineId: string): string | null {
    const [row] = this.#sql
      .exec<{ id: string }>(
        "SELECT id FROM enrollments WHERE storyline_id = ? AND status IN ('offered', 'active', 'paused') AND status <> 'offered'",
        storylineId,
      )
      .toArray()
    return row?.id ?? null
  }

  /** @param by what it waits for; null lets it go on. */
  restBy(id: string, by: string | null): void {
    this.#sql.exec(
      "UPDATE enrollments SET paused_by = ?, status = iif(? IS NULL, 'active', status) WHERE id = ?",
      by,
      by,
      id,
    )
  }

  noteReported(id: string, reports: number): void {
    this.#sql.exec('UPDATE enrollments SET reports = ?, unreported = 0 WHERE id = ?', reports, id)
  }

  due(now: number, limit: number): EnrollmentRow[] {
    return this.#sql
      .exec<EnrollmentRow>(
        'SELECT * FROM enrollments WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
        now,
        limit,
      )
      .toArray()
  }

  nextDue(after: number): number | null {
    return this.#sql
      .exec<{ due: number | null }>(
        'SELECT min(due_at) AS due FROM enrollments WHERE due_at > ?',
        after,
      )
      .one().due
  }

  addStep(enrollmentId: string, n: number, bodySealed: string, now: number): void {
    this.#sql.exec(
      'INSERT INTO enrollment_steps (enrollment_id, n, body_sealed, created_at) VALUES (?, ?, ?, ?)',
      enrollmentId,
      n,
      bodySealed,
      now,
    )
  }

  /** The number of the step that is added next. */
  nextStep(enrollmentId: string): number {
    return (
      (this.#sql
        .exec<{ n: number | null }>(
          'SELECT max(n) AS n FROM enrollment_steps WHERE enrollment_id = ?',
          enrollmentId,
        )
        .one().n ?? 0) + 1
    )
  }

  call(enrollmentId: string, step: number): string | null {
    const [row] = this.#sql
      .exec<{ body_sealed: string }>(
        'SELECT body_sealed FROM enrollment_calls WHERE enrollment_id = ? AND step = ?',
        enrollmentId,
        step,
      )
      .toArray()
    return row?.body_sealed ?? null
  }

  putCall(enrollmentId: string, step: number, bodySealed: string): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO enrollment_calls (enrollment_id, step, body_sealed) VALUES (?, ?, ?)',
      enrollmentId,
      step,
      bodySealed,
    )
  }

  /** Calls whose step is behind the enrollment, or behind the first turn of a storyline. */
  dropCalls(enrollmentId: string): void {
    this.#sql.exec('DELETE FROM enrollment_calls WHERE enrollment_id = ?', enrollmentId)
  }

  addReport(enrollmentId: string, n: number, body: string): void {
    this.#sql.exec(
      'INSERT INTO enrollment_reports (enrollment_id, n, body) VALUES (?, ?, ?)',
      enrollmentId,
      n,
      body,
    )
  }

  /** Of each enrollment the report that the directory is told next. */
  nextReports(limit: number): { enrollment_id: string; n: number; body: string }[] {
    return this.#sql
      .exec<{ enrollment_id: string; n: number; body: string }>(
        `SELECT enrollment_id, n, body FROM enrollment_reports r
         WHERE n = (SELECT min(n) FROM enrollment_reports WHERE enrollment_id = r.enrollment_id)
         ORDER BY enrollment_id LIMIT ?`,
        limit,
      )
      .toArray()
  }

  /** What the directory is to be told, each enrollment's in their order. */
  owedReports(limit: number): { body: string }[] {
    return this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM enrollment_reports ORDER BY enrollment_id, n LIMIT ?',
        limit,
      )
      .toArray()
  }

  /** Those up to a number. */
  dropReports(enrollmentId: string, n: number): void {
    this.#sql.exec(
      'DELETE FROM enrollment_reports WHERE enrollment_id = ? AND n <= ?',
      enrollmentId,
      n,
    )
  }

  /** The storyline was deleted, and with it what was noted in it. */
  remove(id: string): void {
    this.#sql.exec('DELETE FROM enrollment_steps WHERE enrollment_id = ?', id)
    this.#sql.exec('DELETE FROM enrollment_calls WHERE enrollment_id = ?', id)
    this.#sql.exec('DELETE FROM enrollment_reports WHERE enrollment_id = ?', id)
    this.#sql.exec('DELETE FROM enrollments WHERE id = ?', id)
  }
}
