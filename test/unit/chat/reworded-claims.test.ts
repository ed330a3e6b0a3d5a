import { beforeAll, describe, expect, it } from 'vitest'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'

beforeAll(() => Promise.all([loadOpposites(), loadThesaurus()]))

describe('the same in other words', () => {
  it.each([
    [
      'an hour of the whole day',
      'The office opens at nine in the morning and closes at six in the evening.',
      'The office opens at 9:00 and closes at 18:00.',
    ],
    [
      'a denied opposite',
      'Staff have 28 days of leave; unused days expire at the end of March.',
      'Days of leave that were not used expire at the end of March.',
    ],
    [
      'a duty for what only some may do',
      'Only members who have paid their fee are permitted to vote at the annual meeting.',
      'To vote at the annual meeting, you must be a member and have paid your fee.',
    ],
    [
      'the least time ahead for the most time before',
      'Tickets may be exchanged for another date up to two days before the show.',
      'Tickets may be exchanged for another date at least two days before the show.',
    ],
    [
      'what is forbidden',
      '这座桥长412米，在桥墩发现裂缝后禁止卡车通行。',
      '卡车不能在这座桥上通行。',
    ],
    [
      'a Russian name in another case',
      'Библиотека была основана в 1884 году купцом Иваном Вороновым, который оставил состояние городу.',
      'Купец Иван Воронов основал библиотеку в 1884 году.',
    ],
    [
      'an exception as the opposite',
      'The railway museum is open daily except Mondays from 10 am to 5 pm.',
      'The railway museum is closed on Mondays.',
    ],
    [
      'a denied use for "without"',
      'Visitors may take photographs without flash, but tripods need written permission.',
      "You may take photographs, as long as you don't use flash.",
    ],
    [
      'what costs nothing',
      "L'inscription est gratuite pour les enfants qui habitent la commune.",
      'Si votre enfant habite la commune, son inscription ne coûte rien.',
    ],
    [
      'what costs nothing, in signs',
      '转账到本行账户不收手续费，转到其他银行每笔收2元。',
      '转账到本行账户免费。',
    ],
    [
      'the words of a thesaurus',
      'Employees who are ill must send a certificate on the third day.',
      'On the third day, staff who are sick have to hand in a certificate.',
    ],
    [
      'another clause’s verb',
      'Eine Bohrmaschine kostet 6 Euro am Tag, ein Rasenmäher 11 Euro.',
      'Ein Rasenmäher kostet 11 Euro am Tag.',
    ],
    [
      'the opposite of what changed places',
      'Paper tickets cost more than mobile tickets at the gate.',
      'Mobile tickets cost less than paper tickets at the gate.',
    ],
    [
      'an elided article',
      "L'inscription coûte 14 euros par an, mais elle est gratuite pour les étudiants.",
      "Les étudiants s'inscrivent gratuitement.",
    ],
  ])('is open: %s', (_, said, claim) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, claim)).toBe('open')
  })

  it.each([
    ['The office closes at six in the evening.', 'The office closes at 17:00.'],
    ['There is no charge for the cloakroom.', 'There is a charge for the cloakroom.'],
    ['转账到本行账户不收手续费。', '转账到本行账户收手续费。'],
    [
      'Eine Bohrmaschine kostet 6 Euro am Tag, ein Rasenmäher 11 Euro.',
      'Ein Rasenmäher kostet 6 Euro am Tag.',
    ],
    [
      'Eine Bohrmaschine kostet 6 Euro am Tag, ein Rasenmäher 11 Euro.',
      'Eine Bohrmaschine kostet 11 Euro am Tag.',
    ],
    [
      'The railway museum is open daily except Mondays.',
      'The railway museum is closed daily except Mondays.',
    ],
    [
      'Tickets may be exchanged up to two days after the show for a fee of at most 5 euros.',
      'Tickets may be exchanged up to two days after the show for a fee of at least 5 euros.',
    ],
    ['Members may bring a guest to the meeting.', 'Members must bring a guest to the meeting.'],
    [
      'Библиотека была основана купцом Иваном Вороновым, который оставил состояние городу.',
      'Библиотека была основана купцом Семёном Вороновым, который оставил состояние городу.',
    ],
  ])('does not stand where it says something else: %s', (said, claim) => {
    expect(judged(said, claim)).not.toBe('stands')
  })

  it('has the plural of letters as a form of them', () => {
    const said = 'The archive of the town holds PDF and CSV files of the last year.'
    expect(judged(said, 'The archive of the town holds PDFs of the last year.')).not.toBe('falls')
    expect(judged(said, 'The archive of the town holds DVDs of the last year.')).toBe('falls')
  })

  it('is not what only begins like a name', () => {
    const said = 'The record was held by the quarterback John Manning for nine years.'
    expect(judged(said, said)).toBe('stands')
    expect(
      judged(said, 'The record was held by the quarterback John Mannheim for nine years.'),
    ).not.toBe('stands')
  })
})
