import { DOMAINS } from '../config/limits'
import type { CustomDomainRow } from '../db/tables/domains'

/** What a look at the domain's records found. `unknown`: the resolver gave no answer. */
export type Proof = { kind: 'proven' } | { kind: 'missing' | 'wrong' | 'unknown'; detail: string }

export type CheckedFields = Pick<
  CustomDomainRow,
  'status' | 'verifiedAt' | 'lastCheckedAt' | 'lastError' | 'nextCheckAt'
>

/**
 * Rule CD3: proof makes a binding active; an active one stays so for 72 hours without proof. A resolver that is silent
 * changes no status: it proves nothing, and an outage of ours takes nobody offline. Pure.
 */
export function decideStatus(row: CustomDomainRow, proof: Proof, now: number): CheckedFields {
  const checked = { lastCheckedAt: now }
  if (proof.kind === 'proven') {
    return {
      ...checked,
      status: 'active',
      verifiedAt: now,
      lastError: null,
      nextCheckAt: now + DOMAINS.activeMs,
    }
  }
  const status = proof.kind === 'unknown' ? row.status : statusWithoutProof(row, proof.kind, now)
  return {
    ...checked,
    status,
    verifiedAt: row.verifiedAt,
    lastError: proof.detail,
    nextCheckAt: now + (status === 'active' ? DOMAINS.doubtMs : pauseOf(row, now)),
  }
}

function statusWithoutProof(
  row: CustomDomainRow,
  kind: 'missing' | 'wrong',
  now: number,
): CustomDomainRow['status'] {
  if (row.status === 'active') {
    return now - (row.verifiedAt ?? row.createdAt) >= DOMAINS.graceMs ? 'error' : 'active'
  }
  return kind === 'wrong' || row.status === 'error' ? 'error' : 'pending'
}

/** Someone who has just set a record waits minutes, an old claim days. */
function pauseOf(row: CustomDomainRow, now: number): number {
  const age = now - row.createdAt
  return DOMAINS.pauses.find(({ upToMs }) => age < upToMs)?.pauseMs ?? DOMAINS.activeMs
}
