import { describe, expect, it } from 'vitest'
import { KNOWLEDGE } from '../../../src/config/limits'
import { isWorthMerging } from '../../../src/knowledge/index-segments'

describe('index segments', () => {
  it('leaves an index in one piece alone', () => {
    expect(isWorthMerging([])).toBe(false)
    expect(isWorthMerging([5000])).toBe(false)
  })

  it('merges a small index whenever it is in pieces', () => {
    expect(isWorthMerging([1, 1])).toBe(true)
    expect(isWorthMerging([KNOWLEDGE.smallIndexPages - 1, 1])).toBe(true)
  })

  it('merges a large index once the pieces beside its largest are a fair share', () => {
    expect(isWorthMerging([9000, 20, 30])).toBe(false)
    expect(isWorthMerging([9000, 500, 500])).toBe(true)
  })
})
