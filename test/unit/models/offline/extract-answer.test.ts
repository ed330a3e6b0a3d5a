import { describe, expect, it } from 'vitest'
import { createChecker } from '../../../../src/chat/check'
import type { Language } from '../../../../src/config/names'
import { LANGUAGE_PACKS } from '../../../../src/language/packs'
import { extractAnswer } from '../../../../src/models/offline/extract-answer'
import { readUnits } from '../../../../src/models/offline/read-units'
import { render } from '../../../../src/models/offline/render-answer'
import { growsLinearly } from '../../../support/grows'
import { IDF, passage } from '../../../support/passages'

const GUIDES = [
  passage(
    1,
    'The library opens at nine in the morning. It closes at six.\n\nHow long may I keep a book? Three weeks, and you may renew it twice.\n\nTo get a card:\n\n1. Bring your passport\n2. Fill in form [B]\n3. Pay 5 euros',
  ),
  passage(2, 'La biblioteca abre a las diez de la mañana. Cierra a las ocho de la tarde.'),
  passage(3, '图书馆上午九点开门，下午六点关门。借书证的工本费是 5 元。'),
  passage(4, 'Abonelik ücreti yılda 20 liradır.'),
  passage(
    5,
    'The fine is 20 cents a day for each book. The fine is 20 cents a day for each book and is paid at the desk.',
  ),
  passage(6, '- PDF and Word files\n- Pictures\n- Sound', {
    heading: 'Which formats can I upload?',
  }),
]
const answer = (question: string, passages = GUIDES) => extractAnswer(question, passages, IDF, 'en')

describe('the extractive answer', () => {
  it('quotes the best sentence with its mark', () => {
    expect(answer('When does the library open?')).toBe(
      'The library opens at nine in the morning. [1|The library opens at nine in the morning.]',
    )
  })

  it('says in the language of the question what passages of several languages say', () => {
    const codes = [
      passage(1, 'The error E409 means that the name is taken.'),
      passage(2, 'El error E409 quiere decir que el nombre ya existe y que hay que elegir otro.'),
    ]
    expect(answer('¿Qué es E409?', codes)).toMatch(/^El error E409/u)
    expect(answer('What is E409?', codes)).toMatch(/^The error E409/u)
  })

  it('says how the thing that is asked is done, not the same done to another that holds it', () => {
    const of = (...texts: string[]) => [passage(1, texts.join(' '))]
    const library = of(
      'To remove a shelf with all its books, tell the head of the house.',
      'To remove a book, take it to the desk.',
    )
    expect(answer('How do I remove a book from a shelf?', library)).toMatch(/^To remove a book/u)
    expect(answer('How do I remove a shelf with books?', library)).toMatch(/^To remove a shelf/u)
    const biblioteca = of(
      'Para borrar un estante con todos sus libros, avisa a la dirección.',
      'Para quitar o borrar un libro, llévalo al mostrador.',
    )
    expect(answer('¿Cómo borro un libro de un estante?', biblioteca)).toMatch(/^Para quitar/u)
    const 图书馆 = of('要删除书架及其全部图书，请告诉馆长。', '要删除图书，请拿到前台。')
    expect(answer('怎么删除书架上的图书？', 图书馆)).toMatch(/^要删除图书/u)
  })

  it('says what stands below the trouble that is told, where nothing but what to do is asked', () => {
    const help = [
      passage(
        1,
        'The bot answers in the language of the question. What to do with it is up to you.',
      ),
      passage(
        2,
        'Why is nothing said?\n\nLook at the status of the request: 404 means that nothing is published.',
        { phrasings: '0\tthe bot does not answer' },
      ),
    ]
    expect(answer('The bot does not answer, what should I do?', help)).toMatch(/^Look at the/u)
  })

  it('says nothing of a version that only a date or another version looks like', () => {
    const versions = [
      passage(
        1,
        'Undici 7 is bundled with Node.js 24. Its support ends on 2027-04-30. It needs 4.30 MB.',
      ),
    ]
    expect(answer('Which undici is bundled with Node.js 30?', versions)).toBeNull()
    expect(answer('Which undici is bundled with Node.js 24?', versions)).toMatch(/^Undici 7/u)
  })

  it('says what stands below a heading that names the option, not the heading’s words again', () => {
    const log = passage(
      1,
      'The --logfile option does not work if the file does not exist.\n\nThis is a feature, not a bug. To get a log file, create an empty one before you start the program.',
      { heading: 'Problems › The --logfile option does not work if the file does not exist.' },
    )
    expect(answer('log file never gets made with --logfile', [log])).toContain('create an empty')
  })

  it('takes no sentence with a version and a year for the heading of an entry', () => {
    const history = passage(
      1,
      'Walz and Winner released 3.3.0 in December 1999 and 3.3.1 in August of 2000.\n\nVersion 3.3 was the first with separate races and professions.',
    )
    expect(answer('Which version was the first with separate races?', [history])).toMatch(
      /^Version 3.3 was the first/u,
    )
  })

  it('says what is in the asker’s language in a passage that is mostly in another', () => {
    const base = [
      passage(
        1,
        'If you change the account that you work in, the changes take effect the next time that you log in. 用 passwd -e 用户 命令强迫密码失效，要求用户登录时变更密码才能继续使用。 See the manual page of the command for what else can be set there, and by whom.',
      ),
      passage(2, '用户登录时运行的程序通常是命令解译器。若指定为 /bin/false，则用户无法登录。'),
    ]
    expect(answer('怎么让用户登录时必须变更密码', base)).toMatch(/^用 passwd -e 用户/u)
  })

  it('says below an English way to ask what is English, where that says as much', () => {
    const base = [
      passage(1, 'من صنعها؟\n\nصنع المكتبة أهلها، ولا تقف وراءها شركة.', {
        phrasings: '0\twho made you',
      }),
      passage(2, 'The library is made by its readers.', { heading: 'Who made it?' }),
    ]
    expect(extractAnswer('who made you?', base, IDF, 'en')).toMatch(/^The library is made/u)
    expect(extractAnswer('who made you?', base.slice(0, 1), IDF, 'en')).toMatch(/^صنع/u)
  })

  it('says of a name in any language what the page’s own says, be it beside code', () => {
    const base = [
      passage(1, 'A webhook is an address of your server that is called.', {
        heading: 'What is a webhook?',
      }),
      passage(2, 'Вебхук (webhook) — это адрес вашего сервера.'),
      passage(
        3,
        `回调（webhook）是您服务器的地址：\n\n\`\`\`js\n${'const answer = await fetch(address)\n'.repeat(9)}\`\`\``,
      ),
    ]
    const say = (lang: Language) => extractAnswer('webhook?', base, IDF, lang)
    expect(say('en')).toMatch(/^A webhook/u)
    expect(say('ru')).toMatch(/^Вебхук/u)
    expect(say('zh')).toMatch(/^回调/u)
    expect(say('fr')).toMatch(/^A webhook/u)
  })

  it('says the sentence that names all that is asked, whatever a heading elsewhere names', () => {
    const base = [
      passage(1, '要把文档上传到知识库，请发送 `POST /documents/upload`。', {
        heading: '怎样上传文档？',
      }),
      passage(2, '文档数量没有单独的限制：一个租户最多可以有 100 个知识库。', {
        heading: '最多能上传多少个文档？知识库最多能有多大？',
      }),
    ]
    expect(answer('怎样把文档上传到知识库？', base)).toMatch(/^要把文档上传到知识库/u)
  })

  it('finds a Latin name that an Arabic question asks about', () => {
    const machine = [passage(1, 'آلة القهوة Brewmaster 300 تزن 4 كيلوغرامات. الضمان سنتان.')]
    expect(answer('كم وزن Brewmaster 300؟', machine)).toMatch(/^آلة القهوة Brewmaster 300 تزن 4/u)
    expect(answer('كم وزن Espressoqueen 900؟', machine)).toBeNull()
  })

  it('says of a follow-up nothing that only the question before asked for', () => {
    const hours = 'When does the library open?'
    expect(extractAnswer('and the fine?', GUIDES, IDF, 'en', hours)).toMatch(
      /^The fine is 20 cents/u,
    )
    expect(extractAnswer('and the guitar?', GUIDES, IDF, 'en', hours)).toBeNull()
  })

  it.each([
    ['When does the library open and how do I get a refund?', 'how do I get a refund'],
    ['when does the library open, do you have a sauna', 'do you have a sauna'],
  ])(
    'answers of two questions the one, and says that nothing is there on the other: %s',
    (question, other) => {
      expect(answer(question)).toBe(
        `The library opens at nine in the morning. [1|The library opens at nine in the morning.]\n\nI found nothing about “${other}” in my sources.`,
      )
    },
  )

  it('answers of two things the one, and says that nothing is there on the other', () => {
    const text = answer('How long may I keep a book and a guitar?')
    expect(text).toMatch(/^Three weeks, and you may renew it twice\./u)
    expect(text).toMatch(/\n\nI found nothing about “a guitar” in my sources\.$/u)
  })

  describe('of a question for two things of one kind', () => {
    const museum: [string, string, string, string, string, string][] = [
      [
        'en',
        'The museum opens at 10:00.',
        'The café opens at 8:30.',
        'When do the museum and the café open?',
        'When do the museum and the sauna open?',
        'the sauna',
      ],
      [
        'es',
        'El museo abre a las 10:00.',
        'La cafetería abre a las 8:30.',
        '¿Cuándo abren el museo y la cafetería?',
        '¿Cuándo abren el museo y la sauna?',
        'la sauna',
      ],
      [
        'fr',
        'Le musée ouvre à 10:00.',
        'Le café ouvre à 8:30.',
        'Quand ouvrent le musée et le café ?',
        'Quand ouvrent le musée et le sauna ?',
        'le sauna',
      ],
      [
        'de',
        'Das Museum öffnet um 10:00 Uhr.',
        'Das Café öffnet um 8:30 Uhr.',
        'Wann öffnen das Museum und das Café?',
        'Wann öffnen das Museum und die Sauna?',
        'die Sauna',
      ],
      [
        'ru',
        'Музей открывается в 10:00.',
        'Кафе открывается в 8:30.',
        'Когда открываются музей и кафе?',
        'Когда открываются музей и сауна?',
        'сауна',
      ],
      [
        'zh',
        '博物馆上午10:00开门。',
        '咖啡厅早上8:30开门。',
        '博物馆和咖啡厅几点开门？',
        '博物馆和桑拿房几点开门？',
        '桑拿房',
      ],
      [
        'ar',
        'يفتح المتحف الساعة 10:00.',
        'يفتح المقهى الساعة 8:30.',
        'متى يفتح المتحف والمقهى؟',
        'متى يفتح المتحف والساونا؟',
        'الساونا',
      ],
    ]

    it.each(museum)(
      'answers each that is there, and says which is not: %s',
      (_, first, second, both, one, absent) => {
        const two = [passage(1, first), passage(2, second)]
        const text = answer(both, two)
        expect(text).toContain(`[1|${first}]`)
        expect(text).toContain(`[2|${second}]`)
        const half = answer(one, two)
        expect(half).toContain(`[1|${first}]`)
        expect(half).not.toContain('[2|')
        expect(half).toMatch(new RegExp(`[“«„]\\s?${absent}\\s?[”»“]`, 'u'))
      },
    )

    it('says once what one sentence says of both', () => {
      const both = passage(1, 'The museum and the café open at ten. The garden is closed.')
      expect(answer('When do the museum and the café open?', [both])).toBe(
        'The museum and the café open at ten. [1|The museum and the café open at ten.]',
      )
    })

    it.each([
      [
        'How much are a single room and a double room?',
        'A single room costs 80 euros.',
        'A double room costs 120 euros.',
      ],
      [
        'How much are a single and a double room?',
        'A single room costs 80 euros.',
        'A double room costs 120 euros.',
      ],
    ])('asks the same of both, wherever what they share stands: %s', (question, single, double) => {
      const text = answer(question, [passage(1, single), passage(2, double)])
      expect(text).toBe(`${single} [1|${single}]\n\n${double} [2|${double}]`)
    })
  })

  it('says so in each language in words that the check lets pass', () => {
    for (const { says } of Object.values(LANGUAGE_PACKS)) {
      const gap = says.nothingOn.replace('{text}', 'parking')
      const checker = createChecker({ passages: GUIDES, idf: IDF, grounded: true })
      const text = `The library opens at nine in the morning. [1]\n\n${gap}`
      const pieces = [...checker.push(text), ...checker.end().pieces]
      expect(pieces.map((piece) => piece.text).join('')).toContain(gap)
    }
  })

  it('asks nothing of what is only told', () => {
    expect(
      answer('A friend has a list of everything in the world. When does the library open?'),
    ).toBe(
      'The library opens at nine in the morning. [1|The library opens at nine in the morning.]',
    )
  })

  const HOTEL = [
    passage(
      1,
      'Is there a pool?\n\nNo. The public baths are 400 metres away.\n\n2. Wi-Fi\n\nThe password is printed on your key card.\n\nIf pages stay empty, your cache is stale. Run this:\n\n```\nflush --all\n```',
    ),
  ]

  it('carries a bare yes or no with the sentence behind it', () => {
    expect(answer('do you have a pool', HOTEL)).toMatch(
      /^No\. The public baths are 400 metres away\. \[1\|/u,
    )
  })

  it('finds a compound in one word, and takes no chapter for a sentence', () => {
    expect(answer('what is the wifi password', HOTEL)).toMatch(
      /^The password is printed on your key card\./u,
    )
  })

  it('says what is to be done about it', () => {
    expect(answer('my pages stay empty', HOTEL)).toContain('flush --all')
  })

  it('says what is in no language, and in any to a question in one that pages do not speak', () => {
    const codes = [
      passage(1, 'Code: SEK | Name: Swedish Krona | Number: 752'),
      passage(2, 'The codes for which there is no currency of a country are at the end of it.'),
    ]
    expect(answer('What is the currency code of the Swedish krona?', codes)).toMatch(/^Code: SEK/u)
    const mixed = [
      passage(1, '»Pre-Depends« ist eine besondere Abhängigkeit, die zuerst erfüllt wird.'),
      passage(2, 'Depends is what the package needs, and it is in the same file as the name.'),
    ]
    expect(answer('Was sind Pre-Depends?', mixed)).toMatch(/^»Pre-Depends« ist/u)
  })

  it('takes versions, options and placeholders as they are written', () => {
    const signs = [
      passage(
        1,
        'Sign: `%o` | Prints: an object on a line, as the debugger prints it\nSign: `%j` | Prints: JSON',
      ),
    ]
    expect(answer('What does %j print in the debugger?', signs)).toMatch(/^Sign: `%j`/u)
    const news = [
      passage(1, '2002.03.05 - Pen 1.1.7\n\nMuch changed in Pen, which changed how it looks.', {
        heading: '2002.03.05 - Pen 1.1.7',
      }),
      passage(2, '2023.01.18 - Pen 7.2\n\n• What changed: pasting is prevented in view mode.', {
        heading: '2023.01.18 - Pen 7.2',
      }),
    ]
    expect(answer('What changed in Pen 7.2?', news)).toContain('pasting is prevented')
  })

  it('says when a version came out by what stands under it, not by who only speaks of it', () => {
    const news = [
      passage(
        1,
        'NEWS for Pen 3.5.0 (13 Aug 2026)\n\n- A crash was reproduced on the released 3.4.1.',
      ),
      passage(2, 'NEWS for Pen 3.4.1 (16 Jan 2025)\n\n- Pasting is quicker.'),
    ]
    expect(answer('when was pen 3.4.1 released', news)).toMatch(
      /^#### NEWS for Pen 3\.4\.1 .*16 Jan 2025/u,
    )
  })

  it('reads all of an item as said of its name', () => {
    const limits = passage(
      1,
      'The limits are these:\n\n- RateInterval: How long a span is. The default is 30 seconds.\n- RateBurst: How many messages a span may have. The default is 1000.\n- Storage: Where messages lie. The default is the disk.',
    )
    expect(answer('default messages of RateBurst', [limits])).toContain('The default is 1000')
  })

  it('says what a sentence leans on before it', () => {
    const ports = passage(
      1,
      'The m68k port was given up in version 4. It is about the Amiga and its kin. Nobody has asked for another.',
    )
    expect(answer('is there something for the Amiga', [ports])).toMatch(
      /^The m68k port was given up/u,
    )
  })

  it('says who, where the sentence before does', () => {
    const team = passage(
      1,
      'Dra. Nuria Lasheras, directora. Se ocupa de los implantes y de la cirugía.\n\nRaúl Sanz, higienista. Hace las limpiezas.',
    )
    expect(answer('quién se ocupa de los implantes', [team])).toMatch(/^Dra. Nuria Lasheras/u)
    expect(answer('cuándo se ocupan de los implantes', [team])).not.toMatch(/^Dra. Nuria/u)
  })

  it('defines a name by what stands beside it, and nothing by what is said of some', () => {
    const shell = passage(
      1,
      'Options of the shell\n\nSubshells are copies.\n\nglobdots If set, names that begin with a dot match.\n\nglobstar If set, two stars match all folders. They match files too.\n\nNo subshell is made for a group. The shell reads globstar once.',
    )
    expect(answer('what does globstar do', [shell])).toMatch(/^globstar If set/u)
    const related = [
      passage(
        1,
        'Event-parser is a streaming reader of events.\n\n- parser: reads any text\n- event-writer: writes events',
      ),
    ]
    expect(answer('What is event-parser?', related)).toMatch(/^Event-parser is/u)
    expect(answer('what is a subshell', [shell])).not.toMatch(/^No subshell/u)
  })

  it('shows the command to who asks how, beside the sentence that says it best', () => {
    const held = passage(
      1,
      'How do I keep a package back?\n\nThere are two ways to keep a package back: with pack or with store.\n\nWith store you can keep a package back by:\n\n```\nstore-mark hold NAME\n```',
    )
    expect(answer('how do I keep a package back', [held])).toContain('store-mark hold')
  })

  it('says nothing of a price where no sentence tells one', () => {
    const guide = passage(
      1,
      'The maintainer keeps a package up to date. Everybody may keep a package.',
    )
    expect(answer('what does it cost to keep a package', [guide])).toBeNull()
    const paid = passage(1, 'To keep a package costs nothing. Everybody may keep a package.')
    expect(answer('what does it cost to keep a package', [paid])).toContain('costs nothing')
    const model = passage(1, 'The pump Aqua-17 is set up in the menu. Aqua-17 needs a socket.')
    expect(answer('how much does an Aqua-17 cost', [model])).toBeNull()
    const sold = passage(1, 'The pump Aqua-17 is sold for 40 euros.')
    expect(answer('how much does an Aqua-17 cost', [sold])).toContain('40 euros')
    expect(answer('can I pay in cash', [passage(1, 'You pay in cash or by card.')])).not.toBeNull()
    expect(answer('掛號費多少錢？', [passage(1, '掛號費150元。')])).toContain('150')
  })

  it('prefers no language to rows of names', () => {
    const codes = [
      passage(
        1,
        'code: SEK | name: Swedish Krona | numeric: 752\ncode: LEU | name: La Une Des | numeric: 3',
      ),
      passage(2, 'code: XXX | name: The codes that are for no currency | numeric: 999'),
    ]
    expect(answer('currency code of the swedish krona', codes)).toContain('SEK')
  })

  it('says no part of a heading that is told and asked in several sentences', () => {
    const asked = passage(
      1,
      'I use Mint and want to use Debian. How do I go about it?\n\nPut a copy of your files aside, then begin anew.',
    )
    expect(answer('I use Mint, how do I go to Debian?', [asked])).toMatch(/^Put a copy/u)
  })

  it('says what a colon promises, and the command to who only names what it is for', () => {
    const shown = passage(
      1,
      'The shell sets the variable as follows:\n\n`set DEBUG` does it.\n\nPowerShell sets variables in another way.\n\n```\n$env:DEBUG = 1\n```',
    )
    expect(answer('set variable in the shell', [shown])).toContain('set DEBUG')
    expect(answer('set variables in powershell', [shown])).toContain('$env:DEBUG = 1')
  })

  it('says a step that ends with a colon with the command below it', () => {
    const steps = passage(
      1,
      '3. Insert some text.\n\n4. Save the file with your changes and leave the editor with:\n:wq <Enter>\n\n5. Read on.',
    )
    expect(answer('save the file and leave the editor', [steps])).toContain(':wq <Enter>')
    expect(answer('How do I save the file and leave the editor?', [steps])).toContain(':wq <Enter>')
    const fenced = passage(
      1,
      '- Open the door.\n- To save the file and leave the editor, type:\n\n```\n:wq\n```\n\nRead on.',
    )
    expect(answer('save the file and leave the editor', [fenced])).toContain(':wq')
  })

  it('answers an option and an entry of a changelog under its name, never by a label', () => {
    const options = passage(
      1,
      'compact\n\nType: `boolean`\nDefault: `false`\n\nOnly shows the first unit.\n\n[1.0.9] - 2019-02-28\n\nFixed\n\n- Fix the buffer warning.\n\n[1.0.8] - 2019-01-14\n\nFixed\n\n- Fix raw inflate.',
    )
    expect(answer('what does compact do', [options])).toMatch(
      /^#### compact\n\nOnly shows the first unit\. \[1\|/u,
    )
    expect(answer('What was fixed in 1.0.9?', [options])).toMatch(
      /^#### 1\.0\.9 - 2019-02-28\n\nFix the buffer warning\. \[1\|/u,
    )
    expect(answer('What was fixed in 3.4.0?', [options])).toBeNull()
  })

  it('says a name once, and takes the number of a section for none', () => {
    const shell = passage(
      1,
      'HISTFILE is the name of the file to which the command history is saved. The default of the command history is ~/.shell_history.',
      { title: 'Manual', heading: 'Manual › 5.2 Shell Variables' },
    )
    expect(answer('where is the command history saved?', [shell])).toMatch(/^HISTFILE is the name/u)
    const option = passage(
      1,
      'saved: false\n\nkeepHistory\n\nKeeps the command history in a file. The file of the command history is made anew each day.',
      { title: 'Manual' },
    )
    const said = answer('command history file', [option])
    expect(said?.match(/#### keepHistory/gu)).toHaveLength(1)
    expect(said).toContain('made anew each day')
  })

  it('says nothing where only the name of a question is found', () => {
    const kettle = passage(1, 'The kettle of the Aurora series boils one litre in three minutes.')
    expect(answer('Which countries can the Aurora series be shipped to?', [kettle])).toBeNull()
    expect(answer('How long does the Aurora series need to boil a litre?', [kettle])).toContain(
      'three minutes',
    )
  })

  it('answers with a sentence that has the names alone where it is likely enough', () => {
    const clients = passage(
      1,
      '要連接 Claude Desktop、Cursor 或其他 MCP 用戶端，請填寫部署的網址。',
      { heading: '怎麼連接 Claude Desktop、Cursor 或其他 MCP 用戶端？' },
    )
    const asked = '可以從 Claude 或 Cursor 用 MCP 連到我在 Parley 的 agent 嗎'
    expect(answer(asked, [clients])).toContain('請填寫部署的網址')
  })

  it('answers in the question’s language', () => {
    expect(answer('¿Cuándo abre la biblioteca?')).toContain(
      '[2|La biblioteca abre a las diez de la mañana.]',
    )
    expect(answer('图书馆几点开门？')).toContain('[3|图书馆上午九点开门，下午六点关门。]')
  })

  it('answers a question of the document with what follows it', () => {
    expect(answer('How long may I keep a book?')).toMatch(
      /^Three weeks, and you may renew it twice\. \[1\|/,
    )
  })

  it('quotes a list with its lead-in, each item with its mark', () => {
    expect(answer('How do I get a card?')).toBe(
      [
        'To get a card: [1|To get a card:]\n',
        '1. Bring your passport [1|Bring your passport]',
        '2. Fill in form [B] [1|Fill in form [B]]',
        '3. Pay 5 euros [1|Pay 5 euros]',
      ].join('\n'),
    )
  })

  it('knows that a chunk speaks of its heading', () => {
    expect(answer('Which formats can I upload?')).toContain(
      '- PDF and Word files [6|PDF and Word files]',
    )
  })

  it('defines a thing by a sentence that says what it is, not by when it is ready', () => {
    const machine = [
      passage(1, 'When Brewer is ready, a light goes on. Brewer is a machine that makes coffee.'),
    ]
    expect(answer('What is Brewer?', machine)).toMatch(/^Brewer is a machine/u)
  })

  it('answers what the question behind it is about, however that question is to be answered', () => {
    const machine = [
      passage(1, 'When Brewer is ready, a light goes on. Brewer is a machine that makes coffee.'),
    ]
    expect(answer('so what is Brewer really? explain it as to a child of five', machine)).toMatch(
      /^Brewer is a machine[^\n]*$/u,
    )
  })

  it('takes no number of a name for how much', () => {
    const stream = [
      passage(
        1,
        'A stream that breaks is resumed with `GET /v1/streams`.\n\nA stream can be resumed for 10 minutes.',
      ),
    ]
    expect(answer('how long can a stream be resumed', stream)).toMatch(/10 minutes/u)
  })

  it('answers from below the question that names all that is asked', () => {
    const desk = [
      passage(1, 'An unsupported file type is one that our system does not know.'),
      passage(2, 'Which file types are supported?\n\nYou can send PDF and DOCX.'),
      passage(3, 'Are my files safe? Who may read them?\n\nYes, with a key of your own.'),
    ]
    expect(answer('Supported file types?', desk)).toMatch(/^You can send PDF and DOCX\./u)
    expect(answer('are my files safe', desk)).toMatch(/^Yes, with a key of your own\./u)
  })

  it('keeps what begins small apart from the sentence before it: read as one they are nowhere', () => {
    const texts =
      'release 11, the stable version: it changes for security alone.\n\nthe testing version: its packages come next, and it changes every day.'
    const versions = [passage(1, texts, { heading: 'Which version is stable, and which changes?' })]
    const text = answer('which version changes every day and which is stable', versions)
    expect(text).toMatch(/\]\n\n(?:release|the testing)/u)
  })

  it('keeps what no sign ends apart from the sentence behind it', () => {
    const features = [
      passage(
        1,
        '- picomatch has no dependencies\n\nIt is fast. It is small, and it reads all of what the shells of this world have ever come to read, with braces. No dependencies are needed by picomatch.',
      ),
    ]
    const said = answer('does picomatch have any dependencies?', features)?.split('\n\n')
    expect(said?.map((one) => one.replace(/ \[1\|[^\]]+\]$/u, '')).sort()).toEqual([
      'No dependencies are needed by picomatch.',
      'picomatch has no dependencies',
    ])
  })

  it('says all of an answer in one language', () => {
    const guides = [
      passage(1, 'Storylines are made with `POST /v1/storylines`.'),
      passage(2, 'Las storylines se crean con `POST /v1/storylines` y se publican después.'),
    ]
    const said = answer('tell me about storylines', guides)
    expect(said).toContain('[1|')
    expect(said).not.toContain('[2|')
  })

  it('says the same thing once', () => {
    expect(answer('How much is the fine a day for a book?')?.match(/20 cents/g)).toHaveLength(2)
  })

  it('is null when nothing fits', () => {
    expect(answer('Who won the football championship in 1998?')).toBeNull()
    expect(answer('量子力学的创始人是谁？')).toBeNull()
    expect(answer('anything', [])).toBeNull()
  })

  it('cites so that the checker keeps every sentence', () => {
    for (const question of [
      'When does the library open?',
      'How do I get a card?',
      '¿Cuándo abre la biblioteca?',
      '图书馆几点开门？',
      'How long may I keep a book?',
    ]) {
      const checker = createChecker({ passages: GUIDES, idf: IDF, grounded: true })
      const pieces = [...checker.push(answer(question) ?? ''), ...checker.end().pieces]
      const { unsourced, cited } = checker.end()
      expect(unsourced).toEqual([])
      expect(cited.length).toBeGreaterThan(0)
      expect(pieces.map((piece) => piece.text).join('')).not.toContain('|')
    }
  })

  it('is deterministic', () => {
    expect(answer('When does the library open?')).toBe(answer('When does the library open?'))
  })

  const plain = (question: string, text: string) =>
    answer(question, [passage(1, text)])?.replaceAll(/\s*\[(\d+)(?:\|[^\]]*)?\]/g, ' [$1]')

  it('does not quote a heading whose mark is gone, in any script', () => {
    const text = 'Key rotation\n\nTo rotate the master key, first add the new key to the ring.'
    expect(plain('How do I rotate the master key?', text)).toBe(
      'To rotate the master key, first add the new key to the ring. [1]',
    )
    expect(plain('怎样上传文档？', '上传文档\n\n要上传文档，请发送表单。')).toBe(
      '要上传文档，请发送表单。 [1]',
    )
  })

  it('takes a heading’s words along for the sentence below it', () => {
    const text = 'Opening hours\n\nMonday to Friday, nine to five.\n\nDelivery costs\n\nTwo euros.'
    expect(plain('What are the delivery costs?', text)).toBe('Two euros. [1]')
  })

  it('says what stands below one question in its order, whichever sentence is the likelier', () => {
    const bikes = passage(1, 'Can bikes be sent?\n\nNo, they cannot. A bike is too heavy to send.')
    const units = readUnits(bikes)
    const [, no, why] = units.map((unit) => ({ unit, passage: bikes }))
    const said = render(
      { kinds: new Set(), terms: [], code: 'en' },
      [why, no].flatMap((one) => one ?? []),
      [{ passage: bikes, units, lang: 'en' }],
    )
    expect(said).toMatch(/^No, they cannot\. .*A bike is too heavy to send\./u)
  })

  it('still quotes a short answer below a question', () => {
    expect(
      plain('Where is the office?', 'Where is the office?\n\nBerlin\n\nWhen is it open?\n\nAlways'),
    ).toContain('Berlin [1]')
  })

  it('leaves the mark of a list item out of running text', () => {
    const text = 'Sizes follow.\n\n- An upload has at most 25 MiB.\n\nLogos are smaller.'
    expect(plain('How large is an upload at most?', text)).toBe('An upload has at most 25 MiB. [1]')
  })

  it('reads a heading of many parts that is no name in one pass', async () => {
    const read = (parts: number) =>
      readUnits(passage(1, 'Books are kept for weeks.', { heading: `${'A_A.'.repeat(parts)}(` }))
    expect(await growsLinearly(26, read)).toBe(true)
  })
})
