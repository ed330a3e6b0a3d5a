import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, it } from 'vitest'
import { FactStore } from '../../../durable-objects/user-space/core/fact-store'
import { Stores } from '../../../durable-objects/user-space/core/stores'
import { MOVABLE_PARTS } from '../../../src/spaces/movable-parts'

function open() {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const asked: string[] = []
  const sql = {
    exec(text: string, ...values: SQLInputValue[]) {
      asked.push(text.slice(0, 6))
      const rows = db.prepare(text).all(...values)
      return Object.assign(rows, { toArray: () => rows })
    },
  } as unknown as SqlStorage
  return { facts: new FactStore(sql), other: new FactStore(sql), asked, sql }
}

it('asks for a fact once, also for one that there is not', () => {
  const { facts, asked } = open()
  expect([facts.get('a'), facts.get('a')]).toEqual([null, null])
  expect(asked).toEqual(['SELECT'])
})

it('knows what was set and dropped since', () => {
  const { facts, other } = open()
  expect(facts.get('a')).toBeNull()
  facts.set('a', '1')
  expect(facts.get('a')).toBe('1')
  facts.set('a', '2')
  expect([facts.get('a'), other.get('a')]).toEqual(['2', '2'])
  facts.drop('a')
  expect(facts.get('a')).toBeNull()
})

it('knows what a merge brought', () => {
  const { facts, moving } = new Stores(open().sql)
  const part = MOVABLE_PARTS.find(({ table }) => table === 'facts')
  if (part === undefined) throw new Error('No facts move')
  const name = 'stateless s1'
  expect(facts.get(name)).toBeNull()
  moving.place(part, { name, value: 'true' })
  expect(facts.get(name)).toBe('true')
})
