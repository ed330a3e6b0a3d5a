import { sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { type HandoffRow, handoffs } from '../db/tables/handoffs'
import { sealField } from '../platform/crypto/field'
import type { TenantKey } from '../platform/crypto/keys'
import { readTenantField } from '../platform/crypto/read-sealed'
import type { SpaceAddress } from '../platform/stubs'
import type { HandoffHead } from './handoff'

const summaryContext = ({ tenantId, id }: Pick<HandoffRow, 'tenantId' | 'id'>) =>
  [tenantId, 'handoffs', 'summary', id] as const

/** Null where there is none, or none that opens. */
export function openSummary(
  key: TenantKey,
  row: Pick<HandoffRow, 'tenantId' | 'id' | 'summary'>,
): Promise<string | null> {
  return row.summary === null
    ? Promise.resolve(null)
    : readTenantField(key, summaryContext(row), row.summary)
}

export function sealSummary(
  key: TenantKey,
  row: Pick<HandoffRow, 'tenantId' | 'id'>,
  summary: string,
): Promise<string> {
  return sealField(key, summaryContext(row), summary)
}

/** The statement that notes what a user's object says of a handoff: what it said before does not undo it. */
export function noteHandoff(
  db: Db,
  { tenantId, userId, spaceId }: SpaceAddress,
  head: HandoffHead,
  summary: string | null,
) {
  const { id, sessionId, agentName, status, reason, n, createdAt, answeredAt, closedAt } = head
  return db
    .insert(handoffs)
    .values({
      ...{ id, tenantId, userId, spaceId, sessionId, agentName, status, reason, summary, n },
      ...{ createdAt, answeredAt, closedAt },
    })
    .onConflictDoUpdate({
      target: handoffs.id,
      set: {
        ...{ spaceId, agentName, status, n, answeredAt, closedAt },
        summary: sql`coalesce(summary, excluded.summary)`,
      },
      setWhere: sql`n <= excluded.n AND tenant_id = excluded.tenant_id`,
    })
}
