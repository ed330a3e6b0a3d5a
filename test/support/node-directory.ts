import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations')

/** D1's content in plain Node: every migration applied, nothing in the tables. */
export class NodeDirectory {
  readonly db = new DatabaseSync(':memory:')

  constructor() {
    for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
      this.db.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  }

  /** A row with what is given; what else must be there is empty. */
  insert(table: string, given: Record<string, string | number>): void {
    const needed = this.db
      .prepare(
        'SELECT name, type FROM pragma_table_info(?) WHERE "notnull" = 1 AND dflt_value IS NULL',
      )
      .all(table)
      .map(({ name, type }) => [String(name), type === 'TEXT' ? '' : 1] as const)
    const row = { ...Object.fromEntries(needed), ...given }
    const names = Object.keys(row)
    this.db
      .prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      )
      .run(...Object.values(row))
  }
}
