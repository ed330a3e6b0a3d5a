/** More than an awake object asks for. */
const KEPT = 500
const AT_WAKE = [
  ...['address', 'tag', 'tenant_key', 'token_version', 'ceiling', 'shared', 'deleted'],
  ...['privacy', 'byok', 'settings_at', 'moved_to', 'merge'],
]

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

  /** One read for all that an object asks of itself when it wakes. */
  readForWake(): void {
    const rows = this.#sql
      .exec<{ name: string; value: string }>(
        'SELECT name, value FROM facts WHERE name IN (SELECT value FROM json_each(?))',
        JSON.stringify(AT_WAKE),
      )
      .toArray()
    for (const name of AT_WAKE) this.#known.set(name, null)
    for (const { name, value } of rows) this.#known.set(name, value)
  }

  /** As `set`, some at once. */
  setAll(facts: Readonly<Record<string, string>>): void {
    for (const name of Object.keys(facts)) this.#known.delete(name)
    this.#sql.exec(
      `INSERT INTO facts (name, value) SELECT key, value FROM json_each(?) WHERE true
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      JSON.stringify(facts),
    )
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
