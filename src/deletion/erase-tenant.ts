import { and, eq, isNull, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { openPrimary } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { deletions } from '../db/tables/deletions'
import { knowledgeBases } from '../db/tables/knowledge'
import { tenants } from '../db/tables/tenants'
import { users } from '../db/tables/users'
import { webhooks } from '../db/tables/webhooks'
import { destroyUserKeys, removeFiles, tenantPrefixes } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import { createSystemContext } from '../platform/system-actor'
import { removeDeliveries } from '../webhooks/deliver'
import { removeUser } from './erase-user'

/** Users that one job removes, as long as they are few calls of the platform, which takes ten thousand of a batch of twenty jobs. */
const USERS_AT_ONCE = 100
const CALLS_AT_ONCE = 500
const CALLS_OF_USER = 8
const CALLS_OF_SPACE = 2
const BASES_AT_ONCE = 20

/**
 * Tables with a `tenant_id` whose rows go with the tenant, in the order in which they may. A test compares them with the
 * database: a new table has to be named here, go with its users, or be among those that stay.
 */
export const OWNED_TABLES = [
  'handoffs',
  'exports',
  'site_pages',
  'site_imports',
  'storyline_counts',
  'storyline_migrations',
  'storyline_scenarios',
  'storyline_enrollments',
  'storyline_revisions',
  'storylines',
  'review_origins',
  'reviews',
  'webhook_deliveries',
  'webhooks',
  'mcp_servers',
  'custom_domains',
  'agent_apps',
  'channel_inbox',
  'channel_links',
  'channel_codes',
  'tenant_channels',
  'one_time_tokens',
  'identities',
  'accounts',
  'user_profiles',
  'space_merges',
  'space_tags',
  'space_agents',
  'spaces',
  'users',
  'revisions',
  'skills',
  'agents',
  'documents',
  'knowledge_bases',
  'tenant_smtp',
  'tenant_oauth',
  'api_keys',
  'idempotency',
] as const
/** The trail with its anchor, counts by id, and the deletions themselves. */
export const KEPT_TABLES = ['audit', 'audit_anchors', 'usage_hourly', 'deletions'] as const

/**
 * Removes what a deleted tenant leaves, some users and bases a job: objects, files, rows; checks by counts that nothing is
 * left, and writes the receipt. Safe to run twice and after any failure. @throws Error while something is left.
 */
export async function eraseTenant(env: Env, tenantId: string): Promise<void> {
  const ctx = createSystemContext(env, 'erase-tenant')
  const { db } = ctx
  const open = and(
    eq(deletions.tenantId, tenantId),
    eq(deletions.userId, tenantId),
    isNull(deletions.finishedAt),
  )
  const deletion = await findOwn(db, deletions, tenantId, open)
  if (!deletion) return
  await destroyUserKeys(env.FILES, tenantId)
  const more = [
    await removeUsers(env, tenantId),
    await removeBases(env, tenantId),
    await clearWebhooks(env, tenantId),
  ]
  for (const prefix of tenantPrefixes(tenantId)) {
    more.push(!(await removeFiles(env.FILES, prefix)))
  }
  if (more.includes(true)) {
    // Whoever looks for deletions that lost their job leaves this one alone.
    await db.update(deletions).set({ requestedAt: Date.now() }).where(open)
    return sendJobs(env, [{ type: 'tenant.delete', tenantId }])
  }

  await env.DB.batch(
    OWNED_TABLES.map((table) =>
      env.DB.prepare(`DELETE FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
    ),
  )
  const left = await countRows(env.DB, tenantId)
  if (left > 0) throw new Error(`${left} rows of a deleted tenant are left`)
  await commitChange(
    { ...ctx, requestId: deletion.requestId },
    tenantId,
    [
      db
        .update(tenants)
        .set({ profile: {}, onboardingConfig: null, logo: null, byok: null, byokProvider: null })
        .where(eq(tenants.id, tenantId)),
      db.update(deletions).set({ finishedAt: ctx.now }).where(open),
    ],
    {
      action: 'delete',
      entity: 'tenant_data',
      entityId: tenantId,
      entityName: null,
      before: null,
      after: { keys_destroyed: true, left },
      requires: sql`EXISTS (SELECT 1 FROM deletions WHERE user_id = ${tenantId} AND space_id = '' AND finished_at IS NULL)`,
    },
  )
}

/** @returns whether there may be more. */
async function removeUsers(env: Env, tenantId: string): Promise<boolean> {
  const db = openPrimary(env.DB)
  const found = await pickOwn(db, users, tenantId, { id: users.id }).limit(USERS_AT_ONCE)
  let calls = 0
  for (const { id } of found) {
    if (calls >= CALLS_AT_ONCE) return true
    calls += CALLS_OF_USER + CALLS_OF_SPACE * (await removeUser(env, tenantId, id))
    await db.delete(users).where(and(eq(users.tenantId, tenantId), eq(users.id, id)))
  }
  return found.length === USERS_AT_ONCE
}

/** @returns whether there may be more. */
async function removeBases(env: Env, tenantId: string): Promise<boolean> {
  const found = await pickOwn(openPrimary(env.DB), knowledgeBases, tenantId, {
    id: knowledgeBases.id,
  }).limit(BASES_AT_ONCE)
  for (const { id } of found) {
    await knowledgeBase(env, tenantId, id).destroy({ tenantId })
    await env.DB.batch(
      [
        'DELETE FROM documents WHERE tenant_id = ? AND base_id = ?',
        'DELETE FROM knowledge_bases WHERE tenant_id = ? AND id = ?',
      ].map((statement) => env.DB.prepare(statement).bind(tenantId, id)),
    )
  }
  return found.length === BASES_AT_ONCE
}

/** @returns whether there may be more. */
async function clearWebhooks(env: Env, tenantId: string): Promise<boolean> {
  const own = await pickOwn(openPrimary(env.DB), webhooks, tenantId, { id: webhooks.id })
  for (const { id } of own)
    if (await removeDeliveries(env, { tenantId, webhookId: id })) return true
  return false
}

async function countRows(d1: D1Database, tenantId: string): Promise<number> {
  const sum = OWNED_TABLES.map(
    (table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = ?1)`,
  ).join(' + ')
  const row = await d1
    .withSession('first-primary')
    .prepare(`SELECT ${sum} AS n`)
    .bind(tenantId)
    .first<{ n: number }>()
  return row?.n ?? 0
}
