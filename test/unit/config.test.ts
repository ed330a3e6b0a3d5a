import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configOf, readConfig } from '../../src/config'

const SECRETS = {
  ADMIN_TOKEN: 'a'.repeat(32),
  MASTER_KEYS: 'm'.repeat(32),
  JWT_SECRET: 'j'.repeat(32),
}

describe('configuration', () => {
  const lines: string[] = []
  beforeEach(() => {
    lines.length = 0
    vi.spyOn(console, 'warn').mockImplementation((line) => void lines.push(line))
  })
  afterEach(() => vi.restoreAllMocks())

  it('logs what the egress guard lets through, once a start, and nothing when that is nothing (SF6)', () => {
    configOf({ ...SECRETS })
    expect(lines).toEqual([])
    const env = { ...SECRETS, EGRESS_ALLOW: '127.0.0.1:9000, peer.test:8443' }
    configOf(env)
    configOf(env)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        component: 'config',
        event: 'egress_allow',
        pairs: '127.0.0.1:9000 peer.test:8443',
      },
    ])
  })

  it.each(['ADMIN_TOKEN', 'MASTER_KEYS', 'JWT_SECRET'])(
    'does not start without %s (BG4)',
    (name) => {
      for (const value of [undefined, '', 'x'.repeat(31)]) {
        expect(() => readConfig({ ...SECRETS, [name]: value })).toThrow(
          new RegExp(`^${name} is missing or shorter than 32 bytes`),
        )
      }
    },
  )

  it('limits are raised by variables, one by one, and a nonsense value is named', () => {
    const { rates } = readConfig({ ...SECRETS, LIMITS_CHAT_PER_USER: '999' })
    expect(rates.chatPerUser.limit).toBe(999)
    expect(rates.chatPerTenant.limit).toBe(600)
    for (const value of ['1', '0', '-5', 'many', '1e99'])
      expect(() => readConfig({ ...SECRETS, LIMITS_CHAT_PER_USER: value })).toThrow(/LIMITS_/)
  })
})
