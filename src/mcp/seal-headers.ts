import type { Config } from '../config/read-config'
import { sealField } from '../platform/crypto/field'
import { needTenantField, unreadable } from '../platform/crypto/read-sealed'
import { tenantKey } from '../platform/secrets'

/** Whose server it is. The address is sealed in beside the values, so that they open for no other one. */
export interface HeaderOwner {
  tenantId: string
  wrappedKey: string
  serverId: string
  url: string
}

type Headers = Record<string, string>

const place = ({ tenantId, serverId }: HeaderOwner) =>
  [tenantId, 'mcp_servers', 'headers', serverId] as const

const keyOf = (config: Config, { tenantId, wrappedKey }: HeaderOwner) =>
  tenantKey(config, { id: tenantId, wrappedKey })

/** Null for no headers at all. */
export async function sealHeaders(
  config: Config,
  owner: HeaderOwner,
  headers: Headers,
): Promise<string | null> {
  if (Object.keys(headers).length === 0) return null
  const text = JSON.stringify({ url: owner.url, headers: Object.entries(headers) })
  return sealField(await keyOf(config, owner), place(owner), text)
}

/** @throws conflict `unreadable`, also for values that were sealed for another address. */
export async function openHeaders(
  config: Config,
  owner: HeaderOwner,
  sealed: string | null,
): Promise<Headers> {
  if (sealed === null) return {}
  const text = await needTenantField(await keyOf(config, owner), place(owner), sealed)
  const { url, headers } = JSON.parse(text) as { url: string; headers: [string, string][] }
  if (url !== owner.url) throw unreadable()
  return Object.fromEntries(headers)
}
