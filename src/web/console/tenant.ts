/** Whom the key belongs to: `GET /v1/tenant/me`. */
export interface TenantFacts {
  tenant_id: string
  name: string
  alias: string | null
}
