// Tenants' tables are read through src/db/own.ts, or here stands how often else and why.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Reads that lead beyond one tenant, or name it elsewhere: file, reads of such tables in it, and the reason. */
const ACROSS = [
  [
    'src/domains/directory.ts',
    1,
    'the directory of all active host names, from which a request learns its tenant',
  ],
  ['src/domains/domains.ts', 3, 'a host name proved by one tenant is taken for every other'],
  ['src/jobs/answer-channel.ts', 1, 'cron: messages of all tenants that no job took'],
  ['src/jobs/verify-approved.ts', 1, 'cron: approvals of all tenants'],
  ['src/jobs/watch-deletions.ts', 2, 'cron: deletions of all tenants'],
  ['src/spaces/find-space.ts', 1, 'a subquery of one that names the tenant; tags are unique'],
  ['src/spaces/merge-space.ts', 1, "by the id of a space that was read as the caller's own"],
  ['src/spaces/user-spaces.ts', 2, 'a subquery of one that names the tenant; tags are unique'],
  ['src/users/end-tokens.ts', 3, 'cron: users of all tenants whose objects were not told'],
  ['src/users/one-time-tokens.ts', 2, 'by the id of the token, which names its tenant'],
  [
    'src/webhooks/deliver.ts',
    2,
    'by the id in a delivery that was read as the tenant’s own; cron: deliveries of all tenants',
  ],
]

/**
 * Reads that name the tenant in a condition of their own, since they take single columns, join, count, page, or go into a
 * batch: file, and reads at most. Whoever turns one into `findOwn` or `listOwn` lowers the number.
 */
const BY_HAND = [
  ['src/agents/icon-files.ts', 1],
  ['src/agents/preview-plan.ts', 2],
  ['src/agents/published.ts', 1],
  ['src/agents/resolve-agent.ts', 4],
  ['src/apps/apps.ts', 1],
  ['src/audit/list-audit.ts', 4],
  ['src/audit/seal.ts', 4],
  ['src/channels/answer-message.ts', 1],
  ['src/channels/channel-context.ts', 1],
  ['src/channels/linked-channel.ts', 1],
  ['src/channels/links.ts', 3],
  ['src/channels/receive-update.ts', 1],
  ['src/channels/tenant-channel.ts', 3],
  ['src/deletion/erase-tenant.ts', 3],
  ['src/deletion/erase-user.ts', 3],
  ['src/http/authenticate.ts', 1],
  ['src/http/idempotency.ts', 1],
  ['src/jobs/apply-privacy.ts', 1],
  ['src/jobs/check-domains.ts', 1],
  ['src/jobs/check-mcp-server.ts', 1],
  ['src/jobs/embed-document.ts', 2],
  ['src/jobs/rename-agent.ts', 2],
  ['src/knowledge-graph/collect-items.ts', 1],
  ['src/knowledge/bases.ts', 1],
  ['src/knowledge/documents.ts', 1],
  ['src/knowledge/import-files.ts', 1],
  ['src/mcp/facts.ts', 1],
  ['src/mcp/tool-directory.ts', 1],
  ['src/pages/load-agent-page.ts', 3],
  ['src/reviews/find-review.ts', 1],
  ['src/reviews/load-agent.ts', 3],
  ['src/reviews/record-review.ts', 5],
  ['src/reviews/verify-review.ts', 3],
  ['src/revisions/revisions.ts', 1],
  ['src/skills/skills.ts', 1],
  ['src/spaces/manage-spaces.ts', 2],
  ['src/spaces/spaces.ts', 7],
  ['src/tenants/keys.ts', 1],
  ['src/tenants/settings.ts', 2],
  ['src/usage/user-usage.ts', 1],
  ['src/users/create-user.ts', 1],
  ['src/users/end-sessions.ts', 1],
  ['src/users/find-account.ts', 1],
  ['src/users/find-visitor.ts', 1],
  ['src/users/language.ts', 1],
  ['src/users/oauth/resolve-identity.ts', 1],
  ['src/users/profile-zone.ts', 1],
  ['src/users/proxy-token.ts', 1],
  ['src/users/resolve-caller.ts', 1],
  ['src/users/user-detail.ts', 2],
  ['src/users/user-facts.ts', 2],
  ['src/webhooks/emit-event.ts', 1],
  ['src/webhooks/webhooks.ts', 4],
]

export const ALLOWED = new Map([...ACROSS, ...BY_HAND].map(([file, reads]) => [file, reads]))

/** @returns {string[]} names of the tables whose rows belong to tenants. */
export function ownedTables(schema) {
  return schema
    .split(/^(?=export const )/mu)
    .filter((part) => /= sqliteTable\(/u.test(part) && /^\s*tenantId:/mu.test(part))
    .map((part) => /^export const (\w+)/u.exec(part)?.[1] ?? '')
}

/**
 * @param {{ file: string, text: string }[]} sources
 * @param {string[]} tables
 * @param {Map<string, number>} allowed
 * @returns {string[]} a line for each file with more reads of its own than it is allowed.
 */
export function strayReads(sources, tables, allowed) {
  const reads = new RegExp(
    `\\.from\\((?:${tables.join('|')})\\)|\\.query\\.(?:${tables.join('|')})\\b`,
    'gu',
  )
  return sources.flatMap(({ file, text }) => {
    const found = text.match(reads)?.length ?? 0
    const most = allowed.get(file) ?? 0
    if (found <= most) return []
    return [
      `${file} reads tenants' tables ${found} times past src/db/own.ts, ${most} are allowed: use findOwn or listOwn, or give the reason in scripts/check-reads.mjs`,
    ]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..')
  const sources = globSync(['src/**/*.ts', 'durable-objects/**/*.ts'], { cwd: root })
    .filter((file) => file !== 'src/db/own.ts')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const tables = ownedTables(readFileSync(join(root, 'src/db/tables.ts'), 'utf8'))
  const stray = strayReads(sources, tables, ALLOWED)
  for (const line of stray) console.error(line)
  if (stray.length > 0) process.exit(1)
}
