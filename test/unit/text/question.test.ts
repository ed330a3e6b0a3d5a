import { describe, expect, it } from 'vitest'
import { holds } from '../../../src/text/hold-term'
import {
  askedInStory,
  findAsked,
  findContext,
  namedInPlace,
  readQuestion,
} from '../../../src/text/question'
import { readSides } from '../../../src/text/read-clause'
import { settleTerms } from '../../../src/text/settle-terms'
import { growsLinearly } from '../../support/grows'

const named = (question: string) =>
  readQuestion(question).flatMap((clause) => clause.terms.map((term) => term.text))

const askedIn = (message: string) =>
  readQuestion(message)
    .filter((clause) => clause.kinds.size > 0)
    .map((clause) => clause.terms.map((term) => term.text))

describe('a message that asks', () => {
  it.each<[string, string[][]]>([
    [
      'How long is parental leave and when do I have to announce it?',
      [
        ['parental', 'leave'],
        ['announce', 'parental', 'leave'],
      ],
    ],
    ['Is the lid removed when cooking?', [['lid', 'removed', 'cooking']]],
    [
      'I am evaluating some tools (Intercom, Zendesk) and wondering: how do I set the port?',
      [['set', 'port']],
    ],
    ['How do I set the port, thanks in advance', [['set', 'port']]],
    ['My son is ill. Is this paid?', [['paid', 'son', 'ill']]],
    ['Hello! My sister was here. How long do refunds take?', [['refunds', 'take']]],
    ['How long do re\u00adfunds take?\u200b', [['refunds', 'take']]],
  ])('is read apart from what it tells: %s', (message, terms) => {
    expect(askedIn(message)).toEqual(terms)
  })

  it.each<[string, string[][]]>([
    // What is told before a question that has its mark asks nothing by a word within.
    ['Les escribo porque vendo lámparas. ¿Quién cuida el almacén?', [['cuida', 'almacen']]],
    ['后台写好了，消息已经能正常收发了。密钥怎么换？先谢谢了', [['密钥', '换']]],
    ['客人总问几点开门，我回不过来。价格表怎么上传？', [['价格表', '上传']]],
    ['家長都在問一樣的事，像是停課怎麼辦、費用什麼時候繳。文件多久會更新？', [['文件', '更新']]],
    [
      '怎么导出数据。支持微信吗？',
      [
        ['导出', '数据'],
        ['支持', '微信'],
      ],
    ],
    // What may be stands before the comma.
    ['Can our own lamp, the red one, could be used', [['lamp', 'red', 'used']]],
  ])('asks by how it begins: %s', (message, terms) => {
    expect(askedIn(message)).toEqual(terms)
  })

  it.each([
    ['We would be most grateful to know whether there is a warranty', 'warranty'],
    ['I sell lamps, I would be happy to learn if there is a warranty', 'warranty'],
    ['Vendo lámparas, ¿sería posible saber la garantía?', 'garantia'],
    ['Je vends des lampes et je me demandais, sans abuser, si la garantie vaut', 'garantie'],
    ['Serait-il possible de savoir la garantie', 'garantie'],
    ['Буду очень признателен, если подскажете гарантию', 'гарантию'],
    ['想请教的是保修', '保修'],
    ['Finance is happy. One point is still open: is there a warranty', 'warranty'],
    ['My boss read the rest and he’d like to know for how long the warranty runs', 'warranty'],
    ['Lo único que no vemos claro es si hay garantía', 'garantia'],
    ['Il nous reste à savoir si la garantie vaut', 'garantie'],
    ['Остался один вопрос: гарантия есть', 'гарантия'],
    ['بقيت لدينا نقطة واحدة: الضمان', 'الضمان'],
    ['同事请我确认一件事，就是保修', '保修'],
    ['想請教保固', '保固'],
  ])('asks politely: %s', (message, thing) => {
    const asked = readQuestion(message).filter(({ marked }) => marked)
    expect(asked.map(({ terms }) => terms.some(({ text }) => text === thing))).toEqual([true])
    expect(asked[0]?.terms.some(({ text }) => text.startsWith('lam'))).toBe(false)
  })

  it.each<[string, string, boolean]>([
    ['Can I use chat.our-shop.com for the page?', 'shop', false],
    ['Can the page stand under www.lamps.de?', 'lamps', false],
    ['Does info@lamps.example.org get the mail?', 'lamps', false],
    // Nothing else is asked for.
    ['What is www.lamps.de?', 'lamps', true],
    // A file and a member of an object are no addresses.
    ['What stands in lamps.prod.json of the page?', 'lamps', true],
    ['What does page.lamps.getName return?', 'lamps', true],
  ])('takes an address for an example beside what it asks: %s', (message, word, names) => {
    const weights = readQuestion(message).flatMap(({ terms }) =>
      terms.filter(({ text }) => text === word).map(({ weight }) => weight >= 0.8),
    )
    expect(weights).toEqual([names])
  })

  it.each(['…', '？。', '. ', 'a.', '!'])(
    'is read in one pass, 16,000 of %j too',
    async (piece) => {
      const asked = 'How long do refunds take?'
      const read = (size: number) =>
        expect(askedIn(`${piece.repeat(size / piece.length)}z. ${asked}`)).toEqual(askedIn(asked))
      expect(await growsLinearly(16_000, read)).toBe(true)
    },
  )

  it.each(["what doesn't it do with photos", 'why isn’t it there, my photos'])(
    'names nothing by a contracted denial: %s',
    (message) => {
      expect(named(message)).toEqual(['photos'])
    },
  )

  it.each<[string, string[]]>([
    ['каким тарифом это оплачено, и куда писать', ['тарифом', 'оплачено', 'писать']],
    [
      'у нашего счета нет пароля, какими ключами открыть',
      ['счета', 'пароля', 'ключами', 'открыть'],
    ],
    ['jusqu’à quelle heure peut-on acheter un billet', ['acheter', 'billet']],
    ['auquel dossier appartient ce tarif', ['dossier', 'appartient', 'tarif']],
    ['worüber informiert eure Rechnung', ['informiert', 'rechnung']],
    ['بكم هذه الغرفة', ['الغرفة']],
    ['¿hacia qué cuenta va nuestro pago?', ['cuenta', 'pago']],
    ['does it matter whether yours is a tariff', ['matter', 'tariff']],
  ])(
    'names nothing by the words that ask, in any case, nor by whose it is: %s',
    (message, terms) => {
      expect(named(message)).toEqual(terms)
    },
  )

  it.each([
    ['¿para qué sirve la palanca?', 'palanca'],
    ['à quoi sert le levier', 'levier'],
    ['wozu dient der Hebel', 'hebel'],
    ['для чего нужен рычаг', 'рычаг'],
    ['杠杆是用来做什么的', '杠杆'],
    ['槓桿有什麼用', '槓桿'],
    ['ما فائدة الرافعة', 'الرافعة'],
  ])('asks what something is where it asks what it is for: %s', (message, thing) => {
    const [clause] = readQuestion(message)
    expect(clause?.kinds).toContain('definition')
    expect(clause?.terms.filter(({ weight }) => weight >= 1).map(({ text }) => text)).toEqual([
      thing,
    ])
  })

  it.each([
    ['до скольки открыта касса', ['открыта', 'касса']],
    ['с какого часа открыта касса', ['открыта', 'касса']],
    ['¿hasta qué hora abre la caja?', ['abre', 'caja']],
    ['¿de qué hora a qué hora abre la caja?', ['abre', 'caja']],
    ["jusqu'à quelle heure ouvre la caisse", ['ouvre', 'caisse']],
    ['how late is the counter open', ['counter', 'open']],
    ['كم الساعة يفتح المتجر', ['يفتح', 'المتجر']],
  ])('asks for a time of day: %s', (message, terms) => {
    expect(readQuestion(message)[0]?.kinds).toContain('time')
    expect(readQuestion(message)[0]?.terms.map(({ text }) => text)).toEqual(terms)
  })

  it('asks for no time with a "when" that begins a condition', () => {
    expect([...(readQuestion('Is the lid removed when cooking?')[0]?.kinds ?? [])]).toEqual([
      'yesNo',
    ])
    expect([
      ...(readQuestion('How do I get an error when too much is sent?')[0]?.kinds ?? []),
    ]).toEqual(['how'])
    for (const message of ['How much is it for guests who stay?', 'كم الباص من الرمثا'])
      expect([...(readQuestion(message)[0]?.kinds ?? [])]).toEqual(['number'])
  })
})

describe('who somebody is, told before a question', () => {
  it.each<[string, string, string[]]>([
    [
      'hi we are a small museum and i wanted to know if there is a limit',
      'limit',
      ['small', 'museum'],
    ],
    ['hola, tengo una radio local y queria saber q limite hay', 'limite', ['radio', 'local']],
    ['bonjour, on a un petit musée et je me demandais les limites', 'limites', ['petit', 'musee']],
    ['у нас маленькая школа, подскажите лимит', 'лимит', ['маленькая', 'школа']],
    ['我们博物馆想了解一下限制', '限制', ['博物馆']],
    ['我們博物館想請問限制', '限制', ['博物館']],
    ['عندنا متحف صغير ونريد أن نعرف الحد', 'الحد', ['متحف', 'صغير']],
  ])('is no part of it: %s', (message, asked, told) => {
    const clauses = readQuestion(message)
    const isAsked = (word: string) =>
      clauses.some(({ marked, terms }) => marked && terms.some(({ text }) => text === word))
    expect(isAsked(asked)).toBe(true)
    for (const word of told) expect(isAsked(word), word).toBe(false)
    for (const word of told) expect(findAsked(message)).not.toContain(word)
  })

  it.each<[string, string[][]]>([
    ['I am at a clinic, quick one how do i set the port', [['set', 'port']]],
    ['soy de un museo, una pregunta cómo subo archivos', [['subo', 'archivos']]],
    ['у меня магазин, вопрос как загрузить файлы', [['загрузить', 'файлы']]],
  ])('is no part of it behind framing words: %s', (message, terms) => {
    expect(askedIn(message)).toEqual(terms)
  })

  it('is all there is where nothing is asked behind it', () => {
    expect(named('a small museum, i was wondering')).toEqual(['small', 'museum'])
  })
})

describe('what chats and dialects write for a word', () => {
  it.each<[string, string]>([
    ['wat is a chunk', 'what is a chunk'],
    ['q es un fragmento', 'qué es un fragmento'],
    ["c'est koi un fragment", "c'est quoi un fragment"],
    ['скока стоит', 'сколько стоит'],
    ['有蝦米限制ㄇ', '有什麼限制嗎'],
    ['ازاي ارفع ملف', 'كيف ارفع ملف'],
    ['وين مفتاحي', 'أين مفتاحي'],
  ])('is that word: %s', (chat, plain) => {
    const read = (message: string) =>
      readQuestion(message).map(({ kinds, terms }) => [[...kinds], terms.map(({ text }) => text)])
    expect(read(chat)).toEqual(read(plain))
  })

  it.each([
    ['معني الحالة', 'معنى'],
    ['ملفاتى الخاصة', 'ملفاتي'],
  ])('may have the other yeh at its end: %s', (message, other) => {
    expect(readQuestion(message)[0]?.terms[0]?.words).toContain(other)
  })

  it('is a name where it is written with capitals', () => {
    expect(named('does the MSG limit count')).toContain('msg')
  })
})

describe('what a question names', () => {
  it('knows countries as names where no capital tells them', () => {
    const names = (question: string) =>
      readQuestion(question).flatMap(({ terms }) =>
        terms.filter(({ name }) => name).map(({ text }) => text),
      )
    expect(names('你们发货到日本吗？')).toEqual(['日本'])
    expect(names('可以配送到香港嗎？')).toEqual(['香港'])
    expect(names('日本へ発送できますか')).toEqual(['日本'])
    expect(names('我忘了密码怎么办')).toEqual([])
  })

  it.each([
    ['How long do refunds take?', ['refunds', 'take']],
    ['Hi, could you please tell me how to change the port?', ['change', 'port']],
    ['What is the capital of France?', ['capital', 'france']],
    ['¿Cuánto cuesta el envío?', ['cuesta', 'envio']],
    ['Как удалить документ?', ['удалить', 'документ']],
    ['Comment supprimer un document ?', ['supprimer', 'document']],
    ['Wie kann ich meinen Newsletter abbestellen?', ['newsletter', 'abbestellen']],
    ['请问怎么修改密码？', ['修改', '密码']],
    ['請問怎麼刪除文件？', ['刪除', '文件']],
    // Too few words for the statistics: the packs' lists tell the language.
    ['Wie starte ich meinen Router neu?', ['starte', 'router', 'neu']],
    ['楼曾瑞担任了哪些职位？', ['楼曾瑞', '担任', '职位']],
  ])('%s', (question, terms) => {
    expect(named(question)).toEqual(terms)
  })

  it.each([
    ['was macht die Option -a', ['option', 'a']],
    ['what is --force for?', ['force']],
    ['-n有什么用', ['n']],
    ['does it -how to say- cost money', ['say', 'cost', 'money']],
  ])('knows options of a program from words behind a dash: %s', (question, terms) => {
    expect(named(question)).toEqual(terms)
  })

  it.each(['How are you?', 'what is it', '?!', ''])('%j names nothing', (question) => {
    expect(named(question)).toEqual([])
  })

  it('reads each of two questions by itself', () => {
    expect(readQuestion('Where is the office? When does it open?')).toHaveLength(2)
  })

  it.each([
    ['كيف أجدد الاشتراك وهل له تاريخ نهاية', ['how', 'yesNo']],
    ['هل الموقف مجاني، وكم يبعد عن المحطة', ['yesNo', 'number']],
    ['كم سعر التذكرة ولماذا ارتفع السعر', ['number', 'reason']],
    ['هل الوكيل وواتساب يعملان معا', ['yesNo']],
  ])('reads a question behind an "and" that is written to it: %s', (question, kinds) => {
    expect(readQuestion(question).map((clause) => [...clause.kinds].join())).toEqual(kinds)
  })

  it('reads the question behind a long preamble', () => {
    const preamble = 'I had a quiet day in the garden. '.repeat(30)
    expect(named(`${preamble}How do I change the port?`)).toContain('port')
  })

  it('knows names and figures from words', () => {
    const [clause] = readQuestion('Does it work with Node.js 30 and Salesforce?')
    const names = clause?.terms.filter((term) => term.name).map((term) => term.text)
    expect(names).toContain('salesforce')
    expect(names).toContain('30')
    const [party] = readQuestion('Is there room for a party of 30?')
    expect(party?.terms.filter((term) => term.name)).toEqual([])
  })

  it.each<[string, string, boolean]>([
    ['Wie teuer sind 60qm', '60qm', false],
    ['Can I send a 20kg box', '20kg', false],
    ['Does it do 5g', '5g', true],
    ['两岁要买票吗', '两岁', false],
    ['小孩三十五天能来吗', '三十五天', false],
    ['有二手车吗', '二手', true],
  ])('knows what is measured from what is named: %s', (question, text, names) => {
    const terms = readQuestion(question).flatMap((clause) => clause.terms)
    const term = terms.find((one) => one.text === text)
    expect((term?.weight ?? 0) >= 1).toBe(names)
  })

  it('reads no more than a bound of a hostile message', () => {
    for (const text of [
      'word '.repeat(3200),
      Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' '),
      '如何'.repeat(8000),
      'a. '.repeat(5333),
      'مرحبا Parley '.repeat(1200),
    ]) {
      const clauses = readQuestion(text)
      expect(clauses.length).toBeLessThanOrEqual(12)
      for (const { terms } of clauses) expect(terms.length).toBeLessThanOrEqual(1000)
    }
  })
})

describe('the same word', () => {
  const text = (words: string[]) => ({
    mode: 'english' as const,
    tokens: new Set(words),
    words,
    context: [],
  })
  const heldIn = (question: string, words: string[]) => {
    const [clause] = settleTerms(readQuestion(question), [text(words)])
    const [term] = clause?.terms ?? []
    return term === undefined ? 0 : holds(term, new Set(words), 'english')
  }

  it('is held as it is, nearly with a typo or in another form, less as a synonym or by a part', () => {
    expect(heldIn('password?', ['password'])).toBe(1)
    expect(heldIn('pasword?', ['password'])).toBe(0.95)
    expect(heldIn('delete?', ['remov'])).toBe(0.8)
    expect(heldIn('screensaver?', ['screen'])).toBe(0.8)
    expect(heldIn('delete?', ['garden'])).toBe(0)
  })

  it.each([
    ['fiel?', 'file', 0.95],
    ['prot?', 'port', 0.95],
    ['frim?', 'firm', 0.95],
    ['firm?', 'fire', 0],
    ['cart?', 'chart', 0],
  ])(
    'of four letters is a typo of what has two of them swapped: %s, %s',
    (question, word, held) => {
      expect(heldIn(question, [word])).toBe(held)
    },
  )

  it('is no typo of a word of another language', () => {
    expect(heldIn('Wo ist der gardne?', ['garden'])).toBe(0)
    expect(heldIn('Where is the gardne?', ['garden'])).toBe(0.95)
  })
})

describe('a language told by few words', () => {
  it.each([
    ['max file siz', ['max', 'file', 'siz']],
    ['que idiomas soporta', ['idiomas', 'soporta']],
    ['wie lösche ich mein konto', ['losche', 'konto']],
    ['id like to change my id', ['change', 'id']],
  ])('%s', (question, terms) => {
    expect(named(question)).toEqual(terms)
  })
})

describe('what is said of how often and whose', () => {
  it.each([
    ['why do i get 401 all the time', ['401']],
    ['can two tenants see each others data', ['tenants', 'data']],
    ['por qué me sale siempre el error 401', ['sale', 'error', '401']],
    ['pourquoi toujours une erreur 401', ['erreur', '401']],
    ['почему постоянно ошибка 401', ['ошибка', '401']],
    ['immer wieder Fehler 401', ['wieder', 'fehler', '401']],
    ['為什麼一直出現401', ['401']],
    ['为什么总是出现401', ['401']],
    ['لماذا أحصل على 401 دائما', ['401']],
    // Nor do small words, and what is done with anything.
    ['the lamp is flickering again since yesterday though', ['lamp', 'flickering']],
    ['¿hay que poner todavía algún enchufe en el local?', ['enchufe', 'local']],
    ['vous prenez encore les chèques ici', ['cheques']],
    ['habt ihr vllt sowieso Drucker', ['drucker']],
    ['возьмут ли теперь паспорт', ['паспорт']],
    ['هل عندكم هنا ضمان سنوات', ['ضمان']],
  ])('names nothing: %s', (question, terms) => {
    const heavy = readQuestion(question).flatMap((clause) =>
      clause.terms.filter(({ weight }) => weight >= 0.8).map(({ text }) => text),
    )
    expect(heavy).toEqual(terms)
  })
})

describe('what a sentence begins with', () => {
  it.each<[string, string[]]>([
    ['Regarding lamps, which guarantees exist?', ['guarantees', 'exist', 'lamps']],
    ['Par rapport à Kettle, qu’est-ce que vous apportez ?', ['apportez', 'kettle']],
    ['En cuanto a lámparas, ¿qué garantías dais?', ['garantias', 'dais', 'lamparas']],
    ['Что касается ламп, какие гарантии даются?', ['гарантии', 'даются', 'ламп']],
    ['بخصوص المصابيح، ما هو الضمان؟', ['الضمان', 'المصابيح']],
    // A greeting is nothing that is asked about.
    ['Hello from Berlin, which guarantees exist?', ['guarantees', 'exist']],
  ])('is what it asks about: %s', (message, terms) => {
    expect(askedIn(message)).toEqual([terms])
  })

  it('is searched for, too', () => {
    expect(findAsked('We sell tea. Regarding lamps, which guarantees exist for them?')).toBe(
      'Regarding lamps, which guarantees exist for them',
    )
  })
})

describe('what asks what something is', () => {
  it.each(['ايش يعني وكيل', '¿Qué quiere decir grounding?', 'Ça veut dire quoi, grounding ?'])(
    'is known by its words: %s',
    (message) => {
      expect(readQuestion(message).some(({ kinds }) => kinds.has('definition'))).toBe(true)
    },
  )
})

describe('a story before a question', () => {
  const story =
    'I run a little bakery in Leeds, my sister helps and customers write about bread every day.'

  it('has what it asks apart from it', () => {
    expect(askedInStory(`${story} How does it work?`)).toBe('How does it work')
    expect(askedInStory('I run a bakery. How does it work?')).toBe('')
  })

  it('is leaned on where it was told last', () => {
    expect(askedIn(`${story} The lid is loose, what now?`)).toEqual([['lid', 'loose']])
  })

  it('is not leaned on by the Arabic "what is"', () => {
    expect(askedIn('عندي مخبز. ما هو الضمان؟')).toEqual([['الضمان']])
  })
})

describe('a question of an unspaced script', () => {
  const named = (question: string) =>
    readQuestion(question).flatMap(({ terms }) => terms.map(({ text }) => text))

  it('joins no word over a counting word', () => {
    expect(named('私教课一节多长时间？')).toEqual(['私教课', '节'])
  })

  it.each([
    ['機器人的設定備份在哪', ['機器人', '設定', '備份']],
    ['有好的医生吗', ['好', '医生']],
    ['目的是什么', ['目的']],
    ['人的手在哪', ['人', '手']],
    ['公的な支援はありますか', ['公的', 'な', '支援']],
  ])('takes no particle for a part of a word: %s', (question, terms) => {
    expect(named(question)).toEqual(terms)
  })

  it.each([
    ['机器人答不上来', ['机器人', '答', '不上来']],
    ['怎么注销账号', ['注销', '账号']],
    // What is made of whole words is looked for word by word.
    ['怎么上传聊天记录', ['上传', '聊天', '记录']],
  ])(
    'takes together what the thesaurus has as one word and the segmenter cuts up: %s',
    (question, terms) => {
      expect(named(question)).toEqual(terms)
    },
  )

  it.each<[string, boolean]>([
    ['碗到的时候碎了,邮费谁出', true],
    ['跟您的碗比，优势在哪', true],
    // What stands in a sentence of its own is no part of it.
    ['我买碗。怎么上传文件', false],
    // Nor is a question.
    ['碗店几点开门,客服电话多少', false],
  ])('asks of what its sentence speaks of: %s', (message, speaks) => {
    const asked = readQuestion(message).findLast(({ kinds }) => kinds.size > 0)
    expect(asked?.terms.some(({ text }) => text.includes('碗'))).toBe(speaks)
  })

  it.each(['等了十几分钟', '还有好几项没确认', '這幾天都在忙', '几乎满了'])(
    'asks no number by some of them: %s',
    (message) => {
      expect(readQuestion(message)[0]?.kinds).toEqual(new Set())
    },
  )

  it.each(['这个要钱吗', '這個要錢嗎'])('names nothing by pointing: %s', (question) => {
    expect(named(question)).toHaveLength(1)
  })
})

describe('what a message leans on', () => {
  const history = [
    { role: 'user', content: 'How long is the warranty of the lamp?' },
    { role: 'assistant', content: 'Two years.' },
  ]

  it.each(['and the battery?', 'why?', 'tell me more', 'is that long?'])('%s', (message) => {
    expect(findContext(message, history)).toBe('How long is the warranty of the lamp?')
  })

  it('is nothing for a question that stands alone', () => {
    expect(findContext('How do I delete my account?', history)).toBe('')
    expect(findContext('why?', [])).toBe('')
    const before = [{ role: 'user', content: '¿Cuánto dura la garantía de la lámpara?' }]
    expect(findContext('¿Quién cuida el almacén?', before)).toBe('')
    expect(findContext('¿y él quién es?', before)).not.toBe('')
  })
})

it('leans on what is told last before it, not on who tells it', () => {
  const [, , asked] = readQuestion(
    'I run the hotel Astoria in Cornwall. My guests lose their luggage tags. What now?',
  )
  expect(asked?.terms.slice(0, 2).map(({ text }) => text)).toEqual(['guests', 'lose'])
})

it('is a sentence of its own behind a Spanish question mark', () => {
  expect(askedIn('No quisiera molestar, pero ¿cuánto cuesta la lámpara?')).toEqual([
    ['cuesta', 'lampara'],
  ])
})

describe('a follow-up', () => {
  it.each([
    ['Can users attach a file?', 'how many megabytes'],
    ['¿El usuario puede adjuntar un archivo?', 'de cuántos megas'],
    ['後台有操作紀錄可以查嗎', '會保留多久'],
    ['可以换主题颜色吗', 'logo呢'],
    ['支持邮件接入吗', '附件它能看懂不'],
    ['هل يحفظ معلومات العميل', 'وكيف أمسحها؟'],
    ['ممكن احط دومين خاص فيني', 'وكم ياخذ وقت؟'],
    ['عندكم webhook؟', 'وإذا كان السيرفر عندي واقف؟'],
  ])('leans on what was asked before: %s %s', (before, message) => {
    expect(findContext(message, [{ role: 'user', content: before }])).toBe(before)
  })

  it.each([
    ['Can users attach a file?', 'How many agents can a tenant have?'],
    ['هل يحفظ معلومات العميل', 'وكيل المبيعات لا يرد على العملاء'],
    ['支持邮件接入吗', '其他语言的网页怎么导入'],
  ])('stands alone where it names its own thing: %s %s', (before, message) => {
    expect(findContext(message, [{ role: 'user', content: before }])).toBe('')
  })

  const talkOf = (...said: string[]) => said.map((content) => ({ role: 'user', content }))

  it.each<[string[], string, string[]]>([
    [
      ['Can I bring my parrot?', 'is there a fee for it?'],
      'who do I pay it to?',
      ['is there a fee for it?', 'Can I bring my parrot?'],
    ],
    // What follow-ups said between is not what they are about.
    [
      ['Do you repair violins?', 'how long does it take?', 'ok thanks', 'can I watch it?'],
      'and where is that?',
      ['can I watch it?', 'Do you repair violins?'],
    ],
    [
      ['¿Reparan violines?', '¿y cuánto tarda?', 'ya lo he traído'],
      '¿puedo recogerlo el martes?',
      ['ya lo he traído', '¿Reparan violines?'],
    ],
    // Another thing took its place.
    [
      ['Do you repair violins?', 'what about cellos?', 'how long does that take?'],
      'why is it?',
      ['how long does that take?', 'what about cellos?'],
    ],
    [['Do you repair violins?', 'what about cellos?'], 'how much is it?', ['what about cellos?']],
    // In another language than the talk so far.
    [['¿Reparan violines?', '¿y cuánto tarda?'], 'and where is it?', ['¿y cuánto tarda?']],
  ])('leans on what the one before leaned on: %j %s', (said, message, context) => {
    expect(findContext(message, talkOf(...said))).toBe(context.join('\n'))
  })

  it.each([
    ['Quiero una lámpara nueva', '¿puedo colgarla en el baño?'],
    ['Ma lampe est arrivée', 'comment la fixer au mur ?'],
    ['Ma lampe est arrivée', 'on peut l’accrocher au mur ?'],
    ['وصل المصباح الجديد', 'هل يمكن تعليقها في الحمام؟'],
    ['我的灯坏了', '怎么订购一个？'],
    ['我的燈壞了', '怎麼訂購新的？'],
    ['My lamp is broken', 'how do I order one?'],
    ['Mi lámpara está rota', '¿cómo encargo otra?'],
    ['Vous arrosez les plantes ?', 'à quelle fréquence ?'],
    ['Вы поливаете цветы?', 'как часто?'],
  ])('speaks of what was named before: %s %s', (before, message) => {
    expect(findContext(message, talkOf(before))).toBe(before)
  })

  it.each([
    // What they mean stands before them.
    ['Ma lampe est arrivée', 'Mon violon est cassé, on peut le réparer ?'],
    ['Quiero una lámpara nueva', 'Mi violín está roto, ¿pueden repararlo?'],
    ['وصل المصباح الجديد', 'ما الآلات التي يمكن إصلاحها؟'],
    ['Quiero una lámpara nueva', '¿La charla del violín es hoy?'],
    ['我的灯坏了', '一个人可以住双人间吗？'],
  ])('speaks of what it names itself: %s %s', (before, message) => {
    expect(findContext(message, talkOf(before))).toBe('')
  })

  it.each([
    ['what about cellos?', 'cellos'],
    ['¿y violonchelos?', 'violonchelos'],
    ['那微信呢？', '微信'],
    ['how long does that take?', ''],
    ['and how do I pay?', ''],
    ['Do you repair violins?', ''],
  ])('may name one thing in place of another: %s', (message, thing) => {
    expect(namedInPlace(message)).toBe(thing)
  })

  it('that names nothing itself asks for what it leans on in full', () => {
    const weights = (message: string) =>
      readQuestion(message, 'Are there webhooks?')
        .flatMap(({ terms }) => terms)
        .find(({ text }) => text === 'webhooks')?.weight
    expect(weights('how many can one have?')).toBe(1)
    expect(weights('and the retries?')).toBeLessThan(1)
  })
})

describe('what politeness says before a question', () => {
  it.each<[string, string[]]>([
    ['Would you mind telling me how many webhooks I can have?', ['webhooks']],
    ['please advise how many webhooks I can have', ['webhooks']],
    ["I can't figure out how many webhooks I can have", ['webhooks']],
    ['Pourriez-vous m’indiquer combien de webhooks je peux avoir ?', ['webhooks']],
    ['Auriez-vous l’amabilité de me préciser combien de webhooks je peux avoir ?', ['webhooks']],
    ['¿Sería tan amable de decirme cuántos webhooks puedo tener?', ['webhooks', 'tener']],
    ['Не могли бы вы сказать сколько вебхуков разрешено?', ['вебхуков', 'разрешено']],
    ['麻烦说明一下可以有多少个webhook', ['webhook']],
    ['麻煩說明一下可以有幾個 webhook', ['webhook']],
    ['هل من الممكن توضيح كم عدد الويبهوك؟', ['عدد', 'الويبهوك']],
  ])('names nothing: %s', (message, terms) => {
    expect(named(message)).toEqual(terms)
  })

  it('is no politeness where nothing is asked behind it', () => {
    expect(named('Me dice que no encuentra el archivo')).toContain('dice')
    expect(named('please confirm my order')).toContain('confirm')
  })
})

describe('two questions in one sentence', () => {
  it('are both marked by its mark', () => {
    const asked = readQuestion(
      'We sell tea. For how long is mail kept and who changes that period?',
    )
    expect(asked.filter(({ kinds }) => kinds.size > 0).map(({ text }) => text)).toEqual([
      'For how long is mail kept',
      'who changes that period',
    ])
  })
})

describe('two things that are asked for in one question', () => {
  const sides = (question: string) => {
    const [clause] = readQuestion(question)
    return clause && (readSides(clause)?.map(({ terms }) => terms.map(({ text }) => text)) ?? null)
  }

  it('are told apart by an Arabic "and" before an article', () => {
    expect(sides('ما هو الحجم والسعر')).toEqual([['الحجم'], ['والسعر']])
  })

  it('are told apart by the "e" that Spanish has for "y"', () => {
    expect(sides('¿qué costo e impuestos hay?')).toEqual([['costo'], ['impuestos']])
  })

  it.each([
    'هل يمكن حذف وكيل نهائيا',
    'هل تدعمون واتساب',
    'how far does the e bike go',
    'wie weit fährt das e bike',
  ])('are one in %s', (question) => {
    expect(sides(question)).toBeNull()
  })
})
