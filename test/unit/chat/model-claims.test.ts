import { beforeAll, describe, expect, it } from 'vitest'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'

beforeAll(() => Promise.all([loadOpposites(), loadThesaurus()]))

/** How models say what they read: each of these fell, and a reader may say that it is so. */
describe('Arabic small words and letters at the words behind them', () => {
  const IMPORT = 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، و500 على الأكثر، داخل الموقع نفسه.'
  it.each([
    ['a figure behind "and"', IMPORT, 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، وعلى الأكثر 500.'],
    [
      '"as long as not", which has the stem of May',
      'يتحمل العميل تكلفة الشحن إلا إذا كان المنتج معيبًا.',
      'تكلفة شحن المنتج على العميل ما لم يكن المنتج معيبًا.',
    ],
    [
      'a denial behind "and"',
      'يمكن إرجاع المنتجات بشرط أن تكون في عبوتها الأصلية وغير مستعملة.',
      'يمكن إرجاع المنتج إذا كان غير مستعمل وفي عبوته الأصلية.',
    ],
    [
      'a denial behind "so"',
      'لا تُقبل مستحضرات التجميل بعد فتحها.',
      'أما مستحضرات التجميل فلا تُقبل بعد فتحها.',
    ],
  ])('%s', (_, said, claim) => {
    expect(judged(said, claim)).not.toBe('falls')
  })

  it.each([
    [IMPORT, 'يقرأ استيراد الموقع 100 صفحة افتراضيًا، وعلى الأكثر 600.'],
    ['المنتجات في عبوتها الأصلية وغير مستعملة.', 'المنتجات في عبوتها الأصلية ومستعملة.'],
  ])('fall as ever where they are other ones: %#', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })
})

describe('denials', () => {
  it.each([
    [
      'the second of two',
      'Скидка не действует на аренду оборудования и не суммируется с акциями.',
      'Скидка на аренду оборудования не действует.',
    ],
    [
      'in two words of which one is joined to the next',
      'Le chat ne dépose pas de cookies et garde le jeton du visiteur.',
      "Le chat n'utilise pas de cookies et garde le jeton du visiteur.",
    ],
    [
      'of what the passage does not speak of',
      'Standing orders and direct debits continue to be paid.',
      'Standing orders and direct debits are not affected.',
    ],
    [
      '"no one" for "nobody"',
      'You can renew a loan twice, as long as nobody else has reserved the item.',
      'You can renew a loan twice, provided no one else has reserved the item.',
    ],
    [
      'of the same word in another clause',
      '商品签收后7天内可以无理由退货，须保持吊牌完整、未经穿着。',
      '无理由退货要求吊牌完整、没有穿过。',
    ],
    [
      'in a cell that holds nothing else',
      'Plan: Starter | Price per month: €19 | Users: 3 | Single sign-on: no',
      'The Starter plan has no single sign-on.',
    ],
    ['"do not forget"', 'Bring your passport.', 'Do not forget to bring your passport.'],
    [
      '"no olvides"',
      'Lleva chanclas a los vestuarios.',
      'No olvides llevar chanclas a los vestuarios.',
    ],
    [
      '"не забудьте"',
      'Возьмите с собой паспорт и полис.',
      'Не забудьте взять с собой паспорт и полис.',
    ],
  ])('%s may say the same', (_, said, claim) => {
    expect(judged(said, claim)).not.toBe('falls')
  })

  it.each([
    ['Cheques are not accepted, and cards are not charged.', 'Cheques are accepted.'],
    ['Скидка не действует на аренду и не суммируется с акциями.', 'Скидка действует на аренду.'],
    ['Ropa interior no se cambia ni se devuelve.', 'La ropa interior se cambia.'],
    ['Single tickets are refunded.', 'Single tickets are not refunded.'],
    ['The hall opens at nine.', 'It is not true that the hall opens at nine.'],
    ['No one may enter the hall.', 'Everybody may enter the hall.'],
    [
      'Plan: Starter | Users: 3 | Single sign-on: no\nPlan: Team | Users: 9 | Single sign-on: yes',
      'The Team plan has no single sign-on.',
    ],
  ])('of what is said, or none of what is denied, fall: %s', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })
})

describe('a bound that is said by a denial', () => {
  it.each([
    ['A document may have 25 MiB at most.', "A document can't exceed 25 MiB."],
    ['Un archivo zip puede tener 25 MiB como máximo.', 'El archivo zip no debe superar 25 MiB.'],
    ['Un document peut avoir 25 MiB au plus.', 'Un document ne doit pas dépasser 25 MiB.'],
    ['Документ может иметь не более 25 MiB.', 'Документ не должен превышать 25 MiB.'],
    ['一份文档最多 25 MiB。', '一份文档不能超过 25 MiB。'],
  ])('may say the same: %s', (said, claim) => {
    expect(judged(said, claim)).not.toBe('falls')
  })

  it.each([
    ['A document must have 25 MiB at least.', "A document can't exceed 25 MiB."],
    ['A document may have 25 MiB at most.', "A document can't exceed 30 MiB."],
  ])('falls where it is another one: %s', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })
})

it.each([
  [
    'An administrator can unlock it under Settings > Users.',
    'You can unlock it under Settings > Users.',
  ],
  ['Доставка в пункт выдачи бесплатна от 2 000 рублей.', 'Доставка в пункт выдачи бесплатна.'],
])('who may and from what on it is free is not left out by rule: %s', (said, claim) => {
  expect(judged(said, claim)).toBe('open')
})

describe('a table of prices', () => {
  const PLANS = `Plan: Starter | Price per month: €19 | Users: 3 | Single sign-on: no
Plan: Business | Price per month: €149 | Users: 60 | Single sign-on: yes`
  const OFFERS = `Plan: Básico | Velocidad: 100 Mb/s | Precio: 24 € al mes | Televisión: no
Plan: Familiar | Velocidad: 600 Mb/s | Precio: 39 € al mes | Televisión: sí`
  it.each([
    [
      PLANS,
      'what does single sign-on cost',
      'The Business plan has single sign-on and costs €149 a month for 60 users.',
    ],
    [
      OFFERS,
      '¿qué incluye el plan familiar de internet?',
      'El plan Familiar ofrece 600 Mb/s y televisión por 39 € al mes.',
    ],
  ])('is read in the language of who asks: %#', (table, question, claim) => {
    expect(judged(table, claim, question)).not.toBe('falls')
  })

  it.each([
    [
      PLANS,
      'what does single sign-on cost',
      'The Business plan has single sign-on and costs €19 a month for 60 users.',
    ],
    [
      OFFERS,
      '¿qué incluye el plan familiar de internet?',
      'El plan Familiar ofrece 100 Mb/s y televisión por 39 € al mes.',
    ],
  ])('has no other figure in the row: %#', (table, question, claim) => {
    expect(judged(table, claim, question)).toBe('falls')
  })
})

describe('a reply in the language of who asks, about a passage in another', () => {
  const PAYMENT = 'We accept cards, bank transfer and cash up to €500. Cheques are not accepted.'
  const MARK = { n: 1, quoted: false, span: null }
  const ASKED = '¿puedo pagar en efectivo y hasta qué hora abren?'
  it.each(['Aceptamos efectivo hasta 500 €.', 'No se aceptan cheques.'])(
    'is open though it has a single small word: %s',
    (claim) => {
      expect(judged(PAYMENT, claim, ASKED, [MARK])).toBe('open')
    },
  )

  it('falls by a figure as ever', () => {
    expect(judged(PAYMENT, 'Aceptamos efectivo hasta 1.000 €.', ASKED, [MARK])).toBe('falls')
  })
})

describe('Chinese words that are no names', () => {
  it.each([
    ['体检当天早晨可少量饮水。', '体检当天早晨可以少量喝水。'],
    ['请穿宽松衣物，不要佩戴金属饰品。', '请穿宽松的衣服，不要戴金属首饰。'],
    ['报告可在前台领取或在小程序上查看。', '报告可以去前台拿，也可以在小程序上看。'],
    ['平日每小時 30 元，每日上限 180 元。', '平日每小時 30 元，一天最多 180 元。'],
    ['溫度和 top_p 不能設定。', '溫度和 top_p 都沒辦法設定。'],
  ])('may say what the passage says in others: %s', (said, claim) => {
    expect(judged(said, claim)).not.toBe('falls')
  })

  it.each([
    ['报告可在前台领取。', '报告可在邮局领取。'],
    ['平日每小時 30 元，每日上限 180 元。', '平日每小時 30 元，一天最多 200 元。'],
  ])('do not hide another name or figure: %s', (said, claim) => {
    expect(judged(said, claim)).toBe('falls')
  })
})

it('finds the sentence by what a figure is in another unit', () => {
  const said =
    'Resetting your password. We send you a link that is valid for 60 minutes and can be used once.'
  expect(judged(said, 'The reset link is valid for one hour.')).not.toBe('falls')
  expect(judged(said, 'The reset link is valid for two hours.')).toBe('falls')
})
