import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, describe, expect, it } from 'vitest'
import { runtime } from '../support/lean-runtime'

/** A Worker with a database that runs what it is sent, a list as a batch. */
const SCRIPT = `export default {
  async fetch(request, { DB }) {
    const asked = await request.json()
    const prepare = ({ sql, params = [] }) => DB.prepare(sql).bind(...params.map(bound))
    const bound = (value) => (value?.bytes ? new Uint8Array(value.bytes) : value)
    const run = async () => {
      if (Array.isArray(asked)) return DB.batch(asked.map(prepare))
      return [await prepare(asked).all(), await prepare(asked).raw({ columnNames: true })]
    }
    return Response.json(await run().catch((error) => ({ error: error.message })))
  },
}`

const ASKED = [
  { sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b REAL, c BLOB)' },
  [
    { sql: 'INSERT INTO t (a, b, c) VALUES (?, ?, ?)', params: ['one', 1.5, { bytes: [0, 255] }] },
    { sql: 'INSERT INTO t (a, b, c) VALUES (?, ?, ?)', params: [null, -3, null] },
    { sql: 'INSERT INTO t (a) VALUES (?3), (?1)', params: ['é', 'unused', '𝄞'] },
  ],
  { sql: 'SELECT * FROM t ORDER BY id' },
  { sql: 'SELECT a, a AS again, b AS a FROM t ORDER BY id' },
  { sql: 'SELECT max(id) AS most, count(*) FROM t' },
  { sql: 'SELECT * FROM t WHERE id = 0' },
  { sql: "UPDATE t SET b = b + 1 WHERE b < 2 RETURNING id, b, 'x' AS x" },
  // The second one's fault takes the first one back.
  [{ sql: 'DELETE FROM t' }, { sql: "INSERT INTO t (a) VALUES ('one'), ('one')" }],
  { sql: 'SELECT count(*) AS n FROM t' },
  { sql: 'SELECT * FROM nowhere' },
  { sql: 'SELEC' },
  { sql: 'SELECT ? AS a', params: [] },
  { sql: 'SELECT 1 AS a', params: [1] },
  { sql: 'SELECT ? AS big, ? AS flag', params: [2 ** 53, true] },
  { sql: 'DELETE FROM t WHERE id > 1' },
  { sql: "INSERT OR IGNORE INTO t (a) VALUES ('one')" },
]

async function answers(isWhole: boolean): Promise<unknown[]> {
  runtime.isWhole = isWhole
  const options = convertV4MiniflareOptions({
    cf: false,
    workers: [{ name: 'app', modules: true, script: SCRIPT, d1Databases: ['DB'] }],
  })
  const server = new Miniflare(options)
  const found: unknown[] = []
  try {
    for (const asked of ASKED) {
      const body = JSON.stringify(asked)
      const answer = await server.dispatchFetch('http://app.test/', { method: 'POST', body })
      found.push([asked, await answer.json()])
    }
  } finally {
    await server.dispose()
  }
  return found
}

/** Without how long it took. */
const timeless = (found: unknown[]): unknown =>
  JSON.parse(
    JSON.stringify(found, (name, value) =>
      name === 'duration' || name === 'timings' ? typeof value : value,
    ),
  )

describe('the database of the tests', () => {
  afterAll(() => {
    runtime.isWhole = false
  })

  it('answers each statement as miniflare’s does', async () => {
    const lean = timeless(await answers(false))
    expect(JSON.stringify(lean)).toContain('UNIQUE constraint failed')
    expect(lean).toEqual(timeless(await answers(true)))
  })
})
