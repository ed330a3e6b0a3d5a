import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../durable-objects/migrate'
import { SPACE_MIGRATIONS } from '../../durable-objects/user-space/core/schema'
import { SPACE_SCHEMA } from '../../durable-objects/user-space/core/schema-whole'
import { NodeStorage } from '../support/node-object'

/** Tables with their columns in order, and indexes with what they are of and what they hold for. */
function describeSchema(db: DatabaseSync) {
  const rows = (sql: string, ...args: string[]) => db.prepare(sql).all(...args)
  const names = (type: string) =>
    rows('SELECT name FROM sqlite_master WHERE type = ? ORDER BY name', type).map(({ name }) =>
      String(name),
    )
  const tables = names('table').map((name) => ({
    name,
    kind: rows('SELECT wr, strict FROM pragma_table_list(?)', name),
    columns: rows('SELECT * FROM pragma_table_xinfo(?)', name),
    checks: rows('SELECT sql FROM sqlite_master WHERE name = ?', name).flatMap(
      ({ sql }) => String(sql).match(/CHECK \(.*?\)/gu) ?? [],
    ),
  }))
  const indexes = names('index').map((name) => ({
    name,
    columns: rows('SELECT * FROM pragma_index_xinfo(?)', name),
    rule: rows('SELECT sql FROM sqlite_master WHERE name = ?', name).map(({ sql }) =>
      sql === null ? null : String(sql).replace(/\s+/gu, ' '),
    ),
  }))
  return { tables, indexes }
}

describe('the schema that a new space takes at once', () => {
  it('is what the steps come to', () => {
    const stepped = new DatabaseSync(':memory:')
    for (const step of SPACE_MIGRATIONS) stepped.exec(step)
    const whole = new DatabaseSync(':memory:')
    whole.exec(SPACE_SCHEMA)
    expect(describeSchema(stepped).tables.length).toBeGreaterThan(20)
    expect(describeSchema(whole)).toEqual(describeSchema(stepped))
  })

  it('is taken by an empty object alone, and no step is run after it', () => {
    const storage = new NodeStorage()
    const asked: string[] = []
    const open = (steps: readonly string[]) => {
      const opened = storage.open(() => {})
      const exec = opened.sql.exec.bind(opened.sql)
      opened.sql.exec = ((query: string, ...args: SqlStorageValue[]) => {
        asked.push(query)
        return exec(query, ...args)
      }) as typeof exec
      migrate(opened, steps, SPACE_SCHEMA)
      return asked.splice(0)
    }
    expect(open(SPACE_MIGRATIONS)).toContain(SPACE_SCHEMA)
    const again = open([...SPACE_MIGRATIONS, 'CREATE TABLE later (id)'])
    expect(again).not.toContain(SPACE_SCHEMA)
    expect(again.filter((query) => SPACE_MIGRATIONS.includes(query))).toEqual([])
    expect(again).toContain('CREATE TABLE later (id)')
  })

  it('leaves an object that began with the first steps to the others', () => {
    const storage = new NodeStorage()
    migrate(
      storage.open(() => {}),
      SPACE_MIGRATIONS.slice(0, 3),
    )
    migrate(
      storage.open(() => {}),
      SPACE_MIGRATIONS,
      SPACE_SCHEMA,
    )
    const whole = new NodeStorage()
    migrate(
      whole.open(() => {}),
      SPACE_MIGRATIONS,
      SPACE_SCHEMA,
    )
    expect(describeSchema(storage.db)).toEqual(describeSchema(whole.db))
  })
})
