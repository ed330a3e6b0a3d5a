import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

const FRENCH = `Salle: Tilleul | Places: 512 | Étage: 93 | Ménage: mardi
Salle: Port | Places: 140 | Étage: 881 | Ménage: jeudi
Salle: Abbaye | Places: 25 | Étage: 42 | Ménage: samedi`
const CHINESE = `会议室: 菩提 | 座位: 512 | 楼层: 93 | 清洁日: 星期二
会议室: 海港 | 座位: 140 | 楼层: 881 | 清洁日: 星期四
会议室: 修道院 | 座位: 25 | 楼层: 42 | 清洁日: 星期六`
const MENU = `Pizza: Diavola | Takeaway ($): 11.00 | Restaurant ($): 14.50
Pizza: Ortolana | Takeaway ($): 10.50 | Restaurant ($): 13.50`
const BICYCLES = `Peso (kg) | Urbana 3: 14,8 | Monte X: 13,2 | Eléctrica E7: 21,5
Velocidades | Urbana 3: 3 | Monte X: 12 | Eléctrica E7: 8`
const HALLS = `Salle: Foyer rural | Habitants (€): 190 | Extérieurs (€): 330
Salle: Préau | Habitants (€): 75 | Extérieurs (€): 120`
const DAYS = `Город: Якутск | Зона: 6 | Срок доставки (раб. дней): 9–13
Город: Сочи | Зона: 4 | Срок доставки (раб. дней): 3–5`
const ROOMS = `房型: 豪华大床房 | 早餐: ✓ | 浴缸: ✗ | 阳台: ✗
房型: 湖景大床房 | 早餐: ✓ | 浴缸: ✓ | 阳台: ✓`

describe('cells of a row in a sentence', () => {
  it.each([
    [FRENCH, 'Pour la salle Tilleul, places : 512 et étage : 93.'],
    [FRENCH, 'Pour la salle Tilleul, étage: 93 et places: 512.'],
    [FRENCH, 'Pour la salle Abbaye, étage : 42 et ménage : samedi.'],
    [CHINESE, '修道院会议室：座位是25，楼层是42。'],
    [CHINESE, '修道院会议室：楼层是42，清洁日是星期六。'],
    [DAYS, 'Срок доставки в Якутск — 9–13 рабочих дней.'],
    [HALLS, 'Pour les extérieurs, le foyer rural est à 330 €.'],
  ])('stand however the column is named: %#', (table, claim) => {
    expect([claim, judged(table, claim)]).toEqual([claim, 'stands'])
  })

  it.each([
    [FRENCH, 'Pour la salle Tilleul, places : 93 et étage : 512.'],
    [FRENCH, 'Pour la salle Tilleul, places : 25 et étage : 42.'],
    [FRENCH, 'Pour la salle Abbaye, étage : 42 et ménage : mardi.'],
    [CHINESE, '修道院会议室：楼层是42，清洁日是星期二。'],
    [CHINESE, '海港会议室：座位是25，楼层是42。'],
    [MENU, 'A Diavola is €11.00 as takeaway.'],
    [MENU, 'In the restaurant, you pay for a Diavola $11.00.'],
    [BICYCLES, 'La Eléctrica E7 pesa 13,2 kg.'],
    [HALLS, 'Pour les extérieurs, le foyer rural est à 190 €.'],
  ])('fall where they are of another column or row: %#', (table, claim) => {
    expect([claim, judged(table, claim)]).toEqual([claim, 'falls'])
  })

  it.each([
    [ROOMS, '豪华大床房没有阳台。', 'stands'],
    [ROOMS, '豪华大床房有阳台。', 'open'],
    [ROOMS, '湖景大床房有阳台。', 'stands'],
    [ROOMS, '湖景大床房没有阳台。', 'falls'],
  ])('say yes or no by a sign: %#', (table, claim, outcome) => {
    expect([claim, judged(table, claim)]).toEqual([claim, outcome])
  })
})
