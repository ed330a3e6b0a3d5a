import { describe, expect, it } from 'vitest'
import { holds } from '../../../src/text/hold-term'
import { PassageReading } from '../../../src/text/passage-reading'
import { readQuestion } from '../../../src/text/question'
import { settleTerms } from '../../../src/text/settle-terms'

const settle = (question: string, text: string, heading = '') => {
  const reading = new PassageReading({
    chunkId: '1',
    title: '',
    documentName: '',
    heading,
    text,
  })
  const terms = settleTerms(readQuestion(question), [reading]).flatMap((clause) => clause.terms)
  return terms.map((term) => ({ ...term, held: holds(term, reading.tokens, reading.mode) }))
}
const held = (question: string, text: string) =>
  settle(question, text)
    .filter(({ weight }) => weight >= 0.8)
    .map((term) => term.held)

describe('terms beside what the texts say', () => {
  it.each([
    ['как настроить дискорд', 'Чтобы настроить Discord, откройте настройки канала.'],
    [
      'wie schalte ich den Router aus',
      'Den Router können Sie hinten ausschalten, wenn Sie ihn nicht mehr brauchen.',
    ],
    [
      'wie melde ich ein Kind an',
      'Ein Kind wird im Büro angemeldet. Zum Anmelden gehört ein Foto.',
    ],
    ['max page siz', 'The page size is at most A3.'],
    ['有没有带猫猫的房间', '带宠物的房间有三间，猫也可以。'],
    ['怎么开发票', '发票在订单页申请。'],
    ['雨伞落在店里', '店里落了雨伞，请到前台领取。'],
    ['wie viel kosten 60qm', 'Eine Wohnung mit 60 m² kostet 400 €.'],
    ['كم سعر الغرفة وكم الضريبة', 'سعر الغرفة 40 دينارا، والضريبة 5 دنانير.'],
  ])('are there: %s', (question, text) => {
    const all = held(question, text)
    expect(all.length).toBeGreaterThan(0)
    for (const share of all) expect(share).toBeGreaterThan(0.7)
  })

  it('take no short word for a typo of another that stands elsewhere', () => {
    expect(held('car tax', 'The card is free. A tax of 2 % is added.')).toContain(0)
  })

  it('join no verb with a word that ends no sentence', () => {
    const [term] = readQuestion('wie lade ich hoch aufgelöste Bilder')[0]?.terms ?? []
    expect(term?.words).toEqual(['lade'])
  })

  it('weigh little beside a code that a heading names', () => {
    const weights = (heading: string) =>
      settle('i get 503 unavailable', 'The server rests; try again.', heading).map(
        ({ text, weight }) => [text, weight >= 0.8],
      )
    expect(weights('Error 503')).toContainEqual(['unavailable', false])
    expect(weights('Room 12')).toContainEqual(['unavailable', true])
  })
})
