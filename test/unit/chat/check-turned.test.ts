import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'

/** What is left of a reply without a verifier. */
function kept(source: string, reply: string): string {
  const checker = createChecker({ passages: [passage(1, source)], idf: IDF, grounded: true })
  const pieces = [...checker.push(reply), ...checker.end().pieces]
  return pieces.map(({ text }) => text).join('')
}

/** How many of its sentences somebody who reads would be asked about. */
function open(source: string, reply: string): number {
  const checker = createChecker({ passages: [passage(1, source)], idf: IDF, grounded: true })
  checker.push(reply)
  checker.close()
  return checker.open().length
}

describe('a sentence that turns its source round', () => {
  it.each([
    ['The parcel must be sent before the refund is paid.', 'before', 'after'],
    ['A message holds at most 16 pictures of your own.', 'at most', 'at least'],
    ['Le champ accepte un enregistrement de 10 minutes au plus.', 'au plus', 'au moins'],
    ['顾客必须在付款之前确认订单的地址。', '之前', '之后'],
    ['荷物は発送の以前に確認された商品だけを含む。', '以前', '以後'],
    ['The lamp was visible from the harbour at night.', 'visible', 'invisible'],
    ['Die Rückgabe der Lampe war damals noch möglich.', 'möglich', 'unmöglich'],
    ['この町の水路は完全に復旧された。', '完全', '不完全'],
  ])('%s', (source, from, to) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, source.replace(from, to))).toBe('')
  })

  it.each([
    [
      'Refunds are paid within 14 days of the return.',
      ', and every visitor receives a silver spoon.',
    ],
    ['Los reembolsos se pagan en 14 días.', ', y cada visitante recibe una cuchara de plata.'],
  ])('or adds an invented clause to it: %s', (source, invented) => {
    expect(kept(source, source.replace(/\.$/u, invented))).toBe('')
  })

  it.each([
    ['Marie taught Robert in Vienna for years.', 'Robert taught Marie in Vienna for years.'],
    ['Each winter Hamburg sends Lübeck two ships.', 'Each winter Lübeck sends Hamburg two ships.'],
  ])('or sets a name in the place of another: %s', (source, turned) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    ['Osman founded the city of Bursa beside Derin in winter.', 'Osman', 'Derin'],
    ['The Panthers of Oslo defeated the Broncos of Narvik.', 'Panthers', 'Broncos'],
    ['Der Gärtner verkaufte damals dem Schreiner einen Hund.', 'Gärtner', 'Schreiner'],
    ['Мария учила рисованию Роберта целый год.', 'Мария', 'Роберта'],
    ['命运派对是香港乐队Beyond发行的唱片。', '命运派对', 'Beyond'],
    ['张三丰把李时珍送到了城门外面的医馆。', '张三丰', '李时珍'],
    ['ヘンデルはバーゼルでモーツァルトを雇った。', 'ヘンデル', 'モーツァルト'],
  ])('or two in each other’s place: %s', (source, one, other) => {
    const turned = source.replaceAll(new RegExp(`${one}|${other}`, 'gu'), (name) =>
      name === one ? other : one,
    )
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    [
      'ヴェネツィアの商人はアムステルダムへ香料を運んだ。ハンブルクの倉庫は冬に焼けた。',
      'ヴェネツィアの商人はハンブルクへ香料を運んだ。',
    ],
    [
      '那年秋天，商人罗伯特·米勒应邀为茶馆重新设计花园。画家卡尔·席勒在城里住了三年。',
      '那年秋天，商人卡尔·席勒应邀为茶馆重新设计花园。',
    ],
    [
      'Die Uhr am Rathaus wurde von Kestrelmann gebaut. Der Laden gehörte damals Robert Lane.',
      'Die Uhr am Rathaus wurde von Robert Lane gebaut.',
    ],
  ])(
    'or sets a name of the next sentence there, whatever letters the two share: %s',
    (source, turned) => {
      const first = source.split(/(?<=[。.])/u)[0] ?? ''
      expect(kept(source, first)).not.toBe('')
      expect([kept(source, turned), open(source, turned)]).toEqual(['', 0])
    },
  )

  it.each([
    [
      '会場の入口には新しいコンピューターが置かれた。',
      '会場の入口には新しいコンピュータが置かれた。',
    ],
    [
      '駅前の広場にあるデパートメントストアは夜に閉まる。',
      '駅前の広場にあるデパートは夜に閉まる。',
    ],
  ])('but not when one name is only spelt shorter: %s', (source, shorter) => {
    expect(kept(source, shorter)).not.toBe('')
  })

  it.each([
    [
      'To remove a document, press the cross in the list.',
      'In the list press the cross to remove a document.',
    ],
    [
      'The menu offers soup, salad and bread at noon.',
      'The menu offers bread, salad and soup at noon.',
    ],
    ['昨日太郎が駅で花子に本を渡した。', '太郎が昨日駅で花子に本を渡した。'],
  ])('but not when its phrases are only moved: %s', (source, moved) => {
    expect(kept(source, moved)).not.toBe('')
  })
})

describe('a month is a value', () => {
  it.each([
    ['en', 'The garden opens in March for all guests.', 'March', 'May'],
    ['en', 'The lease ended on 5 Dec 2024 in Halford.', 'Dec', 'Sep'],
    ['es', 'El jardín abre en marzo para los clientes.', 'marzo', 'junio'],
    ['fr', 'Le jardin ouvre en août pour tous les clients.', 'août', 'avril'],
    ['de', 'Im Jänner schließt der Garten für alle Gäste.', 'Jänner', 'Juli'],
    ['ru', 'Сад открывается в январе для всех гостей.', 'январе', 'марте'],
    ['tr', 'Bahçe tüm konuklar için Ocak ayında açılıyor.', 'Ocak', 'Ekim'],
    ['ar', 'تفتح الحديقة أبوابها للزوار في شهر يناير.', 'يناير', 'مارس'],
    ['ar', 'تفتح الحديقة أبوابها للزوار في كانون الثاني.', 'كانون الثاني', 'تموز'],
    ['zh', '花园在三月向所有客人开放。', '三月', '五月'],
    ['ja', '庭園は3月にすべての客に開放される。', '3月', '5月'],
  ])('%s: %s', (_, source, from, to) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, source.replace(from, to))).toBe('')
  })

  it('by its name or its number in a date', () => {
    const source = 'The garden opens on 2026-03-05 for all guests.'
    expect(kept(source, 'The garden opens on 5 March 2026 for all guests.')).not.toBe('')
    expect(kept(source, 'The garden opens on 5 April 2026 for all guests.')).toBe('')
  })

  it('and "may" is none', () => {
    const source = 'Guests may bring a dog. May they bring two? They may.'
    expect(kept(source, 'Guests may bring a dog.')).not.toBe('')
  })
})

describe('a figure is of the things that it counts', () => {
  it.each([
    ['The name holds 64 signs at most in every plan.', 'signs', 'words'],
    ['الحد الأقصى لطول اسم الوكيل 64 حرفا في كل خطة.', 'حرفا', 'كلمة'],
    ['La sala acoge 40 personas durante el verano.', 'personas', 'mesas'],
  ])('%s', (source, from, to) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, source.replace(from, to))).toBe('')
  })
})

describe('a name in letters of its own', () => {
  it.each([
    ['يدفع العميل رسوم الاستضافة إلى Cloudflare كل شهر.', 'Cloudflare', 'Open'],
    ['Клиент платит за размещение в Halford каждый месяц.', 'Halford', 'Open'],
    ['スタンリーが勝利したのは決勝戦である。', 'スタンリー', 'イギリス'],
    ['この装置はフランス製の部品を使っている。', 'フランス', 'ギリシャ'],
  ])('%s', (source, from, to) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, source.replace(from, to))).toBe('')
  })

  it.each([
    [
      'In April 1991 the exchange opened again after the war. A year later it moved (on 31 August 2009).',
      'In August 1991 the exchange opened again after the war.',
    ],
    [
      '1973 gründete Nora Feld die Stelle für Energie. Im Jahr 1974 bekam jedes Land gleich viel Öl.',
      '1974 gründete Nora Feld die Stelle für Energie.',
    ],
  ])('or takes the figure of the sentence behind: %s', (source, reply) => {
    expect(kept(source, reply)).toBe('')
    expect(open(source, reply)).toBe(0)
  })

  it('but not one that says "(or not)" as its source does', () => {
    const source = 'The property of being prime (or not) is called primality.'
    expect(open(source, source.replace('called', 'named'))).toBe(1)
  })

  const dated = 'The hall was opened by Mia Stone on 14 March 2011 for 120 guests at $4.50 a head.'
  it.each([
    ['2011-03-14', 'The hall was opened by Mia Stone on 2011-03-14.'],
    ['14.03.2011', 'The hall was opened by Mia Stone on 14.03.2011.'],
    ['03/14/2011', 'The hall was opened by Mia Stone on 03/14/2011.'],
    [
      'spelled out',
      'The hall was opened by Mia Stone on 14 March 2011 for one hundred and twenty guests.',
    ],
  ])('nor one that writes a figure otherwise: %s', (_, reply) => {
    expect(kept(dated, reply)).not.toBe('')
  })

  it.each([
    'The hall was opened by Mia Stone on 2011-04-14.',
    'The hall was opened by Mia Stone on 03/15/2011.',
    'The hall was opened by Mia Stone on 14 March 2011 for one hundred and thirty guests.',
    'The hall was opened by Mia Stone on 14 March 2011 for 120 guests at 4.50 ₺ a head.',
    'The hall was opened by Mia Stone on 14 March 2011 for 120 guests at 4.50 € a head.',
  ])('but one that says another figure: %s', (reply) => {
    expect(kept(dated, reply)).toBe('')
    expect(open(dated, reply)).toBe(0)
  })

  it.each([
    ['Se devuelve el 80 % del importe.', 'Se devuelve el 80 por ciento del importe.'],
    ['大约35%的读者是学生。', '大约百分之三十五的读者是学生。'],
  ])('nor one that writes its percents in words: %s', (source, reply) => {
    expect(kept(source, reply)).not.toBe('')
  })

  const why = 'Team is faster than Basic because it runs on new servers.'
  it.each([
    [why, 'Team runs on new servers because it is faster than Basic.'],
    [
      'Der Turm ist höher als die Kirche, weil der Boden fester ist.',
      'Der Boden ist fester, weil der Turm höher als die Kirche ist.',
    ],
    ['新馆比旧馆大，因为它多了一个展厅。', '新馆多了一个展厅，因为它比旧馆大。'],
    ['Анализ стоит 1200 рублей, срочный анализ стоит 2500 рублей.', 'Анализ стоит 2500 рублей.'],
    ['About 35% of tickets are answered by night.', 'All tickets are answered by night.'],
    ['Seats are lost unless the guest calls.', 'Seats are lost if the guest calls.'],
  ])(
    'and one falls that says the effect as the cause, or another thing’s figure: %s',
    (source, reply) => {
      expect(kept(source, source)).not.toBe('')
      expect(kept(source, reply)).toBe('')
      expect(open(source, reply)).toBe(0)
    },
  )

  it.each([
    [why, 'Basic runs on new servers.'],
    ['If it is cancelled in time, the whole price is paid back.', 'The whole price is paid back.'],
  ])('and one is open that leaves out what its source says it of: %s', (source, reply) => {
    expect(kept(source, reply)).toBe('')
    expect(open(source, reply)).toBe(1)
  })

  it('and one stands that gives its cause as the source does', () => {
    expect(kept(why, why.replace('new servers', 'servers'))).not.toBe('')
  })
})

describe('a sentence of two things that its source tells apart', () => {
  it.each([
    [
      'We pay the doctor first; the insured refunds the bill within ten days.',
      'The insured pays the doctor first; we refund the bill within ten days.',
    ],
    [
      'Die Anmeldung kostet 10 €, eine Bescheinigung ist gebührenfrei.',
      'Die Anmeldung ist gebührenfrei, eine Bescheinigung kostet 10 €.',
    ],
    [
      'Con la tarjeta Plata se accede a la sala también en vuelos nacionales.',
      'Con la tarjeta Plata se accede a la sala en vuelos internacionales; con la Oro, también en los nacionales.',
    ],
    ['检查结果只交给患者，不交给主治医生。', '检查结果只交给主治医生，不交给患者。'],
    ['The pool is closed in winter.', 'The pool is heated. The sauna is closed in winter.'],
  ])('says of one what its source says of the other: %s', (turned, source) => {
    expect(kept(source, turned)).toBe('')
    expect(open(source, turned)).toBe(1)
  })

  it.each([
    ['The room was painted in May. It is closed in winter.', 'The room is closed in winter.'],
    ['The shop opens at nine; it closes at six in May.', 'The shop closes at six in May.'],
    ['Paint, batteries and oil are not accepted.', 'Batteries are not accepted.'],
  ])('but stands where both are of one subject: %s', (source, reply) => {
    expect(kept(source, reply)).not.toBe('')
  })

  it.each([
    ['Visitors may not read here but may borrow.', 'Visitors may read here but may not borrow.'],
    [
      'Las sillas no se pueden cambiar, pero se devuelve el dinero.',
      'Las sillas se pueden cambiar, pero no se devuelve el dinero.',
    ],
    [
      'Auskunft gibt die Ärztin nur am Telefon, nicht persönlich.',
      'Auskunft gibt die Ärztin nur persönlich, nicht am Telefon.',
    ],
    ['访客不能评论，但可以编辑。', '访客可以评论，但不能编辑。'],
    [
      'Гости могут комментировать и редактировать.',
      'Гости могут комментировать, но не могут редактировать.',
    ],
  ])('denies what its source does not, for what it does: %s', (turned, source) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    ['If the pool is closed, the fee is due.', 'If the fee is due, the pool is closed.'],
    ['Members may use only the pool.', 'Only members may use the pool.'],
    ['Mitglieder dürfen nur das Bad nutzen.', 'Nur Mitglieder dürfen das Bad nutzen.'],
  ])('makes a condition or the only one of another word: %s', (turned, source) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it('but stands where the condition changes its place alone', () => {
    const source = 'If the parcel is damaged, the customer gets a refund.'
    expect(kept(source, 'The customer gets a refund if the parcel is damaged.')).not.toBe('')
  })

  it.each([
    ['Almost every room has a balcony.', 'Every room has a balcony.'],
    ['Почти в каждом номере есть балкон.', 'В каждом номере есть балкон.'],
    ['几乎每个房间都有阳台。', '每个房间都有阳台。'],
    ['في كل غرفة تقريبا شرفة.', 'في كل غرفة شرفة.'],
  ])('takes nearly all for all: %s', (source, turned) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    ['Офис открывается в 9:00 и закрывается в 17:00.', 'Офис открывается в 17:00.'],
    ['يفتح المكتب الساعة 9 صباحا ويغلق الساعة 5 مساء.', 'يفتح المكتب الساعة 5 مساء.'],
    [
      'يجب إبلاغ الشرطة عن السرقة خلال 24 ساعة وإبلاغنا خلال سبعة أيام.',
      'يجب إبلاغ الشرطة عن السرقة خلال سبعة أيام.',
    ],
  ])('has the figure of the one for the other: %s', (source, turned) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    [
      'The form is filled in by the clerk and signed by the manager.',
      'The form is signed by the clerk.',
    ],
    ['The fee is charged every two years.', 'The fee is charged every year.'],
    ['Refunds take between two and five days.', 'Refunds take five days.'],
    ['Das Parken ist in der ersten Stunde kostenlos.', 'Das Parken ist kostenlos.'],
  ])('leaves out what makes it another one: %s', (source, turned) => {
    expect(kept(source, source)).not.toBe('')
    expect(kept(source, turned)).toBe('')
  })

  it.each([
    ['The room was built in 1964 by Elena Marsh.', 'The room was built by Elena Marsh.'],
    ['The shop was opened on 14 March 2011.', 'The shop was opened in March 2011.'],
  ])('but stands where a date is left out: %s', (source, shorter) => {
    expect(kept(source, shorter)).not.toBe('')
  })
})
