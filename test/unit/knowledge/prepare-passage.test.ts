import { describe, expect, it } from 'vitest'
import { preparePassage } from '../../../src/knowledge/prepare-passage'
import { weighSketch, weighTerms } from '../../../src/knowledge/sketch'

describe('preparePassage', () => {
  const passage = preparePassage('Refunds', {
    heading: 'Payment by card',
    text: 'The money comes back in five days. Parcels must be sealed.',
  })

  it('keeps the title apart and counts the heading to the body', () => {
    expect(passage.mode).toBe('english')
    expect(passage.a.title).toBe('refund')
    expect(passage.a.body).toBe(
      'payment by card the money come back in five day parcel must be seal',
    )
    expect(passage.b.title.split(' ')).toContain('_ref')
    expect(passage.b.body.split(' ')).toContain('_car')
  })

  it('sketches title with heading, then each sentence', () => {
    const share = (...tokens: string[]) =>
      weighSketch(
        passage.sketch.buffer as ArrayBuffer,
        weighTerms(
          tokens.map((token) => [token]),
          () => 1,
        ),
      )
    expect(share('refund', 'card')).toEqual({ coverage: 1, sentence: 0 })
    expect(share('money', 'parcel')).toEqual({ coverage: 1, sentence: 0.5 })
    expect(share('money', 'day')).toEqual({ coverage: 1, sentence: 1 })
  })
})
