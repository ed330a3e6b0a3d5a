import { type SQL, sql } from 'drizzle-orm'
import { type AuditFacts, GENESIS_HASH, hashEntry } from './entry'

interface End {
  seq: number
  hash: string
}

const MOST_TENANTS = 10_000
const START: End = { seq: 0, hash: GENESIS_HASH }

/** Where this isolate left each tenant's chain. A guess: others write too, and D1 has the last word. */
const ends = new Map<string, End>()

export function noteEnd(tenantId: string, end: End): void {
  if (ends.size >= MOST_TENANTS) ends.clear()
  ends.set(tenantId, end)
}

export function forgetEnd(tenantId: string): void {
  ends.delete(tenantId)
}

/** The seal that an entry gets with its change, where the chain ends as this isolate believes; else it waits for one. */
export interface Foreseen {
  hash: string
  /** For the statement: `seal` where the chain ends there, `otherwise` where somebody else wrote in between. */
  ifFollowed<T>(seal: T, otherwise: T): SQL<T>
}

/** The next entry counts on this one: what becomes of it is told by `forgetEnd` where it did not come so. */
export function foresee(facts: AuditFacts, digest: string, sealedAt: number): Foreseen {
  const { tenantId } = facts
  const end = ends.get(tenantId) ?? START
  const seq = end.seq + 1
  const hash = hashEntry(end.hash, { ...facts, seq, digest, sealedAt })
  noteEnd(tenantId, { seq, hash })
  // A hash says its place too: no other entry has the same.
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
