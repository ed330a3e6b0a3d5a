import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { HourlyUsage } from '../../../durable-objects/tenant-meter/hourly-usage'
import { resolveAgent } from '../../../src/agents/resolve-agent'
import { commitChange } from '../../../src/audit/commit-change'
import type { BaseContext, OperatorContext, TenantContext, UserContext } from '../../../src/context'
import { openPrimary } from '../../../src/db/client'
import type { DocumentRow, KnowledgeBaseRow } from '../../../src/db/tables/knowledge'
import { noteSessions } from '../../../src/jobs/count-space'
import { renameInInbox } from '../../../src/jobs/rename-agent'
import { listBases } from '../../../src/knowledge/bases'
import { findByPaths, recordDocuments } from '../../../src/knowledge/record-documents'
import { getSkill } from '../../../src/skills/skills'
import { readSpaceOfTag } from '../../../src/spaces/find-space'
import { noteKeyUse } from '../../../src/tenants/note-key-use'
import { readTokenVersion } from '../../../src/users/end-tokens'
import { resolveKeyApp, resolveTokenApp } from '../../../src/users/resolve-caller'
import { emitEvent } from '../../../src/webhooks/emit-event'
import { listensToTurns } from '../../../src/webhooks/listens-to-turns'

const MIGRATIONS = resolve(import.meta.dirname, '../../../migrations')
const NOW = Date.parse('2026-11-22T12:00:00Z')

const database = new DatabaseSync(':memory:')
for (const file of globSync('*.sql', { cwd: MIGRATIONS }).toSorted())
  database.exec(readFileSync(join(MIGRATIONS, file), 'utf8'))

/** What was asked of D1, in its order. It answers nothing: a path is walked as far as nothing carries it. */
let asked: string[]
const statement = (query: string): unknown => {
  const answer = async <T>(value: T) => {
    asked.push(query)
    return value
  }
  return {
    query,
    bind: () => statement(query),
    all: () => answer({ results: [] }),
    run: () => answer({ results: [], meta: { changes: 0 } }),
    raw: () => answer([]),
    first: () => answer(null),
  }
}
const session = {
  prepare: statement,
  batch: async (statements: { query: string }[]) => {
    asked.push(...statements.map(({ query }) => query))
    return statements.map(() => ({ results: [] }))
  },
}
const DB = { ...session, withSession: () => session } as unknown as D1Database
const env = { DB } as Env

const address = { tenantId: 'tenant', userId: 'user', spaceId: 'space' }
const base = () =>
  ({ env, now: NOW, db: openPrimary(DB), waitUntil: () => {} }) as unknown as BaseContext
const inSpace = (isDefault: boolean) =>
  Object.assign(base(), {
    tenant: { id: 'tenant', profile: {} },
    space: { id: 'space', tag: 1, isDefault },
  }) as unknown as UserContext
const managing = () =>
  Object.assign(base(), {
    tenant: { id: 'tenant' },
    actor: { type: 'key', name: 'key:first', keyId: 'key' },
    via: 'api',
    requestId: 'request',
  }) as unknown as TenantContext & OperatorContext
const refused = (work: Promise<unknown>) => work.catch((error: Error) => error)

/** A meter with one hour that D1 has not heard of. */
async function flush(): Promise<void> {
  const row = {
    hour: NOW,
    user_id: 'user',
    keys_seen: JSON.stringify({ key: NOW }),
    seen_at: NOW,
    input_tokens: 1,
    output_tokens: 1,
  }
  const waiting = ['dirty = 1 LIMIT', 'seen_at > seen_noted']
  const read = (text: string) => {
    const at = waiting.findIndex((part) => text.includes(part))
    return at < 0 ? [] : waiting.splice(at, 1).map(() => row)
  }
  const sql = { exec: (text: string) => ({ toArray: () => read(text) }) }
  const storage = { sql, transactionSync: (work: () => void) => work() }
  const usage = new HourlyUsage(storage as unknown as DurableObjectStorage, DB)
  await usage.flush('tenant')
  await usage.noteSeen('tenant', NOW)
}

const event = { type: 'turn.completed', key: 'turn', data: {}, at: NOW } as const
const PATHS: Record<string, () => Promise<unknown>> = {
  'who calls with a key': () =>
    resolveKeyApp(
      base(),
      'hash',
      () => 'ada',
      () => null,
    ),
  'whose key is shared': () =>
    resolveKeyApp(
      base(),
      'other',
      () => null,
      () => null,
    ),
  'who calls with a token': () =>
    refused(
      resolveTokenApp(
        base(),
        { tenant: 'tenant', user: 'user', space: 'space', tag: 1, version: 1 } as never,
        () => null,
      ),
    ),
  'whether a token still stands': () => readTokenVersion(env, { tenantId: 'tenant', id: 'user' }),
  'the agent that was named': () => refused(resolveAgent(inSpace(true), 'desk', false)),
  'the agent of a space': () => refused(resolveAgent(inSpace(false), 'desk', false)),
  'the agent when none was named': () => refused(resolveAgent(inSpace(true), null, false)),
  'what webhooks hear': () => emitEvent(env, 'tenant', event),
  'whether a webhook waits for turns': () => listensToTurns(env, 'tenant'),
  'how many sessions a space has': () => noteSessions(env, address, { sessions: 1, at: NOW }),
  'when a key was used': () => noteKeyUse(env, 'key', NOW),
  'what was used in an hour': flush,
  'what is written with every change of a configuration, and sealed': () =>
    commitChange(managing(), 'tenant', [], {
      action: 'update',
      entity: 'skill',
      entityId: 'id',
      entityName: 'name',
      before: null,
      after: null,
    }),
  'a skill, with what is said about it': () => refused(getSkill(managing(), 'name')),
  'the bases, with what they hold': () => listBases(managing()),
}

/** What a plan may read or sort all of, as it says itself, in which statements, and why. */
const SMALL: [part: RegExp, statement: RegExp, why: string][] = [
  [/json_each|VIRTUAL TABLE|CONSTANT ROW|^SCAN seen/u, /./u, 'what was given, or no table'],
  [/FOR (?:DISTINCT|GROUP BY)/u, /FROM json_each\(\?\d\)/u, 'what was given'],
  [/FOR DISTINCT/u, /json_each\("agents"\."config"/u, 'a tenant has few agents, of few skills'],
  [/^SCAN m\b/u, /FROM sqlite_master AS m/u, 'the list of tables, once an isolate'],
  [
    /FOR ORDER BY/u,
    /\b(?:FROM agents|from "(?:agents|storylines)")/u,
    'a tenant has few: its limits say how many',
  ],
]

describe('what turns and the management ask of D1', () => {
  beforeEach(() => {
    asked = []
  })

  it.each(Object.keys(PATHS))('reads by an index and sorts nothing: %s', async (name) => {
    await PATHS[name]?.()
    expect(asked.length).toBeGreaterThan(0)
    const costly = asked.flatMap((query) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => /^SCAN|TEMP B-TREE/u.test(detail))
        .filter((detail) => !SMALL.some(([part, among]) => part.test(detail) && among.test(query)))
        .map((detail) => ({ detail, query })),
    )
    expect(costly).toEqual([])
  })

  it('counts the documents of bases in an index alone', async () => {
    await listBases(managing())
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all()
    expect(plan.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/^SEARCH documents USING COVERING INDEX documents_counted\b/u),
    )
  })

  it('finds the space of an id without the other spaces of the tenant', async () => {
    await readSpaceOfTag(openPrimary(DB), 'tenant', 1)
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all()
    const read = plan.map(({ detail }) => String(detail))
    expect(read.filter((detail) => detail.includes('(tenant_id=?)'))).toEqual([])
  })

  it('looks for documents by their paths, and not among all of the base', async () => {
    const row = { id: 'document', path: 'a.md' } as DocumentRow
    const at = { id: 'base', tenantId: 'tenant', name: 'guide' } as KnowledgeBaseRow
    await findByPaths(managing(), at, [row.path])
    await refused(recordDocuments(managing(), at, [row]))
    const plans = asked.flatMap((query) => database.prepare(`EXPLAIN QUERY PLAN ${query}`).all())
    const read = plans.map(({ detail }) => String(detail)).filter((one) => /^SEARCH d\b/u.test(one))
    expect(read.length).toBeGreaterThan(1)
    expect(read.filter((detail) => !detail.endsWith('(base_id=? AND path=?)'))).toEqual([])
  })

  it('renames an agent in the inbox space by space', async () => {
    const job = { tenantId: 'tenant', from: 'desk', renamedAt: NOW }
    await renameInInbox(openPrimary(DB), job, 'front', [{ id: 'space', userId: 'user' }])
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all()
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH handoffs USING INDEX handoffs_by_user (user_id=? AND space_id=?)',
    ])
  })
})
