import { describe, expect, it } from 'vitest'
import { type Question, readAnswer, readFreeText } from '../../../src/storylines/read-answer'
import { readSlots } from '../../../src/storylines/slots'
import { unframed } from '../../../src/text/unframed'
import { growsLinearly } from '../../support/grows'

const { slots } = readSlots({
  properties: {
    need: {
      type: 'string',
      title: 'What you need',
      oneOf: [
        { const: 'sales', title: 'Buy or upgrade' },
        { const: 'other', title: 'Something else' },
      ],
    },
    plan: { type: 'string', enum: ['free', 'other'] },
    people: { type: 'integer', minimum: 1, maximum: 5000 },
    rate: { type: 'number' },
    fixed: { type: 'boolean' },
    email: { type: 'string', format: 'email', title: 'E-mail' },
    tel: { type: 'string', format: 'tel' },
    day: { type: 'string', format: 'date' },
    hour: { type: 'string', format: 'time' },
    page: { type: 'string', format: 'uri' },
    tags: { type: 'array', items: { type: 'string' } },
    note: { type: 'string', maxLength: 40 },
  },
})
const ask = (...keys: string[]): Question => ({
  slots,
  asked: keys.map((slot) => ({ slot })),
  fillable: [...slots.keys()],
  confirming: false,
  leave: ['Leave', '退出', 'مغادرة'],
})
const read = (text: string, ...keys: string[]) => readAnswer(text, ask(...keys)).values

describe('what a message says by rule', () => {
  it.each([
    ['Buy or upgrade', 'need', { need: 'sales' }],
    [' “buy OR upgrade”. ', 'need', { need: 'sales' }],
    ['sales', 'need', { need: 'sales' }],
    ['other', 'plan', { plan: 'other' }],
    ['other', 'need', { need: 'other' }],
    ['free', 'people', { plan: 'free' }],
    ['about 40 people', 'people', { people: 40 }],
    ['1,200', 'people', { people: 1200 }],
    ['1.200', 'people', { people: 1200 }],
    ['1 200', 'people', { people: 1200 }],
    ['twelve', 'people', { people: 12 }],
    ['十二', 'people', { people: 12 }],
    ['doce', 'people', { people: 12 }],
    ['١٢', 'people', { people: 12 }],
    ['12 or 13', 'people', {}],
    ['3 thousand', 'people', {}],
    ['2k', 'people', {}],
    ['1,5 Millionen', 'people', {}],
    ['12 mil usuarios', 'people', {}],
    ['2 тыс. человек', 'people', {}],
    ['3万人', 'people', {}],
    ['2 kilos', 'people', { people: 2 }],
    ['12 people, thousands of guests', 'people', { people: 12 }],
    ['0', 'people', {}],
    ['9000', 'people', {}],
    ['2.5', 'people', {}],
    ['2.5', 'rate', { rate: 2.5 }],
    ['0.125', 'rate', { rate: 0.125 }],
    ['-0,500', 'rate', { rate: -0.5 }],
    ['.5', 'rate', { rate: 0.5 }],
    ['No.5', 'rate', { rate: 5 }],
    ['1,234.567', 'rate', { rate: 1234.567 }],
    ['1,234,567', 'rate', { rate: 1234567 }],
    ['2,5 Prozent', 'rate', { rate: 2.5 }],
    ['-3', 'rate', { rate: -3 }],
    ['\u22123', 'rate', { rate: -3 }],
    ['\u20133', 'rate', { rate: -3 }],
    ['٫٥', 'rate', { rate: 0.5 }],
    ['١٬٢٥٠٫٥', 'rate', { rate: 1250.5 }],
    ['١٬٢٥٠', 'people', { people: 1250 }],
    ['yes', 'fixed', { fixed: true }],
    ['Yes!', 'fixed', { fixed: true }],
    ['no, thanks', 'fixed', { fixed: false }],
    ['Yes please!', 'fixed', { fixed: true }],
    ['no thank you very much', 'fixed', { fixed: false }],
    ['ok yes', 'fixed', { fixed: true }],
    ['sí por favor', 'fixed', { fixed: true }],
    ['non merci', 'fixed', { fixed: false }],
    ['bien sûr', 'fixed', { fixed: true }],
    ['да пожалуйста', 'fixed', { fixed: true }],
    ['yes it does but slowly', 'fixed', {}],
    ['no problem', 'fixed', {}],
    ['please', 'fixed', {}],
    ['是的', 'fixed', { fixed: true }],
    ['不是', 'fixed', { fixed: false }],
    ['sí', 'fixed', { fixed: true }],
    ['да', 'fixed', { fixed: true }],
    ['oui', 'fixed', { fixed: true }],
    ['نعم', 'fixed', { fixed: true }],
    ['لا', 'fixed', { fixed: false }],
    ['what do you mean?', 'fixed', {}],
    ['It is ann@example.com, thanks', 'email', { email: 'ann@example.com' }],
    ['ann at example', 'email', {}],
    ['ann@bob@example.com', 'email', {}],
    ['mailto:ann@example.com.', 'email', { email: 'ann@example.com' }],
    ['My address is ann@example.com!', 'email', { email: 'ann@example.com' }],
    ['Is it ann@example.com?', 'email', { email: 'ann@example.com' }],
    ["It's 'ann@example.com'", 'email', { email: 'ann@example.com' }],
    ['我的邮箱是ann@example.com。', 'email', { email: 'ann@example.com' }],
    ['メールはann@example.comです', 'email', { email: 'ann@example.com' }],
    ["o'neill+a_b@mail.example.ie", 'email', { email: "o'neill+a_b@mail.example.ie" }],
    ['jörg.müller@münchen.de!', 'email', { email: 'jörg.müller@münchen.de' }],
    ['анна@пример.рф', 'email', { email: 'анна@пример.рф' }],
    ['a/b@example.com', 'email', { email: 'a/b@example.com' }],
    ['call me at +33 6 12 34 56 78', 'tel', { tel: '+33 6 12 34 56 78' }],
    ['12345 or 67890', 'tel', {}],
    ['030/1234567', 'tel', { tel: '030 1234567' }],
    ['(030) / 12 34 56', 'tel', { tel: '(030) 12 34 56' }],
    ['٠١٢٣٤٥٦٧٨٩', 'tel', { tel: '0123456789' }],
    ['+49\u2011151\u201312345678', 'tel', { tel: '+49-151-12345678' }],
    ['see https://example.com/a.', 'page', { page: 'https://example.com/a' }],
    ['https://example.com/a, thanks', 'page', { page: 'https://example.com/a' }],
    ['(it is on https://example.com)', 'page', { page: 'https://example.com' }],
    ['https://example.com/A_(b)', 'page', { page: 'https://example.com/A_(b)' }],
    ['网址是https://example.com。谢谢', 'page', { page: 'https://example.com' }],
    ['2026-12-24', 'day', { day: '2026-12-24' }],
    ['24.12.2026', 'day', { day: '2026-12-24' }],
    ['2026\u201112\u201124', 'day', { day: '2026-12-24' }],
    ['12/24/2026', 'day', { day: '2026-12-24' }],
    ['24/12/2026', 'day', { day: '2026-12-24' }],
    ['2026年12月24日', 'day', { day: '2026-12-24' }],
    ['03/04/2026', 'day', {}],
    ['30.02.2026', 'day', {}],
    ['at 9:30', 'hour', { hour: '09:30' }],
    ['9:30 pm', 'hour', { hour: '21:30' }],
    ['9:30 P.M.', 'hour', { hour: '21:30' }],
    ['a las 9:30 p. m.', 'hour', { hour: '21:30' }],
    ['12:30am', 'hour', { hour: '00:30' }],
    ['12:30 pm', 'hour', { hour: '12:30' }],
    ['9:30 amazing', 'hour', { hour: '09:30' }],
    ['晚上9:30', 'hour', { hour: '21:30' }],
    ['9:30 مساء', 'hour', { hour: '21:30' }],
    ['9:30 de la noche', 'hour', { hour: '21:30' }],
    ['1:30 at night', 'hour', {}],
    ['сегодня в 9:30', 'hour', { hour: '09:30' }],
    ['21:30 Uhr', 'hour', { hour: '21:30' }],
    ['25:00', 'hour', {}],
    ['red, green; blue', 'tags', { tags: ['red', 'green', 'blue'] }],
    ['', 'people', {}],
  ] as const)('reads %j for %s', (text, slot, values) => expect(read(text, slot)).toEqual(values))

  it.each(['@', 'a@', '@.', 'a'])('looks for an address in 16,000 of %j in one pass', (piece) => {
    expect(read(piece.repeat(16_000 / piece.length), 'email')).toEqual({})
  })

  it('gives a bare value to no slot when several are asked for', () => {
    expect(read('12', 'people', 'rate')).toEqual({})
  })

  it('reads the lines of a form, and says whether something else was said too', () => {
    const form = 'E-mail: ann@example.com\nWhat you need: Something else\npeople： 12'
    expect(readAnswer(form, ask('email', 'need'))).toMatchObject({
      values: { email: 'ann@example.com', need: 'other', people: 12 },
      complete: true,
    })
    expect(readAnswer(`${form}\nBy the way: nice site`, ask('email')).complete).toBe(false)
    expect(read('Note to self: buy milk', 'people')).toEqual({})
  })

  it('finds the slots of a form by titles of any signs and length, and those with the same title in their order', () => {
    const long =
      'The name of whoever is to be told, with all that belongs to it, as it stands in the passport'
    const odd = readSlots({
      properties: {
        work: { type: 'string', format: 'email', title: 'E-mail: work' },
        first: { type: 'string', title: 'Name' },
        second: { type: 'string', title: 'Name' },
        third: { type: 'string', title: 'Name' },
        whole: { type: 'string', title: long },
        wide: { type: 'string', title: '题目：全名' },
        blank: { type: 'integer', title: '  ' },
      },
    }).slots
    const form = (text: string, ...keys: string[]) =>
      readAnswer(text, { ...ask(...keys), slots: odd, fillable: [...odd.keys()] })
    const lines = `E-mail: work: ann@example.com\nName: Ann: A.\nName: Bea\n${long}: Cleo\n题目：全名: Dan\nblank: 5`
    expect(form(lines, 'third', 'work', 'first')).toMatchObject({
      values: {
        work: 'ann@example.com',
        third: 'Ann: A.',
        first: 'Bea',
        whole: 'Cleo',
        wide: 'Dan',
        blank: 5,
      },
      complete: true,
    })
    expect(odd.get('blank')).toMatchObject({ title: 'blank', shown: false })
  })

  it.each(['!', '.', '"'])('reads 16,000 of %j in one pass', async (sign) => {
    const look = (size: number) => {
      const text = `${sign.repeat(size)}x`
      expect([read(text, 'fixed'), read(text, 'rate'), read(text, 'people')]).toEqual([{}, {}, {}])
    }
    expect(await growsLinearly(16_000, look)).toBe(true)
  })

  it('takes a frame off in one pass', async () => {
    const look = (size: number) => {
      const name = `${'.'.repeat(size)}x`
      expect(unframed(`my name is ${name}`)).toBe(name)
    }
    expect(await growsLinearly(64_000, look)).toBe(true)
  })

  it('reads a list in one pass, whatever blanks stand in it', async () => {
    expect(read('a ,\n b;c、 ', 'tags')).toEqual({ tags: ['a', 'b', 'c'] })
    // Too long for an item.
    const look = (size: number) => expect(read(`a${' '.repeat(size)}b,c`, 'tags')).toEqual({})
    expect(await growsLinearly(64_000, look)).toBe(true)
  })

  it('knows the Leave button in its languages', () => {
    expect(
      ['leave', '退出', 'مغادرة', 'leave it open'].map((text) => readAnswer(text, ask()).leave),
    ).toEqual([true, true, true, false])
  })

  it('takes the Leave button for the option of that name where one is asked for', () => {
    const { slots: absence } = readSlots({
      properties: { kind: { type: 'string', enum: ['Leave', 'Sick'] } },
    })
    const question = { ...ask('kind'), slots: absence, fillable: ['kind'] }
    expect(readAnswer('Leave', question)).toMatchObject({ leave: false, values: { kind: 'Leave' } })
    expect(readAnswer('Leave', { ...question, asked: [] }).leave).toBe(true)
  })

  it('reads yes and no only as an answer to what was read back', () => {
    expect(readAnswer('yes', { ...ask(), confirming: true }).confirmed).toBe(true)
    expect(readAnswer('No.', { ...ask(), confirming: true }).confirmed).toBe(false)
    for (const fine of ['OK', 'Okay!', 'vale', 'd’accord', 'хорошо', '好的', 'حسنا', '👍'])
      expect([fine, readAnswer(fine, { ...ask(), confirming: true }).confirmed]).toEqual([
        fine,
        true,
      ])
    expect(readAnswer('yes', ask()).confirmed).toBeNull()
  })

  it.each([
    ['My name is Ada', 'Ada'],
    ['Hi, I’m Ada Lovelace!', 'Ada Lovelace'],
    ["it's Ada.", 'Ada'],
    ['Me llamo Ada', 'Ada'],
    ['Bonjour, je m’appelle Ada', 'Ada'],
    ['Ich heiße Ada', 'Ada'],
    ['Меня зовут Ада', 'Ада'],
    ['Benim adım Ada', 'Ada'],
    ['اسمي آدا', 'آدا'],
    ['我叫小明', '小明'],
    ['你好，我是小明。', '小明'],
    ['我的名字叫小華', '小華'],
    ['私の名前はアダです', 'アダ'],
    ['Ada', 'Ada'],
    ['Imogen', 'Imogen'],
    ['I am', 'I am'],
    ['I am unable to open the shop', 'I am unable to open the shop'],
  ])('takes of %j for a free text only what it names', (text, note) => {
    expect(readFreeText(text, ask('note'))).toEqual({ note })
  })

  it('reads a number in words behind what presents it, and holds it to its bounds', () => {
    const adult = readSlots({ properties: { age: { type: 'integer', minimum: 18 } } }).slots
    const of = (text: string) =>
      readAnswer(text, { ...ask('age'), slots: adult, fillable: ['age'] }).values
    expect(['I am thirty', 'thirty', 'Ich bin dreißig', 'It’s 30'].map(of)).toEqual(
      Array(4).fill({ age: 30 }),
    )
    expect(['twelve', 'I am twelve', 'It’s 12', '十二'].map(of)).toEqual([{}, {}, {}, {}])
  })

  it('takes a whole message for a free text, but no question and nothing too long', () => {
    const free = (text: string) => readFreeText(text, ask('note'))
    expect(free(' My printer smokes ')).toEqual({ note: 'My printer smokes' })
    expect([
      free('Why do you ask?'),
      free('x'.repeat(41)),
      readFreeText('12', ask('people')),
    ]).toEqual([{}, {}, {}])
  })
})
