import { describe, expect, it } from 'vitest'
import { cutToTokens, estimateTokens } from '../../../src/models/tokens'

describe('token estimates', () => {
  it('count by script', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('a'.repeat(400))).toBe(100)
    expect(estimateTokens('字'.repeat(150))).toBe(100)
    expect(estimateTokens('я'.repeat(250))).toBe(100)
  })

  it('cut a text to fit, at a word', () => {
    const text = 'one two three four five six seven'
    const cut = cutToTokens(text, 4)
    expect(estimateTokens(cut)).toBeLessThanOrEqual(4)
    expect(text.startsWith(`${cut} `)).toBe(true)
    expect(cutToTokens(text, 100)).toBe(text)
    expect(cutToTokens(text, 0)).toBe('')
  })
})
