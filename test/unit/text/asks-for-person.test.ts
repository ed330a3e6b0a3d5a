import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { handoffWord } from '../../../src/handoffs/words'
import { asksForPerson } from '../../../src/text/asks-for-person'

describe('asking for a person', () => {
  it.each([
    'Can I talk to a human?',
    'I want to speak to a real person, please',
    'human agent please',
    'Can I talk to a hu\u00adman?\u200b',
    'Can I talk to a human? 灯',
    'Can I talk to a human? 🙏🏽',
    '(Can I talk to a human?)',
    'Could you connect me to an employee?',
    'I need to speak with someone',
    'Quiero hablar con una persona',
    '¿Puedo hablar con un humano, por favor?',
    'Je voudrais parler à un humain',
    'Puis-je parler à quelqu’un ?',
    'Passez-moi un conseiller',
    'Хочу поговорить с человеком',
    'Соедините меня с оператором',
    'أريد التحدث مع موظف',
    'هل يمكنني التحدث إلى شخص حقيقي؟',
    '转人工',
    '我要人工客服',
    '我想跟專人說話',
  ])('%s', (message) => {
    expect(asksForPerson(message)).toBe(true)
  })

  it.each([
    'How many people work here?',
    'people',
    'person',
    '灯 person',
    '人工 灯',
    'Human resources policy',
    'How do I add a colleague to my team?',
    'Can a person have two accounts?',
    'Quién es la persona de contacto?',
    'Combien de personnes ?',
    'Сколько человек в команде?',
    'كم عدد الموظفين؟',
    '人工智能是什么',
    '客服电话是多少',
  ])('%s does not', (message) => {
    expect(asksForPerson(message)).toBe(false)
  })

  it('is what the offered option says, in every language', () => {
    for (const lang of LANGUAGES)
      expect([lang, asksForPerson(handoffWord('ask_person', lang))]).toEqual([lang, true])
  })

  it('takes no time, however long and however near the words are', () => {
    expect(asksForPerson(`${'please '.repeat(20)}can i talk to`)).toBe(false)
    expect(asksForPerson('à un '.repeat(30))).toBe(false)
  })
})
