/** What the object knows of itself, by name. */
export class MetaStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(key: string): string | null {
    const rows = this.#sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)
    return rows.toArray()[0]?.value ?? null
  }

  set(key: string, value: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, value)
  }
}
