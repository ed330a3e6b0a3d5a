import { beforeAll, describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'
import { passage } from '../../support/passages'

beforeAll(async () => {
  await Promise.all([loadOpposites(), loadThesaurus()])
})

const IDF = { common: {}, rest: 3 }

/** What is left of a reply when nobody is asked. */
function left(texts: string[], reply: string, question = ''): string {
  const passages = texts.map((text, i) => passage(i + 1, text))
  const checker = createChecker({ passages, idf: IDF, grounded: true, question })
  const pieces = [...checker.push(reply), ...checker.end().pieces]
  return pieces.map(({ text }) => text).join('')
}

describe('a mark that names its source in the language of the reply', () => {
  it.each([
    ['Das Archiv liegt im Norden der alten Stadt', '.', ' (Quelle: 1)'],
    ['El archivo está en la parte norte de la ciudad', '.', ' (Fuente: 1)'],
    ['Архив находится на севере старого города', '.', ' (Источник: 1)'],
    ['Arşiv eski şehrin kuzeyinde bulunur', '.', ' (Kaynak: 1)'],
    ['档案馆位于老城的北部地区', '。', '（来源：1）'],
    ['資料館は旧市街の北部にある', '。', '（出典：1）'],
    ['يقع الأرشيف شمال المدينة القديمة', '.', ' (المصدر: 1)'],
  ])('%s', (said, end, mark) => {
    expect(left([said + end], said + mark + end)).toMatch(/\[1\]/u)
    expect(left([said + end], said + mark + end)).not.toMatch(/[(（]/u)
  })
})

describe('a question that states something', () => {
  const TEXT = 'The archive lies in the north of the old town. El archivo está en el norte.'
  it.each([
    'Isn’t it lovely that members pay half of the usual fee for every concert?',
    'Why worry, when your contract ends without notice every summer?',
    '¿Para qué preocuparse, si los socios pagan la mitad de su cuota?',
    '花园里欢迎带狗和猫，这不是很好吗？',
    '庭では犬や猫も歓迎されるというのは素晴らしいと思いませんか？',
    'لماذا القلق ما دام الأعضاء يدفعون نصف الرسوم المعتادة لك؟',
  ])('%s', (question) => {
    expect(left([TEXT], question)).toBe('')
  })

  it.each(['Which archive do you mean?', '¿Qué archivo quiere decir?', '您是指哪个档案馆？'])(
    '%s asks the user and passes',
    (question) => {
      expect(
        left(
          [
            question === '¿Qué archivo quiere decir?'
              ? 'El archivo está en el norte de la ciudad.'
              : TEXT,
          ],
          question,
        ),
      ).toBe(question)
    },
  )
})

describe('words that lead in', () => {
  it.each([
    ['Here’s what I found. ', 'It lies in the north of the old town.'],
    ['The policy says that ', 'the archive lies in the north of the old town.'],
    ['In der Ordnung steht, dass ', 'das Archiv im Norden der alten Stadt liegt.'],
    ['El reglamento indica que ', 'el archivo está en el norte de la ciudad.'],
    ['Вот что я нашёл: ', 'архив находится на севере старого города.'],
    ['Тем не менее ', 'архив находится на севере старого города.'],
    ['İşte bulduklarım: ', 'arşiv eski şehrin kuzeyinde bulunur.'],
    ['正如文中所述，', '档案馆位于老城的北部地区。'],
    ['文書には次のようにあります。', 'その資料館は旧市街の北部にある。'],
    ['هذا ما وجدته: ', 'يقع الأرشيف شمال المدينة القديمة.'],
  ])('%s', (lead, said) => {
    expect(left([said], lead + said)).toContain(said.slice(0, -1))
  })

  it('are gone with the sentence that they announce', () => {
    expect(left(['The archive lies in the north.'], 'Here’s what I found. Dogs may sing.')).toBe('')
  })
})

describe('right sentences in other words do not fall', () => {
  it.each([
    // The first word of a Russian sentence is no name for its capital.
    ['Несколько картин были проданы музеем.', 'Ряд картин были проданы музеем.'],
    ['抽血前须空腹八小时，但可以喝水。', '抽血前可以喝水，但须空腹八小时。'],
    ['加班须经部门经理批准，加班费由财务部发放。', '加班需要部门经理批准，加班费由财务部发放。'],
    [
      '4月20日までに申し込めば、参加費は20%割引になります。',
      '4/20までに申し込めば、参加費は20パーセント割引になります。',
    ],
    ['ペットの同伴は、介助犬を除きお断りしています。', '介助犬を除き、ペットの同伴はできません。'],
    ['Entry costs 8 € for adults and 5 € for students.', 'Adults pay 8 € and students 5 €.'],
    ['Guests get breakfast free of charge.', 'Guests get breakfast at no cost.'],
  ])('%s', (said, told) => {
    expect(judged(said, told)).not.toBe('falls')
  })

  it('is asked about what is said in two places that stand apart', () => {
    const texts = [
      'The archive lies in the north of the old town. Visitors need a ticket. The café sells cake and coffee.',
    ]
    const reply = 'The archive lies in the north of the old town, the café sells cake and coffee.'
    const checker = createChecker({
      passages: texts.map((text, i) => passage(i + 1, text)),
      idf: IDF,
      grounded: true,
    })
    checker.push(reply)
    checker.close()
    expect(checker.open().map(({ evidence }) => evidence.split('\n'))).toEqual([
      ['The archive lies in the north of the old town.', 'The café sells cake and coffee.'],
    ])
  })
})

describe('wrong sentences do not stand', () => {
  it.each([
    ['Since then, the panel has met every year.', 'Until then, the panel has met every year.'],
    [
      'Desde entonces, el comité se reúne cada año.',
      'Hasta entonces, el comité se reúne cada año.',
    ],
    ['1954年初，他的遗物被迁回至故乡的领地。', '1954年末，他的遗物被迁回至故乡的领地。'],
    ['此城的人口预计为2,000人。', '此城的人口预计为2,000户。'],
    ['1897年春（36歳）、彼は改宗した。', '1897年春（36か月）、彼は改宗した。'],
    ['儿童不得在无人看护时使用本机。', '老人不得在无人看护时使用本机。'],
    [
      'Tickets cost 8 € for adults and 5 € for students.',
      'Adults pay 5 € and students 8 € for tickets.',
    ],
  ])('%s', (said, turned) => {
    expect(judged(said, turned)).not.toBe('stands')
  })
})

it('keeps what stands in brackets behind a shortened word together', () => {
  const said = 'Шапур ибн Саль (ум. 869) был первым врачом, создавшим фармакопею.'
  expect(left([said], said)).toContain('фармакопею')
})
