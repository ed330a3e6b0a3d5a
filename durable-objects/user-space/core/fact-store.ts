/** What the object knows of itself, by name. */
export class FactStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(name: string): string | null {
    const rows = this.#sql.exec<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)
    return rows.toArray()[0]?.value ?? null
  }

  set(name: string, value: string): void {
    this.#sql.exec(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }

  drop(name: string): void {
    this.#sql.exec('DELETE FROM facts WHERE name = ?', name)
  }
}
