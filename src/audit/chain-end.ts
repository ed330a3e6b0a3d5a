import { type SQL, sql } from 'drizzle-orm'
import { type AuditFacts, GENESIS_HASH, hashEntry } from './entry'

interface End {
  seq: number
  hash: string
}

const MOST_TENANTS = 10_000
const START: End = { seq: 0, hash: GENESIS_HASH }

/** The last entry of each tenant's chain as this isolate believes. A guess: other isolates write too. */
const ends = new Map<string, End>()

export function noteEnd(tenantId: string, end: End): void {
  if (ends.size >= MOST_TENANTS) ends.clear()
  ends.set(tenantId, end)
}

export function forgetEnd(tenantId: string): void {
  ends.delete(tenantId)
}

/** The hash that an entry has if the chain ends where this isolate believes. */
interface Foreseen {
  hash: string
  /** An SQL expression: `seal` if the chain does end there, `otherwise` if somebody else wrote in between. */
  ifFollowed<T>(seal: T, otherwise: T): SQL<T>
}

/**
 * Computes an entry's hash before it is written, and notes it as the chain's end for the next one. Whoever calls says
 * `forgetEnd` when the entry was not written so.
 */
export function foresee(facts: AuditFacts, digest: string, sealedAt: number): Foreseen {
  const { tenantId } = facts
  const end = ends.get(tenantId) ?? START
  const seq = end.seq + 1
  const hash = hashEntry(end.hash, { ...facts, seq, digest, sealedAt })
  noteEnd(tenantId, { seq, hash })
  // Comparing hashes is enough: the number is part of what is hashed, so no two entries share one.
  const isEnd = sql`coalesce(
    (SELECT hash FROM audit WHERE tenant_id = ${tenantId} ORDER BY seq DESC LIMIT 1),
    (SELECT hash FROM audit_anchors WHERE tenant_id = ${tenantId}),
    ${GENESIS_HASH}) = ${end.hash}`
  return {
    hash,
    ifFollowed: <T>(seal: T, otherwise: T) =>
      sql<T>`CASE WHEN ${isEnd} THEN ${seal} ELSE ${otherwise} END`,
  }
}
