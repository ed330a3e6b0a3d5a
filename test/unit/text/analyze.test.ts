import { describe, expect, it } from 'vitest'
import {
  detectMode,
  gramTokens,
  segmentTokens,
  splitRuns,
  wordTokens,
} from '../../../src/text/analyze'

/** Tokens of the letter index. */
const tokensB = (text: string): string[] =>
  splitRuns(text).flatMap(({ text: run, unspaced }) =>
    unspaced ? segmentTokens(run) : gramTokens(run),
  )

describe('wordTokens', () => {
  it('stems words in the language of the text', () => {
    expect(wordTokens('The runners were running the races', 'english')).toEqual([
      'the',
      'runner',
      'were',
      'run',
      'the',
      'race',
    ])
    expect(wordTokens('informaciones', 'spanish')).toEqual(wordTokens('información', 'spanish'))
    expect(wordTokens('informações', 'portuguese')).toEqual(wordTokens('informação', 'portuguese'))
    expect(wordTokens('données', 'french')).toEqual(wordTokens('donner', 'french'))
    expect(wordTokens('Städten', 'german')).toEqual(wordTokens('Stadt', 'german'))
    expect(wordTokens('реками')).toEqual(wordTokens('река'))
    expect(wordTokens('المدرسة')).toEqual(wordTokens('مدرسة'))
  })

  it('gives the same tokens with and without accents', () => {
    for (const [typed, written] of [
      ['informacion', 'Información'],
      ['Hauser', 'Häuser'],
      ['calisma', 'çalışma'],
    ] as const) {
      for (const mode of ['spanish', 'german', 'turkish'] as const) {
        expect(wordTokens(typed, mode)).toEqual(wordTokens(written, mode))
      }
    }
  })

  it('gives the same tokens with and without joiners', () => {
    for (const [joined, plain] of [
      ['می\u200cخواهم', 'میخواهم'],
      ['क्\u200dष', 'क्ष'],
      ['ab\u200dcd 👩\u200d👧', 'abcd 👩👧'],
    ] as const) {
      expect(wordTokens(joined)).toEqual(wordTokens(plain))
      expect(tokensB(joined)).toEqual(tokensB(plain))
    }
  })

  it('cuts words of languages without a stemmer to their first letters', () => {
    expect(wordTokens('wiadomościami wiadomość', 'prefix')).toEqual(['wiadom', 'wiadom'])
    expect(wordTokens('πληροφορίες')).toEqual(['πληροφ'])
  })

  it('takes Chinese, Japanese and Korean runs as characters and pairs, other runs whole', () => {
    expect(wordTokens('黑豹队308分NFL')).toEqual([
      '黑',
      '黑豹',
      '豹',
      '豹队',
      '队',
      '308',
      '分',
      'nfl',
    ])
    expect(wordTokens('서울은')).toEqual(['서', '서울', '울', '울은', '은'])
  })

  it('keeps numbers whole and takes apostrophes for spaces', () => {
    expect(wordTokens("l'école 1,000.5 3.14mm", 'french')).toEqual([
      'l',
      'ecol',
      '1_000_5',
      '3_14mm',
    ])
  })

  it('keeps combining marks of Indic words inside the word', () => {
    expect(splitRuns('हिन्दी में').map((run) => run.text)).toEqual(['हिन्दी', 'में'])
  })
})

describe('tokens of the letter index', () => {
  it('cuts words into 4-grams between marks and takes unspaced words whole', () => {
    expect(tokensB('Rivers by')).toEqual(['_riv', 'rive', 'iver', 'vers', 'ers_', '_by_'])
    expect(tokensB('a')).toEqual(['_a_'])
    expect(tokensB('世界和平')).toEqual(['_世界', '_和平'])
  })
})

describe('detectMode', () => {
  it.each([
    ['english', 'The panthers gave up just 308 points, which was the best in the league.'],
    ['spanish', 'La defensa cedió solo 308 puntos y es la mejor de la liga en los partidos.'],
    ['german', 'Die Verteidigung gab nur 308 Punkte ab und ist die beste in der Liga.'],
    ['french', 'La défense a cédé 308 points et elle est la meilleure de la ligue dans ce match.'],
    [
      'turkish',
      'Savunma bu sezon sadece 308 sayı bıraktı ve ligin en iyi savunması olarak seçildi.',
    ],
    ['portuguese', 'A defesa cedeu 308 pontos e não foi a melhor da liga, mas ela é muito boa.'],
    [
      'italian',
      'La difesa ha concesso 308 punti ed è la migliore del campionato che si gioca nella lega.',
    ],
    [
      'prefix',
      'Obrona oddała 308 punktów i jest to najlepszy wynik w lidze, ale nie dla nich przez rok.',
    ],
  ])('knows %s', (mode, text) => {
    expect(detectMode(text)).toBe(mode)
  })

  it('takes names, tables and other scripts for English', () => {
    expect(detectMode('HTTP 404 · GET /v1/chat')).toBe('english')
    expect(detectMode('黑豹队 (NFL) de 308分')).toBe('english')
    expect(detectMode('')).toBe('english')
  })
})
