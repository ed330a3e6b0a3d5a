import { afterEach, describe, expect, it, vi } from 'vitest'
import { configOf } from '../../../src/config/read-config'
import { egressContext, tellEgressHoles } from '../../../src/domains/egress-context'

const SECRETS = {
  ADMIN_TOKEN: 'a'.repeat(32),
  MASTER_KEYS: 'm'.repeat(32),
  JWT_SECRET: 'j'.repeat(32),
}

describe('the egress guard', () => {
  afterEach(() => vi.restoreAllMocks())

  it('logs what it lets through, once a start, and nothing when that is nothing (SF6)', () => {
    const lines: string[] = []
    vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(line))
    tellEgressHoles(configOf({ ...SECRETS }))
    expect(lines).toEqual([])
    const env = { ...SECRETS, EGRESS_ALLOW: '127.0.0.1:9000, peer.test:8443' }
    tellEgressHoles(configOf(env))
    expect(egressContext(env as unknown as Env).allow).toEqual(['127.0.0.1:9000', 'peer.test:8443'])
    const weather = 'http://10.0.0.5:3000/v1'
    const ours = { ...env, WEATHER_URL: weather } as unknown as Env
    expect(egressContext(ours, weather).allow).toContain('10.0.0.5:3000')
    expect(egressContext(ours).allow).not.toContain('10.0.0.5:3000')
    expect(lines.slice(0, 1).map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        component: 'egress',
        event: 'egress_allow',
        pairs: '127.0.0.1:9000 peer.test:8443',
      },
    ])
  })
})
