import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Whom the key belongs to: `GET /v1/tenant/me`. */
export interface TenantFacts {
  tenant_id: string
  name: string
  alias: string | null
}

export const TenantContext = createContext<TenantFacts | null>(null)

/** The tenant that is signed in. */
export function useTenant(): TenantFacts {
  const tenant = useContext(TenantContext)
  if (tenant === null) throw new Error('no tenant: not within the shell')
  return tenant
}
