import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/read-config'

const SECRETS = {
  ADMIN_TOKEN: 'a'.repeat(32),
  MASTER_KEYS: 'm'.repeat(32),
  JWT_SECRET: 'j'.repeat(32),
}

describe('configuration', () => {
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
