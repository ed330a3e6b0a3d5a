import { describe, expect, it } from 'vitest'
import { sentences } from '../../../src/text/sentences'

const cut = (text: string) => sentences(text).map((sentence) => sentence.text)

describe('sentences', () => {
  it.each([
    ['One. Two! Three? Four…', ['One.', 'Two!', 'Three?', 'Four…']],
    [
      'Dr. Smith met Mr. J. R. Brown at 3.15 p.m. They left.',
      ['Dr. Smith met Mr. J. R. Brown at 3.15 p.m. They left.'],
    ],
    [
      'See fig. 3 and No. 5, e.g. the U.S. map. Then stop.',
      ['See fig. 3 and No. 5, e.g. the U.S. map.', 'Then stop.'],
    ],
    ['It cost 4.50. In 2015. Next', ['It cost 4.50.', 'In 2015.', 'Next']],
    ['Version 2.0 of foo.bar is out. Done.', ['Version 2.0 of foo.bar is out.', 'Done.']],
    ['He said "Stop." Then left.', ['He said "Stop."', 'Then left.']],
    ['"Really?" he asked. Yes!', ['"Really?" he asked.', 'Yes!']],
    ['Is it Yahoo! or not? yes', ['Is it Yahoo! or not? yes']],
    ['Am 5. Mai öffnet es. Um 9 Uhr.', ['Am 5. Mai öffnet es.', 'Um 9 Uhr.']],
    [
      'Ab dem 3. Tag gilt es. Jeden 1. Montag ruht es. Er kommt am 3. Das ist sicher.',
      ['Ab dem 3. Tag gilt es.', 'Jeden 1. Montag ruht es.', 'Er kommt am 3.', 'Das ist sicher.'],
    ],
    [
      'It has 3. Cats do. I am 30. My cat is 3.',
      ['It has 3.', 'Cats do.', 'I am 30.', 'My cat is 3.'],
    ],
    ['¿Cómo está? Bien. ¡Adiós!', ['¿Cómo está?', 'Bien.', '¡Adiós!']],
    ['Г. Иванов, т. е. он. Потом ушёл.', ['Г. Иванов, т. е. он.', 'Потом ушёл.']],
    ['Who: Eva | Where: Lvl. 3', ['Who: Eva | Where: Lvl. 3']],
    ['Ring ext. 40 at once. Do it.', ['Ring ext. 40 at once.', 'Do it.']],
    [
      'Hauptstr. 5, inkl. MwSt. zzgl. Versand. Ja.',
      ['Hauptstr. 5, inkl. MwSt. zzgl. Versand.', 'Ja.'],
    ],
    ['Tél. 02 55, 3 bd. Voltaire. Oui.', ['Tél. 02 55, 3 bd. Voltaire.', 'Oui.']],
    ['Precio aprox. 20 €, tfno. 976 55. Sí.', ['Precio aprox. 20 €, tfno. 976 55.', 'Sí.']],
    ['Ул. Мира, д. 14, кв. 3. Да.', ['Ул. Мира, д. 14, кв. 3.', 'Да.']],
    ['Пос. Речное, г. Ярославль. Да.', ['Пос. Речное, г. Ярославль.', 'Да.']],
    ['Это было в 1998 г. Потом ушёл.', ['Это было в 1998 г.', 'Потом ушёл.']],
    ['今天很好。明天呢？“不知道。”他说！', ['今天很好。', '明天呢？', '“不知道。”', '他说！']],
    ['彼は「行く。」と言った。終わり。', ['彼は「行く。」と言った。', '終わり。']],
    ['هل هذا صحيح؟ نعم. شكرا.', ['هل هذا صحيح؟', 'نعم.', 'شكرا.']],
    ['यह सही है। ठीक।', ['यह सही है।', 'ठीक।']],
    ["以 '(' 或 '!' 这些字符起始的参数。完。", ["以 '(' 或 '!' 这些字符起始的参数。", '完。']],
    ['3.1.2. Name\n\nIt is 2.5. More', ['3.1.2. Name', 'It is 2.5.', 'More']],
    ['B.5. Ist es so?\n\nNein.', ['B.5. Ist es so?', 'Nein.']],
    ['no end', ['no end']],
    ['', []],
    [' \n\n ', []],
  ])('%j', (text, expected) => {
    expect(cut(text)).toEqual(expected)
  })

  it('keeps lines apart that each name what they tell', () => {
    const end =
      'Last day of school for all pupils of the upper forms: 3 June, at six in the evening'
    expect(cut(`${end}\nResults: 10 June`)).toEqual([end, 'Results: 10 June'])
    const told = 'We close for all of the winter weeks that the town council names, and open again'
    expect(cut(`${told}\nin spring: in April`)).toHaveLength(1)
  })

  it('keeps list items, headings and table rows apart', () => {
    expect(
      cut('# Title\nIntro line:\n- one\n- two. More\n\n1. first\n2. second\n| a | b |\n| c | d |'),
    ).toEqual([
      '# Title',
      'Intro line:',
      '- one',
      '- two.',
      'More',
      '1. first',
      '2. second',
      '| a | b |',
      '| c | d |',
    ])
  })

  it('keeps rows apart whose cells name their columns', () => {
    const rows = [
      'Field: model | Default: the tenant’s, else that of the whole platform',
      'Field: history | Default: 20',
    ]
    expect(sentences(rows.join('\n')).map(({ text }) => text)).toEqual(rows)
  })

  it('keeps a row whole whose cell ends with a full stop', () => {
    const row = 'Keys: B or . | Result: Shows a black screen.'
    expect(cut(row)).toEqual([row])
  })

  it('ends a sentence behind the quotation mark that French sets a space before', () => {
    expect(
      cut('Cliquez pour poser un « ? » sur la case. Il dit « Entrez ! » Puis il sort.'),
    ).toEqual(['Cliquez pour poser un « ? » sur la case.', 'Il dit « Entrez ! »', 'Puis il sort.'])
    expect(cut('Er will »mehr«? »Ja«, sagt sie.')).toEqual(['Er will »mehr«?', '»Ja«, sagt sie.'])
  })

  it('joins a sentence that is broken over lines', () => {
    const text =
      'This sentence of a printed page is broken over the lines of its\nparagraph and goes on. Next one.\n\nNew.'
    expect(cut(text)).toEqual([
      'This sentence of a printed page is broken over the lines of its\nparagraph and goes on.',
      'Next one.',
      'New.',
    ])
  })

  it('gives each sentence’s place', () => {
    const text = '  One. 二。\n\n- three '
    for (const sentence of sentences(text))
      expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text)
  })
})
