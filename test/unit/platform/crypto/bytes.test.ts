import { describe, expect, it } from 'vitest'
import { concatBytes, joinBytes } from '../../../../src/platform/crypto/bytes'

describe('joinBytes', () => {
  it('joins more pieces than a call takes arguments', () => {
    const pieces = Array.from({ length: 400_000 }, (_, at) => Uint8Array.of(at))
    expect(joinBytes(pieces)).toHaveLength(400_000)
  })

  it('keeps their order, as concatBytes does', () => {
    const pieces = [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)]
    expect([...joinBytes(pieces)]).toEqual([1, 2, 3])
    expect(concatBytes(...pieces)).toEqual(joinBytes(pieces))
  })
})
