import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { judged } from '../../support/judged'
import { IDF, passage } from '../../support/passages'

describe('what stands before a right sentence', () => {
  it.each([
    ["I'd be happy to help with that. It belongs to the town [1].", 'It belongs to the town.'],
    ["That's a very interesting question. It belongs to the town [1].", 'It belongs to the town.'],
    ['Thank you for reaching out! It belongs to the town [1].', 'It belongs to the town.'],
    ['Vielen Dank für Ihre Frage. Es gehört der Stadt [1].', 'Es gehört der Stadt.'],
    ['Gerne beantworte ich Ihre Frage. Es gehört der Stadt [1].', 'Es gehört der Stadt.'],
    ['Con mucho gusto le ayudo. Este pertenece a la ciudad [1].', 'Este pertenece a la ciudad.'],
    ["C'est une très bonne question ! Il appartient à la ville [1].", 'Il appartient à la ville.'],
    ['Avec plaisir, voici la réponse. Il appartient à la ville [1].', 'Il appartient à la ville.'],
    ['Хороший вопрос! Он принадлежит городу [1].', 'Он принадлежит городу.'],
    ['С удовольствием отвечу! Он принадлежит городу [1].', 'Он принадлежит городу.'],
    ['Harika bir soru! O şehre aittir [1].', 'O şehre aittir.'],
    ['سؤال جيد! وهو ملك للمدينة [1].', 'وهو ملك للمدينة.'],
    ['良い質問ですね。これは市が運営している [1]。', 'これは市が運営している。'],
    ['お答えします。これは市が運営している [1]。', 'これは市が運営している。'],
    ['本文にはこうあります。これは市が運営している [1]。', 'これは市が運営している。'],
  ])('is a courtesy: %s', (reply, source) => {
    const passages = [passage(1, source)]
    const checker = createChecker({ passages, idf: IDF, grounded: true, question: '' })
    const pieces = [...checker.push(reply), ...checker.close()]
    const kept = pieces.map(({ text }) => text).join('')
    expect(checker.open()).toEqual([])
    expect(kept).toContain(reply.slice(-12))
  })
})

describe('a reason that no source gives', () => {
  const opening = 'Unworn shoes may be returned within 30 days.'
  it.each([
    [opening, 'Unworn shoes may be returned within 30 days, because the king had ordered it.'],
    [
      'Los monjes podían romper los votos, porque los votos eran un intento vano.',
      'Los monjes podían romper los votos, porque los votos eran un intento vano, porque el rey lo había ordenado.',
    ],
    [
      'La salle est fermée en août.',
      'La salle est fermée en août parce que le chauffage est en panne.',
    ],
    ['Otopark ücretsizdir.', 'Otopark ücretsizdir, çünkü belediye öder.'],
    ['学校管理由联邦政府和州政府负责。', '学校管理由联邦政府和州政府负责，因为国王下了命令。'],
  ])('falls: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })

  it.each([
    [
      'Montags bleibt das Bad geschlossen. Das Wasser wird montags erneuert.',
      'Montags bleibt das Bad geschlossen, weil dann das Wasser erneuert wird.',
    ],
    [
      'Pets are not allowed since they disturb other guests.',
      'Pets are not allowed because other visitors would be bothered by them.',
    ],
  ])('is asked about where the source speaks of it: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })
})
