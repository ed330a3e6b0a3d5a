import { describe, expect, it } from 'vitest'
import {
  attachmentContext,
  newAttachmentKey,
  rewrapAttachmentKey,
  unwrapAttachmentKey,
} from '../../../../src/platform/crypto/attachment-key'
import { utf8 } from '../../../../src/platform/crypto/bytes'
import {
  openBytes,
  openField,
  type SealContext,
  SealError,
  sealBytes,
  sealField,
} from '../../../../src/platform/crypto/field'
import { parseKeyring } from '../../../../src/platform/crypto/keyring'
import {
  deriveSpaceKey,
  importMasterKeys,
  type MasterKeys,
  needsRewrap,
  newTenantKey,
  newUserKey,
  rewrapTenantKey,
  type TenantKey,
  unwrapTenantKey,
  unwrapUserKey,
} from '../../../../src/platform/crypto/keys'
import { unwrapRaw, wrapRaw } from '../../../../src/platform/crypto/wrap'

const secret = (word: string) => Buffer.alloc(32, `${word}-master-secret-`).toString('base64url')
const master = (primary: string, ...ids: string[]): Promise<MasterKeys> =>
  importMasterKeys(
    parseKeyring(
      JSON.stringify({ primary, keys: Object.fromEntries(ids.map((id) => [id, secret(id)])) }),
      'MASTER_KEYS',
    ),
  )
const place = (tenant: string, user: string, space: string): SealContext => [
  tenant,
  user,
  space,
  'messages',
  'content',
  'row-1',
]
const secretPlace: SealContext = ['t1', 'tenants', 'smtp', 't1']

async function tenantOf(tenant: string): Promise<TenantKey> {
  return (await newTenantKey(await master('a', 'a'), tenant)).key
}

describe('tenant keys', () => {
  it('come back from their wrapping and open what they sealed', async () => {
    const keys = await master('a', 'a')
    const { key, wrapped } = await newTenantKey(keys, 't1')
    expect(wrapped).toMatch(/^w1\.a\.[A-Za-z0-9_-]{12}\.[A-Za-z0-9_-]{80}$/)
    const sealed = await sealField(key, secretPlace, 'smtp password')
    const again = await unwrapTenantKey(keys, 't1', wrapped)
    expect(again.id).toBe(key.id)
    expect(await openField(again, secretPlace, sealed)).toBe('smtp password')
  })

  it('open for no other tenant, master key, id or type', async () => {
    const keys = await master('a', 'a')
    const { key, wrapped } = await newTenantKey(keys, 't1')
    await expect(unwrapTenantKey(keys, 't2', wrapped)).rejects.toBeInstanceOf(SealError)
    await expect(unwrapTenantKey(await master('b', 'b'), 't1', wrapped)).rejects.toMatchObject({
      reason: 'unknown_key',
    })
    const renamed = wrapped.replace(key.id, 'A'.repeat(12))
    await expect(unwrapTenantKey(keys, 't1', renamed)).rejects.toMatchObject({ reason: 'mismatch' })
    await expect(unwrapUserKey({ ...key, ...keys.primary }, '', wrapped)).rejects.toBeInstanceOf(
      SealError,
    )
    for (const text of ['', 'w1', 'w1.a.b.', wrapped.replace('w1', 'w2'), `${wrapped}A`]) {
      await expect(unwrapTenantKey(keys, 't1', text)).rejects.toBeInstanceOf(SealError)
    }
  })

  it('of another length than 256 bits are none', async () => {
    const { primary } = await master('a', 'a')
    const context = { type: 'tenant', tenant: 't1', user: '' } as const
    const wrapped = await wrapRaw(primary, context, 'short', new Uint8Array(16))
    await expect(unwrapRaw(primary, context, wrapped)).rejects.toMatchObject({ reason: 'format' })
  })

  it('rotate in two steps, readable at every point', async () => {
    const before = await master('a', 'a')
    const { key, wrapped } = await newTenantKey(before, 't1')
    const sealed = await sealField(key, secretPlace, 'kept')
    const opens = async (keys: MasterKeys, stored: string) =>
      openField(await unwrapTenantKey(keys, 't1', stored), secretPlace, sealed)

    const added = await master('a', 'a', 'b')
    expect(await opens(added, wrapped)).toBe('kept')
    expect(needsRewrap(wrapped, added.primary)).toBe(false)

    const switched = await master('b', 'a', 'b')
    expect(await opens(switched, wrapped)).toBe('kept')
    expect(needsRewrap(wrapped, switched.primary)).toBe(true)

    const rewrapped = await rewrapTenantKey(switched, 't1', wrapped)
    expect(needsRewrap(rewrapped, switched.primary)).toBe(false)
    expect(await opens(switched, rewrapped)).toBe('kept')
    // An isolate that has not seen the switch yet.
    expect(await opens(added, rewrapped)).toBe('kept')
    const twice = await rewrapTenantKey(switched, 't1', rewrapped)

    const dropped = await master('b', 'b')
    expect(await opens(dropped, twice)).toBe('kept')
    await expect(opens(dropped, wrapped)).rejects.toMatchObject({ reason: 'unknown_key' })
  })

  it('take a ring key of more than 256 bits', async () => {
    const ring = parseKeyring('a plain secret of more than thirty-two bytes', 'MASTER_KEYS')
    const keys = await importMasterKeys(ring)
    const { wrapped } = await newTenantKey(keys, 't1')
    expect(await unwrapTenantKey(keys, 't1', wrapped)).toMatchObject({ tenant: 't1' })
  })
})

describe('user keys and space keys', () => {
  it('come back from their wrapping and open what they sealed', async () => {
    const tenant = await tenantOf('t1')
    const { key, wrapped } = await newUserKey(tenant, 'u1')
    const sealed = await sealField(await deriveSpaceKey(key, 's1'), place('t1', 'u1', 's1'), 'hi')
    const again = await unwrapUserKey(tenant, 'u1', wrapped)
    const spaceKey = await deriveSpaceKey(again, 's1')
    expect(await openField(spaceKey, place('t1', 'u1', 's1'), sealed)).toBe('hi')
  })

  it('unwrap for no other user and under no other tenant', async () => {
    const tenant = await tenantOf('t1')
    const { wrapped } = await newUserKey(tenant, 'u1')
    await expect(unwrapUserKey(tenant, 'u2', wrapped)).rejects.toMatchObject({ reason: 'mismatch' })
    await expect(unwrapUserKey({ ...tenant, tenant: 't2' }, 'u1', wrapped)).rejects.toMatchObject({
      reason: 'mismatch',
    })
    await expect(unwrapUserKey(await tenantOf('t1'), 'u1', wrapped)).rejects.toMatchObject({
      reason: 'unknown_key',
    })
  })

  it('give a different space key for every space, user, tenant and user key', async () => {
    const tenant = await tenantOf('t1')
    const { key } = await newUserKey(tenant, 'u1')
    const here = place('t1', 'u1', 's1')
    const sealed = await sealField(await deriveSpaceKey(key, 's1'), here, 'hi')
    const { key: fresh } = await newUserKey(tenant, 'u1')
    const others = [
      await deriveSpaceKey(key, 's2'),
      await deriveSpaceKey({ ...key, user: 'u2' }, 's1'),
      await deriveSpaceKey({ ...key, tenant: 't2' }, 's1'),
      await deriveSpaceKey({ ...key, tenant: 't1u', user: '1' }, 's1'),
      await deriveSpaceKey({ ...fresh, id: key.id }, 's1'),
    ]
    // The context is the right one in each case, so only the key can refuse.
    for (const other of others) {
      await expect(openField(other, here, sealed)).rejects.toMatchObject({ reason: 'mismatch' })
    }
  })

  it('cannot be exported', async () => {
    const tenant = await tenantOf('t1')
    const { key } = await newUserKey(tenant, 'u1')
    const spaceKey = await deriveSpaceKey(key, 's1')
    for (const one of [tenant.key, tenant.base, key.base, spaceKey.key]) {
      await expect(crypto.subtle.exportKey('raw', one)).rejects.toThrow()
    }
  })
})

describe('attachment keys', () => {
  const owner = { tenant: 't1', user: 'u1' }

  it('survive a merge of spaces while the bytes stay as they are', async () => {
    const { key: userKey } = await newUserKey(await tenantOf('t1'), 'u1')
    const source = await deriveSpaceKey(userKey, 's1')
    const target = await deriveSpaceKey(userKey, 's2')
    const { key, wrapped } = await newAttachmentKey(source, owner, 'att-1')
    const context = attachmentContext(owner, 'att-1')
    const sealed = await sealBytes(key, context, utf8('picture'))

    const moved = await rewrapAttachmentKey(source, target, owner, 'att-1', wrapped)
    const again = await unwrapAttachmentKey(target, owner, 'att-1', moved)
    expect(await openBytes(again, context, sealed)).toEqual(utf8('picture'))
    await expect(unwrapAttachmentKey(source, owner, 'att-1', moved)).rejects.toBeInstanceOf(
      SealError,
    )
  })

  it('belong to one attachment, user, tenant and space', async () => {
    const { key: userKey } = await newUserKey(await tenantOf('t1'), 'u1')
    const space = await deriveSpaceKey(userKey, 's1')
    const other = await deriveSpaceKey(userKey, 's2')
    const { wrapped } = await newAttachmentKey(space, owner, 'att-1')
    const refused = [
      unwrapAttachmentKey(space, owner, 'att-2', wrapped),
      unwrapAttachmentKey(space, { ...owner, user: 'u2' }, 'att-1', wrapped),
      unwrapAttachmentKey(space, { ...owner, tenant: 't2' }, 'att-1', wrapped),
      unwrapAttachmentKey(other, owner, 'att-1', wrapped),
      rewrapAttachmentKey(space, other, owner, 'att-2', wrapped),
    ]
    // All at once: one that fails while another is awaited would be nobody's.
    await Promise.all(
      refused.map((one) => expect(one).rejects.toMatchObject({ reason: 'mismatch' })),
    )
  })
})
