/** An entry of `GET /v1/tenant/audit`. */
export interface AuditEntry {
  id: string
  created_at: string
  actor: string
  actor_type: 'key' | 'operator' | 'mcp' | 'system' | 'user'
  via: 'api' | 'console' | 'mcp'
  action: string
  entity: string
  entity_id: string | null
  entity_name: string | null
  before: unknown
  after: unknown
  request_id: string | null
  seq: number
  sealed_at: string | null
  prev_hash: string | null
  hash: string | null
  canonical: string | null
}

export interface AuditPage {
  items: AuditEntry[]
  next_cursor: string | null
  total: number | null
}
