import type { AuditEntry } from './types'

const BY_NAME: Readonly<Record<string, string>> = {
  agent: '/agents',
  agent_app: '/agents',
  skill: '/skills',
  knowledge_base: '/knowledge',
}
const BY_ID: Readonly<Record<string, string>> = {
  mcp_server: '/mcp',
  storyline: '/storylines',
  user: '/users',
  space: '/spaces',
  webhook: '/settings/webhooks',
}
const PAGES: Readonly<Record<string, string>> = {
  settings: '/settings/general',
  logo: '/settings/general',
  smtp: '/settings/sign-in',
  oauth: '/settings/sign-in',
  privacy: '/settings/privacy',
  custom_domain: '/settings/domain',
  api_key: '/settings/security',
  channel: '/settings/channels',
  review: '/reviews',
  handoff: '/handoffs',
}

type Named = Pick<AuditEntry, 'action' | 'entity' | 'entity_id' | 'entity_name'>

/** Where an entry's object is to be seen; null where it has no page, or is gone with the entry. */
export function placeOf({ action, entity, entity_id, entity_name }: Named): string | null {
  const page = PAGES[entity]
  if (page !== undefined) return page
  if (action === 'delete') return null
  const [folder, name] = BY_NAME[entity]
    ? [BY_NAME[entity], entity_name]
    : [BY_ID[entity], entity_id]
  return folder === undefined || !name ? null : `${folder}/${encodeURIComponent(name)}`
}
