import { describe, expect, it } from 'vitest'
import { analyzeQuestion, isSameQuestion } from '../../../src/reviews/same-question'

const same = (one: string, other: string, cosine: number | null = null) =>
  isSameQuestion(analyzeQuestion(one), analyzeQuestion(other), cosine)

describe('isSameQuestion', () => {
  it.each([
    ['How do I reset my password?', 'how can I reset my password'],
    ['How do I reset my password?', 'Please tell me how to reset a pasword.'],
    ['Do you ship to Norway?', 'Hello, do you ship to Norway please'],
    ['What is the warranty of the kettle?', 'kettle warranty'],
    ['¿Cómo puedo cambiar mi contraseña?', 'como cambio la contraseña'],
    ['¿Hacen envíos a Noruega?', 'hola, hacen envio a noruega por favor'],
    ['怎么申请退款？', '请问如何申请退款'],
    ['退款政策是什么？', '退款政策'],
    ['怎麼更改送貨地址？', '請問如何更改送貨地址'],
    ['Как вернуть заказ?', 'подскажите, как можно вернуть заказы'],
    ['Где посмотреть статус доставки?', 'где можно посмотреть статус доставки'],
    ['كيف يمكنني إرجاع الطلب؟', 'كيف ارجاع الطلب'],
    [
      'Comment changer mon adresse de livraison ?',
      'comment puis-je changer l’adresse de livraison',
    ],
    ['Wie lange dauert der Versand?', 'hallo, wie lange dauert der versand bitte'],
    ['Kargo ne kadar sürer?', 'merhaba kargo ne kadar sürer'],
  ])('%s = %s', (one, other) => {
    expect(same(one, other)).toBe(true)
    expect(same(other, one)).toBe(true)
  })

  it.each([
    ['What are the opening hours on Sunday?', 'What are the opening hours on Saturday?'],
    ['When are refunds paid?', 'Where are refunds paid?'],
    ['When are refunds paid?', 'Why are refunds not paid?'],
    ['Does plan 1 include support?', 'Does plan 2 include support?'],
    ['How do I export my data?', 'How do I import my data?'],
    ['How do I reset my password?', 'How do I change my address?'],
    ['¿Cuándo llega mi pedido?', '¿Dónde está mi pedido?'],
    ['怎么申请退款？', '怎么申请发票？'],
    ['什么时候退款？', '在哪里退款？'],
    ['Когда придёт заказ?', 'Где мой заказ?'],
    ['Как вернуть заказ?', 'Как отменить подписку?'],
    ['متى يصل الطلب؟', 'أين يصل الطلب؟'],
    ['كيف يمكنني إرجاع الطلب؟', 'كيف يمكنني إلغاء الاشتراك؟'],
    ['可以退款吗？', '不可以退款吗？'],
    ['Kann ich den Vertrag kündigen?', 'Warum kann ich den Vertrag nicht kündigen?'],
    ['???', '!!!'],
  ])('%s ≠ %s', (one, other) => {
    expect(same(one, other)).toBe(false)
    expect(same(other, one)).toBe(false)
  })

  it('takes a near vector for a paraphrase, unless numbers or sense differ', () => {
    const near = 0.95
    expect(same('How do I get my money back?', 'How can I have a refund?', near)).toBe(true)
    expect(same('How do I get my money back?', 'How can I have a refund?', 0.8)).toBe(false)
    expect(same('Does plan 1 include support?', 'Does plan 2 include support?', near)).toBe(false)
    expect(same('When is it open?', 'Where is it open?', near)).toBe(false)
  })
})
