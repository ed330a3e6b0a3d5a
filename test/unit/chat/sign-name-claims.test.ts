import { beforeAll, describe, expect, it } from 'vitest'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'

beforeAll(() => Promise.all([loadOpposites(), loadThesaurus()]))

describe('a name spelt in signs', () => {
  const SAID = '这座大桥由工程师约翰·埃尔维设计，并由当地公司建造。'
  it.each([
    ['one sign of it', '这座大桥由工程师约翰·埃森维设计，并由当地公司建造。'],
    ['all of it by a longer one', '这座大桥由工程师彼得·林奎斯特设计，并由当地公司建造。'],
    ['all of it by a shorter one', '这座大桥由工程师安娜设计，并由当地公司建造。'],
  ])('falls with another in its place: %s', (_, claim) => {
    expect(judged(SAID, SAID)).toBe('stands')
    expect(judged(SAID, claim)).toBe('falls')
  })

  it.each([
    ['會議在柏林舉行，德國並未簽署這份和約。', '會議在柏林舉行，英國並未簽署這份和約。'],
    ['且蘇聯並未簽署這份和約。', '且中國並未簽署這份和約。'],
    [
      '这座大桥由工程师约翰·埃尔维设计，并由当地公司建造。',
      '这座大桥由工程师约翰·陈设计，并由当地公司建造。',
    ],
    ['野马队在主场赢得了第三场比赛。', '野马林在主场赢得了第三场比赛。'],
    [
      'この橋は橋本徹が設計し、地元の会社が建てた。',
      'この橋は橋本維が設計し、地元の会社が建てた。',
    ],
  ])('does not stand where a part of it was exchanged: %s', (said, claim) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, claim)).not.toBe('stands')
  })
})
