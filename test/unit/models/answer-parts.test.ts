import { describe, expect, it } from 'vitest'
import { AnswerParts } from '../../../src/models/answer-parts'

/** After each delta: whether somebody waits for every word. */
function awaited(deltas: ['text' | 'reasoning', string][]): boolean[] {
  const parts = new AnswerParts()
  const after = deltas.map(([block, delta]) => {
    parts.say(block, delta)
    return parts.isAwaited
  })
  return after
}

describe('the first sentence of an answer', () => {
  it('is awaited until the word behind its end tells that it has ended', () => {
    const words = ['Refunds', ' take', ' five days', '.', ' Send', ' it'] as const
    expect(awaited(words.map((word) => ['text', word]))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })

  it.each(['رقم پانچ دن میں ملتی ہے۔', 'ገንዘቡ በአምስት ቀን ይመለሳል።', 'Գումարը վերադարձվում է։'])(
    'ends as it does in the page’s reading: %s',
    (sentence) => {
      expect(awaited([sentence, ' 5', ' 6'].map((word) => ['text', word]))).toEqual([
        true,
        false,
        false,
      ])
    },
  )

  it('is not awaited while the model thinks, nor once it was heard', () => {
    const thought = awaited([
      ['reasoning', 'They ask. So'],
      ['reasoning', ' I say.'],
      ['text', '答案是五天。'],
      ['text', '请寄回'],
    ])
    expect(thought).toEqual([false, false, true, false])
  })
})
