import { describe, expect, it } from 'vitest'
import { judged } from '../../support/judged'

describe('what a claim excepts', () => {
  it.each([
    ['The archive opens except on Wednesdays.', 'The archive opens only on Wednesdays.'],
    ['Der Lesesaal öffnet außer mittwochs.', 'Der Lesesaal öffnet nur mittwochs.'],
    ['Музей открыт кроме среды.', 'Музей открыт только в среду.'],
    ['展览馆除了周三对外开放。', '展览馆只有周三对外开放。'],
    ['資料館は水曜を除いて開館する。', '資料館は水曜だけ開館する。'],
  ])('is not what alone it says so of: %s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).toBe('falls')
  })

  it('may be what alone is denied', () => {
    expect(
      judged(
        'All ferries except the Aurora are running again.',
        'Only the Aurora ferry is not running again.',
      ),
    ).toBe('open')
  })

  it.each([
    [
      'Les cartes ne sont envoyées que si la cotisation est payée.',
      'Les cartes ne sont pas envoyées, sauf si la cotisation est payée.',
    ],
    ['除东馆外，所有展馆均对外开放。', '只有东馆没有对外开放。'],
    ['Alle Wege bis auf den Uferweg sind wieder frei.', 'Nur der Uferweg ist nicht wieder frei.'],
  ])('may be said the other way round: %s', (said, round) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, round)).toBe('open')
  })

  it.each([
    ['Only the Kestrel has a headphone socket.', 'The Kestrel has only a headphone socket.'],
    [
      'Только у «Ладоги» есть разъём для наушников.',
      'У «Ладоги» есть только разъём для наушников.',
    ],
    ['只有海燕支持无线充电。', '海燕只支持无线充电。'],
    ['司書だけが目録を変更できます。', '司書は目録を変更することだけができます。'],
    ['لا نرسل القائمة إلا إلى المكتبة.', 'لا نرسل إلى المكتبة إلا القائمة.'],
  ])('is the same with "only" in its place: %s', (said, moved) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, moved)).not.toBe('stands')
  })
})

describe('what is about so many', () => {
  it.each([
    ['The tunnel is about 940 metres long.', 'The tunnel is exactly 940 metres long.'],
    ['Der Tunnel ist etwa 940 Meter lang.', 'Der Tunnel ist genau 940 Meter lang.'],
    ['Le tunnel mesure environ 940 mètres.', 'Le tunnel mesure exactement 940 mètres.'],
    ['يبلغ طول النفق نحو 940 مترا.', 'يبلغ طول النفق 940 مترا بالضبط.'],
  ])('is not exactly as many: %s', (said, exact) => {
    expect(judged(said, exact)).toBe('falls')
  })
})

describe('what somebody says', () => {
  it.each([
    ['Growers say the new dam dries out the meadows.', 'The new dam dries out the meadows.'],
    ['Selon les riverains, le barrage assèche les prés.', 'Le barrage assèche les prés.'],
    ['有农民认为，水坝会影响下游的草地。', '水坝影响下游的草地。'],
    ['住民は、ダムが草地を乾かすと主張している。', 'ダムが草地を乾かします。'],
  ])('is not said by the text: %s', (said, reported) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, reported)).toBe('open')
  })

  it.each([
    ['Hätte es geregnet, wäre auch der Deich gebrochen.', 'Auch der Deich ist gebrochen.'],
    ['Si hubiera llovido, el dique habría cedido.', 'El dique ha cedido.'],
  ])('is not what would have been: %s', (said, real) => {
    expect(judged(said, real)).not.toBe('stands')
  })
})

describe('steps in another order', () => {
  it.each([
    [
      'Drain the tank completely, then rinse the hose with vinegar.',
      'Rinse the hose with vinegar, then drain the tank completely.',
    ],
    [
      'Erst den Tank leeren, dann den Schlauch spülen.',
      'Erst den Schlauch spülen, dann den Tank leeren.',
    ],
    [
      'Videz le réservoir de la pompe, puis rincez le tuyau avec du vinaigre.',
      'Rincez le tuyau avec du vinaigre, puis videz le réservoir de la pompe.',
    ],
    ['先排空水箱，再冲洗软管。', '先冲洗软管，再排空水箱。'],
    [
      'まずタンクを空にし、次にホースを洗浄します。',
      'まずホースを洗浄し、次にタンクを空にします。',
    ],
  ])('are others: %s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).toBe('falls')
  })
})

describe('who does it', () => {
  it.each([
    ['Den Maler lobte der Kritiker.', 'Der Maler lobte den Kritiker.'],
    ['Художника похвалил критик.', 'Художник похвалил критика.'],
    ['猫が犬を庭から追い出した。', '犬が猫を庭から追い出した。'],
    ['该酶会减弱抗生素的作用。', '抗生素会减弱该酶的作用。'],
    ['El arrendador pagará las obras del tejado.', 'El arrendatario pagará las obras del tejado.'],
    ['The employer pays the course fee.', 'The employee pays the course fee.'],
  ])('is told by cases, order and roles: %s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).not.toBe('stands')
  })

  it('is the same in the passive', () => {
    expect(
      judged('Den Maler lobte der Kritiker.', 'Der Maler wurde vom Kritiker gelobt.'),
    ).not.toBe('falls')
  })
})

describe('two that change places', () => {
  it.each([
    ['疲劳在第二剂后比第一剂后更常见。', '疲劳在第一剂后比第二剂后更常见。'],
    [
      'In the morning we recommend the Ibis ; in the evening, the Heron.',
      'In the morning we recommend the Heron ; in the evening, the Ibis.',
    ],
    [
      'Blinkt die grüne Lampe, fehlt Papier; leuchtet sie, ist das Fach offen.',
      'Blinkt die grüne Lampe, ist das Fach offen.',
    ],
    ['若出現腫脹，應立即冰敷並抬高。', '若出現腫脹，應立即冰敷或抬高。'],
  ])('say something else: %s', (said, turned) => {
    expect(judged(said, said)).toBe('stands')
    expect(judged(said, turned)).not.toBe('stands')
  })
})
