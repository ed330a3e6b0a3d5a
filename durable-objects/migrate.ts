/**
 * Brings an object's SQLite schema up to date: one read when it already is.
 * Each step runs in a transaction with its version, so a crash between two leaves a defined schema.
 */
export function migrate(storage: DurableObjectStorage, steps: readonly string[]): void {
  const { sql } = storage
  sql.exec(
    'CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)',
  )
  const row = sql
    .exec<{ version: number }>('SELECT version FROM schema_version WHERE id = 1')
    .toArray()[0]
  for (let version = row?.version ?? 0; version < steps.length; version++) {
    storage.transactionSync(() => {
      sql.exec(steps[version] ?? '')
      sql.exec(
        'INSERT INTO schema_version (id, version) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version',
        version + 1,
      )
    })
  }
}
