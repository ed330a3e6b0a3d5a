import { describe, expect, it } from 'vitest'
import { equalSecrets } from '../../../../src/platform/crypto/compare'

describe('equalSecrets', () => {
  it('is true for equal texts only, of whatever lengths', async () => {
    expect(await equalSecrets('secret', 'secret')).toBe(true)
    expect(await equalSecrets('', '')).toBe(true)
    for (const other of ['', 'secre', 'secrets', 'Secret', 'secret\u0000']) {
      expect(await equalSecrets(other, 'secret')).toBe(false)
    }
  })
})
