import { sha256, toHex, utf8 } from '../platform/crypto/bytes'

/** One line of the trail without its hash. Times in milliseconds, `before` and `after` as JSON text. */
export interface AuditFacts {
  tenantId: string
  seq: number
  id: string
  createdAt: number
  actor: string
  actorType: string
  via: string
  action: string
  entity: string
  entityId: string | null
  entityName: string | null
  before: string | null
  after: string | null
  requestId: string | null
}

/** What a tenant's first entry builds on. */
export const GENESIS_HASH = '0'.repeat(64)

/** SHA-256 over the previous hash and every field, in hex: changing, dropping or reordering an entry breaks the chain. */
export async function hashEntry(previousHash: string, facts: AuditFacts): Promise<string> {
  const {
    tenantId,
    seq,
    id,
    createdAt,
    actor,
    actorType,
    via,
    action,
    entity,
    entityId,
    entityName,
    before,
    after,
    requestId,
  } = facts
  return toHex(
    await sha256(
      utf8(
        JSON.stringify([
          previousHash,
          tenantId,
          seq,
          id,
          createdAt,
          actor,
          actorType,
          via,
          action,
          entity,
          entityId,
          entityName,
          before,
          after,
          requestId,
        ]),
      ),
    ),
  )
}

/** @returns the seq of the first entry that does not fit the chain, or null. `entries` in rising order. */
export async function findBreak(
  anchor: { seq: number; hash: string },
  entries: (AuditFacts & { hash: string })[],
): Promise<number | null> {
  let { seq, hash } = anchor
  for (const entry of entries) {
    if (entry.seq !== seq + 1 || entry.hash !== (await hashEntry(hash, entry))) return entry.seq
    seq = entry.seq
    hash = entry.hash
  }
  return null
}
