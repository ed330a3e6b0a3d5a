import type { AuditRow } from '../db/tables'
import { isoOf } from '../http/time'

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
  'hash',
] as const

export function presentAudit(row: AuditRow) {
  return { ...presentFacts(row), before: parse(row.before), after: parse(row.after) }
}

/** In the order of AUDIT_FIELDS; `before` and `after` stay JSON text. */
export function auditCells(row: AuditRow): (string | null)[] {
  const facts = { ...presentFacts(row), before: row.before, after: row.after }
  return AUDIT_FIELDS.map((field) => facts[field])
}

function presentFacts(row: AuditRow) {
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
    hash: row.hash,
  }
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
