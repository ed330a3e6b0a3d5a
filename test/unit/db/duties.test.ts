import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { expect, it } from 'vitest'
import { runScheduled } from '../../../src/jobs/scheduled'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')
const NOW = Date.parse('2026-11-22T12:00:00Z')

const database = new DatabaseSync(':memory:')
for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
  database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))

/** What one run of the cron asks of an empty D1, each statement with how it is found, as it says itself. */
async function plansOf(cron: string): Promise<{ query: string; plan: string[] }[]> {
  const asked: { query: string; plan: string[] }[] = []
  const statement = (query: string, values: SQLInputValue[] = []): unknown => {
    const answer = async <T>(value: T) => {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...values)
      asked.push({ query, plan: plan.map(({ detail }) => String(detail)) })
      return value
    }
    return {
      bind: (...bound: SQLInputValue[]) => statement(query, bound),
      all: () => answer({ results: [] }),
      run: () => answer({ results: [], meta: { changes: 0 } }),
      raw: () => answer([]),
      first: () => answer(null),
    }
  }
  const session = {
    prepare: (query: string) => statement(query),
    batch: (statements: { all(): unknown }[]) => Promise.all(statements.map((one) => one.all())),
  }
  const DB = { ...session, withSession: () => session }
  await runScheduled({ cron, scheduledTime: NOW } as ScheduledController, { ...ENV, DB } as never)
  return asked
}

const ENV = {
  MODEL_PROVIDER: 'openai-compatible',
  OPENAI_BASE_URL: 'https://models.example/v1',
  EMBEDDING_MODEL: 'm',
  ADMIN_TOKEN: 'test-admin-token-0123456789-abcdefghij',
  JWT_SECRET: 'test-jwt-secret-zyxwvutsrqponmlkjihgfedcba9876543210',
  MASTER_KEYS: 'test-master-keys-abcdefghijklmnopqrstuvwxyz0123456789',
}

/** What a plan may read all of, in which statements, and why. */
const SMALL: [part: RegExp, statement: RegExp, why: string][] = [
  [/json_each|CONSTANT ROW/u, /./u, 'what was given'],
  [/ INDEX (?:users_untold|audit_unsealed|\w+_running)$/u, /./u, 'what is due'],
  [/ INDEX knowledge_bases_refreshed$/u, /./u, 'the bases with a schedule'],
  [/\(status=\?\)$/u, /^update "documents" set "progressed_at"/u, 'what is being read'],
  [/^SCAN (?:space_merges|site_imports)$/u, /./u, 'merges of a day, imports of a month'],
  [/^SCAN (?:mcp_servers|tenants)\b/u, /./u, 'a tenant has few, once a night'],
]

it.each(['*/5 * * * *', '17 3 * * *'])(
  'the cron reads what is due, not all that is kept: %s',
  async (cron) => {
    const asked = await plansOf(cron)
    expect(asked.length).toBeGreaterThan(10)
    const costly = asked.flatMap(({ query, plan }) =>
      plan
        .filter((detail) => /^SCAN|\(status=\?\)$/u.test(detail))
        .filter((detail) => !SMALL.some(([part, among]) => part.test(detail) && among.test(query)))
        .map((detail) => ({ detail, query: query.slice(0, 120) })),
    )
    expect(costly).toEqual([])
  },
)
