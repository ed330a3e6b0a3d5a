import { beforeAll, describe, expect, it } from 'vitest'
import { openGreeting, sealGreeting } from '../../../src/chat/greeting-id'
import { DAY_MS } from '../../../src/config/limits'
import { readConfig } from '../../../src/config/read-config'
import { newTenantKey } from '../../../src/platform/crypto/keys'
import { masterKeys } from '../../../src/platform/secrets'

const NOW = Date.UTC(2026, 10, 22)
const GREETING = { agentId: 'a1', text: 'Hello, I am Iris.' }

describe('a greeting that is sent back', () => {
  const config = readConfig({
    ADMIN_TOKEN: 'a'.repeat(32),
    MASTER_KEYS: '0123456789abcdef0123456789abcdef',
    JWT_SECRET: 'fedcba9876543210fedcba9876543210',
  })
  const tenant = { id: 't1', wrappedKey: '' }
  const other = { id: 't2', wrappedKey: '' }
  let sealed = ''
  beforeAll(async () => {
    const ring = await masterKeys(config)
    for (const one of [tenant, other]) one.wrappedKey = (await newTenantKey(ring, one.id)).wrapped
    sealed = await sealGreeting(config, tenant, GREETING, NOW)
  })

  it('is what was said, for a month', async () => {
    expect(await openGreeting(config, tenant, sealed, NOW)).toEqual(GREETING)
    expect(await openGreeting(config, tenant, sealed, NOW + 29 * DAY_MS)).toEqual(GREETING)
    expect(await openGreeting(config, tenant, sealed, NOW + 30 * DAY_MS)).toBeNull()
  })

  it('is nothing to another tenant, and not what somebody made up', async () => {
    expect(await openGreeting(config, other, sealed, NOW)).toBeNull()
    for (const text of ['', 'Hello', 'v1.k.AAAA', sealed.slice(0, -2), `${sealed}AA`])
      expect(await openGreeting(config, tenant, text, NOW), text).toBeNull()
  })
})
