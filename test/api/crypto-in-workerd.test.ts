import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { openField, type SealContext } from '../../src/platform/crypto/field'
import { verifyUserToken } from '../../src/platform/crypto/jwt'
import { parseKeyring } from '../../src/platform/crypto/keyring'
import { importAes } from '../../src/platform/crypto/keys'
import { type HashTurn, hashPassword, verifyPassword } from '../../src/platform/crypto/password'
import vectors from '../vectors/field-v1.json'
import hierarchy from '../vectors/key-hierarchy-v1.json'
import tokens from '../vectors/tokens-v1.json'

const server = createTestHarness({
  workers: [
    {
      config: {
        name: 'crypto',
        main: 'test/fakes/crypto-worker.ts',
        compatibility_date: '2026-11-01',
        compatibility_flags: ['nodejs_compat'],
      },
    },
  ],
})
const PASSWORD = 'correct horse'
const turn: HashTurn = async (compute) => compute()
let results: Record<string, unknown>

beforeAll(async () => {
  await server.listen()
  const body = JSON.stringify({ password: PASSWORD, stored: await hashPassword(PASSWORD, turn) })
  const response = await server.getWorker('crypto').fetch('/', { method: 'POST', body })
  results = (await response.json()) as Record<string, unknown>
})
afterAll(() => server.close())

describe('the committed vectors in workerd', () => {
  it('open as they do in Node', () => {
    expect(results).toMatchObject({
      fields: vectors.fields.map((one) => one.plaintext),
      blobs: vectors.blobs.map((one) => one.plaintext),
      message: hierarchy.message.plaintext,
      tenantSecret: hierarchy.tenantSecret.plaintext,
      attachment: hierarchy.attachmentBytes.plaintext,
      index: hierarchy.emailIndex.index,
      cursor: hierarchy.cursor.cursor,
      cursorValue: hierarchy.cursor.value,
      foreignCursor: null,
      moved: 'SealError: A sealed value cannot be opened (mismatch)',
      keys: tokens.apiKeys.map((one) => one.key),
      forms: tokens.apiKeys.map(() => [true, false]),
      hashes: tokens.apiKeys.map((one) => one.hash),
      claims: tokens.user.claims,
      forged: null,
      equal: [true, false],
    })
  })

  it('seals and signs what Node opens', async () => {
    const { key, keyId, context } = hierarchy.message
    const fieldKey = { id: keyId, key: await importAes(Uint8Array.from(Buffer.from(key, 'hex'))) }
    const place = context as unknown as SealContext
    expect(await openField(fieldKey, place, String(results.sealed))).toBe('sealed in workerd')
    const ring = parseKeyring(tokens.user.secret, 'JWT_SECRET')
    const claims = await verifyUserToken(ring, String(results.signed), tokens.user.now)
    expect(claims?.user).toBe(tokens.user.claims.user)
  })

  it('hashes passwords as Node does', async () => {
    expect(results.passwords).toMatchObject({
      right: { ok: true, rehash: false },
      wrong: { ok: false, rehash: false },
      unknown: { ok: false, rehash: false },
    })
    const { stored } = results.passwords as { stored: string }
    expect(await verifyPassword(PASSWORD, stored, turn)).toEqual({ ok: true, rehash: false })
  })
})
