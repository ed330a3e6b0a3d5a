import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
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
