import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashOneTimeToken, mintOneTimeToken } from '../../../../src/platform/crypto/one-time-token'

describe('one-time tokens', () => {
  it('are 32 random bytes, stored as SHA-256', async () => {
    const { token, hash } = await mintOneTimeToken()
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(hash).toBe(createHash('sha256').update(token).digest('hex'))
    expect(await hashOneTimeToken(token)).toBe(hash)
    expect((await mintOneTimeToken()).token).not.toBe(token)
  })

  it('need no look-up in any other form', async () => {
    const { token } = await mintOneTimeToken()
    for (const text of ['', token.slice(1), `${token}A`, `${token}\n`, token.replace(/./, '+')]) {
      expect(await hashOneTimeToken(text)).toBeNull()
    }
  })
})
