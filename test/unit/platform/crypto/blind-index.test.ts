import { describe, expect, it } from 'vitest'
import {
  chatIndex,
  deriveChatIndexKey,
  deriveEmailIndexKey,
  deriveSubjectIndexKey,
  emailIndex,
  subjectIndex,
} from '../../../../src/platform/crypto/blind-index'
import { parseKeyring } from '../../../../src/platform/crypto/keyring'
import {
  importMasterKeys,
  newTenantKey,
  type TenantKey,
  unwrapTenantKey,
} from '../../../../src/platform/crypto/keys'

const ring = parseKeyring('a plain secret of more than thirty-two bytes', 'MASTER_KEYS')

async function tenantOf(tenant: string): Promise<TenantKey> {
  return (await newTenantKey(await importMasterKeys(ring), tenant)).key
}

describe('emailIndex', () => {
  it('is the same for every way to write one address', async () => {
    const key = await deriveEmailIndexKey(await tenantOf('t1'))
    const index = await emailIndex(key, 'ada@example.com')
    expect(index).toMatch(/^[A-Za-z0-9_-]{43}$/)
    for (const same of [' Ada@Example.com ', 'ADA@EXAMPLE.COM']) {
      expect(await emailIndex(key, same)).toBe(index)
    }
    expect(await emailIndex(key, 'j\u006f\u0308rg@example.com')).toBe(
      await emailIndex(key, 'jörg@example.com'),
    )
    expect(await emailIndex(key, 'ada@example.org')).not.toBe(index)
  })

  it('comes back with the tenant key and differs between tenants', async () => {
    const master = await importMasterKeys(ring)
    const { key, wrapped } = await newTenantKey(master, 't1')
    const index = await emailIndex(await deriveEmailIndexKey(key), 'ada@example.com')
    const again = await deriveEmailIndexKey(await unwrapTenantKey(master, 't1', wrapped))
    expect(await emailIndex(again, 'ada@example.com')).toBe(index)
    const others = [await tenantOf('t2'), await tenantOf('t1'), { ...key, tenant: 't2' }]
    for (const other of others) {
      const foreign = await deriveEmailIndexKey(other)
      expect(await emailIndex(foreign, 'ada@example.com')).not.toBe(index)
    }
  })
})

it('one id at two providers, or in two messengers, is two people', async () => {
  const tenant = await tenantOf('t1')
  const subjects = await deriveSubjectIndexKey(tenant)
  expect(await subjectIndex(subjects, 'google', '1')).not.toBe(
    await subjectIndex(subjects, 'github', '1'),
  )
  const chats = await deriveChatIndexKey(tenant)
  expect(await chatIndex(chats, 'telegram', '1')).not.toBe(await chatIndex(chats, 'other', '1'))
})
