import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sealTail } from '../../../src/audit/seal'
import { openPrimary } from '../../../src/db/client'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')

/** D1 with a trail whose first fifty entries are sealed and the next two are not. */
function openTrail() {
  const database = new DatabaseSync(':memory:')
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
    database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))
  const insert = database.prepare(
    `INSERT INTO audit (tenant_id, seq, id, created_at, actor, actor_type, via, action, entity, hash, digest)
     VALUES ('acme', ?, 'entry-' || ?1, 1, 'key', 'key', 'api', 'update', 'agent', ?, 'digest')`,
  )
  const add = (seq: number, hash = '') => insert.run(seq, hash)
  for (let seq = 1; seq <= 50; seq++) add(seq, `hash-${seq}`)
  add(51)
  add(52)
  const read: string[] = []
  const state = { beforeWrite: async () => {} }
  const statement = (query: string, values: SQLInputValue[] = []) => {
    const ask = async () => {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...values)
      read.push(...plan.map(({ detail }) => String(detail)))
      return { results: database.prepare(query).all(...values) }
    }
    return {
      bind: (...bound: SQLInputValue[]) => statement(query, bound),
      all: ask,
      run: async () => {
        const { beforeWrite } = state
        state.beforeWrite = async () => {}
        await beforeWrite()
        return ask()
      },
      raw: () => ask().then(({ results }) => results.map((row) => Object.values(row))),
    }
  }
  const session = {
    prepare: (query: string) => statement(query),
    batch: (asked: ReturnType<typeof statement>[]) => Promise.all(asked.map((one) => one.all())),
  }
  const db = openPrimary({ withSession: () => session } as unknown as D1Database)
  return {
    database,
    add,
    read,
    state,
    seal: () => sealTail(db, 'acme'),
    hashes: () =>
      database
        .prepare('SELECT seq, hash FROM audit WHERE seq > 50 ORDER BY seq')
        .all()
        .map(({ seq, hash }) => [seq, hash]),
  }
}

describe('the waiting end of a trail', () => {
  afterEach(() => void vi.useRealTimers())

  it('is sealed without reading the trail before it', async () => {
    const { read, seal, hashes } = openTrail()
    await seal()
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(hashes()).toEqual([
      [51, hash],
      [52, hash],
    ])
    expect(read.filter((detail) => detail.endsWith('PRIMARY KEY (tenant_id=?)'))).toEqual([])
  })

  it('keeps the seals of whoever came first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    const { add, state, seal, hashes } = openTrail()
    let first: unknown[] = []
    state.beforeWrite = async () => {
      vi.setSystemTime(2_000_000)
      await seal()
      first = hashes()
      add(53)
    }
    await seal()
    expect(hashes()).toEqual([...first, [53, '']])
  })

  it('is not sealed over a gap', async () => {
    const { database, seal, hashes } = openTrail()
    database.exec('DELETE FROM audit WHERE seq = 50')
    await expect(seal()).rejects.toThrow('The entry before the first unsealed one is missing')
    expect(hashes()).toEqual([
      [51, ''],
      [52, ''],
    ])
  })
})
