import { describe, expect, it } from 'vitest'
import { cursorScope, decodeCursor, encodeCursor } from '../../../../src/platform/crypto/cursor'
import { parseKeyring } from '../../../../src/platform/crypto/keyring'
import { derivePurposeKey } from '../../../../src/platform/crypto/purpose-key'

const secret = (word: string) => Buffer.alloc(32, `${word}-jwt-secret-`).toString('base64url')
const ringOf = (primary: string, ...ids: string[]) =>
  parseKeyring(
    JSON.stringify({ primary, keys: Object.fromEntries(ids.map((id) => [id, secret(id)])) }),
    'JWT_SECRET',
  )
const SCOPE = cursorScope('t1', 'GET /agents', { status: 'live' })
const VALUE = { at: 1763640000000, id: '0193478e-0000-7000-8000-000000000000', name: '你好' }

describe('cursors', () => {
  it('give back their value in their scope', async () => {
    const key = await derivePurposeKey(ringOf('a', 'a'), 'cursor')
    const cursor = await encodeCursor(key, SCOPE, VALUE)
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(await decodeCursor(key, SCOPE, cursor)).toEqual(VALUE)
  })

  it('are null in another tenant, route or filter', async () => {
    const key = await derivePurposeKey(ringOf('a', 'a'), 'cursor')
    const cursor = await encodeCursor(key, SCOPE, VALUE)
    for (const other of [
      cursorScope('t2', 'GET /agents', { status: 'live' }),
      cursorScope('t1', 'GET /skills', { status: 'live' }),
      cursorScope('t1', 'GET /agents', { status: 'draft' }),
      cursorScope('t1', 'GET /agents', {}),
      '',
    ]) {
      expect(await decodeCursor(key, other, cursor)).toBeNull()
    }
  })

  it('are null after any change, and for any other text', async () => {
    const key = await derivePurposeKey(ringOf('a', 'a'), 'cursor')
    const cursor = await encodeCursor(key, SCOPE, VALUE)
    for (let i = 0; i < cursor.length; i++) {
      const changed = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1)
      expect(await decodeCursor(key, SCOPE, changed)).toBeNull()
    }
    for (const text of ['', 'x', '!', `${cursor}=`, cursor.slice(0, 40), 'A'.repeat(10_000)]) {
      expect(await decodeCursor(key, SCOPE, text)).toBeNull()
    }
  })

  it('survive a rotation of the secret and die with the dropped key', async () => {
    const cursor = await encodeCursor(await derivePurposeKey(ringOf('a', 'a'), 'c'), SCOPE, VALUE)
    const both = await derivePurposeKey(ringOf('b', 'a', 'b'), 'c')
    expect(await decodeCursor(both, SCOPE, cursor)).toEqual(VALUE)
    expect(
      await decodeCursor(await derivePurposeKey(ringOf('b', 'b'), 'c'), SCOPE, cursor),
    ).toBeNull()
  })

  it('do not pass between purposes', async () => {
    const ring = ringOf('a', 'a')
    const cursor = await encodeCursor(await derivePurposeKey(ring, 'cursor'), SCOPE, VALUE)
    const state = await derivePurposeKey(ring, 'oauth-state')
    expect(await decodeCursor(state, SCOPE, cursor)).toBeNull()
    expect(await derivePurposeKey(ring, 'oauth-state')).toBe(state)
  })
})
