import { describe, expect, it } from 'vitest'
import {
  KEY_DAYS,
  type Standing,
  setupSteps,
  turnsOf,
  warningsOf,
} from '../../../../src/web/console/overview/standing'
import type { Key, Settings } from '../../../../src/web/console/settings/types'
import type { UsageRow } from '../../../../src/web/console/usage/types'

const NOW = Date.parse('2026-11-26T21:00:00Z')
const DAY_MS = 86_400_000

const settings = (fields: Partial<Settings> = {}): Settings => ({
  tenant_id: 't',
  name: 'Acme',
  alias: null,
  alias_prefix: 't',
  auth_mode: 'native',
  privacy_mode: false,
  status: 'active',
  profile: {},
  onboarding_config: null,
  daily_tokens_per_user: null,
  oauth: [],
  smtp: null,
  logo_url: null,
  model_status: { model: null, state: 'unknown', code: null, message: null, since: null },
  ...fields,
})

const nothing: Standing = {
  settings: settings(),
  quota: null,
  days: [],
  kinds: [],
  agents: [],
  bases: [],
  servers: [],
  keys: [],
  feature: { enabled: true, bound: false, cname_target: null },
  domain: null,
  webhooks: [],
  reviews: null,
  handoffs: null,
}
const key = (name: string, days: number, revoked = false): Key => ({
  id: name,
  name,
  prefix: 'pk_',
  scopes: null,
  revoked,
  created_at: new Date(NOW - days * DAY_MS).toISOString(),
  last_used_at: null,
})
const named = (standing: Partial<Standing>) =>
  warningsOf({ ...nothing, ...standing }, NOW).map(({ name }) => name)

describe('the way to an agent that people talk to', () => {
  it('has not been gone by a new tenant', () => {
    const steps = setupSteps(nothing)
    expect(steps.filter(({ done }) => done)).toEqual([])
    expect(steps.map(({ name }) => name)).toEqual([
      'agent',
      'knowledge',
      'try',
      'publish',
      'look',
      'mail',
      'domain',
    ])
    expect(steps[0]).toMatchObject({ to: '/agents/new' })
  })

  it('is read from what there is, and leads to the tenant’s own agent', () => {
    const steps = setupSteps({
      ...nothing,
      settings: settings({ profile: { accent: '#000000' } }),
      agents: [
        { name: 'shipped', published: true, source: 'system' },
        { name: 'front desk', published: false, source: 'tenant' },
      ],
      bases: [{ name: 'b', document_count: 2, status: 'ready' }],
      kinds: [{ key: 'research', requests: 1 } as UsageRow],
    })
    const done = steps.filter((step) => step.done).map(({ name }) => name)
    expect(done).toEqual(['agent', 'knowledge', 'try', 'publish', 'look'])
    expect(steps.find(({ name }) => name === 'publish')?.to).toBe('/agents/front%20desk')
  })

  it('asks a proxy tenant for no mail server, and nobody for a domain that they may not bind', () => {
    const steps = setupSteps({
      ...nothing,
      settings: settings({ auth_mode: 'proxy' }),
      feature: { enabled: false, bound: false, cname_target: null },
    })
    expect(steps.map(({ name }) => name)).not.toContain('mail')
    expect(steps.map(({ name }) => name)).not.toContain('domain')
  })
})

describe('warnings', () => {
  it('name the oldest key that is in use for too long, and no revoked one', () => {
    const keys = [key('new', 1), key('old', KEY_DAYS), key('older', 200), key('gone', 400, true)]
    const smtp = settings({ auth_mode: 'proxy' })
    const [warning, ...others] = warningsOf({ ...nothing, settings: smtp, keys }, NOW)
    expect(others).toEqual([])
    expect(warning).toMatchObject({ name: 'keyOld', values: { name: 'older', n: 200 } })
  })

  it('come with what fails, the worst first', () => {
    const quota = { used: 1, limit: 1, remaining: 0, percent: 100, period: '', resets_at: '' }
    const model = { model: 'm', code: 'timeout', message: 'x', since: null } as const
    expect(
      named({
        settings: settings({
          status: 'suspended',
          profile: { default_agent: 'gone' },
          model_status: { ...model, state: 'failing' },
        }),
        quota: { ...quota, state: 'exhausted', unit: 'tokens' },
        bases: [{ name: 'b', document_count: 1, status: 'failed' }],
        servers: [
          { id: '1', name: 's', status: 'failed', enabled: true },
          { id: '2', name: 'off', status: 'failed', enabled: false },
        ],
      }),
    ).toEqual([
      'suspended',
      'modelFailing',
      'quotaOut',
      'defaultAgent',
      'smtpMissing',
      'baseFailed',
      'serverFailed',
    ])
  })

  it('say nothing of what could not be read', () => {
    const unread = { agents: null, bases: null, servers: null, keys: null, webhooks: null }
    const profile = { default_agent: 'x' }
    expect(named({ ...unread, settings: settings({ auth_mode: 'proxy', profile }) })).toEqual([])
  })
})

it('turns are answers and research', () => {
  const kinds = ['chat', 'research', 'title'].map((key) => ({ key, requests: 2 }) as UsageRow)
  expect(turnsOf(kinds)).toBe(4)
  expect(turnsOf(null)).toBeNull()
})
