import { checkApiKeyForm, formatApiKey, hashApiKey } from '../../src/platform/crypto/api-key'
import { unwrapAttachmentKey } from '../../src/platform/crypto/attachment-key'
import { deriveEmailIndexKey, emailIndex } from '../../src/platform/crypto/blind-index'
import { type Bytes, toHex } from '../../src/platform/crypto/bytes'
import { equalSecrets } from '../../src/platform/crypto/compare'
import { cursorScope, decodeCursor, encodeCursor } from '../../src/platform/crypto/cursor'
import { openBytes, openField, type SealContext, sealField } from '../../src/platform/crypto/field'
import { signUserToken, verifyUserToken } from '../../src/platform/crypto/jwt'
import { parseKeyring } from '../../src/platform/crypto/keyring'
import {
  deriveSpaceKey,
  importAes,
  importMasterKeys,
  unwrapTenantKey,
  unwrapUserKey,
} from '../../src/platform/crypto/keys'
import { type HashTurn, hashPassword, verifyPassword } from '../../src/platform/crypto/password'
import { derivePurposeKey } from '../../src/platform/crypto/purpose-key'
import vectors from '../vectors/field-v1.json'
import hierarchy from '../vectors/key-hierarchy-v1.json'
import tokens from '../vectors/tokens-v1.json'

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'))
const contextOf = (vector: { context: string[] }) => vector.context as unknown as SealContext
const keyOf = async (vector: { key: string; keyId: string }) => ({
  id: vector.keyId,
  key: await importAes(bytes(vector.key)),
})

async function readFields() {
  return {
    fields: await Promise.all(
      vectors.fields.map(async (one) => openField(await keyOf(one), contextOf(one), one.envelope)),
    ),
    blobs: await Promise.all(
      vectors.blobs.map(async (one) => {
        return toHex(await openBytes(await keyOf(one), contextOf(one), bytes(one.envelope)))
      }),
    ),
  }
}

async function readHierarchy() {
  const { tenant, user, space, attachment, message, tenantSecret, attachmentBytes } = hierarchy
  const ring = parseKeyring(hierarchy.secret, 'MASTER_KEYS')
  const master = await importMasterKeys(ring)
  const tenantKey = await unwrapTenantKey(master, tenant, hierarchy.tenantKey.wrapped)
  const userKey = await unwrapUserKey(tenantKey, user, hierarchy.userKey.wrapped)
  const spaceKey = await deriveSpaceKey(userKey, space)
  const { wrapped } = hierarchy.attachmentKey
  const attachmentKey = await unwrapAttachmentKey(spaceKey, { tenant, user }, attachment, wrapped)
  const { purpose, route, filter, value, cursor } = hierarchy.cursor
  const cursorKey = await derivePurposeKey(ring, purpose)
  const scope = cursorScope(tenant, route, filter)
  const context = contextOf(attachmentBytes)
  const moved = contextOf({ context: [...message.context.slice(0, -1), 'elsewhere'] })
  return {
    message: await openField(spaceKey, contextOf(message), message.envelope),
    tenantSecret: await openField(tenantKey, contextOf(tenantSecret), tenantSecret.envelope),
    attachment: toHex(await openBytes(attachmentKey, context, bytes(attachmentBytes.envelope))),
    index: await emailIndex(await deriveEmailIndexKey(tenantKey), hierarchy.emailIndex.email),
    cursor: await encodeCursor(cursorKey, scope, value),
    cursorValue: await decodeCursor(cursorKey, scope, cursor),
    foreignCursor: await decodeCursor(cursorKey, `${scope}x`, cursor),
    sealed: await sealField(spaceKey, contextOf(message), 'sealed in workerd'),
    moved: await openField(spaceKey, moved, message.envelope).catch((e: Error) => String(e)),
  }
}

async function readTokens() {
  const { secret, token, now, claims } = tokens.user
  const ring = parseKeyring(secret, 'JWT_SECRET')
  return {
    keys: tokens.apiKeys.map((one) => formatApiKey(bytes(one.bytes))),
    forms: tokens.apiKeys.map((one) => [checkApiKeyForm(one.key), checkApiKeyForm(`${one.key}0`)]),
    hashes: await Promise.all(tokens.apiKeys.map((one) => hashApiKey(one.key))),
    claims: await verifyUserToken(ring, token, now),
    forged: await verifyUserToken(ring, `${token.slice(0, -12)}${'A'.repeat(12)}`, now),
    signed: await signUserToken(ring, claims, now, 3600),
    equal: [await equalSecrets('secret', 'secret'), await equalSecrets('secret', 'secrets')],
  }
}

const turn: HashTurn = async (compute) => compute()

async function readPasswords(password: string, stored: string) {
  return {
    stored: await hashPassword(password, turn),
    right: await verifyPassword(password, stored, turn),
    wrong: await verifyPassword(`${password}!`, stored, turn),
    unknown: await verifyPassword(password, null, turn),
  }
}

/** Runs the crypto modules inside workerd, whose cryptography is another library than Node's. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { password, stored } = await request.json<{ password: string; stored: string }>()
    return Response.json({
      ...(await readFields()),
      ...(await readHierarchy()),
      ...(await readTokens()),
      passwords: await readPasswords(password, stored),
    })
  },
} satisfies ExportedHandler
