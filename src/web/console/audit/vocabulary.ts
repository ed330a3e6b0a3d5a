import type { AuditKey } from './words'

export const ACTIONS = {
  create: 'actionCreate',
  update: 'actionUpdate',
  delete: 'actionDelete',
  publish: 'actionPublish',
  unpublish: 'actionUnpublish',
  restore: 'actionRestore',
  clone: 'actionClone',
  import: 'actionImport',
  approve: 'actionApprove',
  reject: 'actionReject',
  revoke: 'actionRevoke',
  rotate: 'actionRotate',
} as const satisfies Record<string, AuditKey>

export const ENTITIES = {
  agent: 'entityAgent',
  agent_app: 'entityAgentApp',
  skill: 'entitySkill',
  knowledge_base: 'entityBase',
  document: 'entityDocument',
  mcp_server: 'entityServer',
  storyline: 'entityStoryline',
  storyline_scenario: 'entityScenario',
  storyline_enrollments: 'entityEnrollments',
  review: 'entityReview',
  handoff: 'entityHandoff',
  user: 'entityUser',
  space: 'entitySpace',
  settings: 'entitySettings',
  logo: 'entityLogo',
  smtp: 'entitySmtp',
  oauth: 'entityOauth',
  privacy: 'entityPrivacy',
  vectors: 'entityVectors',
  api_key: 'entityKey',
  custom_domain: 'entityDomain',
  webhook: 'entityWebhook',
  channel: 'entityChannel',
  tenant: 'entityTenant',
  tenant_data: 'entityTenantData',
  user_data: 'entityUserData',
} as const satisfies Record<string, AuditKey>

/** A word that is not known is shown as the trail has it. */
export function wordOf<Key extends AuditKey>(
  words: Readonly<Record<string, Key>>,
  t: (key: Key) => string,
  name: string,
): string {
  const key = Object.hasOwn(words, name) ? words[name] : undefined
  return key === undefined ? name : t(key)
}
