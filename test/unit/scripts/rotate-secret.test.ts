import { describe, expect, it } from 'vitest'
import { rotateSecret } from '../../../scripts/rotate-secret.mjs'
import { parseKeyring } from '../../../src/platform/crypto/keyring'

const PLAIN = 'c2VjcmV0LXRleHQtb2YtYXQtbGVhc3QtMzItYnl0ZXM'

describe('a key rotation', () => {
  it('keeps the key of a plain secret usable under the id that the Worker gave it', () => {
    const before = parseKeyring(PLAIN, 'MASTER_KEYS')
    const after = parseKeyring(rotateSecret(PLAIN, 'add'), 'MASTER_KEYS')
    expect(after.primary).toEqual(before.primary)
    expect(after.keys.size).toBe(2)
  })

  it('makes the new key primary in its own step, and drops the old one last', () => {
    const added = rotateSecret(PLAIN, 'add')
    const promoted = parseKeyring(rotateSecret(added, 'promote'), 'MASTER_KEYS')
    expect(promoted.keys.size).toBe(2)
    expect(promoted.primary.id).not.toBe(parseKeyring(PLAIN, 'MASTER_KEYS').primary.id)
    const dropped = parseKeyring(
      rotateSecret(rotateSecret(added, 'promote'), 'drop'),
      'MASTER_KEYS',
    )
    expect([...dropped.keys.keys()]).toEqual([promoted.primary.id])
  })

  it('refuses a step it does not know', () => {
    expect(() => rotateSecret(PLAIN, 'constructor')).toThrow('add, promote, drop')
  })
})
