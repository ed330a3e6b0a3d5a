import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'

/** What the rules alone say to a reply about one passage. */
function outcome(source: string, reply: string): 'stands' | 'falls' | 'open' {
  const checker = createChecker({
    passages: [passage(1, source)],
    idf: IDF,
    grounded: true,
    question: '',
  })
  const pieces = [...checker.push(reply), ...checker.close()]
  if (checker.open().length > 0) return 'open'
  return pieces.some(({ text }) => /\p{L}/u.test(text)) ? 'stands' : 'falls'
}

describe('a claim without the limit of its source', () => {
  it.each([
    ['Kayaks are lent free of charge if the lake is calm.', 'Kayaks are lent free of charge.'],
    ['Tents placed after 6 pm are charged twice.', 'Tents are charged twice.'],
    [
      'Students who live on the island travel without a ticket.',
      'Students travel without a ticket.',
    ],
    [
      'Boote werden kostenlos verliehen, falls kein Sturm gemeldet ist.',
      'Boote werden kostenlos verliehen.',
    ],
    ['Les vélos sont prêtés aux voisins qui cotisent.', 'Les vélos sont prêtés aux voisins.'],
    ['Las bicicletas se prestan gratis cuando hay sol.', 'Las bicicletas se prestan gratis.'],
    ['Лодки выдают бесплатно, если озеро спокойно.', 'Лодки выдают бесплатно.'],
    ['تُعار القوارب مجانًا إذا كانت البحيرة هادئة.', 'تُعار القوارب مجانًا.'],
    ['如果湖面平静，游客可以免费借船。', '游客可以免费借船。'],
    ['湖が穏やかな場合、ボートは無料で借りられます。', 'ボートは無料で借りられます。'],
    [
      'Göl sakinse ve hava açıksa kayıklar ücretsiz ödünç verilir.',
      'Kayıklar ücretsiz ödünç verilir.',
    ],
    ['Deneme bittikten sonra kayıklar ücretsiz verilir.', 'Kayıklar ücretsiz verilir.'],
    // However long the condition is.
    [
      'The pump stops when the water in the lower tank is colder than usual, saving fuel and money for all owners of boats.',
      'The pump stops, saving fuel and money for all owners of boats.',
    ],
    // The condition says the subject too.
    [
      'Si la bicicleta lleva cesta nueva, no se puede prestar.',
      'Las bicicletas no se pueden prestar.',
    ],
    // What is free is so within a bound, or for somebody.
    ['Parking is free within 2 km of the lake; beyond that it costs £3.', 'Parking is free.'],
    ['Parking is free for neighbours.', 'Parking is free.'],
  ])('is open: %s', (source, reply) => {
    expect(outcome(source, source)).toBe('stands')
    expect(outcome(source, reply)).toBe('open')
  })

  it.each([
    // The limit is another statement's.
    ['The lake opens at 9 am and closes at 6 pm.', 'The lake closes at 6 pm.'],
    ['Kayaks are lent if the lake is calm. Oars are in the shed.', 'Oars are in the shed.'],
    // How long something takes is no limit of what is said.
    ['Oars are mended within 3 days of the order.', 'Oars are mended.'],
  ])('stands where it has none: %s', (source, reply) => {
    expect(outcome(source, reply)).toBe('stands')
  })
})

describe('a claim that goes on in another statement than it began in', () => {
  it.each([
    [
      'The harbour shop is run by Petersen, the island shop is run by Nilsson.',
      'The harbour shop is run by Nilsson.',
    ],
    ['港口店由周德昌管理，岛上店由孙丽娟管理。', '港口店由孙丽娟管理。'],
    [
      'Kanufahrer sind leichter als Boote mit Motor, halten aber kürzer durch.',
      'Boote mit Motor halten kürzer durch als Kanufahrer.',
    ],
  ])('does not stand: %s', (source, reply) => {
    expect(outcome(source, reply)).not.toBe('stands')
  })
})

describe('two phrases with articles of their own in each other’s place', () => {
  it.each([
    [
      'Le trajet est plus long pour un ferry que pour une navette.',
      'Le trajet est plus long pour une navette que pour un ferry.',
    ],
    ['La capitana saluda a los turistas.', 'Los turistas saludan a la capitana.'],
  ])('do not stand: %s', (source, reply) => {
    expect(outcome(source, reply)).not.toBe('stands')
  })
})

describe('a time for another', () => {
  it('is open where the source says none', () => {
    expect(outcome('Прокат открыт во время сезона.', 'Прокат открыт после сезона.')).not.toBe(
      'stands',
    )
  })
})

describe('what leads into a claim', () => {
  it.each([
    ['Das Ruderboot kostet acht Euro.', 'Gerne! Das Ruderboot kostet acht Euro [1].'],
    ['القوارب متاحة كل يوم.', 'نعم، القوارب متاحة كل يوم [1].'],
    [
      'Les rameurs doivent porter un gilet dans la barque. Les rames sont dans le hangar.',
      'Selon le club, les rameurs doivent porter un gilet dans la barque [1].',
    ],
    ['Гребцы обязаны носить жилет.', 'Согласно правилам клуба, гребцы обязаны носить жилет [1].'],
    ['划船者必须穿救生衣。', '根据店铺规则，划船者必须穿救生衣[1]。'],
  ])('is no part of it: %s', (source, reply) => {
    expect(outcome(source, reply)).toBe('stands')
  })

  it('unless it names somebody', () => {
    expect(
      outcome(
        'Rowers must wear a vest.',
        'According to Helga Brandt from Oslo, rowers must wear a vest [1].',
      ),
    ).not.toBe('stands')
  })
})

describe('a denial in other words', () => {
  it.each([
    ['Boats are lent only if a deposit is paid.', 'Boats are not lent unless a deposit is paid.'],
    [
      'Boote werden nur verliehen, wenn die Kaution bezahlt ist.',
      'Boote werden nicht verliehen, wenn die Kaution nicht bezahlt ist.',
    ],
  ])('does not fall: %s', (source, reply) => {
    expect(outcome(source, reply)).not.toBe('falls')
  })

  it('but falls where nothing turns it', () => {
    expect(outcome('Boats are lent on Sundays.', 'Boats are not lent on Sundays.')).toBe('falls')
  })
})

describe('a word that tells how often or how many, in another’s place', () => {
  it.each([
    [
      'Kayaks are usually lent in summer. Tents are typically wet.',
      'Kayaks are typically lent in summer.',
    ],
    ['Kayıklar genellikle yazın verilir.', 'Kayıklar çoğunlukla yazın verilir.'],
  ])('stands for one of its kind: %s', (source, reply) => {
    expect(outcome(source, reply)).toBe('stands')
  })

  it.each([
    ['Kayaks are usually lent in summer.', 'Kayaks are always lent in summer.'],
    ['Kayaks are sometimes lent in winter.', 'Kayaks are usually lent in winter.'],
    // With another word beside it.
    [
      'Kayaks are usually cleaned in summer. Tents are typically burned in autumn.',
      'Kayaks are typically burned in summer.',
    ],
  ])('does not for one of another: %s', (source, reply) => {
    expect(outcome(source, reply)).not.toBe('stands')
  })
})
