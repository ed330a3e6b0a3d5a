/**
 * Brings an object's SQLite schema up to date: one read when it already is.
 * Each step runs in a transaction with its version, so a crash between two leaves a defined schema.
 * @param whole what all steps come to, which an empty object takes at once
 */
export function migrate(
  storage: DurableObjectStorage,
  steps: readonly string[],
  whole: string | null = null,
): void {
  const { sql } = storage
  const run = (statements: string, version: number) =>
    storage.transactionSync(() => {
      sql.exec(statements)
      sql.exec(
        'INSERT INTO schema_version (id, version) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version',
        version,
      )
    })
  sql.exec(
    'CREATE TABLE IF NOT EXISTS schema_version (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL)',
  )
  const row = sql
    .exec<{ version: number }>('SELECT version FROM schema_version WHERE id = 1')
    .toArray()[0]
  if (!row && whole !== null) run(whole, steps.length)
  else
    for (let version = row?.version ?? 0; version < steps.length; version++)
      run(steps[version] ?? '', version + 1)
}
