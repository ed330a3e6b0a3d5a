import { describe, expect, it } from 'vitest'
import type { IdfTable } from '../../../../src/knowledge/types'
import { extractAnswer } from '../../../../src/models/offline/extract-answer'
import { passage } from '../../../support/passages'

/** Of a base of a few documents. */
const SMALL: IdfTable = { common: {}, rest: 1.2 }

/** Of each language some text, what it answers with a part of the answer, and what it does not. */
const BASES: [string, string, [string, string][], string[]][] = [
  [
    'English',
    '# Baths\n\nThe spa has two pools and opens at 10 am. A day in the spa costs £18.\n\nThe sauna was built in 1931 and holds 14 people. The plunge pool is 4 m deep.\n\n# Desk\n\nThe desk can be reached on 01632 960 417. Charities get 15 % off.\n\n# Lockers\n\nLockers are 40 cm wide. Lockers cost £2.',
    [
      ['how much is a day in the spa', '£18'],
      ['what time does the spa open', '10 am'],
      ['phone number of the desk', '960 417'],
      ['how many people fit in the sauna', '14'],
      ['when was the sauna built', '1931'],
      ['discount for charities?', '15 %'],
      ['how deep is the plunge pool', '4 m'],
    ],
    [
      'phone number of the spa',
      'how many lockers are there',
      'discount for students?',
      'how much does the sauna weigh',
    ],
  ],
  [
    'Spanish',
    '# Horno\n\nLa hogaza de leña cuesta 4,20 €. La visita al obrador dura una hora.\n\nLos jubilados tienen un 10 % de descuento en el pan.\n\n# Bolsas\n\nLa bolsa de tela cuesta 2,50 €.',
    [
      ['cuánto cuesta la hogaza de leña', '4,20'],
      ['cuánto dura la visita al obrador', 'una hora'],
      ['descuento para jubilados?', '10 %'],
    ],
    [
      'cuántas calorías tiene la hogaza',
      'descuento para familias numerosas?',
      'a qué hora es la visita al obrador',
    ],
  ],
  [
    'French',
    "# Étude\n\nUne procuration coûte 32 €. La signature dure une heure.\n\n# Permanence\n\nLa permanence de Plouvenel a lieu le jeudi.\n\nL'accueil répond au 02 99 00 41 10.",
    [
      ['combien coûte une procuration', '32'],
      ["numéro de téléphone de l'accueil", '41 10'],
    ],
    [
      'quel est le numéro de téléphone de la permanence de Plouvenel',
      'à quelle heure est la permanence de Plouvenel',
    ],
  ],
  [
    'Russian',
    '# Клиника\n\nАнализ крови готов через сорок минут.\n\n# Чип\n\nЧип стоит 1 200 рублей.\n\n# Стоянка\n\nСтоянка на шесть машин во дворе.\n\n# Скидки\n\nПенсионерам скидка 10 % на приём.',
    [
      ['сколько стоит чип', '1 200'],
      ['скидка пенсионерам есть?', '10 %'],
      ['сколько машин помещается на стоянке', 'шесть'],
    ],
    ['сколько стоит анализ крови', 'сколько стоит стоянка'],
  ],
  [
    'Chinese',
    '# 图书馆\n\n馆长是沈育文。总服务台电话是0571-5550 3100。\n\n# 书法课\n\n书法课每次20元,老师是周伯年。\n\n自习室有180个座位。',
    [
      ['书法课多少钱', '20元'],
      ['总服务台电话是多少', '3100'],
      ['自习室有多少个座位', '180'],
    ],
    ['书法课几点开始', '书法课老师多大年纪', '自习室多少钱'],
  ],
  [
    'Arabic',
    '# المغسلة\n\nسعر تنظيف البدلة 120 جنيها. فرع المنيل هاتفه 02 5550 7712.\n\n# السجاد\n\nغسيل السجاد يحتاج إلى خمسة أيام.',
    [
      ['كم سعر تنظيف البدلة', '120'],
      ['رقم هاتف فرع المنيل', '7712'],
    ],
    ['بكم غسيل السجاد', 'رقم هاتف السجاد'],
  ],
  [
    'German',
    '# Platz\n\nEin Kanu kostet 32 € am Tag. Der Kiosk schließt um 18 Uhr.\n\nDie Endreinigung kostet 35 €.\n\nMitglieder erhalten 5 % Rabatt.',
    [
      ['was kostet ein kanu am tag', '32'],
      ['rabatt für mitglieder?', '5 %'],
    ],
    [
      'welche telefonnummer hat der kiosk',
      'wie lange dauert die endreinigung',
      'rabatt für schwerbehinderte?',
    ],
  ],
]

describe('near misses', () => {
  for (const [language, text, there, missing] of BASES) {
    const answer = (question: string) => extractAnswer(question, [passage(1, text)], SMALL, 'en')

    it.each(there)(`${language}: answers "%s"`, (question, part) => {
      expect(answer(question)).toContain(part)
    })

    it.each(missing)(`${language}: says nothing to "%s"`, (question) => {
      expect(answer(question)).toBeNull()
    })
  }

  /** What is asked by the name of its kind, counted in a unit, or told without the word for it. */
  it.each([
    ['Refunds are paid within five working days.', 'how many working days do refunds take'],
    ['A parcel may weigh up to 31.5 kg.', 'how many kilos can a parcel weigh'],
    ['The front door is green.', 'which colour is the front door'],
    ['Beginners are 6 to 8.', 'how old are the beginners'],
    ['Un paquete puede pesar hasta 31,5 kg.', 'cuantos kilos puede pesar un paquete'],
    ['La puerta principal es verde.', 'de que color es la puerta principal'],
    ['Pakete werden zehn Kalendertage aufbewahrt.', 'wie viele tage werden pakete aufbewahrt'],
    ['Посылка может весить до 31,5 кг.', 'какой максимальный вес посылки'],
    ['咖啡来自埃塞俄比亚。', '咖啡是哪个国家的'],
  ])('are none where "%s" answers "%s"', (text, question) => {
    const said = extractAnswer(question, [passage(1, `# House\n\n${text}`)], SMALL, 'en')
    expect(said).toContain(text.slice(0, -1))
  })

  it('says what another row tells to nobody who asks for what has none', () => {
    const rows = [
      passage(1, 'Card: Adult | Deposit: £10 | Books: 10\nCard: Child | Deposit: £5 | Books: 8'),
      passage(2, 'Up to 3 magazines are lent for two weeks.'),
    ]
    const deposit = (card: string) => extractAnswer(`deposit ${card}`, rows, SMALL, 'en')
    expect(deposit('child')).toContain('£5')
    expect(deposit('magazines')).toBeNull()
  })

  it('takes two questions in one for no near miss, and a denial for an answer', () => {
    const desk = passage(1, '# Desk\n\nThe desk was founded by Ada. The desk has no phone number.')
    const said = (question: string) => extractAnswer(question, [desk], SMALL, 'en')
    expect(said('when was the desk founded and who founded it')).toContain('Ada')
    expect(said('phone number of the desk')).toContain('no phone number')
  })
})
