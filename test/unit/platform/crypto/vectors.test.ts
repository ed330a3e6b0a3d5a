import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkApiKeyForm, formatApiKey, hashApiKey } from '../../../../src/platform/crypto/api-key'
import {
  attachmentContext,
  unwrapAttachmentKey,
} from '../../../../src/platform/crypto/attachment-key'
import {
  chatIndex,
  deriveChatIndexKey,
  deriveEmailIndexKey,
  deriveSubjectIndexKey,
  emailIndex,
  subjectIndex,
} from '../../../../src/platform/crypto/blind-index'
import { type Bytes, encodeParts, toHex } from '../../../../src/platform/crypto/bytes'
import { cursorScope, decodeCursor, encodeCursor } from '../../../../src/platform/crypto/cursor'
import {
  type FieldKey,
  openBytes,
  openField,
  type SealContext,
  sealBytes,
  sealField,
} from '../../../../src/platform/crypto/field'
import { verifyUserToken } from '../../../../src/platform/crypto/jwt'
import { parseKeyring } from '../../../../src/platform/crypto/keyring'
import {
  deriveSpaceKey,
  importAes,
  importMasterKeys,
  unwrapTenantKey,
  unwrapUserKey,
} from '../../../../src/platform/crypto/keys'
import { hashOneTimeToken } from '../../../../src/platform/crypto/one-time-token'
import { derivePurposeKey } from '../../../../src/platform/crypto/purpose-key'
import { wrapRaw } from '../../../../src/platform/crypto/wrap'
import fieldVectors from '../../../vectors/field-v1.json'
import hierarchy from '../../../vectors/key-hierarchy-v1.json'
import tokens from '../../../vectors/tokens-v1.json'

// The vectors were made by node:crypto alone, and here that other implementation reads what ours writes. They are
// frozen: a change that breaks one has changed a stored format and needs a new version beside it.

interface FieldVector {
  key: string
  keyId: string
  context: string[]
  nonce: string
  aad: string
  plaintext: string
  envelope: string
}

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'))
const contextOf = (vector: FieldVector) => vector.context as unknown as SealContext
const keyOf = async (vector: { key: string; keyId: string }): Promise<FieldKey> => ({
  id: vector.keyId,
  key: await importAes(bytes(vector.key)),
})

function sealElsewhere(key: string, nonce: string, aad: string, plaintext: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', bytes(key), bytes(nonce)).setAAD(bytes(aad))
  return Buffer.concat([
    bytes(nonce),
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

function openElsewhere(key: string, aad: string, box: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', bytes(key), box.subarray(0, 12))
  cipher.setAAD(bytes(aad)).setAuthTag(box.subarray(-16))
  return Buffer.concat([cipher.update(box.subarray(12, -16)), cipher.final()])
}

function hkdfElsewhere(ikm: Uint8Array, salt: string, info: string[]): string {
  return Buffer.from(hkdfSync('sha256', ikm, salt, encodeParts(info), 32)).toString('hex')
}

async function checkField(vector: FieldVector, key: FieldKey): Promise<void> {
  expect(toHex(encodeParts(['v1', ...vector.context]))).toBe(vector.aad)
  expect(await openField(key, contextOf(vector), vector.envelope)).toBe(vector.plaintext)
  const box = sealElsewhere(vector.key, vector.nonce, vector.aad, Buffer.from(vector.plaintext))
  expect(`v1.${vector.keyId}.${box.toString('base64url')}`).toBe(vector.envelope)

  const ours = await sealField(key, contextOf(vector), vector.plaintext)
  const [, , body = ''] = ours.split('.')
  const opened = openElsewhere(vector.key, vector.aad, Buffer.from(body, 'base64url'))
  expect(opened.toString()).toBe(vector.plaintext)
}

async function checkBlob(vector: FieldVector, key: FieldKey): Promise<void> {
  expect(toHex(encodeParts(['v1/bytes', ...vector.context]))).toBe(vector.aad)
  const opened = await openBytes(key, contextOf(vector), bytes(vector.envelope))
  expect(toHex(opened)).toBe(vector.plaintext)

  const ours = await sealBytes(key, contextOf(vector), bytes(vector.plaintext))
  const box = Buffer.from(ours.subarray(2 + vector.keyId.length))
  expect(openElsewhere(vector.key, vector.aad, box).toString('hex')).toBe(vector.plaintext)
  expect(toHex(ours).startsWith(vector.envelope.slice(0, 4 + 2 * vector.keyId.length))).toBe(true)
}

describe('format v1', () => {
  it.each(fieldVectors.fields)('field: $name', async (vector) => {
    await checkField(vector, await keyOf(vector))
  })

  it.each(fieldVectors.blobs)('blob: $name', async (vector) => {
    await checkBlob(vector, await keyOf(vector))
  })
})

describe('key hierarchy v1', () => {
  const { tenant, user, space, attachment } = hierarchy
  const owner = { tenant, user }
  const ring = parseKeyring(hierarchy.secret, 'MASTER_KEYS')

  it('leads from the master secret to every sealed value', async () => {
    expect(ring.primary.id).toBe(hierarchy.secretKeyId)
    const master = await importMasterKeys(ring)
    const tenantKey = await unwrapTenantKey(master, tenant, hierarchy.tenantKey.wrapped)
    await checkField(hierarchy.tenantSecret, tenantKey)
    const userKey = await unwrapUserKey(tenantKey, user, hierarchy.userKey.wrapped)
    const spaceKey = await deriveSpaceKey(userKey, space)
    await checkField(hierarchy.message, spaceKey)
    const { wrapped } = hierarchy.attachmentKey
    const attachmentKey = await unwrapAttachmentKey(spaceKey, owner, attachment, wrapped)
    expect(attachmentContext(owner, attachment)).toEqual(hierarchy.attachmentBytes.context)
    await checkBlob(hierarchy.attachmentBytes, attachmentKey)
    const emailKey = await deriveEmailIndexKey(tenantKey)
    const { email, index } = hierarchy.emailIndex
    expect(await emailIndex(emailKey, email)).toBe(index)
    const { provider, subject, index: ofSubject } = hierarchy.subjectIndex
    const subjectKey = await deriveSubjectIndexKey(tenantKey)
    expect(await subjectIndex(subjectKey, provider, subject)).toBe(ofSubject)
    const { channel, chat, index: ofChat } = hierarchy.chatIndex
    const chatKey = await deriveChatIndexKey(tenantKey)
    expect(await chatIndex(chatKey, channel, chat)).toBe(ofChat)
  })

  it('derives the keys that another implementation derives', () => {
    const secret = Buffer.from(hierarchy.secret)
    const userKey = bytes(hierarchy.userKey.raw)
    const tenantKey = bytes(hierarchy.tenantKey.raw)
    expect(hkdfElsewhere(secret, '', ['master/v1'])).toBe(hierarchy.masterKey)
    expect(hkdfElsewhere(userKey, space, ['field/v1', tenant, user])).toBe(hierarchy.spaceKey)
    for (const [name, { key }] of [
      ['email', hierarchy.emailIndex],
      ['subject', hierarchy.subjectIndex],
      ['chat', hierarchy.chatIndex],
    ] as const)
      expect(hkdfElsewhere(tenantKey, '', ['blind-index/v1', tenant, name])).toBe(key)
    expect(hkdfElsewhere(secret, '', ['purpose/v1', 'cursor'])).toBe(hierarchy.cursor.key)
  })

  it.each([hierarchy.tenantKey, hierarchy.userKey, hierarchy.attachmentKey])(
    'wraps a key of type $type',
    async (vector) => {
      const by = { id: vector.wrappingKeyId, key: await importAes(bytes(vector.wrappingKey)) }
      const aad = toHex(encodeParts([`${vector.type}-key/v1`, tenant, vector.user, vector.id]))
      expect(aad).toBe(vector.aad)
      const box = sealElsewhere(vector.wrappingKey, vector.nonce, vector.aad, bytes(vector.raw))
      expect(vector.wrapped.endsWith(`.${box.toString('base64url')}`)).toBe(true)
      const type = vector.type as 'tenant' | 'user' | 'attachment'
      const context = { type, tenant, user: vector.user }
      const ours = await wrapRaw(by, context, vector.id, bytes(vector.raw))
      const [, byId, id, body = ''] = ours.split('.')
      expect([byId, id]).toEqual([vector.wrappingKeyId, vector.id])
      const opened = openElsewhere(vector.wrappingKey, vector.aad, Buffer.from(body, 'base64url'))
      expect(opened.toString('hex')).toBe(vector.raw)
    },
  )

  it('makes and reads the same cursor', async () => {
    const { purpose, route, filter, value, cursor } = hierarchy.cursor
    const key = await derivePurposeKey(parseKeyring(hierarchy.secret, 'JWT_SECRET'), purpose)
    const scope = cursorScope(tenant, route, filter)
    expect(await encodeCursor(key, scope, value)).toBe(cursor)
    expect(await decodeCursor(key, scope, cursor)).toEqual(value)
  })
})

describe('tokens v1', () => {
  it.each(tokens.apiKeys)('API key $prefix', async ({ bytes: raw, key, hash }) => {
    expect(formatApiKey(bytes(raw))).toBe(key)
    expect(checkApiKeyForm(key)).toBe(true)
    expect(await hashApiKey(key)).toBe(hash)
  })

  it('one-time token', async () => {
    expect(await hashOneTimeToken(tokens.oneTime.token)).toBe(tokens.oneTime.hash)
  })

  it('user token', async () => {
    const { secret, token, now, claims } = tokens.user
    expect(await verifyUserToken(parseKeyring(secret, 'JWT_SECRET'), token, now)).toEqual(claims)
  })
})
