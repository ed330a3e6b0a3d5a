import { describe, expect, it } from 'vitest'
import { closestTo } from '../../../src/chat/closest'
import { passage } from '../../support/passages'

const shown = (title: string, heading: string | null) => {
  const [first] = closestTo([passage(1, 'Five days.', { title, heading })], 'When?')
  return [first?.title, first?.heading]
}

describe('what comes nearest to a question without an answer', () => {
  it.each<[string, string | null, string, string | null]>([
    ['Refunds', null, 'Refunds', null],
    ['Refunds', 'Refunds', 'Refunds', null],
    ['Refunds', 'REFUNDS ', 'Refunds', null],
    ['Refunds', 'Refunds › When are they paid?', 'Refunds', 'When are they paid?'],
    ['Refunds', 'Payments › Refunds', 'Refunds', 'Payments › Refunds'],
    ['', 'guide-1.md', 'guide-1.md', null],
  ])('title %j under heading %j says each word once', (title, heading, ...said) => {
    expect(shown(title, heading)).toEqual(said)
  })

  it('names the part of a short document that is nearest, by its words', () => {
    const text = [
      'Parcels',
      'Sending',
      'A parcel goes out the next morning.',
      'Damage',
      'What arrives broken is replaced.',
    ].join('\n\n')
    const place = (question: string) =>
      closestTo([passage(1, text, { title: 'Parcels', heading: 'Parcels' })], question)[0]?.heading
    expect(place('Who pays for damage to a car?')).toBe('Damage')
    expect(place('Which parcel goes to Mars?')).toBe('Sending')
    expect(place('Is lunch free?')).toBeNull()
  })

  it('names a document once, by its best passage, and three at most', () => {
    const hits = [1, 2, 1, 3, 4].map((n, at) => passage(n, 'Text.', { heading: `Part ${at}` }))
    expect(
      closestTo(hits, 'When?').map(({ document_id, heading }) => [document_id, heading]),
    ).toEqual([
      ['document-1', 'Part 0'],
      ['document-2', 'Part 1'],
      ['document-3', 'Part 3'],
    ])
  })
})
