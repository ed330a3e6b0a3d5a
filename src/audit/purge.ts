import { LIMITS } from '../config/limits'

const BATCH_TENANTS = 100

/**
 * Drops entries older than two years and keeps each tenant's last dropped hash as the anchor of what remains. The trigger
 * refuses anything younger, so a wrong clock cannot cut the trail.
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
      `SELECT tenant_id, max(seq) AS seq FROM audit WHERE created_at < ? AND hash <> '' GROUP BY tenant_id LIMIT ?`,
    )
      .bind(before, BATCH_TENANTS)
      .all<{ tenant_id: string; seq: number }>()
    for (const { tenant_id, seq } of results) {
      await env.DB.batch([
        env.DB.prepare(
          `INSERT INTO audit_anchors (tenant_id, seq, hash) SELECT tenant_id, seq, hash FROM audit WHERE tenant_id = ?1 AND seq = ?2
           ON CONFLICT (tenant_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
        ).bind(tenant_id, seq),
        env.DB.prepare('DELETE FROM audit WHERE tenant_id = ?1 AND seq <= ?2').bind(tenant_id, seq),
      ])
    }
    if (results.length < BATCH_TENANTS) return
  }
}
