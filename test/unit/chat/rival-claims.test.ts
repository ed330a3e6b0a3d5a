import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

describe('one word in the place of its rival', () => {
  it.each([
    [
      'The first train to the harbour leaves the station at noon.',
      'The last train to the harbour leaves the station at noon.',
    ],
    [
      'The archive lies in the north of the old town.',
      'The archive lies in the south of the old town.',
    ],
    [
      'The new hall is larger than the old theatre.',
      'The new hall is smaller than the old theatre.',
    ],
    ['Der Eingang liegt im Norden der Anlage.', 'Der Eingang liegt im Süden der Anlage.'],
    [
      'El archivo está en la parte norte de la ciudad.',
      'El archivo está en la parte sur de la ciudad.',
    ],
    ['Архив находится на севере старого города.', 'Архив находится на юге старого города.'],
    ['Arşiv eski şehrin kuzeyinde bulunur.', 'Arşiv eski şehrin güneyinde bulunur.'],
    [
      'L’archive se trouve au nord de la vieille ville.',
      'L’archive se trouve au sud de la vieille ville.',
    ],
    ['档案馆位于老城的北部地区。', '档案馆位于老城的南部地区。'],
    ['資料館は旧市街の北部にある。', '資料館は旧市街の南部にある。'],
    ['يقع الأرشيف شمال المدينة القديمة.', 'يقع الأرشيف جنوب المدينة القديمة.'],
  ])('%s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).not.toBe('stands')
  })

  it('may say the same where what is compared changed places too', () => {
    const said = 'The harbour hall is larger than the station theatre.'
    expect(judged(said, 'The station theatre is smaller than the harbour hall.')).not.toBe('falls')
  })

  it('tells "and" from "or", which of what is allowed is open', () => {
    expect(
      judged('Members pay with a card or a transfer.', 'Members pay with a card and a transfer.'),
    ).toBe('falls')
    expect(
      judged(
        'Members may pay with a card or a transfer.',
        'Members may pay with a card and a transfer.',
      ),
    ).toBe('open')
  })
})

describe('one word in the place of what excludes it', () => {
  it.each([
    [
      'The members voted for the plan of the board.',
      'The members voted against the plan of the board.',
    ],
    [
      'The bridge carries heavy trucks in both directions.',
      'The bridge carries light trucks in both directions.',
    ],
    [
      'El puente soporta camiones pesados en ambos sentidos.',
      'El puente soporta camiones ligeros en ambos sentidos.',
    ],
    [
      'Die Brücke trägt schwere Wagen in beiden Richtungen.',
      'Die Brücke trägt leichte Wagen in beiden Richtungen.',
    ],
    [
      'Le pont porte des camions lourds dans les deux sens.',
      'Le pont porte des camions légers dans les deux sens.',
    ],
    [
      'Мост выдерживает тяжелые грузовики в обе стороны.',
      'Мост выдерживает легкие грузовики в обе стороны.',
    ],
    [
      '江戶時代的外國人居住區也有部分建築得到復原。',
      '江戶時代的本國人居住區也有部分建築得到復原。',
    ],
  ])('%s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).toBe('falls')
  })

  it('may stand elsewhere in what is said', () => {
    const said = 'Heavy trucks take the new bridge, light trucks take the old one.'
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, 'Light trucks take the old one.')).toBe('stands')
  })
})

describe('rows and lists', () => {
  const table = [
    'Plan: Basic | Price: 12 | Users: 825 | Storage: 40',
    'Plan: Team | Price: 99 | Users: 470 | Storage: 137',
  ].join('\n')

  it.each([
    ['The Basic plan has a price of 12 and 825 users.', 'stands'],
    ['The Team plan has 470 users and a storage of 137.', 'stands'],
    ['The Basic plan has a price of 825 and 12 users.', 'falls'],
    ['The Basic plan has a price of 825.', 'falls'],
    ['The Team plan has a price of 12 and 825 users.', 'falls'],
  ])('%s', (claim, outcome) => {
    expect(judged(table, claim)).toBe(outcome)
  })

  const lists =
    'The basic plan includes:\n- single sign-on\n- weekly reports\n\nThe business plan includes:\n- an audit log\n- telephone support'

  it.each([
    ['The basic plan includes weekly reports.', 'stands'],
    ['Telephone support is included in the business plan.', 'stands'],
    ['The basic plan includes telephone support.', 'falls'],
    ['The business plan includes weekly reports.', 'falls'],
  ])('%s', (claim, outcome) => {
    expect(judged(lists, claim)).toBe(outcome)
  })
})

describe('what is added or turned', () => {
  it('drops what an "and" joins and the evidence does not speak of', () => {
    expect(
      judged(
        'The archive opens at nine.',
        'The archive opens at nine and invoices are sent by post.',
      ),
    ).toBe('falls')
  })

  it('drops figures in each other’s place', () => {
    expect(judged('Orders arrive in 7 to 10 days.', 'Orders arrive in 10 to 7 days.')).toBe('falls')
  })

  it('drops a sentence that is denied from afar', () => {
    const said = 'Les membres reçoivent une carte gratuite chaque année.'
    expect(
      judged(said, `Il est faux que ${said.charAt(0).toLowerCase()}${said.slice(1)}`),
    ).not.toBe('stands')
  })
})

describe('one of two rivals said twice', () => {
  it.each([
    [
      'The choir takes men and women who like to read music.',
      'The choir takes women and women who like to read music.',
    ],
    [
      'El coro admite hombres y mujeres que leen música.',
      'El coro admite mujeres y mujeres que leen música.',
    ],
    [
      'Der Chor nimmt Männer und Frauen aus der Stadt auf.',
      'Der Chor nimmt Frauen und Frauen aus der Stadt auf.',
    ],
    [
      'В хор принимают мужчин и женщин, которые живут рядом.',
      'В хор принимают женщин и женщин, которые живут рядом.',
    ],
    ['合唱团招收男性和女性，每周排练一次。', '合唱团招收女性和女性，每周排练一次。'],
    ['会費は男性が三千円、女性が二千円である。', '会費は女性が三千円、女性が二千円である。'],
  ])('does not stand for both: %s', (said, doubled) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, doubled)).toBe('falls')
  })
})

describe('"or" for "and"', () => {
  it('falls though another clause says what may be', () => {
    const said =
      'If it rains the hall is open, and between 1991 and 2004 the fair was held outside.'
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, said.replace('1991 and', '1991 or'))).toBe('falls')
  })

  it('is open in the clause that says what may be', () => {
    const said = 'The hall is open at night, and members may pay with a card or a transfer.'
    expect(judged(said, said.replace('card or', 'card and'))).toBe('open')
  })
})

describe('a unit without a figure', () => {
  it.each([
    ['The field says how long a session lives, in milliseconds.', 'milliseconds', 'seconds'],
    ['The pump is checked once an hour.', 'an hour', 'a week'],
    ['Время ожидания указывается в миллисекундах.', 'миллисекундах', 'секундах'],
    ['Le délai est indiqué en secondes.', 'secondes', 'minutes'],
  ])('is no other one: %s', (said, unit, other) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, said.replace(unit, other))).toBe('falls')
  })
})
