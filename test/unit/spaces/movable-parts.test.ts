import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { SPACE_MIGRATIONS } from '../../../durable-objects/user-space/core/schema'
import { KEPT_REFERENCES, MOVED_REFERENCES } from '../../../src/spaces/merge-directory'
import { KEPT_BEHIND, MOVABLE_PARTS, partOf } from '../../../src/spaces/movable-parts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

function tablesOf(steps: readonly string[]): Map<string, { name: string; pk: number }[]> {
  const db = new DatabaseSync(':memory:')
  for (const step of steps) db.exec(step)
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  return new Map(
    tables.map(({ name }) => [
      String(name),
      db.prepare('SELECT name, pk FROM pragma_table_info(?)').all(String(name)) as unknown as {
        name: string
        pk: number
      }[],
    ]),
  )
}

describe('what a merge moves', () => {
  const tables = tablesOf(SPACE_MIGRATIONS)

  it('is every table of the object, but for those that say why not', () => {
    const named = [...MOVABLE_PARTS.map(({ table }) => table), ...Object.keys(KEPT_BEHIND)]
    expect([...tables.keys(), 'schema_version'].toSorted()).toEqual(named.toSorted())
  })

  it.each(MOVABLE_PARTS.map((part) => [part.table, part] as const))(
    '%s: its key, and every envelope in it',
    (table, part) => {
      const columns = tables.get(table) ?? []
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
      expect(part.key).toEqual(key.map(({ name }) => name))
      const sealed = columns.map(({ name }) => name).filter((name) => name.endsWith('_sealed'))
      expect(part.sealed.map(({ column }) => column).toSorted()).toEqual(sealed.toSorted())
      const wrapped = columns.map(({ name }) => name).filter((name) => name.startsWith('wrapped_'))
      expect(part.wrappedKey ? [part.wrappedKey] : []).toEqual(wrapped)
      if (part.foundThrough) {
        const position = (name: string) => MOVABLE_PARTS.indexOf(partOf(name))
        expect(position(part.foundThrough.table)).toBeLessThan(position(table))
        expect(columns.map(({ name }) => name)).toContain(part.foundThrough.column)
      }
    },
  )

  it('includes whatever in D1 belongs to a space', () => {
    const folder = join(ROOT, 'migrations')
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .toSorted()
    const d1 = tablesOf(files.map((file) => readFileSync(join(folder, file), 'utf8')))
    const ofSpaces = [...d1]
      .filter(([, columns]) => columns.some(({ name }) => name === 'space_id'))
      .map(([name]) => name)
    expect(ofSpaces.toSorted()).toEqual(
      [...MOVED_REFERENCES, ...Object.keys(KEPT_REFERENCES)].toSorted(),
    )
  })
})
