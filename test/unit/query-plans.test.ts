import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { KNOWLEDGE_BASE_MIGRATIONS } from '../../durable-objects/knowledge-base/schema'
import { METER_MIGRATIONS } from '../../durable-objects/tenant-meter/schema'
import { SPACE_MIGRATIONS } from '../../durable-objects/user-space/core/schema'

const ROOT = resolve(import.meta.dirname, '../..')

/** What a template's gaps hold, as far as a plan depends on it. */
const GAPS: [RegExp, string][] = [
  [/\$\{-?[A-Z][\w.]*\}/g, '1'],
  [/\$\{(?:this\.#)?index\}/g, 'kb_a'],
  [/\$\{vocabulary\}/g, 'kb_a_df'],
  [/\$\{ids\}/g, 'SELECT 1'],
  [/\$\{included[^}]*\}/g, '<'],
  [/\$\{column\}/g, 'session_id'],
  [/\$\{visible\}/g, ''],
  [/\$\{where\}/g, 'id = 1'],
  [/\$\{values\}/g, 'VALUES (1, 1, 1)'],
]
/** They name their tables when they run, or another database's. */
const UNREAD = ['moving-rows.ts', 'count-rows.ts', 'INSERT INTO usage_hourly']

interface Statement {
  file: string
  sql: string
}

/** Every statement that the sources of an object hold, in quotes of any kind. */
function statementsOf(object: string): Statement[] {
  return globSync(`durable-objects/${object}/**/*.ts`, { cwd: ROOT })
    .filter((path) => !path.endsWith('schema.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const found = text.matchAll(
        /(['"`])((?:SELECT|UPDATE|DELETE|INSERT|WITH)\b(?:(?!\1)[\s\S])*)\1/gu,
      )
      return [...found].map(([, , sql = '']) => ({ file: basename(path), sql }))
    })
    .filter(({ file, sql }) => !UNREAD.some((one) => file === one || sql.startsWith(one)))
}

const fill = (sql: string) => GAPS.reduce((text, [gap, by]) => text.replaceAll(gap, by), sql)

/** What of its plan grows with the table: reading all of it, and sorting what was read. */
function costly(db: DatabaseSync, sql: string): string[] {
  return db
    .prepare(`EXPLAIN QUERY PLAN ${fill(sql)}`)
    .all()
    .map(({ detail }) => String(detail))
    .filter((detail) => /^SCAN|TEMP B-TREE/u.test(detail))
    .filter((detail) => !/VIRTUAL TABLE INDEX|json_each|CONSTANT ROW/u.test(detail))
}

const OBJECTS: Record<string, readonly string[]> = {
  'user-space': SPACE_MIGRATIONS,
  'tenant-meter': METER_MIGRATIONS,
  'knowledge-base': KNOWLEDGE_BASE_MIGRATIONS,
}

/** Statements that may read a whole table, by how they begin, and why: none of them is in the way of an answer. */
const WHOLE: Record<string, Record<string, readonly string[]>> = {
  'user-space': {
    'the table holds only what runs at this moment': [
      'SELECT * FROM turn_slots',
      'UPDATE turn_slots SET over = 1 WHERE session_id',
      'DELETE FROM incoming WHERE state',
    ],
    'what is on its way, and no more': [
      'SELECT enrollment_id, n, body FROM enrollment_reports',
      'SELECT body FROM enrollment_reports ORDER BY enrollment_id, n LIMIT',
    ],
    'at the first message of a chat, where a storyline waits for a first contact': [
      'SELECT 1 FROM sessions WHERE agent_id',
    ],
    'the first of an index': ['SELECT id, updated_at FROM sessions ORDER BY ranked_at'],
    'in the order of the key, up to a limit': ['SELECT * FROM space_documents WHERE ?1 IS NULL'],
    'by an index of what nobody has heard or told yet': [
      'SELECT id, type, ref, body_sealed FROM events\n         WHERE heard = 0',
      'SELECT id, n FROM handoffs WHERE told < n',
    ],
    'the oldest, a few at a time': ['DELETE FROM events WHERE id IN'],
    'by the alarm, of what has come due': ["SELECT id FROM reminders WHERE status = 'sent'"],
    'each session, one look-up in it': ['SELECT m.* FROM sessions s CROSS JOIN'],
    'all of it is wanted: a list, a search, a merge, a deletion, a change of name or of mode': [
      'SELECT * FROM sessions ORDER BY',
      'SELECT * FROM enrollments ORDER BY',
      'SELECT * FROM space_documents WHERE status',
      'SELECT id FROM space_documents',
      'SELECT id FROM attachments',
      'SELECT id FROM memories WHERE agent_name',
      'SELECT agent_name FROM remembered',
      'SELECT * FROM memories WHERE superseded_by IS NULL',
      'SELECT * FROM memories WHERE superseded_by IS NULL ORDER BY',
      'UPDATE memories SET superseded_by = NULL',
      'DELETE FROM memories WHERE superseded_by IS NOT NULL',
      'UPDATE memories SET vector_sealed = NULL',
      'UPDATE memories SET agent_name',
      'UPDATE reminders SET agent_name',
      'UPDATE messages SET agent_name',
      'UPDATE sessions SET agent_name',
      'UPDATE sessions SET ranked_at = updated_at',
      'UPDATE sessions SET title_vector_sealed = NULL, title_embedder = NULL WHERE title_vector_sealed',
      'SELECT row FROM staged WHERE merge_id',
      'SELECT n, part, key FROM staged WHERE merge_id',
    ],
    'a count, for a job or a list': [
      'SELECT count(*) AS n FROM sessions',
      'SELECT count(title_vector_sealed)',
      'SELECT count(vector_sealed)',
      'SELECT count(*) AS n FROM space_documents',
      'SELECT (SELECT count(*) FROM space_documents)',
      'SELECT count(*) AS n FROM space_chunks',
      "SELECT count(*) AS n FROM reminders WHERE status = 'pending'",
    ],
  },
  'tenant-meter': {
    'once, when the object wakes': [
      'SELECT name, value FROM facts',
      'SELECT 1 FROM user_days LIMIT 1',
      'SELECT 1 FROM windows LIMIT 1',
      'SELECT id FROM revoked_keys',
      'SELECT id, tokens, expires_at FROM reservations WHERE settled = 0',
    ],
    'by the alarm, after the answers': [
      'DELETE FROM reservations WHERE settled = 1',
      'DELETE FROM windows WHERE started_at',
      'DELETE FROM user_days WHERE ends_at',
      'SELECT * FROM usage WHERE dirty = 1',
    ],
  },
  'knowledge-base': {
    'once, when the object wakes or its versions change': [
      'SELECT id FROM versions WHERE live = 0',
      'SELECT mode, chunks FROM modes',
      'SELECT group_concat(id) AS rows',
      'SELECT chunk_id AS row, scale, bytes FROM vectors\n       WHERE embedder_id',
    ],
    'what matches is ranked, up to a limit': ['SELECT rowid AS row, bm25('],
    'kept until the base changes': ['SELECT term, doc FROM $'],
    'by the index, so many places of a term and no more': [
      'SELECT value AS token, (SELECT group_concat(place)',
    ],
    'the first few, in the order of the key': [
      'SELECT chunk_id AS row FROM index_backlog LIMIT',
      'SELECT 1 FROM index_marks LIMIT 1',
    ],
    'by the alarm, after a change': [
      'SELECT count(*) AS pages',
      'INSERT OR REPLACE INTO index_backlog (chunk_id)\n       SELECT chunk_id FROM vectors',
    ],
    'by jobs and lists': [
      'SELECT id FROM vector_removals LIMIT',
      'SELECT name AS embedder, count(*) AS count FROM vectors',
      'SELECT coalesce(sum(chunks), 0) AS size FROM versions',
      'SELECT coalesce(sum(live), 0) AS documents',
    ],
  },
}

describe.each(Object.entries(OBJECTS))('the statements of %s', (object, migrations) => {
  const db = new DatabaseSync(':memory:')
  for (const migration of migrations) db.exec(migration)
  const statements = statementsOf(object)

  it('read no whole table and sort nothing, but those that are named here', () => {
    expect(statements.length).toBeGreaterThan(10)
    const named = Object.values(WHOLE[object] ?? {}).flat()
    const found = statements.filter(({ sql }) => costly(db, sql).length > 0)
    const isNamed = ({ sql }: Statement) => named.some((start) => sql.startsWith(start))
    expect(found.filter((one) => !isNamed(one))).toEqual([])
    const idle = named.filter((start) => !found.some(({ sql }) => sql.startsWith(start)))
    expect(idle).toEqual([])
  })
})

describe('finding a message by its id alone', () => {
  it('looks into each session and reads no message but the one', () => {
    const db = new DatabaseSync(':memory:')
    for (const migration of SPACE_MIGRATIONS) db.exec(migration)
    const [one] = statementsOf('user-space').filter(({ sql }) => sql.startsWith('SELECT m.*'))
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${one?.sql}`).all()
    expect(plan.map(({ detail }) => String(detail))).toEqual([
      expect.stringMatching(/^SCAN s\b/u),
      expect.stringMatching(/^SEARCH m USING PRIMARY KEY/u),
    ])
  })
})

describe('a page of a long session', () => {
  const db = new DatabaseSync(':memory:')
  for (const migration of SPACE_MIGRATIONS) db.exec(migration)
  const plans = (within: string) =>
    statementsOf('user-space')
      .filter(({ file, sql }) => file === 'message-store.ts' && sql.includes(within))
      .map(({ sql }) => db.prepare(`EXPLAIN QUERY PLAN ${fill(sql)}`).get()?.detail)

  it('begins where the page before it ended', () => {
    expect(plans('ORDER BY id DESC LIMIT ?3')).toEqual([
      'SEARCH messages USING PRIMARY KEY (session_id=? AND id<?)',
    ])
  })

  it('reads of what is not in it only what was said in other words', () => {
    expect(plans("variant_of IS NOT NULL AND status <> 'failed'")).toEqual([
      'SEARCH messages USING INDEX messages_variants (session_id=? AND variant_of>?)',
    ])
  })
})
