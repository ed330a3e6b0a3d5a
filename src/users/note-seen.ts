/**
 * Notes when users and the keys behind them were last seen, with the usage that tells of it: a turn writes nothing of its own.
 * @param booked as JSON: an array of objects with `user_id`, `seen_at`, zero for what no user asked for, and `keys_seen`: the times by
 * key, as JSON of its own.
 */
export function noteSeen(d1: D1Database, tenantId: string, booked: string): D1PreparedStatement[] {
  return [
    d1.prepare(
      `UPDATE users SET last_active_at = seen.at FROM (
         SELECT value ->> 'user_id' AS id, max(value ->> 'seen_at') AS at FROM json_each(?2) GROUP BY 1
       ) AS seen WHERE users.tenant_id = ?1 AND users.id = seen.id AND users.last_active_at < seen.at`,
    ),
    d1.prepare(
      `UPDATE api_keys SET last_used_at = seen.at FROM (
         SELECT used.key AS id, max(used.value) AS at
         FROM json_each(?2) AS booked, json_each(booked.value ->> 'keys_seen') AS used GROUP BY 1
       ) AS seen WHERE api_keys.tenant_id = ?1 AND api_keys.id = seen.id AND coalesce(api_keys.last_used_at, 0) < seen.at`,
    ),
  ].map((statement) => statement.bind(tenantId, booked))
}
