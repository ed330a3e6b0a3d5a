import { createHash } from 'node:crypto'

/** What one line of the trail says. Times in milliseconds, `before` and `after` as JSON text. */
export interface AuditFacts {
  tenantId: string
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

/** A line with its place. `digest` and `sealedAt` are null in entries that were sealed with their change. */
export interface AuditEntry extends AuditFacts {
  seq: number
  digest: string | null
  sealedAt: number | null
  /** Empty until the entry is sealed. */
  hash: string
}

/** What a tenant's first entry builds on. */
export const GENESIS_HASH = '0'.repeat(64)

const factsOf = (facts: AuditFacts) => [
  facts.id,
  facts.createdAt,
  facts.actor,
  facts.actorType,
  facts.via,
  facts.action,
  facts.entity,
  facts.entityId,
  facts.entityName,
  facts.before,
  facts.after,
  facts.requestId,
]

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What an entry says, fixed when it is written, before it has a number and a place in the chain. */
export const digestFacts = (facts: AuditFacts): string =>
  hashText(JSON.stringify([facts.tenantId, ...factsOf(facts)]))

/** The text whose SHA-256 is the entry's hash: the hash of the one before, then every field, in this order. */
export function canonicalText(
  previousHash: string,
  entry: AuditFacts & Pick<AuditEntry, 'seq' | 'digest' | 'sealedAt'>,
): string {
  const seal = entry.digest === null ? [] : [entry.digest, entry.sealedAt]
  return JSON.stringify([previousHash, entry.tenantId, entry.seq, ...factsOf(entry), ...seal])
}

/** SHA-256 in hex: changing, dropping or reordering an entry breaks the chain. */
export const hashEntry = (
  previousHash: string,
  entry: AuditFacts & Pick<AuditEntry, 'seq' | 'digest' | 'sealedAt'>,
): string => hashText(canonicalText(previousHash, entry))

/**
 * @returns the seq of the first entry that does not fit the chain, or null. `entries` in rising order. Those that still wait
 * for their seal are held to their numbers and to their digests; two of them that changed places, or a cut end, do not show.
 */
export function findBreak(
  anchor: { seq: number; hash: string },
  entries: AuditEntry[],
): number | null {
  let { seq, hash } = anchor
  for (const entry of entries) {
    if (entry.seq !== seq + 1 || !fits(hash, entry)) return entry.seq
    seq = entry.seq
    hash = entry.hash
  }
  return null
}

function fits(previousHash: string, entry: AuditEntry): boolean {
  const saysTheSame = entry.digest === null || entry.digest === digestFacts(entry)
  if (entry.hash === '') return saysTheSame && entry.digest !== null
  return saysTheSame && previousHash !== '' && entry.hash === hashEntry(previousHash, entry)
}
