import { describe, expect, it } from 'vitest'
import { languageOfAnswer } from '../../../src/text/language-of-answer'
import { growsLinearly } from '../../support/grows'

describe('the language of an answer', () => {
  it.each([
    'María de la Cruz',
    'Charles de Gaulle',
    'Ludwig van der Rohe',
    'John Smith, 5 rue de la Paix, Paris',
    'Avenida de los Ángeles 4',
    'The Bank of England',
    'juan@de-la-cruz.es',
    'City: La Paz\nE-mail: a@b.org\nLink: https://x.example/\nLanguage: de',
    '12',
  ])('is not told by %j', (answer) => expect(languageOfAnswer(answer)).toBeNull())

  it.each([
    ['No puedo entrar en mi cuenta', 'es'],
    ['Name: Ann\nTrouble: je ne peux pas entrer dans mon compte', 'fr'],
    ['I am John', 'en'],
    ['王小明', 'zh'],
    ['Иван Петров', 'ru'],
  ] as const)('is told by %j', (answer, lang) => expect(languageOfAnswer(answer)).toBe(lang))

  it('is told in one pass, however its lines end', async () => {
    const tell = (size: number) => expect(languageOfAnswer(`a\r\r${'b\r'.repeat(size)}`)).toBeNull()
    expect(await growsLinearly(64_000, tell)).toBe(true)
  })
})
