import { MINUTE_MS } from '../config/limits'
import type { McpServerRow } from '../db/tables/mcp-servers'
import { isoOf } from '../time'
import { usableTools } from './pin-tools'

/** A check that has not ended after this long has died with its worker. */
const CHECK_DIED_MS = MINUTE_MS

export function presentMcpServer(row: McpServerRow, now: number) {
  return {
    id: row.id,
    name: row.name,
    transport: row.transport,
    enabled: row.enabled,
    confirm: row.confirm,
    config: { url: row.url, headers: row.headerNames },
    status: statusOf(row, now),
    tools: usableTools(row.tools).map(({ name, description }) => ({ name, description })),
    pending: row.pending.map(({ name, description, change }) => ({ name, description, change })),
    last_checked_at: row.lastCheckedAt === null ? null : isoOf(row.lastCheckedAt),
    last_error: row.lastError,
    created_at: isoOf(row.createdAt),
  }
}

function statusOf(row: McpServerRow, now: number) {
  if (!row.enabled) return 'disabled' as const
  if (row.checkingAt !== null && row.checkingAt > now - CHECK_DIED_MS) return 'connecting' as const
  return row.outcome ?? ('unknown' as const)
}

/** For the audit trail: no header value, no query string (it may hold a credential), tools by name and hash. */
export function auditMcpServer(row: McpServerRow) {
  const { origin, pathname } = new URL(row.url)
  return {
    name: row.name,
    transport: row.transport,
    enabled: row.enabled,
    confirm: row.confirm,
    config: {
      url: origin + pathname,
      headers: Object.fromEntries(row.headerNames.map((name) => [name, { set: true }])),
    },
    tools: usableTools(row.tools).map(({ name, hash }) => ({ name, hash })),
  }
}
