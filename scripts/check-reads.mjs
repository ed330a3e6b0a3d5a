// Tenants' tables are read through src/db/own.ts, or here stands how often else and why. The list is exact: it shrinks too.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Reads that no tenant is known for, or of all of them: file, reads of such tables in it, and why `db/own.ts` cannot do them. */
const ACROSS = [
  ['src/audit/seal.ts', 1, 'cron: tenants whose trail has entries that wait for their seal'],
  ['src/channels/tenant-channel.ts', 1, 'whether another tenant has the bot already'],
  ['src/deletion/drop-visitors.ts', 1, 'cron: visitors of all tenants who can no longer come back'],
  [
    'src/domains/directory.ts',
    1,
    'the directory of all active host names, from which a request learns its tenant',
  ],
  ['src/domains/domains.ts', 1, 'a host name proved by one tenant is taken for every other'],
  ['src/http/authenticate.ts', 1, 'a key is found by its hash, and leads to its tenant'],
  ['src/jobs/answer-channel.ts', 1, 'cron: messages of all tenants that no job took'],
  ['src/jobs/check-domains.ts', 1, 'cron: domains of all tenants whose time has come'],
  ['src/jobs/check-mcp-server.ts', 1, 'cron: servers of all tenants that were not asked for long'],
  ['src/jobs/export-user.ts', 1, 'cron: exports of all tenants that are no longer kept'],
  ['src/jobs/refresh-documents.ts', 1, 'cron: documents of all tenants whose address is due'],
  ['src/jobs/verify-approved.ts', 1, 'cron: approvals of all tenants'],
  ['src/jobs/watch-deletions.ts', 2, 'cron: deletions of all tenants'],
  ['src/pages/load-agent-page.ts', 1, 'the address of a page names its tenant by its alias'],
  ['src/users/end-tokens.ts', 1, 'cron: users of all tenants whose objects were not told'],
  ['src/users/resolve-caller.ts', 1, 'a key is found by its hash, and leads to its tenant'],
  ['src/webhooks/deliver.ts', 1, 'cron: deliveries of all tenants'],
]

export const ALLOWED = new Map(ACROSS.map(([file, reads]) => [file, reads]))

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
 * @returns {string[]} a line for each file with more or fewer reads of its own than the list says.
 */
export function strayReads(sources, tables, allowed) {
  const reads = new RegExp(
    `\\.from\\((?:${tables.join('|')})\\)|\\.query\\.(?:${tables.join('|')})\\b`,
    'gu',
  )
  return sources.flatMap(({ file, text }) => {
    const found = text.match(reads)?.length ?? 0
    const listed = allowed.get(file) ?? 0
    if (found === listed) return []
    return [
      `${file} reads tenants' tables ${found} times past src/db/own.ts, ${listed} are listed: use what stands there, or give the reason in scripts/check-reads.mjs`,
    ]
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..')
  const sources = globSync(['src/**/*.ts', 'durable-objects/**/*.ts'], { cwd: root })
    .filter((file) => file !== 'src/db/own.ts')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const tables = globSync('src/db/tables/*.ts', { cwd: root }).flatMap((file) => [
    ...ownedTables(readFileSync(join(root, file), 'utf8')),
  ])
  const stray = strayReads(sources, tables, ALLOWED)
  for (const line of stray) console.error(line)
  if (stray.length > 0) process.exit(1)
}
