import { describe, expect, it } from 'vitest'
import { encodeSketch, hashToken, weighSketch, weighTerms } from '../../../src/knowledge/sketch'

const sketch = (...sentences: string[][]) =>
  encodeSketch(sentences.map((tokens) => tokens.map(hashToken))).buffer as ArrayBuffer
const terms = (...forms: string[][]) => weighTerms(forms, (token) => (token === 'rare' ? 3 : 1))

describe('weighSketch', () => {
  it('tells the share of the passage with its title, and of the best sentence without it', () => {
    const stored = sketch(['title'], ['rare', 'x'], ['one', 'two'])
    const asked = terms(['title'], ['rare'], ['one'], ['missing'])
    expect(weighSketch(stored, asked)).toEqual({ coverage: 5 / 6, sentence: 3 / 6 })
  })

  it('counts a term once, whichever of its forms are there', () => {
    const stored = sketch([], ['house', 'hous'])
    expect(weighSketch(stored, terms(['house', 'hous'], ['other']))).toEqual({
      coverage: 0.5,
      sentence: 0.5,
    })
  })

  it('is zero without terms, and without sentences', () => {
    expect(weighSketch(sketch(['a']), terms())).toEqual({ coverage: 0, sentence: 0 })
    expect(weighSketch(new ArrayBuffer(0), terms(['a']))).toEqual({ coverage: 0, sentence: 0 })
  })
})
