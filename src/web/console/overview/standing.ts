import type { Domain, DomainFeature, Key, Quota, Settings, Webhook } from '../settings/types'
import type { UsageRow } from '../usage/types'

interface AgentItem {
  name: string
  published: boolean
  source: string
}

interface Named {
  name: string
}

/** All that the overview is made of. A part that this key may not read, or that did not answer, is null. */
export interface Standing {
  settings: Settings
  quota: Quota | null
  days: readonly UsageRow[] | null
  kinds: readonly UsageRow[] | null
  agents: readonly AgentItem[] | null
  bases: readonly (Named & { document_count: number; status: string })[] | null
  servers: readonly (Named & { id: string; status?: string | null; enabled: boolean })[] | null
  keys: readonly Key[] | null
  feature: DomainFeature | null
  domain: Domain | null
  webhooks: readonly Webhook[] | null
  /** How many wait; the last page of a list that has more says so. */
  reviews: Waiting | null
  handoffs: Waiting | null
}

export interface Waiting {
  count: number
  hasMore: boolean
}

const pathOf = (folder: string, name: string) => `${folder}/${encodeURIComponent(name)}`

/** Turns are answers, whether they took one call of a model or a research. */
export function turnsOf(kinds: readonly UsageRow[] | null): number | null {
  if (kinds === null) return null
  const answering = kinds.filter(({ key }) => key === 'chat' || key === 'research')
  return answering.reduce((sum, { requests }) => sum + requests, 0)
}

export type StepName = 'agent' | 'knowledge' | 'try' | 'publish' | 'look' | 'mail' | 'domain'

export interface Step {
  name: StepName
  done: boolean
  to: string
  /** Nice to have: it does not hold the list open. */
  optional: boolean
}

/** The way from nothing to an agent that people talk to, as far as it has been gone. Pure. */
export function setupSteps(standing: Standing): Step[] {
  const { settings, feature, domain } = standing
  const agents = standing.agents ?? []
  const own = agents.find(({ source }) => source === 'tenant') ?? agents[0]
  const build = own ? pathOf('/agents', own.name) : '/agents/new'
  const step = (name: StepName, done: boolean, path: string, optional = false): Step => ({
    name,
    done,
    to: path,
    optional,
  })
  const hasDomain = feature !== null && (feature.enabled || feature.bound)
  return [
    step('agent', own !== undefined, own ? '/agents' : '/agents/new'),
    step(
      'knowledge',
      (standing.bases ?? []).some(({ document_count }) => document_count > 0),
      '/knowledge',
    ),
    step('try', (turnsOf(standing.kinds) ?? 0) > 0, build),
    step(
      'publish',
      agents.some(({ published }) => published),
      build,
    ),
    step(
      'look',
      settings.logo_url !== null || typeof settings.profile.accent === 'string',
      '/settings/general',
      true,
    ),
    ...(settings.auth_mode === 'native'
      ? [step('mail', settings.smtp !== null, '/settings/sign-in')]
      : []),
    ...(hasDomain ? [step('domain', domain?.status === 'active', '/settings/domain', true)] : []),
  ]
}

export type WarningName =
  | 'suspended'
  | 'modelFailing'
  | 'quotaOut'
  | 'quotaLow'
  | 'domainError'
  | 'smtpMissing'
  | 'keyOld'
  | 'baseFailed'
  | 'serverFailed'
  | 'webhookOff'
  | 'defaultAgent'

export interface Warning {
  name: WarningName
  tone: 'bad' | 'warn'
  to: string | null
  values: Record<string, string | number>
  /** In the service's own words. */
  detail: string | null
}

const DAY_MS = 86_400_000
/** A key that is older ought to be replaced. */
export const KEY_DAYS = 90

/** What somebody has to look after, the worst first. Pure. */
export function warningsOf(standing: Standing, now: number): Warning[] {
  const { settings, quota, domain } = standing
  const found: Warning[] = []
  const warn = (
    name: WarningName,
    tone: Warning['tone'],
    path: string | null,
    values: Warning['values'] = {},
    detail: string | null = null,
  ) => found.push({ name, tone, to: path, values, detail })

  if (settings.status !== 'active') warn('suspended', 'bad', null)
  if (settings.model_status.state === 'failing') {
    const { model, message } = settings.model_status
    warn('modelFailing', 'bad', '/settings/privacy', { model: model ?? '' }, message)
  }
  if (quota?.state === 'exhausted') warn('quotaOut', 'bad', '/usage')
  if (domain?.status === 'error')
    warn('domainError', 'bad', '/settings/domain', { name: domain.domain }, domain.last_error)
  if (quota?.state === 'warning') warn('quotaLow', 'warn', '/usage')
  const wished = settings.profile.default_agent
  if (typeof wished === 'string' && standing.agents !== null) {
    const isOpen = standing.agents.some(({ name, published }) => name === wished && published)
    if (!isOpen) warn('defaultAgent', 'warn', '/settings/general', { name: wished })
  }
  if (settings.auth_mode === 'native' && settings.smtp === null)
    warn('smtpMissing', 'warn', '/settings/sign-in')
  for (const { name, status } of standing.bases ?? [])
    if (status === 'failed') warn('baseFailed', 'warn', pathOf('/knowledge', name), { name })
  for (const { id, name, status, enabled } of standing.servers ?? [])
    if (enabled && status === 'failed') warn('serverFailed', 'warn', pathOf('/mcp', id), { name })
  for (const { id, url, status } of standing.webhooks ?? [])
    if (status === 'disabled')
      warn('webhookOff', 'warn', pathOf('/settings/webhooks', id), { name: new URL(url).host })
  const oldest = (standing.keys ?? [])
    .filter(({ revoked }) => !revoked)
    .map((key) => ({ ...key, days: Math.floor((now - Date.parse(key.created_at)) / DAY_MS) }))
    .filter(({ days }) => days >= KEY_DAYS)
    .toSorted((a, b) => b.days - a.days)[0]
  if (oldest) warn('keyOld', 'warn', '/settings/security', { name: oldest.name, n: oldest.days })
  return found
}
