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
      expect(() => readConfig({ ...SECRETS, LIMITS_CHAT_PER_USER: value })).toThrow(
        /^LIMITS_CHAT_PER_USER must be/,
      )
  })

  it('an origin is one however it is written, and anything else is named', () => {
    const { publicBase, consoleOrigins } = readConfig({
      ...SECRETS,
      PUBLIC_BASE: 'https://Chat.Example.com:443/',
      CONSOLE_ORIGINS: 'https://desk.example.com/, http://localhost:5173, app://desk',
    })
    expect(publicBase).toBe('https://chat.example.com')
    expect(consoleOrigins).toEqual([
      'https://desk.example.com',
      'http://localhost:5173',
      'app://desk',
    ])
    expect(readConfig({ ...SECRETS, PUBLIC_BASE: '' }).publicBase).toBe('')
    for (const value of [
      'chat.example.com',
      'chat.example.com:8443',
      'https://example.com/chat',
      '/',
    ])
      for (const name of ['PUBLIC_BASE', 'CONSOLE_ORIGINS'])
        expect(() => readConfig({ ...SECRETS, [name]: value })).toThrow(
          `${name} must be an origin such as https://chat.example.com, not "${value}".`,
        )
  })

  it.each(['OPENAI_BASE_URL', 'RERANK_URL', 'DOH_URL', 'TELEGRAM_URL', 'OAUTH_GOOGLE_TOKEN_URL'])(
    'an address without its scheme is named: %s',
    (name) => {
      expect(() => readConfig({ ...SECRETS, [name]: 'http://127.0.0.1:11434/v1' })).not.toThrow()
      for (const value of ['127.0.0.1:11434/v1', 'localhost:11434/v1', 'api.example.com'])
        expect(() => readConfig({ ...SECRETS, [name]: value })).toThrow(
          `${name} must begin with http:// or https://.`,
        )
    },
  )

  it('a provider that there is not is named', () => {
    for (const value of ['workers-ai', 'openai-compatible', 'offline', ''])
      expect(() => readConfig({ ...SECRETS, MODEL_PROVIDER: value })).not.toThrow()
    for (const value of ['openai', 'Offline', 'offline '])
      expect(() => readConfig({ ...SECRETS, MODEL_PROVIDER: value })).toThrow(
        'MODEL_PROVIDER must be workers-ai, openai-compatible or offline.',
      )
  })
})
