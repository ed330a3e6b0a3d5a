import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

const FRENCH = `Salle: Tilleul | Places: 512 | Étage: 93 | Ménage: mardi
Salle: Port | Places: 140 | Étage: 881 | Ménage: jeudi
Salle: Abbaye | Places: 25 | Étage: 42 | Ménage: samedi`
const CHINESE = `会议室: 菩提 | 座位: 512 | 楼层: 93 | 清洁日: 星期二
会议室: 海港 | 座位: 140 | 楼层: 881 | 清洁日: 星期四
会议室: 修道院 | 座位: 25 | 楼层: 42 | 清洁日: 星期六`

describe('cells of a row in a sentence', () => {
  it.each([
    [FRENCH, 'Pour la salle Tilleul, places : 512 et étage : 93.'],
    [FRENCH, 'Pour la salle Tilleul, étage: 93 et places: 512.'],
    [FRENCH, 'Pour la salle Abbaye, étage : 42 et ménage : samedi.'],
    [CHINESE, '修道院会议室：座位是25，楼层是42。'],
    [CHINESE, '修道院会议室：楼层是42，清洁日是星期六。'],
  ])('stand however the column is named: %#', (table, claim) => {
    expect([claim, judged(table, claim)]).toEqual([claim, 'stands'])
  })

  it.each([
    [FRENCH, 'Pour la salle Tilleul, places : 93 et étage : 512.'],
    [FRENCH, 'Pour la salle Tilleul, places : 25 et étage : 42.'],
    [FRENCH, 'Pour la salle Abbaye, étage : 42 et ménage : mardi.'],
    [CHINESE, '修道院会议室：楼层是42，清洁日是星期二。'],
    [CHINESE, '海港会议室：座位是25，楼层是42。'],
  ])('fall where they are of another column or row: %#', (table, claim) => {
    expect([claim, judged(table, claim)]).toEqual([claim, 'falls'])
  })
})
