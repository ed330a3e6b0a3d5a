import { beforeAll, describe, expect, it } from 'vitest'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { judged } from '../../support/judged'

beforeAll(() => Promise.all([loadOpposites(), loadThesaurus()]))

describe('the same, said by a denial', () => {
  it.each([
    [
      'a denied opposite',
      'Damaged parcels are refused at the counter.',
      'Damaged parcels are not accepted at the counter.',
    ],
    [
      '"not before" for "only after"',
      'The printer starts only after the lid has been closed.',
      'The printer does not start before the lid has been closed.',
    ],
    [
      '"not before" in German',
      'Die Bestellung wird erst verschickt, nachdem die Rechnung bezahlt ist.',
      'Die Bestellung wird nicht verschickt, bevor die Rechnung bezahlt ist.',
    ],
    [
      '"not before" behind another denial',
      'Der Laden liefert dienstags, an Feiertagen allerdings nicht.\nDie Bestellung wird erst verschickt, nachdem die Kasse sie bestätigt hat.',
      'Die Bestellung wird nicht verschickt, bevor die Kasse sie bestätigt hat.',
    ],
    [
      '"not before" in Russian',
      'Посылку отправляют только после оплаты счёта.',
      'До оплаты счёта посылку не отправляют.',
    ],
    [
      '"not before" in Arabic',
      'تسلم الشهادات بعد دفع الرسوم فقط.',
      'لا تسلم الشهادات قبل دفع الرسوم.',
    ],
    [
      '"not before" beside the figure of "from"',
      'Les retours se font à partir de 9 h et les départs avant 8 h.',
      "Il n'est pas possible de faire les retours avant 9 h.",
    ],
    [
      '"not until" in Japanese',
      '印刷は、蓋を閉めた後にのみ始まります。',
      '蓋を閉めるまで、印刷は始まりません。',
    ],
    [
      '"not below" for "from"',
      'The climbing hall takes children from seven years.',
      'The climbing hall does not take children under seven years.',
    ],
    [
      '"not without" for "needs"',
      'A licence key is required to open the archive.',
      'The archive cannot be opened without a licence key.',
    ],
    [
      'a duty for "can only"',
      'Some forms can be sent by post; the tax form can only be handed in.',
      'The tax form has to be handed in; it cannot be sent by post.',
    ],
    [
      'one denial of two words for two denials',
      'A guest needs no account and leaves no phone number.',
      'A guest comes without an account or a phone number.',
    ],
    [
      '"nobody … any more" for "no longer by anyone"',
      'Closed tickets can no longer be changed by anyone.',
      'Nobody can change closed tickets any more.',
    ],
    [
      'without what is denied beside "only"',
      'Stamps are printed only when the page is opened, not at every visit.',
      'Stamps are printed only when the page is opened, so that a visit is quick.',
    ],
  ])('is open: %s', (_, said, claim) => {
    for (const sentence of said.split('\n')) expect(judged(said, sentence)).toBe('stands')
    expect(judged(said, claim)).toBe('open')
  })

  it.each([
    [
      'The printer starts only after the lid has been closed.',
      'The printer does not start after the lid has been closed.',
    ],
    ['Damaged parcels are refused at the counter.', 'Damaged parcels are accepted at the counter.'],
    ['Photographs are allowed only without flash.', 'Photographs are allowed with flash.'],
    ['Hunde sind nur an der Leine erlaubt.', 'Hunde sind ohne Leine erlaubt.'],
    [
      'Les photos sont permises seulement sans flash.',
      'Les photos ne sont pas permises sans flash.',
    ],
    ['La salle est ouverte le dimanche.', "La salle n'est pas ouverte le dimanche."],
    ['Closed tickets can no longer be changed.', 'Closed tickets can be changed.'],
    [
      'The Court held that the treaty in no way prevented the law, and only the council could object.',
      'The Court held that the treaty in a way prevented the law, and only the council could object.',
    ],
  ])('falls where it is the opposite: %s', (said, claim) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, claim)).toBe('falls')
  })
})
