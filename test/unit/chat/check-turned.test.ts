import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'

/** What is left of a reply without a verifier. */
function kept(source: string, reply: string): string {
  const checker = createChecker({ passages: [passage(1, source)], idf: IDF, grounded: true })
  const pieces = [...checker.push(reply), ...checker.end().pieces]
  return pieces.map(({ text }) => text).join('')
}

describe('a sentence that turns its source round', () => {
  it.each([
    ['The parcel must be sent before the refund is paid.', 'before', 'after'],
    ['A message holds at most 16 pictures of your own.', 'at most', 'at least'],
    ['Le champ accepte un enregistrement de 10 minutes au plus.', 'au plus', 'au moins'],
    ['顾客必须在付款之前确认订单的地址。', '之前', '之后'],
    ['荷物は発送の以前に確認された商品だけを含む。', '以前', '以後'],
    ['The lamp was visible from the harbour at night.', 'visible', 'invisible'],
    ['Die Rückgabe der Lampe war damals noch möglich.', 'möglich', 'unmöglich'],
  ])('%s', (source, from, to) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, source.replace(from, to))).toBe('')
  })

  it.each([
    [
      'Refunds are paid within 14 days of the return.',
      ', and every visitor receives a silver spoon.',
    ],
    ['Los reembolsos se pagan en 14 días.', ', y cada visitante recibe una cuchara de plata.'],
  ])('or adds an invented clause to it: %s', (source, invented) => {
    expect(kept(source, source.replace(/\.$/u, invented))).toBe('')
  })

  it.each([
    ['Marie taught Robert in Vienna for years.', 'Robert taught Marie in Vienna for years.'],
    ['Each winter Hamburg sends Lübeck two ships.', 'Each winter Lübeck sends Hamburg two ships.'],
  ])('or sets a name in the place of another: %s', (source, turned) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })
})
