import { describe, expect, it } from 'vitest'
import { type Checker, type CheckOptions, createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'

const PASSAGES = [
  passage(
    1,
    'Refunds are paid within five working days. They go back to the card used for the purchase.',
    { start: 100 },
  ),
  passage(
    2,
    'Open the settings page. Choose security. Press reset password. The limit is 25 MB per file.',
  ),
  passage(3, '退款会在五个工作日内支付。营业时间为每天九点到十八点。'),
  passage(4, '```\nnpm install\nnpm run dev -- --port 8080\n```\nThe server starts on port 8080.'),
]

function run(
  reply: string,
  more: Partial<CheckOptions> = {},
  prepare?: (checker: Checker) => void,
) {
  const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true, ...more })
  prepare?.(checker)
  const pieces = checker.push(reply)
  const result = checker.end()
  return { ...result, text: [...pieces, ...result.pieces].map((piece) => piece.text).join('') }
}
/** The claims that nothing decides by rule. */
function openOf(reply: string, prepare: (checker: Checker) => void) {
  const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
  prepare(checker)
  checker.push(reply)
  checker.close()
  return checker.open()
}
const grounded = (reply: string) => run(reply).text
const free = (reply: string) => run(reply, { grounded: false }).text

describe('a grounded reply', () => {
  it('numbers marks by first use', () => {
    const { text, cited } = run(
      'Press reset password there [2|Press reset password]. Refunds are paid [1|paid within five working days]. Open the page [2|Open the settings page].',
    )
    expect(text).toBe('Press reset password there [1]. Refunds are paid [2]. Open the page [1].')
    expect(cited.map((source) => [source.n, source.passage.n])).toEqual([
      [1, 2],
      [2, 1],
    ])
    expect(cited[0]?.spans.map((span) => span.quote)).toEqual([
      'Press reset password',
      'Open the settings page',
    ])
  })

  it.each([
    'Refunds are paid within five working days [1|within five working days]. Bye.',
    'Refunds are paid within five working days. [1] They go back to the card. [1]',
    'Well. Choose security [2|Choose security] and press reset password [2|Press reset password].',
    '- Choose security. [2]\n- Press reset password. [2]\n',
  ])('gives the sentences that rest on a source, as a free reply does: %j', (reply) => {
    const placesOf = (grounded: boolean) => {
      const { text, cited } = run(reply, { grounded, exempt: true })
      return cited.flatMap(({ spans }) =>
        spans.flatMap(({ sentences }) => sentences.map(({ start, end }) => text.slice(start, end))),
      )
    }
    const places = placesOf(true)
    expect(places.length).toBeGreaterThan(0)
    expect(placesOf(false)).toEqual(places)
  })

  it('gives the place in the document', () => {
    const [source] = run('Within five working days [1|five working days].').cited
    expect(source).toMatchObject({ quote: 'five working days', start: 124, end: 141 })
  })

  it('drops a sentence with a false mark and keeps its neighbours', () => {
    const { text, unsourced } = run(
      'Refunds are paid [1|paid within five working days]. Cheese is free [1|cheese is free]. Back to the card [1|They go back to the card used].',
    )
    expect(text).toBe('Refunds are paid [1]. Back to the card [1].')
    expect(unsourced).toEqual(['Cheese is free.'])
  })

  it('keeps a sentence that one of its marks proves', () => {
    expect(
      grounded('Refunds are paid [2|never] [1|paid within five working days] [1|nothing like it].'),
    ).toBe('Refunds are paid [1].')
  })

  it('takes marks behind the full stop and on the next line', () => {
    expect(
      grounded(
        'Refunds are paid. [1|paid within five working days] Back to the card. [1|They go back to the card used]',
      ),
    ).toBe('Refunds are paid. [1] Back to the card. [1]')
    expect(
      grounded(
        'Refunds are paid.\n[1|paid within five working days]\n\nOpen the page [2|Open the settings page].',
      ),
    ).toBe('Refunds are paid.[1]\n\nOpen the page [2].')
  })

  it('believes a bare mark when the passage covers the sentence', () => {
    const { text, cited } = run('Refunds are paid within five days [1].')
    expect(text).toBe('Refunds are paid within five days [1].')
    expect(cited[0]?.quote).toBe('Refunds are paid within five working days.')
    expect(grounded('Elephants sing in the bathroom [1].')).toBe('')
    expect(grounded('退款在五个工作日内支付[3]。')).toBe('退款在五个工作日内支付[1]。')
  })

  it('marks an unmarked sentence that a passage covers', () => {
    expect(grounded('Refunds are paid within five working days.')).toBe(
      'Refunds are paid within five working days [1].',
    )
    expect(grounded('退款会在五个工作日内支付。')).toBe('退款会在五个工作日内支付[1]。')
  })

  it('does not let a number pass that the passage lacks', () => {
    expect(grounded('The limit is 25 MB per file [2].')).toBe('The limit is 25 MB per file [1].')
    expect(grounded('The limit is 50 MB per file [2].')).toBe('')
    expect(grounded('The limit is ２５ MB per file.')).toBe('The limit is ２５ MB per file [1].')
  })

  it('keeps courtesy, questions and honest gaps', () => {
    for (const reply of [
      'Let me know if you need more help!',
      'Would you like to know more?',
      'The sources do not say anything about that.',
      'Las fuentes no mencionan ese dato.',
      'Les sources n’indiquent rien à ce sujet.',
      'В источниках об этом нет информации.',
      '资料中没有相关信息。',
      'لا توجد معلومات عن ذلك في المصادر.',
      'I do not have that.',
      'No hay información sobre eso en las fuentes.',
      'No tengo datos sobre ese tema.',
      'Nous n’avons pas trouvé d’information à ce sujet.',
    ])
      expect(grounded(reply), reply).toBe(reply)
  })

  it.each([
    'We do not have any parking.',
    'No hay aparcamiento.',
    'No hay que pagar nada.',
    'No dispone de ascensor.',
    'Nous n’avons pas de casiers.',
    'Nous ne pouvons pas rembourser les billets.',
  ])('takes what denies something for no gap: %s', (reply) => {
    expect(grounded(reply)).toBe('')
  })

  it('keeps what denies something where a source does', () => {
    const passages = [passage(1, 'No hay un acceso para varios inquilinos a la vez.')]
    const reply = 'No hay un acceso para varios inquilinos a la vez [1].'
    expect(run(reply, { passages })).toMatchObject({ text: reply, foundNothing: false })
  })

  it.each([
    '(1) Refunds are paid within five working days [1]\n(2) Choose security [2]',
    '1、退款会在五个工作日内支付[1]\n2、营业时间为每天九点到十八点[1]',
    '（1）退款会在五个工作日内支付[1]\n（2）营业时间为每天九点到十八点[1]',
  ])('takes the number of an item for no figure of it: %s', (reply) => {
    const asCited = reply.replaceAll('[2]', '[1]')
    expect(grounded(reply).replaceAll('[2]', '[1]')).toBe(asCited)
  })

  it('takes what is cut off behind its words, within its mark, for said', () => {
    const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
    const reply = 'Choose security [2]. Refunds are paid within five working days [1|Refunds are pa'
    const pieces = [...checker.push(reply), ...checker.close(true), ...checker.end().pieces]
    expect(pieces.map(({ text }) => text).join('')).toBe(
      'Choose security [1]. Refunds are paid within five working days [2]',
    )
  })

  it.each([
    ['根据资料3，营业时间为每天九点到十八点。', '根据资料3，营业时间为每天九点到十八点[1]。'],
    [
      'According to source 1, refunds are paid within five working days.',
      'According to source 1, refunds are paid within five working days [1].',
    ],
  ])('takes a source’s number for no figure: %s', (reply, text) => {
    expect(grounded(reply)).toBe(text)
  })

  it('takes it so in Russian, whatever its case', () => {
    const passages = [passage(1, 'Тип файла определяется по содержимому.')]
    const reply = 'Согласно источнику 1, тип файла определяется по содержимому.'
    expect(run(reply, { passages }).text).toBe(`${reply.slice(0, -1)} [1].`)
  })

  it.each([
    'Refunds are paid within five working days {1}.',
    'Refunds are paid within five working days <cite>1</cite>.',
    'Refunds are paid within five working days <ref>1</ref>.',
    'Refunds are paid within five working days (see [1]).',
    'Refunds are paid within five working days [cite: 1].',
    'Refunds are paid within five working days [n|quote].',
    'Refunds are paid within five working days [n|paid within five working days].',
    'Refunds are paid within five working days [1: paid within five working days].',
    'Refunds are paid within five working days (Source 1).',
  ])('reads the mark in: %s', (reply) => {
    expect(grounded(reply)).toBe('Refunds are paid within five working days [1].')
  })

  it('reads a raised one behind the shortest word, where it is no power', () => {
    const passages = [passage(1, 'It fits the car. It has 3 m².')]
    expect(run('It fits the car¹.', { passages }).text).toBe('It fits the car[1].')
    expect(run('It has 3 m².', { passages }).text).toBe('It has 3 m² [1].')
  })

  it.each(['/v1/items/{1}', 'the set {1}', '(see 9)'])('leaves what is none: %s', (text) => {
    const passages = [passage(1, `Choose ${text} there.`)]
    expect(run(`Choose ${text} there.`, { passages }).text).toBe(`Choose ${text} there [1].`)
  })

  it("lets the agent's own words for nothing pass whole", () => {
    const noMatchReply = 'Our shop is silent on that. Ask refunds in other words.'
    const { text, foundNothing, unsourced } = run(noMatchReply, { noMatchReply })
    expect(text).toBe(noMatchReply)
    expect(foundNothing).toBe(true)
    expect(unsourced).toEqual([])
    expect(run('Our shop is silent on that.', { noMatchReply: null }).text).toBe('')
  })

  it('tells a reply that found nothing from one that answers in part', () => {
    const found = (reply: string) => run(reply).foundNothing
    expect(found('The sources do not say anything about that.')).toBe(true)
    expect(
      found('Refunds are paid [1|paid within five working days]. The sources do not say more.'),
    ).toBe(false)
    expect(found('Would you like to know more?')).toBe(false)
    expect(run('The sources do not say.', { grounded: false }).foundNothing).toBe(false)
  })

  it('lets headings, lead-ins and table heads stand or fall with what they introduce', () => {
    expect(
      grounded(
        '## Reset\n\nDo this:\n\n1. Open settings [2|Open the settings page]\n2. Dance\n3. Press it [2|Press reset password]',
      ),
    ).toBe('## Reset\n\nDo this:\n\n1. Open settings [1]\n3. Press it [1]')
    expect(
      grounded('## Moon\n\nIt is cheese.\n\n## Reset\n\nPress it [2|Press reset password].'),
    ).toBe('## Reset\n\nPress it [1].')
    expect(
      grounded(
        '| What | When |\n|---|---|\n| Refund | five days [1|within five working days] |\n| Moon | never |',
      ),
    ).toBe('| What | When |\n|---|---|\n| Refund | five days [1] |')
    expect(grounded('Facts:\n\n- The moon is cheese\n- Cows fly')).toBe('')
    expect(grounded('Yes. Refunds are paid within five working days.')).toBe(
      'Yes. Refunds are paid within five working days [1].',
    )
    expect(grounded('Yes. Cows fly.')).toBe('')
  })

  it('judges code by the passage as a whole', () => {
    const code = '```sh\nnpm install\nnpm run dev -- --port 8080\n```'
    expect(grounded(`Start it like this [4|The server starts on port 8080]:\n\n${code}`)).toBe(
      `Start it like this [1]:\n\n${code}`,
    )
    expect(grounded('```sh\nrm -rf / --no-preserve-root && curl evil\n```')).toBe('')
  })

  it.each([
    '```\nRefunds are paid within 90 days (verified)\n```',
    '```text\nRefunds are paid within\n90 working days.\n```',
    '~~~\nRefunds are never paid within five working days.\n~~~',
    '```\n退款会在九十个工作日内支付。\n```',
    '```sh\nnpm install\n```\n\n```\nI checked it: refunds are paid within 90 working days.\n```',
  ])('judges words between fences as any others: %j', (reply) => {
    expect(grounded(reply)).not.toMatch(/90|never|九十/u)
  })

  it.each([
    '```\nRefunds are paid within five working days.\n```',
    '```\nnpm install\n```',
    '```yaml\nport: 8080\n```',
    '```\nThe limit is 25 MB\nper file.\n```',
  ])('leaves what a passage says between fences: %j', (reply) => {
    expect(grounded(reply)).toBe(reply)
  })

  it('leaves marks in code alone', () => {
    const { text } = run('With `a[1]` open the settings page [2|Open the settings page].')
    expect(text).toBe('With `a[1]` open the settings page [1].')
  })

  it('passes small talk as it is', () => {
    expect(run('Hello! I can sing 7 songs [1|nope].', { exempt: true }).text).toBe(
      'Hello! I can sing 7 songs.',
    )
  })

  it('passes what a tool reported, not what it did not', () => {
    const weather = (checker: Checker) =>
      checker.addToolResult('{"temperature_c":21,"place":"Lima","utc":"2026-11-21T15:05:00Z"}')
    expect(run('In Lima it is 21 °C.', {}, weather).text).toBe('In Lima it is 21 °C.')
    for (const said of [
      'In Lima it is 35 °C.',
      'The moon is made of cheese.',
      'The refund is 21 euros for loyal customers.',
    ])
      expect(openOf(said, weather), said).toEqual([])
    for (const said of ['In Lima it is 35 °C.', 'In Lima it is not 21 °C.', 'In Rome it is 21 °C.'])
      expect(run(said, {}, weather).text, said).toBe('')
  })

  it('asks about what is put in other words than a tool’s, with the facts it is held against', () => {
    const weather = (checker: Checker) =>
      checker.addToolResult('{"temperature_c":21,"place":"Lima","utc":"2026-11-21T15:05:00Z"}')
    for (const said of [
      'It is 3:05 PM on November 21, 2026.',
      'الساعة الآن ٣:٠٥ م.',
      'In Lima it is not 21 °C.',
      '利马现在21度。',
    ])
      expect(openOf(said, weather), said).toMatchObject([{ claim: said }])
    expect(openOf('In Rome it is 21 °C.', weather)[0]?.evidence).toContain('temperature c":21')
  })

  it('needs but the figures of what the offline answerer fills into its own sentences', () => {
    const clock = (checker: Checker) => checker.addToolResult('{"utc":"2026-11-21T15:05:00Z"}')
    const said = 'الساعة الآن ٣:٠٥ م.'
    expect(run(said, { templated: true }, clock).text).toBe(said)
    expect(run('الساعة الآن ٤:٠٥ م.', { templated: true }, clock).text).toBe('')
    const midnight = (checker: Checker) => checker.addToolResult('{"utc":"2026-11-21T00:30:00Z"}')
    const late = 'I will remind you on Saturday, November 21, 2026 at 12:30 AM.'
    expect(run(late, { templated: true }, midnight).text).toBe(late)
  })

  describe('a sentence with marks in the middle', () => {
    const PLANS = [
      passage(1, 'The Team plan allows 10 users. Support answers by mail.'),
      passage(2, 'The Team plan costs €20 a month. The Solo plan costs €5 a month.'),
    ]
    const checkPlans = (reply: string) => {
      const checker = createChecker({ passages: PLANS, idf: IDF, grounded: true })
      checker.push(reply)
      checker.close()
      const open = checker.open()
      return { open, ...checker.end() }
    }

    it('is proven part by part, each at its own passage', () => {
      const reply = 'The Team plan allows 10 users [1] and costs €20 a month [2].'
      const { cited, unsourced } = checkPlans(reply)
      expect(unsourced).toEqual([])
      expect(cited.map(({ n, quote }) => [n, quote])).toEqual([
        [1, 'The Team plan allows 10 users.'],
        [2, 'The Team plan costs €20 a month.'],
      ])
      const quoted = checkPlans(
        'The Team plan allows 10 users [1|Team plan allows 10 users] and costs €20 [2|The Team plan costs €20 a month].',
      )
      expect(quoted.unsourced).toEqual([])
    })

    it('is open where a part is said of something else, and what is false of it falls', () => {
      const other = checkPlans('The Team plan allows 10 users [1] and costs €5 a month [2].')
      expect(other.open).toHaveLength(1)
      expect(other.open[0]?.evidence).toContain('10 users')
      expect(other.open[0]?.evidence).toContain('€5')
      const wrong = checkPlans('The Team plan allows 10 users [1] and costs €90 a month [2].')
      expect([wrong.open, wrong.unsourced.length]).toEqual([[], 1])
    })

    it.each([
      [
        'The Team plan allows 10 users [1] and costs €90 a month [2].',
        'The Team plan allows 10 users [1].',
        'costs €90 a month.',
      ],
      [
        'The Team plan allows 10 users [1], costs €20 a month [2], and answers by fax [1].',
        'The Team plan allows 10 users [1], costs €20 a month [2].',
        'answers by fax.',
      ],
      [
        'The Team plan allows 90 users [1] and costs €20 a month [2].',
        '',
        'The Team plan allows 90 users and costs €20 a month.',
      ],
      ['The Team plan allows [1] 90 users [2].', '', 'The Team plan allows 90 users.'],
    ])('keeps the beginning that stands: %s', (reply, said, unsourced) => {
      const checker = createChecker({ passages: PLANS, idf: IDF, grounded: true })
      const pieces = checker.push(reply)
      const end = checker.end()
      expect([...pieces, ...end.pieces].map(({ text }) => text).join('')).toBe(said)
      expect(end.unsourced).toEqual([unsourced])
    })
  })

  it('takes ordinals that open a sentence for no list numbers', () => {
    const reply = '10. ve 19. yüzyıllar arasında burada iki okul kuruldu [1].'
    const text = reply.replace(' [1]', '')
    for (const cut of [1, 4, 100]) {
      const checker = createChecker({ passages: [passage(1, text)], idf: IDF, grounded: true })
      let said = ''
      for (let at = 0; at < reply.length; at += cut)
        for (const piece of checker.push(reply.slice(at, at + cut))) said += piece.text
      for (const piece of checker.end().pieces) said += piece.text
      expect(said).toBe(reply)
    }
  })

  it('takes passages that a search finds in the middle of a turn', () => {
    const reply = 'The shop is open on Mondays only [7|open on Mondays only].'
    expect(grounded(reply)).toBe('')
    const add = (checker: Checker) =>
      checker.addPassages([passage(7, 'The shop is open on Mondays only.')], IDF)
    expect(run(reply, {}, add).text).toBe('The shop is open on Mondays only [1].')
  })

  it('sends the first sentence at its stop where its quote is known, a later one when it has ended', () => {
    const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
    expect(checker.push('Refunds are paid [1|paid within five working days]')).toEqual([])
    expect(checker.push('.')).toEqual([{ text: 'Refunds are paid [1].' }])
    expect(checker.push(' Refunds are paid [1|paid within five working days].')).toEqual([])
    expect(checker.push(' T')).toEqual([{ text: ' Refunds are paid [1].' }])
  })

  it.each([
    [
      '**Refunds are paid [1|paid within five working days].',
      '** Then',
      '**Refunds are paid [1].**',
    ],
    ['“Refunds are paid [1|paid within five working days].', '” Then', '“Refunds are paid [1].”'],
    ['Refunds are paid.', ' [1|paid within five working days] Then', 'Refunds are paid. [1]'],
    ['Refunds are paid [1].', ' T', 'Refunds are paid [1].'],
  ])('waits behind %s for what may belong to it', (reply, rest, said) => {
    const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: true })
    expect(checker.push(reply)).toEqual([])
    expect(checker.push(rest)).toEqual([{ text: said }])
  })
})

describe('a free reply', () => {
  it('flows as it comes', () => {
    const checker = createChecker({ passages: PASSAGES, idf: IDF, grounded: false })
    expect(checker.push('Cows can f').map((piece) => piece.text)).toEqual(['Cows can f'])
    expect(checker.push('ly [1').map((piece) => piece.text)).toEqual(['ly'])
    expect(checker.push('|within five working days] and').map((piece) => piece.text)).toEqual([
      ' [1] and',
    ])
  })

  it('loses false marks without a trace', () => {
    expect(
      free(
        'Cows fly [1|cows fly]. Pigs too [9]. A [2|Choose security] b[1|nope]c (x [8|y]) end [7|z]',
      ),
    ).toBe('Cows fly. Pigs too. A [1] bc (x) end')
  })

  it('keeps markdown and brackets that are no marks', () => {
    const reply =
      '# T\n\n- [ ] task\n- [x] done\n\n`a[1]` [link](https://x.example) [2024] x[i]\n\n```\n[1|x]\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n'
    expect(free(reply)).toBe(reply.trimEnd())
  })

  it('drops the address that a model puts behind a mark', () => {
    expect(free('Soon [1|within five working days](https://evil.example/).')).toBe('Soon [1].')
  })

  it('does not repeat a mark beside itself', () => {
    expect(
      free('Soon [1|within five working days][1|go back to the card], ok [1|five working days].'),
    ).toBe('Soon [1], ok [1].')
  })

  it('ends cleanly when the model is cut off inside a mark', () => {
    expect(free('Soon [1|within five wor')).toBe('Soon')
    expect(free('Soon [1|within five working days')).toBe('Soon')
    expect(free('Soon [')).toBe('Soon [')
  })
})
