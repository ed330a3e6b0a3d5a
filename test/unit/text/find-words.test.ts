import { expect, it } from 'vitest'
import { holdsWord } from '../../../src/text/find-words'

const HELD: [string, string][] = [
  ['Your card arrives tomorrow.', 'card'],
  ['Your CARD, please', 'Card'],
  ['A gift card is valid for three years.', 'gift card'],
  ['Le café est fermé', 'cafe'],
  ['Возврат оформлен.', 'возврат'],
  ['يمكنك طلب الإرجاع هنا', 'إرجاع'],
  ['会员卡可以退款。', '会员'],
  ['您可以申请退款政策。', '退款'],
  ['您可以申請退款。', '退款'],
  ['Costs 5 GB', '5 GB'],
]
it.each(HELD)('“%s” holds “%s”', (text, word) => {
  expect(holdsWord(text, word)).toBe(true)
})

const NOT_HELD: [string, string][] = [
  ['A cardboard box', 'card'],
  ['Discard it', 'card'],
  ['The refunds', 'fund'],
  ['Невозврат', 'возврат'],
  ['委员会员工大会', '会员'],
  ['Costs 15 GB', '5 GB'],
  ['Anything', ''],
  ['Anything', '   '],
]
it.each(NOT_HELD)('“%s” does not hold “%s”', (text, word) => {
  expect(holdsWord(text, word)).toBe(false)
})
