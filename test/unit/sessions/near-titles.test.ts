import { describe, expect, it } from 'vitest'
import { KEYWORD_SCORE, nearTitles, TITLE_SCORE } from '../../../src/sessions/near-titles'

const embedder = '@cf/baai/bge-m3'
const vector = (...values: number[]) => ({ embedder, values: Float32Array.from(values) })
const titled = (id: string, title: string, own: ReturnType<typeof vector> | null = null) => ({
  id,
  title,
  vector: own,
})

describe('nearTitles', () => {
  it('takes what the trained embedder calls near, best first by score, below a full match', () => {
    const near = nearTitles(
      'holiday plans',
      [
        titled('same', 'Trip to the sea', vector(1, 0)),
        titled('near', 'Hotels', vector(0.8, 0.6)),
        titled('far', 'Invoices', vector(0.5, 0.866)),
      ],
      vector(1, 0),
    )
    expect([...near.keys()]).toEqual(['same', 'near'])
    expect(near.get('same')).toBeLessThan(TITLE_SCORE)
    expect(near.get('near')).toBeCloseTo(5 / 7)
  })

  it('does not compare vectors of two embedders', () => {
    const other = { embedder: 'another', values: Float32Array.from([1, 0]) }
    expect(nearTitles('abc', [titled('a', 'xyz', other)], vector(1, 0)).size).toBe(0)
  })

  it('never lifts what is merely spelled alike to what holds the words', () => {
    const near = nearTitles(
      'refunds for lost parcels',
      [titled('a', 'Refund for a lost parcel'), titled('b', 'Opening hours on Sundays')],
      null,
    )
    expect([...near.keys()]).toEqual(['a'])
    expect(near.get('a')).toBeLessThan(KEYWORD_SCORE)
  })

  it.each([
    ['nothing like it', 'My first holiday request'],
    ['working days', 'Holidays in Rome'],
    ['отпуск', 'Счёт за воду'],
    ['退款', '营业时间'],
    ['invoice', 'Voice messages'],
  ])('finds no likeness of %s in %s', (query, title) => {
    expect(nearTitles(query, [titled('a', title)], null).size).toBe(0)
  })
})
