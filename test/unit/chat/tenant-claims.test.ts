import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../src/chat/check'
import { judged } from '../../support/judged'
import { IDF, passage } from '../../support/passages'

describe('what stands before a right sentence', () => {
  it.each([
    ["I'd be happy to help with that. It belongs to the town [1].", 'It belongs to the town.'],
    ["That's a very interesting question. It belongs to the town [1].", 'It belongs to the town.'],
    ['Thank you for reaching out! It belongs to the town [1].', 'It belongs to the town.'],
    ['Vielen Dank für Ihre Frage. Es gehört der Stadt [1].', 'Es gehört der Stadt.'],
    ['Gerne beantworte ich Ihre Frage. Es gehört der Stadt [1].', 'Es gehört der Stadt.'],
    ['Con mucho gusto le ayudo. Este pertenece a la ciudad [1].', 'Este pertenece a la ciudad.'],
    ["C'est une très bonne question ! Il appartient à la ville [1].", 'Il appartient à la ville.'],
    ['Avec plaisir, voici la réponse. Il appartient à la ville [1].', 'Il appartient à la ville.'],
    ['Хороший вопрос! Он принадлежит городу [1].', 'Он принадлежит городу.'],
    ['С удовольствием отвечу! Он принадлежит городу [1].', 'Он принадлежит городу.'],
    ['Harika bir soru! O şehre aittir [1].', 'O şehre aittir.'],
    ['سؤال جيد! وهو ملك للمدينة [1].', 'وهو ملك للمدينة.'],
    ['良い質問ですね。これは市が運営している [1]。', 'これは市が運営している。'],
    ['お答えします。これは市が運営している [1]。', 'これは市が運営している。'],
    ['本文にはこうあります。これは市が運営している [1]。', 'これは市が運営している。'],
  ])('is a courtesy: %s', (reply, source) => {
    const passages = [passage(1, source)]
    const checker = createChecker({ passages, idf: IDF, grounded: true, question: '' })
    const pieces = [...checker.push(reply), ...checker.close()]
    const kept = pieces.map(({ text }) => text).join('')
    expect(checker.open()).toEqual([])
    expect(kept).toContain(reply.slice(-12))
  })
})

describe('a reason that no source gives', () => {
  const opening = 'Unworn shoes may be returned within 30 days.'
  it.each([
    [opening, 'Unworn shoes may be returned within 30 days, because the king had ordered it.'],
    [
      'Los monjes podían romper los votos, porque los votos eran un intento vano.',
      'Los monjes podían romper los votos, porque los votos eran un intento vano, porque el rey lo había ordenado.',
    ],
    [
      'La salle est fermée en août.',
      'La salle est fermée en août parce que le chauffage est en panne.',
    ],
    ['Otopark ücretsizdir.', 'Otopark ücretsizdir, çünkü belediye öder.'],
    ['学校管理由联邦政府和州政府负责。', '学校管理由联邦政府和州政府负责，因为国王下了命令。'],
  ])('falls: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })

  it.each([
    [
      'Montags bleibt das Bad geschlossen. Das Wasser wird montags erneuert.',
      'Montags bleibt das Bad geschlossen, weil dann das Wasser erneuert wird.',
    ],
    [
      'Pets are not allowed since they disturb other guests.',
      'Pets are not allowed because other visitors would be bothered by them.',
    ],
  ])('is asked about where the source speaks of it: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })
})

describe('ranks in figures and in words', () => {
  it.each([
    [
      'Ab dem dritten Tag ist eine ärztliche Bescheinigung nötig.',
      'Ab dem 3. Tag ist eine ärztliche Bescheinigung nötig.',
    ],
    [
      'À partir du troisième jour, un certificat est exigé.',
      'À partir du 3e jour, un certificat est exigé.',
    ],
    [
      'From the third day on a certificate is needed.',
      'From the 3rd day on a certificate is needed.',
    ],
    ['С третьего дня нужна справка.', 'С 3-го дня нужна справка.'],
  ])('do not fall: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })

  it.each([
    [
      'From the third day on a certificate is needed.',
      'From the 4th day on a certificate is needed.',
    ],
    [
      'From the 3rd day on a certificate is needed.',
      'From the fourth day on a certificate is needed.',
    ],
    [
      'Ab dem 3. Tag ist eine ärztliche Bescheinigung nötig.',
      'Ab dem vierten Tag ist eine ärztliche Bescheinigung nötig.',
    ],
  ])('fall where another is said: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })
})

describe('one of a unit, in words', () => {
  it.each([
    ['Die Garantie auf Reifen beträgt ein Jahr.', 'Die Garantie auf Reifen beträgt 1 Jahr.'],
    ['Гарантия на шины — один год.', 'Гарантия на шины — 1 год.'],
    ["La garantie des pneus est d'un an.", 'La garantie des pneus est de 1 an.'],
    // What is of something else is no longer proven by it.
    ['Гарантия на шины — один год, на диски — пять лет.', 'Гарантия на шины — пять лет.'],
  ])('is a figure beside others: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })
})

describe('days and months', () => {
  it.each([
    [
      'Resturlaub verfällt am 31. März des Folgejahres.',
      'Resturlaub verfällt am 31.03. des Folgejahres.',
    ],
    [
      'Das Freibad öffnet vom 1. Mai bis 15. September.',
      'Das Freibad öffnet vom 01.05. bis 15.09.',
    ],
    [
      'Das Freibad öffnet vom 01.05. bis 15.09. jeden Jahres.',
      'Das Freibad öffnet vom 1. Mai bis 15. September.',
    ],
    ['Die Kasse öffnet ab 18.10 Uhr.', 'Die Kasse öffnet ab 18:10 Uhr.'],
    ['El plazo termina el 15 de mayo.', 'El plazo termina el 15/05.'],
  ])('are the same in figures: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('stands')
  })

  it.each([
    [
      'Das Freibad öffnet vom 1. Mai bis 15. September.',
      'Das Freibad öffnet vom 01.06. bis 15.09.',
    ],
    ['El plazo termina el 15 de mayo.', 'El plazo termina el 15/06.'],
    ['The season runs from May to September.', 'The season runs from September to May.'],
    ['The hall is shut from 3 May to 9 July.', 'The hall is shut from 9 July to 3 May.'],
    [
      'Die Sauna ist von Oktober bis März geöffnet.',
      'Die Sauna ist von März bis Oktober geöffnet.',
    ],
    ['El museo abre de junio a agosto.', 'El museo abre de agosto a junio.'],
    ['Каток открыт с ноября по март.', 'Каток открыт с марта по ноябрь.'],
  ])('are others, or turned: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })

  it('have no order in a list', () => {
    const source = 'The hall is shut in May and September.'
    expect(judged(source, 'The hall is shut in September and May.')).toBe('stands')
  })

  it('stand in no other number’s place', () => {
    const source =
      'Up to five unused days may be carried over until 31 March; after that they are lost.'
    const claim = 'You can carry over up to 5 unused days until March 31.'
    expect(judged(source, claim)).toBe('open')
  })

  it('are turned where their cases are', () => {
    const source = 'Müze salıdan pazara kadar açıktır.'
    expect(judged(source, 'Müze pazardan salıya kadar açıktır.')).toBe('open')
  })
})

it('an hour of the evening may be another than the one of the source', () => {
  expect(judged('受付は9時から17時までです。', '受付は午後9時からです。')).toBe('open')
})

describe('hours and parts of them', () => {
  it.each([
    ['The barrier closes at 22:00.', 'We close the barrier at 10 p.m.', 'stands'],
    [
      'The desk is open from 8:30 a.m. to 5 p.m.',
      'The desk is open from 08:30 to 17:00.',
      'stands',
    ],
    [
      'The desk is open from 8:30 a.m. to 5 p.m.',
      'The desk is open from 8:30 p.m. to 5 a.m.',
      'falls',
    ],
    ['We hold tables for 15 minutes.', 'Tables are held for a quarter of an hour.', 'open'],
    ['We hold tables for 45 minutes.', 'Tables are held for three quarters of an hour.', 'open'],
    ['We hold tables for 45 minutes.', 'Tables are held for a quarter of an hour.', 'falls'],
    [
      'Die Tische werden 15 Minuten für Sie freigehalten.',
      'Die Tische werden eine Viertelstunde für Sie freigehalten.',
      'stands',
    ],
    [
      'Les tables sont gardées 15 minutes pour vous.',
      "Les tables sont gardées un quart d'heure pour vous.",
      'stands',
    ],
    [
      'Ware kann innerhalb von 14 Tagen zurückgegeben werden.',
      'Ware kann innerhalb von zwei Wochen zurückgegeben werden.',
      'stands',
    ],
    [
      'Ware kann innerhalb von 14 Tagen zurückgegeben werden.',
      'Ware kann innerhalb von drei Wochen zurückgegeben werden.',
      'falls',
    ],
    [
      'يمكن إلغاء الاشتراك قبل موعد التجديد بثلاثة أيام.',
      'يمكنك إلغاء الاشتراك قبل 3 أيام من موعد التجديد.',
      'stands',
    ],
    [
      'يمكن إلغاء الاشتراك قبل موعد التجديد بثلاثة أيام.',
      'يمكنك إلغاء الاشتراك قبل 5 أيام من موعد التجديد.',
      'falls',
    ],
  ])('%s %s', (source, claim, outcome) => {
    expect(judged(source, claim)).toBe(outcome)
  })
})

describe('what is free, or not done, in other words', () => {
  it.each([
    ['退货免费。', '退货不收费。'],
    ['退货免运费。', '退货不收运费。'],
    ['1.2米以下儿童免票。', '身高1.2米以下的儿童不用买票。'],
    ['Yurt dışına gönderim yapılmaz.', 'Yurt dışına gönderim yapmıyoruz.'],
    [
      '500 TL üzeri siparişlerde kargo ücreti alınmaz.',
      '500 TL üzeri siparişlerde kargo ücretsizdir.',
    ],
  ])('is no denial of it: %s', (source, claim) => {
    expect(judged(source, claim)).not.toBe('falls')
  })

  it('is denied where only one of the two says so', () => {
    expect(judged('Yurt dışına gönderim yapmıyoruz.', 'Yurt dışına gönderim yapıyoruz.')).toBe(
      'falls',
    )
    expect(judged('退货免费。', '退货收费。')).toBe('falls')
  })
})

describe('offices that share a sign', () => {
  it.each([
    ['出張の申請には課長の許可が必要です。', '出張の申請には部長の許可が必要です。'],
    ['出差申请须经部长批准。', '出差申请须经校长批准。'],
  ])('are not alike: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })
})

describe('what is denied by a prefix', () => {
  it.each([
    ['Vouchers are non-refundable.', 'Vouchers are refundable.', 'falls'],
    ['Non-members pay £5.', 'Members pay £5.', 'falls'],
    ['Vouchers are non-refundable.', 'Vouchers are not refundable.', 'stands'],
    [
      'Full-time staff receive 25 days of paid leave. Parental leave is unpaid.',
      'Parental leave is not paid.',
      'open',
    ],
    [
      'Full-time staff receive 25 days of paid leave. Parental leave is unpaid.',
      'Parental leave is paid.',
      'open',
    ],
  ])('%s %s', (source, claim, outcome) => {
    expect(judged(source, claim)).toBe(outcome)
  })
})

describe('another currency, month or day of the week', () => {
  it.each([
    ['Der Raum kostet in der Stunde 25 €.', 'Der Raum kostet in der Stunde 25 CHF.'],
    ['Der Raum kostet in der Stunde 25 €.', 'Der Raum kostet in der Stunde 25 Franken.'],
    ['The room costs €25 an hour.', 'The room costs 25 zł an hour.'],
    ['Зал стоит 2500 рублей в час.', 'Зал стоит 2500 тенге в час.'],
    ['سعر القاعة 250 ريالاً في الساعة.', 'سعر القاعة 250 درهماً في الساعة.'],
    ['会议室每小时250元。', '会议室每小时250港元。'],
    [
      'Up to five unused days may be carried over until 31 March.',
      'Up to five unused days may be carried over until 31 May.',
    ],
    ['展馆周一至周五开放。', '展馆周一至周日开放。'],
    ['展馆周一至周五开放。', '展馆周五至周一开放。'],
    ['每月最後一個星期一休館。', '每月最後一個星期日休館。'],
    ['课程在每周三晚上进行。', '课程在每周四晚上进行。'],
    ['课程每周三次。', '课程每周四次。'],
  ])('falls: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })

  it('is asked about where no list has it', () => {
    const source = 'The room costs €25 an hour.'
    expect(judged(source, 'The room costs 25 doubloons an hour.')).toBe('open')
  })

  it('is the same however it is written', () => {
    expect(judged('展馆周一至周五开放。', '展馆星期一到星期五开放。')).toBe('stands')
    expect(judged('课程每周三次。', '课程一周三次。')).toBe('open')
  })
})

describe('a figure and what is of the next one', () => {
  it.each([
    [
      'Der Jahresbeitrag beträgt 60 € für Erwachsene und 30 € für Jugendliche.',
      'Der Jahresbeitrag beträgt 60 € für Jugendliche.',
    ],
    [
      'The yearly fee is £60 for adults and £30 for students.',
      'The yearly fee is £60 for students.',
    ],
    ['La entrada cuesta 8 € para adultos y 5 € para niños.', 'La entrada cuesta 8 € para niños.'],
    [
      'Le billet coûte 8 € pour les adultes et 5 € pour les enfants.',
      'Le billet coûte 8 € pour les enfants.',
    ],
    [
      'Билет стоит 80 рублей для взрослых и 50 рублей для детей.',
      'Билет стоит 80 рублей для детей.',
    ],
    ['سعر التذكرة 80 ريالاً للكبار و50 ريالاً للأطفال.', 'سعر التذكرة 80 ريالاً للأطفال.'],
  ])('falls: %s', (source, claim) => {
    expect(judged(source, source)).toBe('stands')
    expect(judged(source, claim)).toBe('falls')
  })

  it('stands with its own', () => {
    const source = 'The yearly fee is £60 for adults and £30 for students.'
    expect(judged(source, 'The yearly fee is £60 for adults.')).toBe('stands')
    const both = 'The yearly fee is £30 for students and £60 for adults.'
    expect(judged(source, both)).not.toBe('falls')
    expect(
      judged('The fee is £60 instead of £80 for students.', 'The fee is £60 for students.'),
    ).not.toBe('falls')
  })
})

describe('one word that changes what is said', () => {
  it.each([
    ['The bin is emptied every Thursday.', 'The bin is emptied every second Thursday.'],
    [
      'Das Training findet jeden Donnerstag um 19 Uhr statt.',
      'Das Training findet jeden zweiten Donnerstag um 19 Uhr statt.',
    ],
    ['省内快递次日送达，省外三到五天。', '省外快递次日送达。'],
  ])('is asked about: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })

  it('is none where it only begins a list', () => {
    const source = 'The bin is emptied every Thursday.'
    expect(judged(source, 'First, the bin is emptied every Thursday.')).toBe('stands')
  })

  it('may be another for the same', () => {
    expect(judged('春节期间暂停收件。', '我们在春节期间不收件。')).toBe('open')
  })
})

describe('what the source denies, listed among what it says', () => {
  it.each([
    [
      'The policy covers theft and fire. It does not cover damage caused by floods.',
      'The policy covers theft, fire and floods.',
    ],
    [
      'Die Police deckt Diebstahl und Feuer. Sie deckt keine Schäden durch Hochwasser.',
      'Die Police deckt Diebstahl, Feuer und Hochwasser.',
    ],
    [
      'Полис покрывает кражу и пожар, но не покрывает наводнение.',
      'Полис покрывает кражу, пожар и наводнение.',
    ],
  ])('does not stand: %s', (source, claim) => {
    expect(judged(source, claim)).toBe('open')
  })
})
