import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, it } from 'vitest'
import { sealTail } from '../../../src/audit/seal'
import { openPrimary } from '../../../src/db/client'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')

it('seals what waits without reading the trail before it', async () => {
  const database = new DatabaseSync(':memory:')
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
    database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  const add = database.prepare(
    `INSERT INTO audit (tenant_id, seq, id, created_at, actor, actor_type, via, action, entity, hash, digest)
     VALUES ('acme', ?, 'entry-' || ?1, 1, 'key', 'key', 'api', 'update', 'agent', ?, 'digest')`,
  )
  for (let seq = 1; seq <= 50; seq++) add.run(seq, `hash-${seq}`)
  add.run(51, '')
  add.run(52, '')
  const read: string[] = []
  const statement = (query: string, values: SQLInputValue[] = []) => {
    const ask = async () => {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...values)
      read.push(...plan.map(({ detail }) => String(detail)))
      return { results: database.prepare(query).all(...values) }
    }
    return {
      bind: (...bound: SQLInputValue[]) => statement(query, bound),
      all: ask,
      run: ask,
      raw: () => ask().then(({ results }) => results.map((row) => Object.values(row))),
    }
  }
  const session = {
    prepare: (query: string) => statement(query),
    batch: (asked: ReturnType<typeof statement>[]) => Promise.all(asked.map((one) => one.all())),
  }
  await sealTail(openPrimary({ withSession: () => session } as unknown as D1Database), 'acme')
  const sealed = database.prepare("SELECT seq, hash FROM audit WHERE hash LIKE '________________%'")
  expect(sealed.all().map(({ seq }) => seq)).toEqual([51, 52])
  expect(read.filter((detail) => detail.endsWith('PRIMARY KEY (tenant_id=?)'))).toEqual([])
})
