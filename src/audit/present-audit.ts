import { isoOf } from '../http/time'
import { canonicalText } from './entry'
import type { ListedEntry } from './list-audit'

export const AUDIT_FIELDS = [
  'id',
  'created_at',
  'actor',
  'actor_type',
  'via',
  'action',
  'entity',
  'entity_id',
  'entity_name',
  'before',
  'after',
  'request_id',
  'seq',
  'sealed_at',
  'prev_hash',
  'hash',
  'canonical',
] as const

export function presentAudit(row: ListedEntry) {
  return { ...presentFacts(row), before: parse(row.before), after: parse(row.after) }
}

/** In the order of AUDIT_FIELDS; `before` and `after` stay JSON text. */
export function auditCells(row: ListedEntry): (string | null)[] {
  const { seq, ...rest } = presentFacts(row)
  const facts = { ...rest, seq: String(seq), before: row.before, after: row.after }
  return AUDIT_FIELDS.map((field) => facts[field])
}

function presentFacts(row: ListedEntry) {
  return {
    id: row.id,
    created_at: isoOf(row.createdAt),
    actor: row.actor,
    actor_type: row.actorType,
    via: row.via,
    action: row.action,
    entity: row.entity,
    entity_id: row.entityId,
    entity_name: row.entityName,
    request_id: row.requestId,
    seq: row.seq,
    ...presentSeal(row),
  }
}

/** `canonical` is the text whose SHA-256 is `hash`; all null until the entry is sealed. */
function presentSeal(row: ListedEntry) {
  if (row.hash === '') return { sealed_at: null, prev_hash: null, hash: null, canonical: null }
  return {
    sealed_at: isoOf(row.sealedAt ?? row.createdAt),
    prev_hash: row.prevHash,
    hash: row.hash,
    canonical: row.prevHash === null ? null : canonicalText(row.prevHash, row),
  }
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
