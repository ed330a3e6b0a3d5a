import { LIMITS } from '../config/limits'

const BATCH_TENANTS = 100

/**
 * Drops entries older than two years, up to the first that is younger, and keeps each tenant's last dropped hash as the
 * anchor of what remains. The trigger refuses anything younger, so a wrong clock cannot cut the trail. Read are the old
 * entries and one that is not, of each tenant.
 */
export async function purgeAudit(env: Env, now: number): Promise<void> {
  const date = new Date(now)
  const before = Date.UTC(
    date.getUTCFullYear() - LIMITS.auditYears,
    date.getUTCMonth(),
    date.getUTCDate(),
  )
  for (;;) {
    const { results } = await env.DB.prepare(
      `SELECT id AS tenant_id, coalesce(
       (SELECT min(seq) - 1 FROM audit WHERE tenant_id = tenants.id AND (created_at >= ?1 OR hash = '')),
       (SELECT max(seq) FROM audit WHERE tenant_id = tenants.id)) AS seq FROM tenants
       WHERE (SELECT iif(hash = '', NULL, created_at) FROM audit WHERE tenant_id = tenants.id ORDER BY seq LIMIT 1) < ?1 LIMIT ?2`,
    )
      .bind(before, BATCH_TENANTS)
      .all<{ tenant_id: string; seq: number }>()
    if (results.length === 0) return
    await env.DB.batch(
      results.flatMap(({ tenant_id, seq }) => [
        env.DB.prepare(
          `INSERT OR REPLACE INTO audit_anchors (tenant_id, seq, hash)
           SELECT tenant_id, seq, hash FROM audit WHERE tenant_id = ?1 AND seq = ?2`,
        ).bind(tenant_id, seq),
        env.DB.prepare('DELETE FROM audit WHERE tenant_id = ?1 AND seq <= ?2').bind(tenant_id, seq),
      ]),
    )
    if (results.length < BATCH_TENANTS) return
  }
}
