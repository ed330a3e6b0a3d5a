/** More than an awake object asks for. */
const KEPT = 500

/**
 * What the object knows of itself, by name. A turn asks for some of it every time, so what was read stays in memory: a
 * transaction must not read what it set itself, because it may be taken back.
 */
export class FactStore {
  readonly #sql: SqlStorage
  readonly #known = new Map<string, string | null>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(name: string): string | null {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const rows = this.#sql.exec<{ value: string }>('SELECT value FROM facts WHERE name = ?', name)
    const value = rows.toArray()[0]?.value ?? null
    if (this.#known.size >= KEPT) this.#known.clear()
    this.#known.set(name, value)
    return value
  }

  set(name: string, value: string): void {
    this.#known.delete(name)
    this.#sql.exec(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }

  /** A merge wrote rows here or took them away. */
  forget(): void {
    this.#known.clear()
  }

  drop(name: string): void {
    this.#known.delete(name)
    this.#sql.exec('DELETE FROM facts WHERE name = ?', name)
  }
}
