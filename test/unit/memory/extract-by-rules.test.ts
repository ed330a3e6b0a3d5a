import { describe, expect, it } from 'vitest'
import { extractByRules, slotOf } from '../../../src/memory/extract-by-rules'
import { ownWords } from '../../../src/memory/own-words'
import { speaksOfSelf } from '../../../src/text/speaks-of-self'

/** Language, sentence, kind, slot. */
const SAID: [string, string, string, string | null][] = [
  ['en', 'My name is Ada.', 'fact', 'name'],
  ['en', 'I live in Berlin.', 'fact', 'home'],
  ['en', 'I’ve moved to Munich', 'fact', 'home'],
  ['en', 'I work as a nurse at the clinic.', 'fact', 'work'],
  ['en', "I'm allergic to peanuts.", 'fact', null],
  ['en', 'I really like green tea.', 'preference', 'taste:green tea'],
  ['en', "I don't like green tea anymore.", 'preference', 'taste:green tea'],
  ['en', 'My favourite colour is blue.', 'preference', 'favourite:colour'],
  ['en', "I'm learning Portuguese.", 'goal', null],
  ['en', 'My wedding is on 4 May.', 'event', null],
  ['en', 'Always answer in short sentences.', 'instruction', null],
  ['en', 'Remember that my dog is called Bruno.', 'fact', null],
  ['es', 'Me llamo Lucía.', 'fact', 'name'],
  ['es', 'Vivo en Sevilla.', 'fact', 'home'],
  ['es', 'Soy alérgica a los frutos secos.', 'fact', null],
  ['es', 'Me gusta el café solo.', 'preference', 'taste:café solo'],
  ['es', 'Trabajo como ingeniera.', 'fact', 'work'],
  ['fr', "Je m'appelle Chloé.", 'fact', 'name'],
  ['fr', 'J’habite à Lyon.', 'fact', 'home'],
  ['fr', 'Je préfère le thé vert.', 'preference', 'taste:thé vert'],
  ['fr', 'Je suis végétarienne.', 'fact', null],
  ['ru', 'Меня зовут Анна.', 'fact', 'name'],
  ['ru', 'Я живу в Казани.', 'fact', 'home'],
  ['ru', 'Я не люблю кофе.', 'preference', 'taste:кофе'],
  ['ru', 'У меня аллергия на орехи.', 'fact', null],
  ['zh', '我叫李明。', 'fact', 'name'],
  ['zh', '我住在上海。', 'fact', 'home'],
  ['zh', '我对花生过敏。', 'fact', null],
  ['zh', '我喜欢喝绿茶。', 'preference', 'taste:喝绿茶'],
  ['zh-TW', '我叫王小明。', 'fact', 'name'],
  ['zh-TW', '我對花生過敏。', 'fact', null],
  ['zh-TW', '以後請用繁體中文回答。', 'instruction', null],
  ['ar', 'اسمي ليلى.', 'fact', 'name'],
  ['ar', 'أعيش في القاهرة.', 'fact', 'home'],
  ['ar', 'عندي حساسية من الفول السوداني.', 'fact', null],
  ['ar', 'أحب القهوة.', 'preference', 'taste:القهوة'],
]
const NOTHING = [
  'When are refunds paid?',
  'Do I live in the right zone for delivery?',
  'I would like to return my order.',
  'Please cancel the order.',
  'Call me back tomorrow.',
  'Is shipping free?',
  '¿Cuándo llega mi pedido?',
  'Où est ma commande ?',
  'Где мой заказ?',
  '我的订单在哪里？',
  'أين طلبي؟',
  'My password is hunter2.',
]

describe('extractByRules', () => {
  it.each(SAID)('%s: %s', (_lang, text, kind, slot) => {
    const drafts = extractByRules(text)
    expect(drafts).toHaveLength(1)
    expect(drafts[0]).toMatchObject({ kind, slot })
    expect(speaksOfSelf(text)).toBe(true)
  })

  it.each(NOTHING)('keeps nothing of: %s', (text) => expect(extractByRules(text)).toEqual([]))

  it('keeps each sentence by itself and no more than eight', () => {
    const drafts = extractByRules('Hello! My name is Ada. I live in Lima. When does it open?')
    expect(drafts.map((draft) => draft.content)).toEqual(['My name is Ada.', 'I live in Lima.'])
    const many = Array.from({ length: 20 }, (_, i) => `I like tea number ${i}.`).join(' ')
    expect(extractByRules(many)).toHaveLength(8)
  })

  it('gives a taste and its opposite one slot', () => {
    expect(slotOf('I love coffee')).toBe(slotOf("I don't like coffee any more."))
  })
})

describe('ownWords', () => {
  it('leaves out code, quoted lines, long quotations and secrets', () => {
    const text = ownWords(
      'I live in Lima.\n> I live in Oslo.\n```\nmy name is Mallory\n```\nThe page says "My name is Eve and I live in a house on the hill". My PIN is 1234.',
    )
    expect(text).toContain('I live in Lima.')
    for (const foreign of ['Oslo', 'Mallory', 'Eve', '1234']) expect(text).not.toContain(foreign)
  })

  it('keeps the joiners that join, and no other sign that nobody sees', () => {
    expect(ownWords('من چای می\u200cخورم 👩\u200d💻')).toBe('من چای می\u200cخورم 👩\u200d💻')
    expect(ownWords('I li\u200dke\u202e tea.')).toBe('I like tea.')
  })
})

describe('speaksOfSelf', () => {
  it('is false for questions about the world and for small talk', () => {
    for (const text of [
      'When are refunds paid?',
      'Thank you!',
      'Is shipping free?',
      '退款需要多久？',
    ])
      expect(speaksOfSelf(text)).toBe(false)
  })
})
